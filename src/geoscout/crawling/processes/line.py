"""The socket to another process, which the event loop reads itself."""

from __future__ import annotations

import asyncio
import socket
from collections import deque
from collections.abc import Callable

from geoscout.crawling.processes.pieces import PieceBuffer, head_of


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
