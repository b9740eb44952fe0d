"""The socket to another process, which the event loop reads itself."""

from __future__ import annotations

import asyncio
import socket
from collections import deque
from collections.abc import Callable

from geoscout.crawling.processes.nursery import LENGTH_BYTES

_BUFFER = 1024 * 1024  # bytes of replies; most are read in one piece
_HEAD_BYTES = 1 + LENGTH_BYTES


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
