"""Pieces of bytes on a socket between two processes, each with its kind and length before it.

A piece mostly goes out by one system call and comes in by one: each call wakes the other process,
and on a page of ten kilobytes that costs more than to copy it.
"""

from __future__ import annotations

import socket

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
