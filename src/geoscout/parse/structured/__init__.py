"""Structured data of a page to `Item`s.

Most pages have none. lexbor tells with one query, in 30 µs, whether any element has to do with it,
so that the dialects are read and JSON is loaded only where there is something to find. `extruct`,
which reads every dialect of every page, takes 2 to 140 ms.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from selectolax.lexbor import LexborHTMLParser

from geoscout.model import Item
from geoscout.parse.structured import json_ld, maps, meta
from geoscout.parse.structured.dialects import MICRODATA, MICROFORMATS, RDFA
from geoscout.parse.structured.scopes import read_items

MOST_ITEMS = 1000
_DIALECTS = (MICRODATA, RDFA, MICROFORMATS)
_ANY = ", ".join((json_ld.SCRIPTS, *(dialect.roots for dialect in _DIALECTS)))


class ItemHints(Struct, frozen=True, gc=False):
    """What a look at the tree has told: False where it has nothing of the kind."""

    items: bool = True
    pictures: bool = True  # of maps


def items_of(
    tree: LexborHTMLParser,
    names: Sequence[tuple[str, str]],
    references: Sequence[str],
    hints: ItemHints = ItemHints(),  # noqa: B008 - it is frozen
) -> list[Item]:
    """Every item of the page, dialect by dialect, each in the order of the page.

    Args:
        tree: the page.
        names: the meta names and contents.
        references: where its links and frames lead.
        hints: what need not be looked for.
    """
    items: list[Item] = []
    if hints.items and tree.css_first(_ANY) is not None:
        items += json_ld.read(tree)
        for dialect in _DIALECTS:
            items += read_items(tree, dialect)
    items += meta.read(names)
    items += maps.read([*references, *(maps.pictures(tree) if hints.pictures else ())])
    return items[:MOST_ITEMS]


__all__ = ["MOST_ITEMS", "ItemHints", "items_of"]
