"""Microformats of places: hCard, adr and geo, in the old spelling and in that of microformats2."""

from __future__ import annotations

from selectolax.lexbor import LexborHTMLParser, LexborNode

from geoscout.model import Item
from geoscout.parse.structured.scopes import Attributes, Dialect, Statement, lines_of, read_items

ROOTS = ".vcard, .h-card, .adr, .h-adr, .geo, .h-geo"
_TYPES = {"vcard": "h-card", "h-card": "h-card", "adr": "h-adr", "h-adr": "h-adr",
          "geo": "h-geo", "h-geo": "h-geo"}  # fmt: skip
_PROPERTIES = frozenset(
    ("adr", "country-name", "extended-address", "fn", "geo", "label", "latitude", "locality",
     "longitude", "name", "org", "post-office-box", "postal-code", "region", "street-address",
     "tel", "url")
)  # fmt: skip


def read(tree: LexborHTMLParser) -> list[Item]:
    """The items that are not properties of others, outermost first."""
    return read_items(tree, _MICROFORMATS)


def _state(attributes: Attributes) -> Statement:
    classes = (attributes.get("class") or "").split()
    types = tuple(dict.fromkeys(_TYPES[name] for name in classes if name in _TYPES))
    properties = tuple(dict.fromkeys(filter(None, map(_property, classes))))
    return Statement(properties, types or None)


def _property(name: str) -> str:
    prefix, dash, rest = name.partition("-")
    if dash and prefix in {"p", "u"} and rest in _PROPERTIES:
        return rest
    return name if name in _PROPERTIES else ""


def _value(node: LexborNode, attributes: Attributes) -> str:
    for name in ("title", "value", "content") if node.tag in {"abbr", "data", "meta"} else ():
        if attributes.get(name):
            return (attributes[name] or "").strip()[:1000]
    part = node.css_first(".value, .value-title")
    if part is not None and part.mem_id != node.mem_id:
        return part.attributes.get("title") or lines_of(part)
    return lines_of(node)


_MICROFORMATS = Dialect("microformat", ROOTS, _state, _value, bare=True)
