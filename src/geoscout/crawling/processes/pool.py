"""Other processes that answer questions, over sockets that the event loop reads itself.

An executor of the standard library needs two threads, which compete with the event loop for the
interpreter: 0.24 ms of processor time for a page instead of 0.04, and a process gets its next page
only when the loop pauses. Here each process works on one question and already has the next one.

A question can take long, and others must not wait for it. One that takes more than a turn while
others wait is *set aside*: its process goes on when a processor is idle, else a tenth of the time,
and another takes its place. A few questions are answered like that at a time; those beyond them
wait in a queue of their own. A process that has answered such a question waits for the next one: a
new one would have to learn all names again.

Such a process is stopped and goes on; it is given no lower priority, which cannot be taken back: to
be killed takes processor time, too, and on a busy machine one that the kernel lets work in idle
time only (SCHED_IDLE) outlived its crawl by half a minute.

What must stay true: the questions that a process has been sent are in `AnsweringProcess.sent`, in
this order, and it works on the first. So when it ends, only the first can be the cause, and the
others are asked elsewhere as if nothing had happened.
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

from geoscout.crawling.processes.line import (
    OverLimitError,
    PendingQuestion,
    ProcessLine,
    ReplyLimits,
    UnpreparedError,
    abandoned_question,
)
from geoscout.crawling.processes.nursery import (
    ANSWERED,
    ASKED,
    OUT_OF_MEMORY,
    STARTED,
    UNPREPARED,
    Nursery,
    Responder,
)
from geoscout.machine import idle_seconds, processor_seconds

_SLOW_TURN_SECONDS = 0.1
_WHOLE = 0.75  # of a turn in a processor; with less, others want it
_REST = 9  # times what it took of the last turn
_LEAST_TAKEN = 0.01  # seconds; systems count no less
_MUCH_IDLE = 0.3  # processors, while it rests


class AnsweringProcess:
    def __init__(
        self,
        line: socket.socket,
        answered: Callable[[AnsweringProcess, bytes, bytes], None],
        ended: Callable[[AnsweringProcess], None],
    ) -> None:
        self.sent: deque[PendingQuestion] = deque()
        self.pid = 0  # until it has said it
        self._handle = -1  # signals go to this process, whatever its number stands for later
        self._number = 0  # where the system has no such handles: of one that has not ended
        self._answered, self._ended = answered, ended
        self._is_slow = self._is_stopped = False
        self._turn_began, self._used_before = 0.0, 0.0  # of a slow one
        self._rests_until, self._idle_before = 0.0, 0.0
        self._line = ProcessLine(line, self._receive, self._end)
        self._first: PendingQuestion | None = None  # at the last look
        self._used_then = 0.0
        self.began_at = math.inf
        self.seconds_used = 0.0  # for the first question, at least

    def send(self, question: PendingQuestion) -> None:
        if self._is_slow and not self.sent:
            self._begin_turn(time.monotonic())
        self.sent.append(question)
        self._line.write(ASKED, question.content)

    def make_slow(self) -> None:
        """Have it work while a processor is idle, and a tenth of the time where none is."""
        self._is_slow = True
        self._begin_turn(time.monotonic())

    def look(self, now: float) -> None:
        """Note how long it has worked on its first question."""
        first = self.sent[0] if self.sent else None
        used = processor_seconds(self.pid) if first and self.pid else 0.0
        if first is not self._first or first is None:
            self._first, self._used_then = first, used
            self.began_at = now if first else math.inf
        self.seconds_used = used - self._used_then
        if self._is_slow and first and self.pid:
            self._take_turns(now, used)

    def _take_turns(self, now: float, used: float) -> None:
        if self._is_stopped:
            idle = idle_seconds() - self._idle_before
            if now >= self._rests_until or idle > _MUCH_IDLE * (now - self._turn_began):
                self._begin_turn(now, used)
        elif now - self._turn_began >= _SLOW_TURN_SECONDS:
            taken, lasted = used - self._used_before, now - self._turn_began
            self._turn_began, self._used_before = now, used
            if taken < _WHOLE * lasted:
                self._is_stopped = self._signal(signal.SIGSTOP)
                self._rests_until = now + _REST * max(taken, _LEAST_TAKEN)
                self._idle_before = idle_seconds()

    def _begin_turn(self, now: float, used: float | None = None) -> None:
        self._turn_began = now
        self._used_before = self._used_then + self.seconds_used if used is None else used
        if self._is_stopped:
            self._is_stopped = not self._signal(signal.SIGCONT)

    def close(self) -> None:
        self._line.close()
        self._signal(signal.SIGKILL)  # it has nothing to clean up: a hard end will do
        if self._handle >= 0:
            os.close(self._handle)
        self._handle, self._number = -1, 0

    def _signal(self, number: int) -> bool:
        """Whether it was there to hear it."""
        with suppress(ProcessLookupError):
            if self._handle >= 0:
                signal.pidfd_send_signal(self._handle, number)
                return True
            if self._number:
                os.kill(self._number, number)
                return True
        return False

    def _receive(self, kind: bytes, content: bytes) -> None:
        if kind != STARTED:
            self._answered(self, kind, content)
            return
        self.pid = int(content)
        if hasattr(os, "pidfd_open"):
            with suppress(OSError):  # it has ended already
                self._handle = os.pidfd_open(self.pid)
        else:  # macOS
            self._number = self.pid

    def _end(self) -> None:
        self._number = 0
        self._ended(self)


_QUESTIONS = 2  # that a process has at a time: it works on one, the other waits
_MOST_ENDS = 2  # of processes that had a question first; two are not an accident
_MOST_UNBORN = 5  # processes in a row that end before they live; then none ever will
_LOOK_SECONDS = 0.05  # between two looks at what takes long

_log = logging.getLogger(__name__)


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
        self._processes: list[AnsweringProcess] = []
        self._slow: list[AnsweringProcess] = []  # for questions set aside, one at a time
        self._leaving: list[AnsweringProcess] = []  # that end with what they have been sent
        self._waiting: deque[PendingQuestion] = deque()
        self._aside: deque[PendingQuestion] = deque()  # those that wait for a slow process
        self._next_look: asyncio.TimerHandle | None = None
        self._unborn = 0  # processes in a row that ended before they lived

    def prepare(self) -> None:
        """Start to load what the processes need; otherwise that begins with the first question."""
        if self._nursery is None:
            self._nursery = Nursery(self._prepare, self._method, self._limits.memory)

    async def ask(self, content: bytes, *, again: bool = True, is_heavy: bool = False) -> bytes:
        """The reply of whichever process is free first; `again` asks a second one if that ends.

        One that `is_heavy` is set aside from the beginning.

        Raises:
            OverLimitError: the answer would cost too much.
            ConnectionError: the process ended or did not answer, and a second one did the same.
            RuntimeError: the function in the process failed; the message has its traceback. An
                UnpreparedError: there is no such function.
        """
        question = PendingQuestion(content, _MOST_ENDS if again else 1)
        is_aside = is_heavy and self._limits.turn < math.inf
        (self._aside if is_aside else self._waiting).append(question)
        self._pump()
        if self._next_look is None:
            self._look_later()
        return await question.reply

    @property
    def set_aside(self) -> int:
        """How many questions have had their turn, or get none, and are not answered yet."""
        return len(self._aside) + sum(bool(process.sent) for process in self._slow)

    @property
    def pids(self) -> list[int]:
        nursery = [self._nursery.pid] if self._nursery else []
        return nursery + [process.pid for process in self._all() if process.pid]

    def renew(self) -> None:
        """Replace the processes by new ones, for the memory that they have gathered."""
        for processes in (self._processes, self._slow):
            for process in list(processes):
                if process.sent:
                    processes.remove(process)
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

    def _all(self) -> list[AnsweringProcess]:
        return [*self._processes, *self._slow, *self._leaving]

    def _pump(self) -> None:
        """Hand out the questions that wait, as far as there is room."""
        while self._waiting and (process := self._with_room()):
            process.send(self._waiting.popleft())
        while self._aside and (process := self._slow_one()):
            process.send(self._aside.popleft())

    def _with_room(self) -> AnsweringProcess | None:
        if len(self._processes) < self._number and (process := self._start()):
            self._processes.append(process)
        process = min(self._processes, key=lambda process: len(process.sent), default=None)
        return process if process and len(process.sent) < _QUESTIONS else None

    def _slow_one(self) -> AnsweringProcess | None:
        """A process for a question that was set aside; None when there can be none now."""
        free = next((process for process in self._slow if not process.sent), None)
        if free is None and self._has_room_aside() and (free := self._start()):
            free.make_slow()
            self._slow.append(free)
        return free

    def _has_room_aside(self) -> bool:
        """Whether there may be one more slow process; one without a question makes room for it."""
        unused = [process for process in self._slow if not process.sent]
        if unused and len(self._slow) >= self._limits.aside:
            self._forget(unused[0])
        return len(self._slow) < self._limits.aside

    def _start(self) -> AnsweringProcess | None:
        """A new process; None when there can be none now."""
        for _ in range(2):
            self.prepare()
            assert self._nursery is not None
            try:
                return AnsweringProcess(self._nursery.start(), self._answered, self._ended)
            except BrokenPipeError:  # somebody has ended it
                self._replace_nursery()
            except OSError as error:
                _log.warning("no process can be started now: %s", error)
                return None
        return None

    def _replace_nursery(self) -> None:
        """Have the next one started from nothing: there are threads by now, see `nursery.py`."""
        if self._nursery is not None:
            self._nursery.close(patience=0.0)
            self._nursery = None
        self._method = "spawn"

    def _forget(self, process: AnsweringProcess) -> None:
        for processes in (self._processes, self._slow, self._leaving):
            if process in processes:
                processes.remove(process)
        process.close()

    def _answered(self, process: AnsweringProcess, kind: bytes, reply: bytes) -> None:
        """A process has replied to the first question it had."""
        self._unborn = 0
        question = process.sent.popleft()
        if kind == OUT_OF_MEMORY:
            question.fail(OverLimitError(what="memory"))
            self._give_back(process)
            self._forget(process)
        elif kind == UNPREPARED:
            question.fail(UnpreparedError(reply.decode()))
        elif kind != ANSWERED:
            question.fail(RuntimeError(reply.decode()))
        elif not question.reply.done():
            question.reply.set_result(reply)
        if process in self._leaving and not process.sent:
            self._forget(process)
        self._pump()

    def _ended(self, process: AnsweringProcess) -> None:
        """A process is gone, without having been told to."""
        self._forget(process)
        self._unborn += not process.pid
        # One that ends with the nursery, before it has lived, has not even seen its questions.
        if process.sent and (process.pid or self._unborn >= _MOST_UNBORN):
            question = process.sent.popleft()
            question.ends += 1
            if question.ends < question.most_ends:
                process.sent.appendleft(question)
            else:
                question.fail(ConnectionError("a process has ended before it answered"))
        self._give_back(process)
        self._pump()

    def _give_back(self, process: AnsweringProcess) -> None:
        """What a process has not begun is asked elsewhere."""
        wanted = [question for question in process.sent if not question.reply.done()]
        self._waiting.extendleft(reversed(wanted))
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
        if self._waiting or self._aside or any(process.sent for process in self._all()):
            self._look_later()

    def _has_others(self, process: AnsweringProcess) -> bool:
        """Whether questions wait for the one that a process works on."""
        return process in self._processes and (bool(self._waiting) or len(process.sent) > 1)

    def _give_up(self, process: AnsweringProcess, error: Exception) -> None:
        if not process.pid:  # it has never come to life
            self._replace_nursery()
        process.sent.popleft().fail(error)
        self._give_back(process)
        self._forget(process)

    def _set_aside(self, process: AnsweringProcess) -> None:
        """Let others go first; the answer goes on if there is room for it, or begins again."""
        question = process.sent.popleft()
        behind = len(process.sent)
        self._give_back(process)
        if self._has_room_aside():
            self._processes.remove(process)
            # It will answer those behind, too: they are in its socket.
            process.sent.extend([question, *(abandoned_question() for _ in range(behind))])
            process.make_slow()
            self._slow.append(process)
        else:
            self._forget(process)
            self._aside.append(question)
