"""The socket to another process, which the event loop reads itself, and what goes over it.

That is pieces of bytes, each with its kind and length before it. A piece mostly goes out by one
system call and comes in by one: each call wakes the other process, and on a page of ten kilobytes
that costs more than to copy it. Also what one answer may cost.
"""

import asyncio
import math
import socket
from collections import deque
from collections.abc import Callable

from msgspec import Struct

_LENGTH_BYTES = 8
_HEAD_BYTES = 1 + _LENGTH_BYTES
_USUAL_BYTES = 256 * 1024  # of what has come in; more than a socket holds


def open_pair() -> tuple[socket.socket, socket.socket]:
    """Two sockets, each the other end of the other.

    They hold as much as the system allows, so that who sends a page need not wait.
    """
    pair = socket.socketpair()
    for end in pair:
        end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4 * _USUAL_BYTES)
    return pair


def head_of(kind: bytes, content: bytes) -> bytes:
    """What is sent before a piece; a kind is one byte."""
    return kind + len(content).to_bytes(_LENGTH_BYTES)


def send_piece(line: socket.socket, kind: bytes, content: bytes) -> None:
    """Send a piece, and wait until there is room for all of it.

    Raises:
        OSError: the other end is gone.
    """
    head = head_of(kind, content)
    sent = line.sendmsg((head, content))
    if sent < len(head) + len(content):
        line.sendall(memoryview(head + content)[sent:])


class PieceBuffer:
    """Cuts what comes in into pieces."""

    def __init__(self) -> None:
        self._view = memoryview(bytearray(_USUAL_BYTES))
        self._start = self._end = 0  # of what has come in and was not taken
        self._wanted = _HEAD_BYTES  # bytes of the next piece, as far as that is known

    def receive(self, line: socket.socket) -> bool:
        """Take what has come in; False when the other end is closed.

        Raises:
            BlockingIOError: nothing has come in, and the socket does not wait.
        """
        self._make_room()
        count = line.recv_into(self._view[self._end :])
        self._end += count
        return count > 0

    def take(self) -> tuple[bytes, bytes] | None:
        """Kind and content of the next piece; None when it is not here as a whole."""
        start, there = self._start, self._end - self._start
        if there < _HEAD_BYTES:
            return None
        content = start + _HEAD_BYTES
        self._wanted = _HEAD_BYTES + int.from_bytes(self._view[start + 1 : content])
        if there < self._wanted:
            return None
        self._start, self._wanted = start + self._wanted, _HEAD_BYTES
        return bytes(self._view[start : start + 1]), bytes(self._view[content : self._start])

    def _make_room(self) -> None:
        """Let the next piece fit in, and nothing larger stay when that was taken."""
        left = self._view[self._start : self._end]
        size = max(self._wanted, _USUAL_BYTES)
        into = self._view if size == len(self._view) else memoryview(bytearray(size))
        if self._start or into is not self._view:
            into[: len(left)] = left  # may overlap, which a view allows
            self._view, self._start, self._end = into, 0, len(left)


class ProcessLine:
    """Sends pieces to another process, and tells when one has come from it.

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
        self._incoming = PieceBuffer()
        self._outgoing: deque[memoryview] = deque()  # while the loop watches for room
        self._is_closed = False

    def write(self, kind: bytes, content: bytes) -> None:
        """Send a piece now, or what there is no room for later."""
        if self._is_closed:
            return
        is_idle = not self._outgoing
        self._outgoing.extend(map(memoryview, (head_of(kind, content), content)))
        if is_idle and not self._send():
            self._loop.add_writer(self._socket.fileno(), self._go_on)

    def close(self) -> None:
        """Let go of the socket; nothing is told afterwards."""
        if not self._is_closed:
            self._is_closed = True
            self._loop.remove_reader(self._socket.fileno())
            self._loop.remove_writer(self._socket.fileno())
            self._socket.close()

    def _go_on(self) -> None:
        if self._send():
            self._loop.remove_writer(self._socket.fileno())

    def _send(self) -> bool:
        """Send what there is room for; whether nothing is left."""
        try:
            while self._outgoing:
                self._leave_out(self._socket.sendmsg(self._outgoing))
        except BlockingIOError:
            return False
        except OSError:  # the other end is gone, which reading tells
            self._outgoing.clear()
        return True

    def _leave_out(self, sent: int) -> None:
        """Forget as many bytes as were sent."""
        while self._outgoing and sent >= len(self._outgoing[0]):
            sent -= len(self._outgoing.popleft())
        if sent:
            self._outgoing[0] = self._outgoing[0][sent:]

    def _read(self) -> None:
        try:
            is_open = self._incoming.receive(self._socket)
        except BlockingIOError:
            return
        except OSError:
            is_open = False
        if not is_open:
            self._ended()
            return
        while not self._is_closed and (piece := self._incoming.take()):
            self._received(*piece)


class ReplyLimits(Struct, frozen=True):
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


class UnpreparedError(RuntimeError):
    """The processes could not load what they need: no question is to blame."""


class PendingQuestion:
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


def abandoned_question() -> PendingQuestion:
    """What stands for a question that was sent and is asked elsewhere, until its answer comes."""
    question = PendingQuestion(b"", 0)
    question.reply.cancel()
    return question
