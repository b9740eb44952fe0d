"""Postal addresses that a page states in its markup.

Forms and templates leave their own text in the parts of an address; `clean_text` takes it out, and
`split_street` cuts a street line into number, street and door.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator

from msgspec import Struct

from geoscout_places.geo.lazy_patterns import lazy_pattern
from geoscout_places.geo.structured.items import every_item, first_text, inner_items
from geoscout_places.geo.structured.points import point_around, point_of, stated_precision
from geoscout_places.model import Address, Item, Page, Point

# What the vocabularies call the parts: schema.org, microformats and vCard, Open Graph.
_PARTS = {
    "street": ("streetAddress", "street-address", "business:contact_data:street_address",
               "og:street-address", "og:street_address"),
    "box": ("postOfficeBoxNumber", "post-office-box"),
    "unit": ("extendedAddress", "extended-address"),
    "city": ("addressLocality", "locality", "business:contact_data:locality", "og:locality"),
    "region": ("addressRegion", "region", "business:contact_data:region", "og:region"),
    "postcode": ("postalCode", "postal-code", "business:contact_data:postal_code",
                 "og:postal-code", "og:postal_code"),
    "country": ("addressCountry", "country-name", "business:contact_data:country_name",
                "og:country-name", "og:country_name"),
}  # fmt: skip
_TELLING = frozenset(_PARTS["street"] + _PARTS["city"] + _PARTS["postcode"])
_CODE = 2  # characters of an ISO code
_ADDRESS = ("address", "adr", "location")

CountryCode = Callable[[str], str]


def addresses_of(page: Page, country_code: CountryCode = str) -> list[Address]:
    """The addresses in the page's markup, each once; they have no offsets and no place.

    Args:
        page: with its items.
        country_code: makes an ISO code of what the page says, or ""; without it the country stays
            as the page says it, a code in capitals.
    """
    found: dict[tuple[str, ...], Address] = {}
    for item, point in _places(page):
        address = _address(item, point, country_code)
        if address is not None:
            key = (address.street.casefold(), address.city.casefold(), address.postcode)
            known = found.setdefault(key, address)
            if known.point is None and address.point is not None:
                found[key] = address
    return list(found.values())


def address_texts_of(page: Page) -> list[tuple[str, str]]:
    """Addresses that the markup states in one piece, with their source; reading them is left."""
    texts: dict[str, str] = {}
    for item in every_item(page.items):
        names = ("query",) if item.source == "map-link" else _ADDRESS[:2]
        if "h-adr" in item.types:
            names = ("value", "label")
        text = clean_text(first_text(item, *names))
        if any(map(str.isalpha, text)) and not text.startswith("http"):
            texts.setdefault(text, item.source)
    return list(texts.items())


def _places(page: Page) -> Iterator[tuple[Item, Point | None]]:
    """The items with address parts, each with the coordinates of the thing it is the address of."""
    given: dict[int, Point | None] = {}
    for item in every_item(page.items):
        point = given.get(id(item)) or point_of(item)
        if any(name in _TELLING for name, _ in item.properties):
            yield item, point
        inner = list(inner_items(item, *_ADDRESS))
        if inner:
            around = point_around(item) or point
            given.update((id(address), around) for address in inner)


def _address(item: Item, point: Point | None, country_code: CountryCode) -> Address | None:
    """The item as an address; None without a street, box or postal code, or without more."""
    said = {part: clean_text(first_text(item, *names)) for part, names in _PARTS.items()}
    country = said["country"].upper() if len(said["country"]) == _CODE else said["country"]
    line = split_street(said["street"] or said["box"], country)
    postcode = said["postcode"].upper()
    if not (line.street or postcode) or not (said["city"] or postcode):
        return None
    return Address(
        start=0,
        end=0,
        text=_text(said, postcode),
        house_number=line.house_number,
        street=line.street,
        unit=said["unit"] or line.unit,
        city=said["city"],
        region=said["region"],
        postcode=postcode,
        country=country_code(country) if country else "",
        point=point,
        place=None,
        source=item.source,
        precision=stated_precision(point) if point else None,
    )


def _text(said: dict[str, str], postcode: str) -> str:
    street = " ".join((said["street"] or said["box"]).split())
    town = " ".join(filter(None, (said["city"], said["region"], postcode)))
    return ", ".join(filter(None, (street, said["unit"], town, said["country"])))


_MARKUP = lazy_pattern(r"<[^<>]{0,200}>")
_LINE_BREAK = lazy_pattern(r"<br\s*/?>|\r\n?", re.IGNORECASE)
_LONGEST = 200
# Forms that nobody filled in, templates that nobody ran.
_EMPTY = lazy_pattern(
    r"null|none|n/?a|undefined|nan|[-–.,\s]+|\{\{.*|%.*%|\[.*\]|\$\{.*", re.IGNORECASE
)

_NUMBER = r"\d+(?:\s?[a-zA-Z]\b)?(?:\s?[-–/]\s?\d+\s?[a-zA-Z]?\b)?"
_NUMBER_FIRST = lazy_pattern(rf"({_NUMBER}(?:\s?(?:bis|ter)\b)?),?\s+(\D.*)")
_NUMBER_LAST = lazy_pattern(rf"(\D.*?),?\s+({_NUMBER})")
# Roads that have a number for a name.
_NUMBERED_ROAD = lazy_pattern(
    r"\b(?:highway|hwy|route|rte?|road|rd|box|mile|km|interstate|us|fm|postfach|case postale|bp)\b",
    re.IGNORECASE,
)
_NUMBER_STANDS_FIRST = frozenset(("US", "CA", "GB", "UK", "IE", "AU", "NZ", "FR"))
_UNIT = lazy_pattern(
    r"(?:suite|ste|unit|apt|apartment|room|rm|floor|fl|bldg|building)\b\.?\s*#?\s*[\w-]+|#\s*[\w-]+",
    re.IGNORECASE,
)
_UNIT_AT_END = lazy_pattern(rf"(.*\w)[\s,]+({_UNIT.pattern})", re.IGNORECASE)


class StreetLine(Struct, frozen=True):
    """A street line in its parts; what it does not have is ""."""

    house_number: str
    street: str
    unit: str


def clean_text(text: str) -> str:
    """The text without markup, references and what stands for nothing; lines stay apart."""
    if not text:
        return ""
    if "&" in text:
        text = html.unescape(text[: 10 * _LONGEST])
    text = _MARKUP.sub(" ", _LINE_BREAK.sub("\n", text[: 10 * _LONGEST]))
    lines = (" ".join(line.split()).strip(" ,") for line in text.split("\n"))
    joined = "\n".join(line for line in lines if line)[:_LONGEST]
    return "" if _EMPTY.fullmatch(joined) else joined


def split_street(text: str, country: str = "") -> StreetLine:
    """The parts of a cleaned street line.

    >>> split_street("Hauptstr. 5a", "DE")
    StreetLine(house_number='5a', street='Hauptstr.', unit='')
    """
    first, *others = text.split("\n")
    units = [line for line in others if _UNIT.match(line)]
    line = ", ".join([first, *(other for other in others if other not in units)])
    found = _UNIT_AT_END.fullmatch(line)
    if found:
        line, unit = found[1], found[2]
    else:
        unit = units[0] if units else ""
    leading = _NUMBER_FIRST.fullmatch(line)
    if leading:
        return StreetLine(leading[1], leading[2], unit)
    trailing = _NUMBER_LAST.fullmatch(line)
    if trailing and country not in _NUMBER_STANDS_FIRST and not _NUMBERED_ROAD.search(trailing[1]):
        return StreetLine(trailing[2], trailing[1], unit)
    return StreetLine("", line, unit)
