"""Other processes that answer questions, over sockets that the event loop reads itself.

An executor of the standard library needs two threads, which compete with the event loop for the
interpreter: 0.24 ms of processor time for a page instead of 0.04, and a process gets its next page
only when the loop pauses. Here each process works on one question and already has the next one.

A process ends when its socket is closed, so none outlives a crawl that was killed. Replies come in
the order of the questions: a process whose question was given up is ended, or its late reply would
be taken for the reply to the next question.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import signal
import socket
import traceback
from collections.abc import Callable
from io import BufferedRWPair
from multiprocessing.process import BaseProcess
from typing import Any

Responder = Callable[[bytes], bytes]
_Line = tuple[asyncio.StreamReader, asyncio.StreamWriter]

_QUESTIONS = 2  # that a process has at a time: it works on one, the other waits
_LENGTH_BYTES = 8
_PATIENCE_SECONDS = 300.0  # the largest page takes some seconds on a busy machine
_BUFFER = 1024 * 1024  # bytes of replies; most are read in one piece
_ANSWERED, _FAILED = b"a", b"f"


class Processes:
    """A number of processes, started with the first question."""

    def __init__(
        self,
        prepare: Callable[[], Responder],
        number: int,
        patience: float = _PATIENCE_SECONDS,
        method: str | None = None,
    ) -> None:
        """`prepare` is called once in each process and returns the function that answers there.

        A process that has not answered after `patience` seconds is ended. `method` is how processes
        are started, as `multiprocessing` names it: "spawn" where this process has threads.
        """
        self._prepare = prepare
        self._number = number
        self._patience = patience
        self._method = method
        self._processes: list[_Process] = []
        self._room = asyncio.Semaphore(_QUESTIONS * number)

    async def ask(self, question: bytes, *, again: bool = True) -> bytes:
        """The reply of whichever process is free first; `again` asks a second one if that ends.

        Raises:
            ConnectionError: the process ended or did not answer, and a second one did the same.
            RuntimeError: the function in the process failed; the message has its traceback.
        """
        async with self._room:
            try:
                return await self._least_busy().ask(question)
            except ConnectionError:  # usually the system killed it because of its memory
                if not again:
                    raise
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
            self._processes.append(_Process(self._prepare, self._patience, self._method))
        return min(self._processes, key=lambda process: process.asked)


class _Process:
    """One process and the socket to it."""

    def __init__(
        self, prepare: Callable[[], Responder], patience: float, method: str | None
    ) -> None:
        ours, theirs = socket.socketpair()
        context: Any = multiprocessing.get_context(method)  # the type of all has no `Process`
        self._process: BaseProcess = context.Process(
            target=_serve, args=(prepare, theirs, ours), daemon=True
        )
        self._process.start()
        theirs.close()
        self._socket = ours
        self._line: asyncio.Future[_Line] | None = None  # opened with the first question
        self._turn = asyncio.Lock()
        self._patience = patience
        self.asked = 0  # questions without a reply
        self.lost = False

    async def ask(self, question: bytes) -> bytes:
        """Its reply.

        Raises:
            ConnectionError: the process has ended, or was ended here.
            RuntimeError: the function in the process failed.
        """
        self.asked += 1
        try:
            async with asyncio.timeout(self._patience):
                kind, reply = await self._exchange(question)
        except (OSError, asyncio.IncompleteReadError) as error:  # a timeout is an OSError
            self._lose()
            raise ConnectionError("a process has ended before it answered") from error
        except asyncio.CancelledError:
            self._lose()  # its reply would be taken for the reply to the next question
            raise
        finally:
            self.asked -= 1
        if kind == _FAILED:
            raise RuntimeError(reply.decode())
        return reply

    async def _exchange(self, question: bytes) -> tuple[bytes, bytes]:
        if self._line is None:
            opening = asyncio.open_connection(sock=self._socket, limit=_BUFFER)
            self._line = asyncio.ensure_future(opening)
        reader, writer = await asyncio.shield(self._line)
        if writer.is_closing():  # the process is gone; the questions before this one fail next
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
        self._process.kill()  # it has nothing to clean up, and could ignore a milder signal
        self._process.join()


def _serve(prepare: Callable[[], Responder], line: socket.socket, other_end: socket.socket) -> None:
    """Answer until the socket is closed."""
    other_end.close()  # while this process holds the other end, its own end never closes
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the crawl, which then ends us
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    respond = _prepared(prepare)
    with line, line.makefile("rwb") as stream:
        while (length := stream.read(_LENGTH_BYTES)) and len(length) == _LENGTH_BYTES:
            _reply(respond, stream.read(int.from_bytes(length)), stream)


def _prepared(prepare: Callable[[], Responder]) -> Responder:
    """The function that answers; where `prepare` fails, one that fails with the same traceback."""
    try:
        return prepare()
    except Exception:  # as in `_reply`
        problem = traceback.format_exc()

    def fail(question: bytes) -> bytes:  # noqa: ARG001
        raise RuntimeError(problem)

    return fail


def _reply(respond: Responder, question: bytes, stream: BufferedRWPair) -> None:
    try:
        kind, content = _ANSWERED, respond(question)
    except Exception:  # whatever it is, the crawl has to know
        kind, content = _FAILED, traceback.format_exc().encode("utf-8", "replace")
    stream.write(kind + len(content).to_bytes(_LENGTH_BYTES))
    stream.write(content)
    stream.flush()
