"""Menus that no markup tells: runs of short blocks that are nothing but links."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from geoscout_places.model import Block, Part

# A block is dense when this share of its characters is in links. Separators such as "|" are not.
DENSE_SHARE = 0.8
LONG_BLOCK = 120  # a linked headline or sentence is not a menu entry
SHORTEST_RUN = 5  # blocks
# Where dense blocks hold this share of the main text, links are what the page is about: it is an
# index, and its lists stay main.
INDEX_SHARE = 0.6


def mark_menus(blocks: Sequence[Block], linked: Sequence[int]) -> Sequence[Block]:
    """The blocks, with those that are navigation by the look of them marked so.

    `linked`: how many characters of each block are in links; negative for a block that is known
    to be no menu.
    """
    menus = find_menus(blocks, linked)
    if not menus:
        return blocks
    return [
        Block(block.start, block.end, Part.NAVIGATION) if index in menus else block
        for index, block in enumerate(blocks)
    ]


def find_menus(blocks: Sequence[Block], linked: Sequence[int]) -> set[int]:
    """The indices of the main blocks that are navigation by the look of them."""
    dense = [
        index
        for index, (block, count) in enumerate(zip(blocks, linked, strict=True))
        if count > 0 and block.part is Part.MAIN and _is_dense(block.end - block.start, count)
    ]
    if len(dense) < SHORTEST_RUN:
        return set()
    main = [index for index, block in enumerate(blocks) if block.part is Part.MAIN]
    if _characters(blocks, dense) > INDEX_SHARE * _characters(blocks, main):
        return set()
    return {index for run in _runs(dense) if len(run) >= SHORTEST_RUN for index in run}


def _is_dense(length: int, linked: int) -> bool:
    return length <= LONG_BLOCK and linked >= DENSE_SHARE * length


def _characters(blocks: Sequence[Block], indices: Iterable[int]) -> int:
    return sum(blocks[index].end - blocks[index].start for index in indices)


def _runs(indices: Iterable[int]) -> list[list[int]]:
    """Rising indices in runs without a gap."""
    runs: list[list[int]] = []
    for index in indices:
        if runs and runs[-1][-1] == index - 1:
            runs[-1].append(index)
        else:
            runs.append([index])
    return runs
