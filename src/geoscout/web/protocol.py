"""HTTP as uvicorn reads it, with a time limit for the head of a request.

uvicorn waits for ever for a head that was begun. Without a limit, anybody who may connect can hold
connections until the process has no files left. Bodies have their limit in `guard.py`.

It also writes the head of a response and its body one after the other, which are two packets and
two calls of the system. Here they are one: the client is woken once, and a short answer takes a
tenth of a millisecond less.
"""

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_SECONDS = 10.0
_MOST_HELD = 64 * 1024  # bytes that are written before they are sent


class TimedProtocol(H11Protocol):
    """Closes a connection whose request head does not come."""

    _alarm: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(JoinedWrites(transport, self.loop))  # type: ignore[arg-type]
        self._wait_for_head()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._stop_waiting()
        elif self._alarm is None:  # the next request of the connection was begun
            self._wait_for_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def _wait_for_head(self) -> None:
        self._alarm = self.loop.call_later(HEAD_SECONDS, self._give_up)

    def _stop_waiting(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    def _give_up(self) -> None:
        self._alarm = None
        if self.conn.their_state is h11.IDLE and not self.transport.is_closing():
            self.transport.close()


class JoinedWrites:
    """A transport that sends what is written in one turn of the event loop as one piece."""

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport, self._loop = transport, loop
        self._written: list[bytes] = []
        self._size = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        if not data:
            return
        if not self._written:
            self._loop.call_soon(self._flush)
        self._written.append(data)
        self._size += len(data)
        if self._size >= _MOST_HELD:  # the server then learns whether the client keeps up
            self._flush()

    def close(self) -> None:
        self._flush()
        self._transport.close()

    def _flush(self) -> None:
        written, self._written, self._size = self._written, [], 0
        if written:
            self._transport.write(written[0] if len(written) == 1 else b"".join(written))


def server_options(*, is_access_logged: bool = False) -> dict[str, Any]:
    """What every server of ours is started with, by name for `uvicorn.Config`.

    Its log is a part of ours: it is not configured here.
    """
    level = "info" if is_access_logged else "warning"
    return {
        "http": TimedProtocol,
        "log_config": None,
        "log_level": level,
        "access_log": is_access_logged,
    }
