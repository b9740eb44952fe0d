"""Questions that other processes answer, over sockets which the event loop reads itself.

An executor of the standard library passes all through two threads, which fight with the loop for
the interpreter: 0.24 ms of processor time for a page instead of 0.04, and a process waits for its
next page until the loop pauses. Here a process has one question in work and the next one waiting.

A process ends when its line does, so none outlives a crawl that was killed.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import signal
import socket
import traceback
from collections.abc import Callable
from io import BufferedRWPair

Answer = Callable[[bytes], bytes]
_Line = tuple[asyncio.StreamReader, asyncio.StreamWriter]

_QUESTIONS = 2  # for a process at a time: one in work, one that waits
_LENGTH_BYTES = 8
_PATIENCE_SECONDS = 300.0  # the largest page takes some seconds on a busy machine
_BUFFER = 1024 * 1024  # bytes of answers; most are read at one go
_ANSWERED, _FAILED = b"a", b"f"


class Processes:
    """As many processes as asked for, made when there is something to ask."""

    def __init__(
        self, prepare: Callable[[], Answer], number: int, patience: float = _PATIENCE_SECONDS
    ) -> None:
        """`prepare` is called once in each process and gives what answers there.

        A process that has not answered after `patience` seconds is ended.
        """
        self._prepare = prepare
        self._number = number
        self._patience = patience
        self._processes: list[_Process] = []
        self._room = asyncio.Semaphore(_QUESTIONS * number)

    async def ask(self, question: bytes) -> bytes:
        """The answer of whichever process is free first.

        Raises:
            ConnectionError: the process ended or was silent, and so the one asked in its place.
            RuntimeError: what answers there has failed; the message has its traceback.
        """
        async with self._room:
            try:
                return await self._least_busy().ask(question)
            except ConnectionError:  # the system has killed it, for its memory as a rule
                return await self._least_busy().ask(question)

    def close(self) -> None:
        """End the processes."""
        for process in self._processes:
            process.close()
        self._processes.clear()

    def _least_busy(self) -> _Process:
        for process in [process for process in self._processes if process.lost]:
            self._processes.remove(process)
        while len(self._processes) < self._number:
            self._processes.append(_Process(self._prepare, self._patience))
        return min(self._processes, key=lambda process: process.asked)


class _Process:
    """One process and the line to it; answers come in the order of the questions."""

    def __init__(self, prepare: Callable[[], Answer], patience: float) -> None:
        ours, theirs = socket.socketpair()
        self._process = multiprocessing.get_context().Process(
            target=_serve, args=(prepare, theirs, ours), daemon=True
        )
        self._process.start()
        theirs.close()
        self._socket = ours
        self._line: asyncio.Future[_Line] | None = None  # opened with the first question
        self._turn = asyncio.Lock()
        self._patience = patience
        self.asked = 0  # questions without an answer
        self.lost = False

    async def ask(self, question: bytes) -> bytes:
        """Its answer.

        Raises:
            ConnectionError: the process has ended, or had to be.
            RuntimeError: what answers there has failed.
        """
        self.asked += 1
        try:
            async with asyncio.timeout(self._patience):
                kind, answer = await self._exchange(question)
        except (OSError, asyncio.IncompleteReadError) as error:  # a timeout is an OSError
            self._lose()
            raise ConnectionError("a process has ended before it answered") from error
        except asyncio.CancelledError:
            self._lose()  # or its answer would be taken for that to the next question
            raise
        finally:
            self.asked -= 1
        if kind == _FAILED:
            raise RuntimeError(answer.decode())
        return answer

    async def _exchange(self, question: bytes) -> tuple[bytes, bytes]:
        if self._line is None:
            opening = asyncio.open_connection(sock=self._socket, limit=_BUFFER)
            self._line = asyncio.ensure_future(opening)
        reader, writer = await asyncio.shield(self._line)
        if writer.is_closing():  # the process is gone, and those who asked it hear so in a moment
            raise ConnectionError("the line is closed")
        writer.write(len(question).to_bytes(_LENGTH_BYTES) + question)
        async with self._turn:
            if self.lost:
                raise ConnectionError("the line is out of step")
            kind, length = await reader.readexactly(1), await reader.readexactly(_LENGTH_BYTES)
            return kind, await reader.readexactly(int.from_bytes(length))

    def _lose(self) -> None:
        self.lost = True
        self.close()

    def close(self) -> None:
        """End it."""
        if self._line is None:
            self._socket.close()
        elif self._line.done() and not self._line.cancelled():
            self._line.result()[1].close()
        self._process.kill()  # it has nothing to tidy up, and might still ignore a milder signal
        self._process.join()


def _serve(prepare: Callable[[], Answer], line: socket.socket, other_end: socket.socket) -> None:
    """Answer until the line ends."""
    other_end.close()  # as long as we hold it ourselves, the line has no end
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the crawl, which then ends us
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    answer = _prepared(prepare)
    with line, line.makefile("rwb") as stream:
        while (length := stream.read(_LENGTH_BYTES)) and len(length) == _LENGTH_BYTES:
            _answer(answer, stream.read(int.from_bytes(length)), stream)


def _prepared(prepare: Callable[[], Answer]) -> Answer:
    """What answers; if it cannot be had, every question is told why."""
    try:
        return prepare()
    except Exception:  # as in `_answer`
        problem = traceback.format_exc()

    def fail(question: bytes) -> bytes:  # noqa: ARG001
        raise RuntimeError(problem)

    return fail


def _answer(answer: Answer, question: bytes, stream: BufferedRWPair) -> None:
    try:
        kind, content = _ANSWERED, answer(question)
    except Exception:  # whatever it is, the crawl has to hear of it
        kind, content = _FAILED, traceback.format_exc().encode("utf-8", "replace")
    stream.write(kind + len(content).to_bytes(_LENGTH_BYTES))
    stream.write(content)
    stream.flush()
