"""Microdata: `itemscope`, `itemtype`, `itemprop` (HTML standard, section 5).

`itemref` is not followed: it is rare, and hardly ever used for addresses.
"""

from __future__ import annotations

from selectolax.lexbor import LexborHTMLParser, LexborNode

from geoscout.model import Item
from geoscout.parse.structured.names import local_name
from geoscout.parse.structured.scopes import Attributes, Dialect, Statement, lines_of, read_items

ROOTS = "[itemscope]"
# The attribute that holds the value where it is not the text.
_VALUE_ATTRIBUTES = ("content", "href", "src", "datetime", "value", "data")


def read(tree: LexborHTMLParser) -> list[Item]:
    """The items that are not properties of others."""
    return read_items(tree, _MICRODATA)


def _state(attributes: Attributes) -> Statement:
    properties = tuple(map(local_name, (attributes.get("itemprop") or "").split()))
    if "itemscope" not in attributes:
        return Statement(properties)
    return Statement(properties, tuple(map(local_name, (attributes.get("itemtype") or "").split())))


def value_of(node: LexborNode, attributes: Attributes) -> str:
    """The value of a property that is no item."""
    for name in _VALUE_ATTRIBUTES:
        value = attributes.get(name)
        if value and value.strip():
            return value.strip()[:1000]
    return lines_of(node)


_MICRODATA = Dialect("microdata", ROOTS, _state, value_of)
