"""The words of microdata, RDFa Lite and microformats, which write items into attributes.

Microdata (HTML standard, section 5): `itemscope`, `itemtype`, `itemprop`; `itemref` is not
followed, because it is rare and hardly ever used for addresses. RDFa Lite: `typeof` and `property`,
with `vocab` and prefixes taken off the names. Microformats of places: hCard, adr and geo, in the
old spelling and in that of microformats2.
"""

from __future__ import annotations

from selectolax.lexbor import LexborNode

from geoscout_places.parse.elements import ElementAttributes
from geoscout_places.parse.structured.scopes import (
    Dialect,
    Statement,
    lines_of,
    local_name,
)

# The attribute that holds the value where it is not the text.
_VALUE_ATTRIBUTES = ("content", "href", "src", "datetime", "value", "data")
_CARD_TYPES = {"vcard": "h-card", "h-card": "h-card", "adr": "h-adr", "h-adr": "h-adr",
               "geo": "h-geo", "h-geo": "h-geo"}  # fmt: skip
_CARD_PROPERTIES = frozenset(
    ("adr", "country-name", "extended-address", "fn", "geo", "label", "latitude", "locality",
     "longitude", "name", "org", "post-office-box", "postal-code", "region", "street-address",
     "tel", "url")
)  # fmt: skip


def _local_names(text: str | None) -> tuple[str, ...]:
    return tuple(map(local_name, (text or "").split()))


def _state_microdata(attributes: ElementAttributes) -> Statement:
    types = _local_names(attributes.get("itemtype")) if "itemscope" in attributes else None
    return Statement(_local_names(attributes.get("itemprop")), types)


def _state_rdfa(attributes: ElementAttributes) -> Statement:
    kinds = attributes.get("typeof")
    types = None if kinds is None else _local_names(kinds)
    return Statement(_local_names(attributes.get("property")), types)


def _value_of(node: LexborNode, attributes: ElementAttributes) -> str:
    """The value of a property that is not an item."""
    for name in _VALUE_ATTRIBUTES:
        value = attributes.get(name)
        if value and value.strip():
            return value.strip()[:1000]
    return lines_of(node)


def _state_card(attributes: ElementAttributes) -> Statement:
    classes = (attributes.get("class") or "").split()
    types = tuple(dict.fromkeys(_CARD_TYPES[name] for name in classes if name in _CARD_TYPES))
    properties = tuple(dict.fromkeys(filter(None, map(_card_property, classes))))
    return Statement(properties, types or None)


def _card_property(name: str) -> str:
    prefix, dash, rest = name.partition("-")
    if dash and prefix in {"p", "u"} and rest in _CARD_PROPERTIES:
        return rest
    return name if name in _CARD_PROPERTIES else ""


def _card_value(node: LexborNode, attributes: ElementAttributes) -> str:
    for name in ("title", "value", "content") if node.tag in {"abbr", "data", "meta"} else ():
        if attributes.get(name):
            return (attributes[name] or "").strip()[:1000]
    part = node.css_first(".value, .value-title")
    if part is not None and part.mem_id != node.mem_id:
        return part.attributes.get("title") or lines_of(part)
    return lines_of(node)


MICRODATA = Dialect("microdata", "[itemscope]", _state_microdata, _value_of)
RDFA = Dialect("rdfa", "[typeof]", _state_rdfa, _value_of)
MICROFORMATS = Dialect(
    "microformat",
    ".vcard, .h-card, .adr, .h-adr, .geo, .h-geo",
    _state_card,
    _card_value,
    bare=True,
)
