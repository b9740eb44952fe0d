"""Postal addresses that a page states in its markup."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from geoscout.geo.structured.items import every_item, first_text
from geoscout.geo.structured.lines import clean, split_street
from geoscout.geo.structured.points import point_beside, point_of
from geoscout.model import Address, Item, Page, Point

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
        text = clean(first_text(item, *names))
        if any(map(str.isalpha, text)) and not text.startswith("http"):
            texts.setdefault(text, item.source)
    return list(texts.items())


def _places(page: Page) -> Iterator[tuple[Item, Point | None]]:
    """The items with address parts, each with the coordinates of the thing it is the address of."""
    beside: dict[int, Point | None] = {}
    for item in every_item(page.items):
        point = beside.get(id(item)) or point_of(item)
        if any(name in _TELLING for name, _ in item.properties):
            yield item, point
        around = point_beside(item)
        for name, value in item.properties:
            if isinstance(value, Item) and name in _ADDRESS:
                beside[id(value)] = around or point


def _address(item: Item, point: Point | None, country_code: CountryCode) -> Address | None:
    """The item as an address; None without a street, box or postal code, or without more."""
    said = {part: clean(first_text(item, *names)) for part, names in _PARTS.items()}
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
    )


def _text(said: dict[str, str], postcode: str) -> str:
    street = " ".join((said["street"] or said["box"]).split())
    town = " ".join(filter(None, (said["city"], said["region"], postcode)))
    return ", ".join(filter(None, (street, said["unit"], town, said["country"])))
