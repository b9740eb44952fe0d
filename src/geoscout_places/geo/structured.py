"""Places that a page states in its markup: addresses and coordinates from `Item`s.

Markup is written once and never looked at, so much of it is wrong. What cannot be right is dropped
here; what may be right is left for the resolver to compare with the gazetteer. Pages write degrees
as 48.137, 48,137, 48°8'13"N or N 48 8 13. Forms and templates leave their own text in the parts of
an address; `clean_text` takes it out, and `split_street` cuts a street line into number, street and
door.
"""

import html
import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from geoscout_places.geo.lazy_patterns import lazy_pattern
from geoscout_places.model import Address, Item, Page, Point, Precision

_MOST_ITEMS = 5000


def every_item(items: Sequence[Item]) -> Iterator[Item]:
    """The items and all items inside them, outer ones first, in the order of the page."""
    waiting = list(reversed(items))
    for _ in range(_MOST_ITEMS):
        if not waiting:
            return
        item = waiting.pop()
        yield item
        inner = [value for _, value in item.properties if isinstance(value, Item)]
        waiting.extend(reversed(inner))


def first_text(item: Item, *names: str) -> str:
    """The first property of these names, in their order, as text; "" when there is none.

    A property that is an item itself, such as a Country, is taken by its name.
    """
    for wanted in names:
        for name, value in item.properties:
            if name == wanted:
                text = value if isinstance(value, str) else _name_of(value)
                if text:
                    return text
    return ""


def inner_items(item: Item, *names: str) -> Iterator[Item]:
    """The properties of these names that are items."""
    for name, value in item.properties:
        if name in names and isinstance(value, Item):
            yield value


def _name_of(item: Item) -> str:
    for name, value in item.properties:
        if name in {"name", "identifier", "value"} and isinstance(value, str):
            return value
    return ""


_LATITUDE = ("latitude", "lat", "place:location:latitude", "og:latitude", "geo.lat")
_LONGITUDE = ("longitude", "long", "lng", "lon", "place:location:longitude", "og:longitude",
              "geo.long")  # fmt: skip
_PAIRS = ("geo.position", "icbm", "geo", "coordinates", "latlong")
_STATED = frozenset((*_LATITUDE, *_LONGITUDE, *_PAIRS))
_MOST_POINTS = 200  # points of a page
# A degree is 111 km, so the first decimal tells 11 km, the third 110 m.
_BY_DECIMALS = {
    0: Precision.REGION, 1: Precision.TOWN, 2: Precision.POSTCODE, 3: Precision.STREET,
}  # fmt: skip
_MOST_OF_TOWN = 2
_ROUNDING = 1e-4
_NEARER_THAN = 0.0005  # degrees, some 50 m: the same spot


def points_of(page: Page) -> list[tuple[Point, str]]:
    """The points that the page states, each once, with the source of the first statement.

    A point whose mirror image is stated too, and oftener, has its numbers swapped and is dropped.
    """
    stated: list[tuple[Point, str]] = []
    counts: list[int] = []
    for item in every_item(page.items):
        point = point_of(item)
        if point is None:
            continue
        known = next((i for i, (other, _) in enumerate(stated) if _is_same(point, other)), None)
        if known is None:
            if len(stated) == _MOST_POINTS:
                break
            stated.append((point, item.source))
            counts.append(1)
        else:
            counts[known] += 1
    return [
        (point, source)
        for (point, source), count in zip(stated, counts, strict=True)
        if not _is_swapped(point, count, zip(stated, counts, strict=True))
    ]


def point_of(item: Item) -> Point | None:
    """The coordinates of the item itself; None when it has none that can be right."""
    if "h-geo" not in item.types and not any(name in _STATED for name, _ in item.properties):
        return None  # most items
    latitude, longitude = first_text(item, *_LATITUDE), first_text(item, *_LONGITUDE)
    if latitude and longitude:
        return parse_point(latitude, longitude)
    pair = first_text(item, *_PAIRS)
    if not pair and "h-geo" in item.types:
        pair = first_text(item, "value")
    return parse_pair(pair) if pair else None


def point_around(item: Item) -> Point | None:
    """The coordinates of the thing that the item describes: its own, or those of its `geo`."""
    own = point_of(item)
    if own is not None:
        return own
    places = inner_items(item, "geo", "location", "hasMap")
    return next((point for place in places if (point := point_of(place)) is not None), None)


def stated_precision(point: Point) -> Precision:
    """How exact a point is that somebody wrote down, by the digits they wrote.

    >>> [stated_precision(Point(48.13743, 11.57549)), stated_precision(Point(48.1, 11.6))]
    [<Precision.HOUSE: 'house'>, <Precision.TOWN: 'town'>]
    """
    decimals = max(_decimals(point.latitude), _decimals(point.longitude))
    if decimals > _MOST_OF_TOWN and _is_in_minutes(point):
        return Precision.POSTCODE  # a minute is up to two kilometres
    return _BY_DECIMALS.get(decimals, Precision.HOUSE)


def _decimals(degrees: float) -> int:
    return len(f"{degrees:.6f}".rstrip("0").partition(".")[2])


def _is_in_minutes(point: Point) -> bool:
    minutes = (60 * point.latitude, 60 * point.longitude)
    return all(abs(angle - round(angle)) < _ROUNDING for angle in minutes)


def _is_same(one: Point, other: Point) -> bool:
    return (
        abs(one.latitude - other.latitude) < _NEARER_THAN
        and abs(one.longitude - other.longitude) < _NEARER_THAN
    )


def _is_swapped(point: Point, count: int, others: Iterator[tuple[tuple[Point, str], int]]) -> bool:
    if abs(point.longitude) > 90:
        return False
    mirror = Point(point.longitude, point.latitude)
    return any(_is_same(mirror, other) and count < more for (other, _), more in others)


_DECIMAL = lazy_pattern(r"[+-]?\d{1,3}(?:[.,]\d+)?")
_SIGN = {"N": 1, "E": 1, "O": 1, "S": -1, "W": -1}  # O: "Ost" in German
_LETTER = r"([NSEWO])"
_MINUTES = (
    r"(\d{1,3}(?:\.\d+)?)\s*[°º˚d ]\s*"
    r"(?:(\d{1,2}(?:\.\d+)?)\s*(?:['’′´m ]|$)\s*)?"
    r"(?:(\d{1,2}(?:\.\d+)?)\s*(?:\"|”|″|''|’’|′′|s)?\s*)?"
)
_LETTER_FIRST = lazy_pattern(rf"{_LETTER}\s*{_MINUTES}", re.IGNORECASE)
_LETTER_LAST = lazy_pattern(rf"{_MINUTES}{_LETTER}", re.IGNORECASE)
_PAIR = lazy_pattern(
    r"([^;|/]+?)\s*[;|/]\s*([^;|/]+)|([+-]?\d+(?:\.\d+)?)\s*[, ]\s*([+-]?\d+(?:\.\d+)?)"
)
# Nothing lies there but a buoy and the markup of pages without coordinates.
_NULL_ISLAND = 0.01
_LONGEST_ANGLE = 80


def parse_degrees(text: str) -> float | None:
    """The angle; None unless it is an angle beyond doubt.

    >>> parse_degrees("48.137"), parse_degrees("11°34′30″ W"), parse_degrees("north")
    (48.137, -11.575, None)
    """
    text = text.strip()[:_LONGEST_ANGLE].strip("° ")
    if _DECIMAL.fullmatch(text):
        return float(text.replace(",", "."))
    found = _LETTER_FIRST.fullmatch(text)
    if found:
        letter, *numbers = found.groups()
    else:
        found = _LETTER_LAST.fullmatch(text)
        if not found:
            return None
        *numbers, letter = found.groups()
    return _sum(numbers, letter.upper())


def _sum(numbers: list[str | None], letter: str) -> float | None:
    degrees, minutes, seconds = (float(number or 0) for number in numbers)
    if minutes >= 60 or seconds >= 60:
        return None
    return _SIGN[letter] * (degrees + minutes / 60 + seconds / 3600)


def parse_point(latitude: str, longitude: str) -> Point | None:
    """The point; None when it cannot be one, or is the 0, 0 of an empty form."""
    north, east = parse_degrees(latitude), parse_degrees(longitude)
    if north is None or east is None:
        return None
    if not (-90 <= north <= 90 and -180 <= east <= 180):
        return None
    if abs(north) < _NULL_ISLAND and abs(east) < _NULL_ISLAND:
        return None
    return Point(north, east)


def parse_pair(text: str) -> Point | None:
    """The point of a text that has both numbers, such as "48.137;11.575"; None when it has not."""
    found = _PAIR.fullmatch(text.strip()[: 2 * _LONGEST_ANGLE])
    if not found:
        return None
    return parse_point(found[1] or found[3], found[2] or found[4])


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


def addresses_of(page: Page) -> list[Address]:
    """The addresses in the page's markup, each once; they have no offsets and no place.

    The country is as the page says it, a code in capitals.
    """
    found: dict[tuple[str, ...], Address] = {}
    for item, point in _places(page):
        address = _address(item, point)
        if address is not None:
            key = (address.street.casefold(), address.city.casefold(), address.postcode)
            known = found.setdefault(key, address)
            if known.point is None and address.point is not None:
                found[key] = address
    return list(found.values())


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


def _address(item: Item, point: Point | None) -> Address | None:
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
        country=country,
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


# Countries that write the house number before the street.
NUMBER_FIRST = frozenset(("US", "CA", "GB", "IE", "AU", "NZ", "FR", "LU"))


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
