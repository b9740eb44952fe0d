"""What the reader of the tape says of blocks and links is what was written on the tape."""

from hypothesis import given, settings
from hypothesis import strategies as st

from geoscout_places.model import Block, Part
from geoscout_places.parse.blocks import (
    BORDER,
    BREAK,
    CLOSE,
    OPEN,
    BlockReader,
    mark_menus,
)
from geoscout_places.parse.links import Note

LINK = "link"  # stands for a mark that opens or closes one, by turns
PIECES = st.lists(
    st.sampled_from(["Inn", "Bad", "Main St 5", " ", "  ", "\n", BREAK, BORDER, LINK, LINK]),
    max_size=25,
)


def write(pieces: list[str]) -> tuple[str, list[str]]:
    """A tape, and the words of each link on it, one string for each link."""
    tape: list[str] = []
    anchors: list[list[str]] = []
    is_open = False
    for piece in [*pieces, LINK] if pieces.count(LINK) % 2 else pieces:
        if piece == LINK:
            is_open = not is_open
            tape.append(OPEN if is_open else CLOSE)
            if is_open:
                anchors.append([])
        else:
            tape.append(piece)
            if is_open:
                anchors[-1].append(" " if piece in (BREAK, BORDER) else piece)
    return "".join(tape), [" ".join("".join(anchor).split()) for anchor in anchors]


@settings(max_examples=400, deadline=None)
@given(PIECES)
def test_links_are_found_in_the_text_as_they_were_on_the_tape(pieces):
    tape, anchors = write(pieces)
    notes = [Note("", {}, Part.MAIN) for _ in anchors]

    reader = BlockReader(notes)
    text = reader.read(tape)

    assert [" ".join(text[note.start : note.end].split()) for note in notes] == anchors
    assert all(note.start <= note.end for note in notes)
    assert all(note.first_serial <= note.last_serial for note in notes)


@settings(max_examples=400, deadline=None)
@given(PIECES)
def test_characters_in_links_are_counted_block_by_block(pieces):
    tape, _ = write(pieces)
    notes = [Note("", {}, Part.MAIN) for _ in range(tape.count(OPEN))]

    reader = BlockReader(notes)
    text = reader.read(tape)

    in_links = {at for note in notes for at in range(note.start, note.end)}
    assert reader.linked == [
        len(in_links.intersection(range(block.start, block.end))) for block in reader.blocks
    ]
    assert text == "\n".join(text[block.start : block.end] for block in reader.blocks)


def blocks(*lengths: int) -> list[Block]:
    made, start = [], 0
    for length in lengths:
        made.append(Block(start, start + length, Part.MAIN))
        start += length + 1
    return made


def test_run_of_short_links_is_a_menu():
    marked = mark_menus(blocks(8, 8, 8, 8, 8, 500), [8, 8, 7, 8, 8, 20])

    assert [block.part for block in marked] == [Part.NAVIGATION] * 5 + [Part.MAIN]


def test_few_links_are_no_menu():
    few = blocks(8, 8, 8, 500)

    assert mark_menus(few, [8, 8, 8, 0]) == few


def test_run_with_text_in_it_is_no_menu():
    mixed = blocks(8, 8, 8, 30, 8, 8, 8, 500)

    assert mark_menus(mixed, [8, 8, 8, 0, 8, 8, 8, 0]) == mixed


def test_known_blocks_are_left_alone():
    known = blocks(8, 8, 8, 8, 8, 500)

    assert mark_menus(known, [-1] * 6) == known
