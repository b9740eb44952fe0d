"""Pieces arrive as they were sent, whatever their size and however the socket cuts them."""

import asyncio
import socket
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geoscout.crawling.processes.line import (
    PieceBuffer,
    ProcessLine,
    head_of,
    open_pair,
    send_piece,
)
from geoscout.machine import run_on_loop

LARGE = 3_000_000  # bytes; far more than a socket or a buffer holds


@pytest.fixture
def pair():
    ours, theirs = open_pair()
    with ours, theirs:
        yield ours, theirs


def pieces_of(line: socket.socket, number: int) -> list[tuple[bytes, bytes]]:
    buffer, found = PieceBuffer(), []
    while len(found) < number:
        assert buffer.receive(line)
        while piece := buffer.take():
            found.append(piece)
    return found


@settings(max_examples=30)
@given(
    st.lists(st.binary(max_size=40) | st.just(b"x" * 300_000), min_size=1, max_size=4),
    st.lists(st.integers(1, 400_000), max_size=8),
)
def test_pieces_are_put_together_from_any_parts(contents, cuts):
    sent = b"".join(head_of(b"q", content) + content for content in contents)
    buffer, found = PieceBuffer(), []

    class Line:
        """Gives out the bytes in parts."""

        def recv_into(self, view: memoryview) -> int:
            nonlocal sent
            part = sent[: min(cuts.pop() if cuts else len(sent), len(view))]
            view[: len(part)] = part
            sent = sent[len(part) :]
            return len(part)

    while buffer.receive(Line()):  # type: ignore[arg-type]
        while piece := buffer.take():
            found.append(piece)

    assert found == [(b"q", content) for content in contents]


def test_memory_of_a_large_piece_is_given_back():
    ours, theirs = open_pair()
    with ours, theirs:
        threading.Thread(target=send_piece, args=(ours, b"a", bytes(LARGE))).start()
        buffer = PieceBuffer()
        while (piece := buffer.take()) is None:
            buffer.receive(theirs)
        assert len(piece[1]) == LARGE
        assert len(buffer._view) > LARGE
        send_piece(ours, b"a", b"small")
        buffer.receive(theirs)

        assert buffer.take() == (b"a", b"small")
        assert len(buffer._view) < LARGE


def test_a_page_is_sent_by_one_call_and_comes_by_one(pair):
    ours, theirs = pair
    theirs.setblocking(False)
    send_piece(ours, b"a", bytes(50_000))
    buffer = PieceBuffer()
    buffer.receive(theirs)

    assert buffer.take() == (b"a", bytes(50_000))


def test_a_closed_line_is_told(pair):
    ours, theirs = pair
    ours.close()

    assert not PieceBuffer().receive(theirs)


async def _written(contents: list[bytes]) -> tuple[list[tuple[bytes, bytes]], bool]:
    """What arrives of pieces that a line writes, and whether the loop had to watch for room."""
    ours, theirs = open_pair()
    line = ProcessLine(ours, lambda *_: None, lambda: None)
    loop, watched = asyncio.get_running_loop(), []
    add_writer = loop.add_writer
    loop.add_writer = lambda *given: (watched.append(1), add_writer(*given))[1]  # type: ignore[method-assign]
    reading = asyncio.to_thread(pieces_of, theirs, len(contents))
    for content in contents:
        line.write(b"q", content)
    found = await reading
    line.close()
    line.write(b"q", b"nobody is there")
    theirs.close()
    return found, bool(watched)


@pytest.mark.parametrize("size", [0, 20_000, LARGE])
def test_a_line_watches_for_room_only_where_there_is_none(size):
    contents = [bytes([n]) * size for n in range(3)]
    found, has_watched = run_on_loop(_written(contents))

    assert found == [(b"q", content) for content in contents]
    assert has_watched == (size == LARGE)
