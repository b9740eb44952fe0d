"""Structured data of a page to `Item`s.

Most pages have none. lexbor tells with one query, in 30 µs, whether any element has to do with it,
so that the dialects are read and JSON is loaded only where there is something to find. `extruct`,
which reads every dialect of every page, takes 2 to 140 ms.
"""

from __future__ import annotations

from collections.abc import Sequence

from selectolax.lexbor import LexborHTMLParser

from geoscout.model import Item
from geoscout.parse.structured import json_ld, maps, meta
from geoscout.parse.structured.dialects import MICRODATA, MICROFORMATS, RDFA
from geoscout.parse.structured.scopes import read_items

MOST_ITEMS = 1000
# The kinds there are, as the bits by which the compiled walk tells them (`_native/c/walk.h`).
_JSON, _PICTURES, _ALL = 1, 16, 31
_DIALECTS = ((MICRODATA, 2), (RDFA, 4), (MICROFORMATS, 8))
_ANY = ", ".join((json_ld.SCRIPTS, *(dialect.roots for dialect, _ in _DIALECTS)))


def items_of(
    tree: LexborHTMLParser,
    names: Sequence[tuple[str, str]],
    references: Sequence[str],
    kinds: int | None = None,
) -> list[Item]:
    """Every item of the page, dialect by dialect, each in the order of the page.

    Args:
        tree: the page.
        names: the meta names and contents.
        references: where its links and frames lead.
        kinds: that a walk has seen, as the bits of `walk.h`; None: they are looked for.
    """
    items: list[Item] = []
    kinds = _kinds(tree) if kinds is None else kinds
    if kinds & _JSON:
        items += json_ld.read(tree)
    for dialect, bit in _DIALECTS:
        if kinds & bit:
            items += read_items(tree, dialect)
    items += meta.read(names)
    items += maps.read([*references, *(maps.pictures(tree) if kinds & _PICTURES else ())])
    return items[:MOST_ITEMS]


def _kinds(tree: LexborHTMLParser) -> int:
    return _ALL if tree.css_first(_ANY) is not None else _PICTURES


__all__ = ["MOST_ITEMS", "items_of"]
