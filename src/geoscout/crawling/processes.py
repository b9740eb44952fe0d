"""Other processes that answer questions, over sockets that the event loop reads itself.

An executor of the standard library needs two threads, which compete with the event loop for the
interpreter: 0.24 ms of processor time for a page instead of 0.04, and a process gets its next page
only when the loop pauses. Here each process works on one question and already has the next one.

A question can take long, and others must not wait for it. One that takes more than a turn while
others wait is *set aside*: its process goes on at low priority, and another takes its place. A few
questions are answered like that at a time; those beyond them wait in a queue of their own.

What must stay true: the questions that a process has been sent are in `_Process.sent`, in this
order, and it works on the first. So when it ends, only the first can be the cause, and the others
are asked elsewhere as if nothing had happened.
"""

from __future__ import annotations

import asyncio
import logging
import math
import os
import signal
import socket
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from geoscout.crawling.nursery import (
    ANSWERED,
    LENGTH_BYTES,
    OUT_OF_MEMORY,
    STARTED,
    Nursery,
    Responder,
)

__all__ = ["OverLimitError", "Processes", "ReplyLimits", "Responder"]

_QUESTIONS = 2  # that a process has at a time: it works on one, the other waits
_MOST_ENDS = 2  # of processes that had a question first; two are not an accident
_LOOK_SECONDS = 0.05  # between two looks at what takes long
_BUFFER = 1024 * 1024  # bytes of replies; most are read in one piece
_TICKS = os.sysconf("SC_CLK_TCK")  # of processor time in a second
_HEAD_BYTES = 1 + LENGTH_BYTES
_LOW_PRIORITY = 10  # a tenth of the processor time of others, if they need all of it

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ReplyLimits:
    """What one answer may cost.

    Most is processor time: that the machine is busy is not the fault of a question.
    """

    patience: float = 300.0  # seconds by the clock
    seconds: float = math.inf  # of processor time
    memory: int = 0  # bytes; 0 sets no limit
    turn: float = math.inf  # seconds of processor time before others go first
    aside: int = 2  # questions that are answered at a time after their turn


class OverLimitError(Exception):
    """An answer would cost too much; `what` is "time" or "memory"."""

    def __init__(self, what: str) -> None:
        self.what = what
        super().__init__(f"too much {what}")


class _Question:
    """Bytes, and the reply that is to come."""

    __slots__ = ("content", "ends", "most_ends", "reply")

    def __init__(self, content: bytes, most_ends: int) -> None:
        self.content = content
        self.reply: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self.ends = 0  # processes that ended while they worked on it
        self.most_ends = most_ends

    def fail(self, error: Exception) -> None:
        if not self.reply.done():
            self.reply.set_exception(error)


class Processes:
    """A number of processes, started with the first question or before."""

    def __init__(
        self,
        prepare: Callable[[], Responder],
        number: int,
        limits: ReplyLimits | None = None,
        method: str | None = None,
    ) -> None:
        """`prepare` is called once, and returns the function that answers in each process.

        `method` is how the process is started that starts the others, as `multiprocessing` names
        it: "spawn" where this process has threads.
        """
        self._prepare, self._method = prepare, method
        self._number = number
        self._limits = limits or ReplyLimits()
        self._nursery: Nursery | None = None
        self._processes: list[_Process] = []
        self._slow: list[_Process] = []  # each with one question that was set aside
        self._leaving: list[_Process] = []  # that end with what they have been sent
        self._waiting: deque[_Question] = deque()
        self._aside: deque[_Question] = deque()  # those that wait for a slow process
        self._next_look: asyncio.TimerHandle | None = None

    def prepare(self) -> None:
        """Start to load what the processes need; otherwise that begins with the first question."""
        if self._nursery is None:
            self._nursery = Nursery(self._prepare, self._method, self._limits.memory)

    async def ask(self, content: bytes, *, again: bool = True, is_heavy: bool = False) -> bytes:
        """The reply of whichever process is free first; `again` asks a second one if that ends.

        One that `is_heavy` is set aside from the beginning, if there is anything else to do.

        Raises:
            OverLimitError: the answer would cost too much.
            ConnectionError: the process ended or did not answer, and a second one did the same.
            RuntimeError: the function in the process failed; the message has its traceback.
        """
        question = _Question(content, _MOST_ENDS if again else 1)
        is_aside = is_heavy and self._limits.turn < math.inf and self._is_busy()
        (self._aside if is_aside else self._waiting).append(question)
        self._pump()
        if self._next_look is None:
            self._look_later()
        return await question.reply

    @property
    def set_aside(self) -> int:
        """How many questions have had their turn, or get none, and are not answered yet."""
        return len(self._aside) + len(self._slow)

    @property
    def pids(self) -> list[int]:
        """The ids of the processes that there are now."""
        nursery = [self._nursery.pid] if self._nursery else []
        return nursery + [process.pid for process in self._all() if process.pid]

    def renew(self) -> None:
        """Replace the processes by new ones, for the memory that they have gathered."""
        for process in list(self._processes):
            if process.sent:
                self._processes.remove(process)
                self._leaving.append(process)
            else:
                self._forget(process)

    def close(self) -> None:
        """End the processes; questions without a reply fail."""
        for process in self._all():
            self._forget(process)
            for question in process.sent:
                question.reply.cancel()
        for question in (*self._waiting, *self._aside):
            question.reply.cancel()
        if self._next_look is not None:
            self._next_look.cancel()
        if self._nursery is not None:
            self._nursery.close()
            self._nursery = None

    def _all(self) -> list[_Process]:
        return [*self._processes, *self._slow, *self._leaving]

    def _pump(self) -> None:
        """Hand out the questions that wait, as far as there is room."""
        while self._waiting and (process := self._with_room()):
            process.send(self._waiting.popleft())
        while self._aside and len(self._slow) < self._limits.aside and (process := self._start()):
            process.make_slow()
            self._slow.append(process)
            process.send(self._aside.popleft())

    def _with_room(self) -> _Process | None:
        if len(self._processes) < self._number and (process := self._start()):
            self._processes.append(process)
        process = min(self._processes, key=lambda process: len(process.sent), default=None)
        return process if process and len(process.sent) < _QUESTIONS else None

    def _start(self) -> _Process | None:
        """A new process; None when there can be none now."""
        for _ in range(2):
            self.prepare()
            assert self._nursery is not None
            try:
                return _Process(self._nursery.start(), self._answered, self._ended)
            except BrokenPipeError:  # somebody has ended it
                self._nursery.close()
                self._nursery = None
            except OSError as error:
                _log.warning("no process can be started now: %s", error)
                return None
        return None

    def _is_busy(self) -> bool:
        return bool(self._waiting) or any(process.sent for process in self._all())

    def _forget(self, process: _Process) -> None:
        for processes in (self._processes, self._slow, self._leaving):
            if process in processes:
                processes.remove(process)
        process.close()

    def _answered(self, process: _Process, kind: bytes, reply: bytes) -> None:
        """A process has replied to the first question it had."""
        question = process.sent.popleft()
        if kind == OUT_OF_MEMORY:
            question.fail(OverLimitError(what="memory"))
            self._give_back(process)
            self._forget(process)
        elif kind != ANSWERED:
            question.fail(RuntimeError(reply.decode()))
        elif not question.reply.done():
            question.reply.set_result(reply)
        if process in self._slow or (process in self._leaving and not process.sent):
            self._forget(process)
        self._pump()

    def _ended(self, process: _Process) -> None:
        """A process is gone, without having been told to."""
        self._forget(process)
        if process.sent:
            question = process.sent.popleft()
            question.ends += 1
            if question.ends < question.most_ends:
                self._waiting.appendleft(question)
            else:
                question.fail(ConnectionError("a process has ended before it answered"))
        self._give_back(process)
        self._pump()

    def _give_back(self, process: _Process) -> None:
        """What a process has not begun is asked elsewhere."""
        self._waiting.extendleft(reversed(process.sent))
        process.sent.clear()

    def _look_later(self) -> None:
        loop = asyncio.get_running_loop()
        self._next_look = loop.call_later(_LOOK_SECONDS, self._look)

    def _look(self) -> None:
        """See which questions take long."""
        now, self._next_look = time.monotonic(), None
        for process in self._all():
            process.look(now)
            if process.seconds_used > self._limits.seconds:
                self._give_up(process, OverLimitError(what="time"))
            elif now - process.began_at > self._limits.patience:
                self._give_up(process, ConnectionError("a process has not answered"))
            elif process.seconds_used > self._limits.turn and self._has_others(process):
                self._set_aside(process)
        self._pump()
        if self._is_busy() or self._aside:
            self._look_later()

    def _has_others(self, process: _Process) -> bool:
        """Whether questions wait for the one that a process works on."""
        return process in self._processes and (bool(self._waiting) or len(process.sent) > 1)

    def _give_up(self, process: _Process, error: Exception) -> None:
        process.sent.popleft().fail(error)
        self._give_back(process)
        self._forget(process)

    def _set_aside(self, process: _Process) -> None:
        """Let others go first; the answer goes on if there is room for it, or begins again."""
        question = process.sent.popleft()
        self._give_back(process)
        if len(self._slow) < self._limits.aside:
            self._processes.remove(process)
            process.sent.append(question)
            process.make_slow()
            self._slow.append(process)
        else:
            self._forget(process)
            self._aside.append(question)


class _Process:
    """One process and the line to it."""

    def __init__(
        self,
        line: socket.socket,
        answered: Callable[[_Process, bytes, bytes], None],
        ended: Callable[[_Process], None],
    ) -> None:
        self.sent: deque[_Question] = deque()
        self.pid = 0  # until it has said it
        self._handle = -1  # signals go to this process, whatever its number stands for later
        self._answered, self._ended = answered, ended
        self._is_slow = False
        self._line = ProcessLine(line, self._receive, self._end)
        self._first: _Question | None = None  # at the last look
        self._used_then = 0.0
        self.began_at = math.inf
        self.seconds_used = 0.0  # for the first question, at least

    def send(self, question: _Question) -> None:
        """Have it answer one question more."""
        self.sent.append(question)
        self._line.write(len(question.content).to_bytes(LENGTH_BYTES), question.content)

    def make_slow(self) -> None:
        """Have it work mostly when no other process needs the processor."""
        self._is_slow = True
        if self.pid:
            with suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, self.pid, _LOW_PRIORITY)

    def look(self, now: float) -> None:
        """Note how long it has worked on its first question."""
        first = self.sent[0] if self.sent and self.pid else None
        used = processor_seconds(self.pid) if first else 0.0
        if first is not self._first or first is None:
            self._first, self._used_then = first, used
            self.began_at = now if first else math.inf
        self.seconds_used = used - self._used_then

    def close(self) -> None:
        """End it."""
        self._line.close()
        if self._handle >= 0:
            with suppress(ProcessLookupError):  # it has nothing to clean up: a hard end will do
                signal.pidfd_send_signal(self._handle, signal.SIGKILL)
            os.close(self._handle)
            self._handle = -1

    def _receive(self, kind: bytes, content: bytes) -> None:
        if kind != STARTED:
            self._answered(self, kind, content)
            return
        self.pid = int.from_bytes(content)
        with suppress(OSError):  # it has ended already
            self._handle = os.pidfd_open(self.pid)
        if self._is_slow:
            self.make_slow()

    def _end(self) -> None:
        self._ended(self)


class ProcessLine:
    """A socket that carries pieces of bytes, each with its kind and length before it.

    Without the streams of asyncio, which need a task for each, and the loop to open and to close.
    """

    def __init__(
        self,
        line: socket.socket,
        received: Callable[[bytes, bytes], None],
        ended: Callable[[], None],
    ) -> None:
        line.settimeout(0.0)
        self._socket, self._received, self._ended = line, received, ended
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(line.fileno(), self._read)
        self._incoming = bytearray()
        self._outgoing: deque[memoryview] = deque()
        self._is_closed = False

    def write(self, *pieces: bytes) -> None:
        """Send bytes now, or when there is room for them."""
        is_idle = not self._outgoing
        self._outgoing.extend(map(memoryview, pieces))
        if is_idle and not self._is_closed:
            self._loop.add_writer(self._socket.fileno(), self._write)
            self._write()

    def close(self) -> None:
        """Let go of the socket; nothing is told afterwards."""
        if not self._is_closed:
            self._is_closed = True
            self._loop.remove_reader(self._socket.fileno())
            self._loop.remove_writer(self._socket.fileno())
            self._socket.close()

    def _write(self) -> None:
        try:
            while self._outgoing:
                sent = self._socket.send(self._outgoing[0])
                self._outgoing[0] = self._outgoing[0][sent:]
                if not self._outgoing[0]:
                    self._outgoing.popleft()
        except BlockingIOError:
            return
        except OSError:  # the other end is gone, which reading tells
            self._outgoing.clear()
        self._loop.remove_writer(self._socket.fileno())

    def _read(self) -> None:
        try:
            piece = self._socket.recv(_BUFFER)
        except BlockingIOError:
            return
        except OSError:
            piece = b""
        if not piece:
            self._ended()
            return
        self._incoming += piece
        while not self._is_closed and self._take_one():
            pass

    def _take_one(self) -> bool:
        """Hand on one whole piece, if there is one."""
        incoming = self._incoming
        if len(incoming) < _HEAD_BYTES:
            return False
        end = _HEAD_BYTES + int.from_bytes(incoming[1:_HEAD_BYTES])
        if len(incoming) < end:
            return False
        kind, content = bytes(incoming[:1]), bytes(incoming[_HEAD_BYTES:end])
        del incoming[:end]
        self._received(kind, content)
        return True


def processor_seconds(pid: int) -> float:
    """What a process has used so far, to a hundredth of a second; 0.0 where nobody says it."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / _TICKS
