"""Head and body of a response go out together, and nothing is held that should be sent."""

import asyncio
from collections.abc import Callable

import pytest

from geoscout.web.protocol import JoinedWrites


class Sent:
    """A transport that notes what is sent."""

    def __init__(self) -> None:
        self.pieces: list[bytes] = []
        self.is_closed = False

    def write(self, data: bytes) -> None:
        assert not self.is_closed
        self.pieces.append(data)

    def close(self) -> None:
        self.is_closed = True

    def is_closing(self) -> bool:
        return self.is_closed


def sent_after(act: Callable[[JoinedWrites], None]) -> Sent:
    sent = Sent()

    async def run() -> None:
        act(JoinedWrites(sent, asyncio.get_running_loop()))  # type: ignore[arg-type]
        await asyncio.sleep(0)

    asyncio.run(run())
    return sent


def test_what_is_written_in_one_turn_is_one_piece():
    def act(transport: JoinedWrites) -> None:
        for part in (b"head", b"body", b""):
            transport.write(part)

    assert sent_after(act).pieces == [b"headbody"]


def test_all_is_sent_before_the_connection_is_closed():
    def act(transport: JoinedWrites) -> None:
        transport.write(b"head")
        transport.close()
        assert transport.is_closing()

    sent = sent_after(act)
    assert (sent.pieces, sent.is_closed) == ([b"head"], True)


@pytest.mark.parametrize("size", [70_000, 200_000])
def test_much_is_sent_at_once(size):
    def act(transport: JoinedWrites) -> None:
        transport.write(b"x" * size)
        assert transport._transport.pieces == [b"x" * size]
        transport.write(b"y")

    assert sent_after(act).pieces == [b"x" * size, b"y"]
