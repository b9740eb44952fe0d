"""How much of a page is looked at, and how much it can say: a page of any size takes bounded time.

The time for a page grows with its characters, about a second for a million, and with its addresses,
about a second for 1,500. What lies beyond is text for machines, or made to stop them.
"""

from __future__ import annotations

from bisect import bisect_right

from msgspec import Struct
from msgspec.structs import replace

from geoscout_places.model import Page


class ReadingLimits(Struct, frozen=True):
    """Of one page."""

    text: int = 1_000_000  # characters in which places are looked for
    addresses: int = 2_000
    mentions: int = 10_000


def cut_page(page: Page, most: int) -> Page:
    """The page with the blocks that lie in its first characters; itself when all of them do.

    A block that reaches beyond is left out, unless it is the first.
    """
    if len(page.text) <= most:
        return page
    kept = page.blocks[: max(bisect_right(page.blocks, most, key=lambda block: block.end), 1)]
    if not kept:
        return replace(page, text=page.text[:most])
    end = min(kept[-1].end, most)
    return replace(page, text=page.text[:end], blocks=(*kept[:-1], replace(kept[-1], end=end)))
