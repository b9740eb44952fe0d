from __future__ import annotations

from geoscout_places.model import Block, Part
from geoscout_places.parse.density import mark_menus


def blocks(*lengths: int) -> list[Block]:
    made, start = [], 0
    for length in lengths:
        made.append(Block(start, start + length, Part.MAIN))
        start += length + 1
    return made


def test_run_of_short_links_is_a_menu() -> None:
    marked = mark_menus(blocks(8, 8, 8, 8, 8, 500), [8, 8, 7, 8, 8, 20])

    assert [block.part for block in marked] == [Part.NAVIGATION] * 5 + [Part.MAIN]


def test_few_links_are_no_menu() -> None:
    few = blocks(8, 8, 8, 500)

    assert mark_menus(few, [8, 8, 8, 0]) == few


def test_run_with_text_in_it_is_no_menu() -> None:
    mixed = blocks(8, 8, 8, 30, 8, 8, 8, 500)

    assert mark_menus(mixed, [8, 8, 8, 0, 8, 8, 8, 0]) == mixed


def test_known_blocks_are_left_alone() -> None:
    known = blocks(8, 8, 8, 8, 8, 500)

    assert mark_menus(known, [-1] * 6) == known
