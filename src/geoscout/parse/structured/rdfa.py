"""RDFa Lite: `typeof` and `property`, with `vocab` and prefixes taken off the names."""

from __future__ import annotations

from selectolax.lexbor import LexborHTMLParser

from geoscout.model import Item
from geoscout.parse.structured.microdata import value_of
from geoscout.parse.structured.names import local_name
from geoscout.parse.structured.scopes import Attributes, Dialect, Statement, read_items

ROOTS = "[typeof]"


def read(tree: LexborHTMLParser) -> list[Item]:
    """The items that are not properties of others."""
    return read_items(tree, _RDFA)


def _state(attributes: Attributes) -> Statement:
    properties = tuple(map(local_name, (attributes.get("property") or "").split()))
    kinds = attributes.get("typeof")
    if kinds is None:
        return Statement(properties)
    return Statement(properties, tuple(map(local_name, kinds.split())))


_RDFA = Dialect("rdfa", ROOTS, _state, value_of)
