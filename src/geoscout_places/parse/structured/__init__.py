"""Structured data of a page to `Item`s.

Most pages have none. lexbor tells with one query, in 30 µs, whether any element has to do with it,
so that the dialects are read and JSON is loaded only where there is something to find. `extruct`,
which reads every dialect of every page, takes 2 to 140 ms.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from selectolax.lexbor import LexborHTMLParser

from geoscout_places.model import Item
from geoscout_places.parse.structured import json_ld, maps, meta
from geoscout_places.parse.structured.dialects import MICRODATA, MICROFORMATS, RDFA
from geoscout_places.parse.structured.scopes import read_items

MOST_ITEMS = 1000
# The kinds there are, as the bits by which the compiled walk tells them (`_native/c/walk.h`).
_JSON, _PICTURES, _MAPS, _ALL = 1, 16, 32, 63
_CARDS = 8
_DIALECTS = ((MICRODATA, 2), (RDFA, 4), (MICROFORMATS, _CARDS))
_ANY = ", ".join((json_ld.SCRIPTS, *(dialect.roots for dialect, _ in _DIALECTS)))


class SeenMarkup(Struct, frozen=True, gc=False):
    """What a walk has seen of structured data."""

    kinds: int  # that there may be, as the bits of `walk.h`
    marked: frozenset[int] | None = None  # elements that microdata and RDFa name; None: any


def items_of(
    tree: LexborHTMLParser,
    names: Sequence[tuple[str, str]],
    references: Sequence[str],
    seen: SeenMarkup | None = None,
) -> list[Item]:
    """Every item of the page, dialect by dialect, each in the order of the page.

    Args:
        tree: the page.
        names: the meta names and contents.
        references: where its links and frames lead.
        seen: by a walk; None: it is looked for.
    """
    items: list[Item] = []
    seen = seen or SeenMarkup(_kinds(tree))
    kinds = seen.kinds
    if kinds & _JSON:
        items += json_ld.read(tree)
    for dialect, bit in _DIALECTS:
        if kinds & bit:
            items += read_items(tree, dialect, None if bit == _CARDS else seen.marked)
    items += meta.read(names)
    if kinds & (_PICTURES | _MAPS):
        items += maps.read([*references, *(maps.pictures(tree) if kinds & _PICTURES else ())])
    return items[:MOST_ITEMS]


def _kinds(tree: LexborHTMLParser) -> int:
    return _ALL if tree.css_first(_ANY) is not None else _PICTURES | _MAPS


__all__ = ["MOST_ITEMS", "SeenMarkup", "items_of"]
