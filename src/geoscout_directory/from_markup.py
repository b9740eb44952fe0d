"""Entries that a page states in its markup: schema.org, microformats, Open Graph.

Anything with a name and an address or telephone number is an entry, whatever its type: schema.org
has a thousand, and sites invent more. Left out are persons, things that are for sale, jobs and
events. The venue of an event is an entry of its own.
"""

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from geoscout_directory.contacts import find_mails, normal_phone
from geoscout_directory.opening import hours_of_item
from geoscout_places.geo.structured import (
    addresses_of,
    clean_text,
    every_item,
    first_text,
    inner_items,
    point_around,
)
from geoscout_places.model import Address, Item, Page
from geoscout_places.urls import normalise

# What types of things end in that have an address and are not what a directory lists.
_NO_ENTRY = re.compile(
    r"(?:Person|Event|Festival|JobPosting|Offer|Product|Review|Rating|PostalAddress|Country|State|City|"
    r"AdministrativeArea|GeoCoordinates|Article|Posting|WebPage|WebSite|Residence|House|Apartment|"
    r"Accommodation|Suite|Room|RealEstateListing|Invoice|Order|ContactPoint|ListItem|BreadcrumbList|Course|"
    r"h-adr|h-geo|Trip|Dataset|Map|Image|ImageObject|VideoObject)$"
)
_PERSON = frozenset(("Person",))
_WEAK = frozenset(("Place", "Thing", "Organization", "Brand"))  # not only places of business
_NAMES = ("org", "name", "fn", "legalName", "alternateName")  # a card with an `org` is of that
_PHONES = ("telephone", "tel", "phone", "business:contact_data:phone_number", "og:phone_number")
_MAILS = ("email", "business:contact_data:email", "og:email")
_SITES = ("url", "sameAs", "business:contact_data:website")
_LONGEST_NAME = 120
_LONGEST_PRICE, _MOST_PRICES = 40, 3


class MarkupEntry(Struct, frozen=True, gc=False):
    """What an item says; the address has no place yet."""

    name: str
    source: str
    types: tuple[str, ...]
    address: Address | None
    phones: tuple[str, ...]  # as written
    mails: tuple[str, ...]
    hours: str
    price: str
    website: str
    is_person: bool


def entries_of_items(page: Page) -> list[MarkupEntry]:
    """What the items of a page say of things with an address or telephone number, each once."""
    found: dict[tuple[str, str], MarkupEntry] = {}
    for item in every_item(page.items):
        entry = _entry(item, page)
        if entry is None:
            continue
        key = (entry.name.casefold(), entry.address.text if entry.address else "")
        known = found.get(key)
        if known is None or _weight(known) < _weight(entry):
            found[key] = entry
    return _without_parts(list(found.values()))


def _entry(item: Item, page: Page) -> MarkupEntry | None:
    if item.source not in ("meta", "map-link", "geo-uri") and not item.types:
        return None
    is_person = not _PERSON.isdisjoint(item.types)
    if any(_NO_ENTRY.search(type) for type in item.types) and not is_person:
        return None
    name = _name(item, page)
    address = _address_of(item, page)
    phones = tuple(_texts(item, *_PHONES))
    if not name or not _is_enough(item, address, phones):
        return None
    return MarkupEntry(
        name=name,
        source=item.source,
        types=item.types,
        address=address,
        phones=phones,
        mails=tuple(mail for text in _texts(item, *_MAILS) for mail in find_mails(text)),
        hours=hours_of_item(item),
        price=_price(item),
        website=_website(item),
        is_person=is_person,
    )


def _name(item: Item, page: Page) -> str:
    if item.source == "meta":
        said = dict(reversed(page.meta))
        if not said.get("business:contact_data:street_address"):
            return ""
        text = said.get("og:title", "") or said.get("og:site_name", "")
    else:
        text = first_text(item, *_NAMES)
    name = " ".join(clean_text(text).split())
    return name if len(name) <= _LONGEST_NAME and any(map(str.isalpha, name)) else ""


def _is_enough(item: Item, address: Address | None, phones: Sequence[str]) -> bool:
    """Whether an item is a place of business: a place or an organisation may be anything."""
    if address is not None and address.street:
        return True
    if _WEAK.issuperset(item.types):
        return bool(phones and address)
    return bool(phones or address or point_around(item))


def _address_of(item: Item, page: Page) -> Address | None:
    """The address of an item itself, not of what it consists of or who made it."""
    own = tuple(
        (name, value)
        for name, value in item.properties
        if isinstance(value, str) or name in ("address", "adr", "location", "geo", "hasMap")
    )
    alone = replace(page, items=(replace(item, properties=own),))
    found = addresses_of(alone)
    return found[0] if found else None


def _texts(item: Item, *names: str) -> Iterator[str]:
    """The texts of properties, also of those of its contact points."""
    for name, value in item.properties:
        if name in names and isinstance(value, str):
            yield clean_text(value)
        elif name == "contactPoint" and isinstance(value, Item):
            yield from _texts(value, *names)


def _price(item: Item) -> str:
    """A range of prices, or what is asked for entry; "" where the markup has neither."""
    said = [first_text(item, "priceRange")]
    for offer in inner_items(item, "offers", "priceSpecification"):
        price = first_text(offer, "price", "lowPrice", "minPrice")
        said.append(f"{price} {first_text(offer, 'priceCurrency')}" if price else "")
    texts = (" ".join(clean_text(text).split()) for text in said)
    found = [text for text in texts if text and len(text) <= _LONGEST_PRICE]
    if not found and first_text(item, "isAccessibleForFree").lower() == "true":
        return "free"
    return "; ".join(dict.fromkeys(found[:_MOST_PRICES]))


def _website(item: Item) -> str:
    for text in _texts(item, *_SITES):
        url = normalise(text) if text.startswith(("http://", "https://")) else None
        if url:
            return url
    return ""


def _weight(entry: MarkupEntry) -> int:
    return sum(map(bool, (entry.address, entry.phones, entry.mails, entry.hours, entry.website)))


def _without_parts(entries: list[MarkupEntry]) -> list[MarkupEntry]:
    """The entries without those that only repeat the name of another and have no address."""
    placed = {entry.name.casefold() for entry in entries if entry.address}
    return [e for e in entries if e.address or e.name.casefold() not in placed]


def normal_phones(written: Sequence[str], country: str) -> tuple[str, ...]:
    """Numbers of markup or links as E.164, each once, without those that are none."""
    parts = (part for text in written for part in re.split(r"[;|]|,(?=\s*[+(0])| or | oder ", text))
    return tuple(
        dict.fromkeys(filter(None, (normal_phone(part.strip(), country) for part in parts)))
    )
