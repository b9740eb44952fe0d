"""Whether two statements are about the same thing, and why.

Two that both give street and house number must give the same ones: branches of a chain share name,
website and often the telephone number. Where an address is the same, the names must be alike, since
a house has many tenants. Where one of two has no full address, more has to agree.
"""

import re
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from msgspec import Struct
from rapidfuzz.fuzz import ratio, token_sort_ratio

from geoscout_directory.categories import is_category_word
from geoscout_directory.contacts import is_shared
from geoscout_directory.records import PageEntry
from geoscout_places.gazetteer.names import fold
from geoscout_places.geo.address.entities import entity_form
from geoscout_places.model import Address
from geoscout_places.urls import domain_of

_LEGAL = re.compile(
    r"\b(?:gmbh|mbh|gbr|ohg|kgaa|kg|ag|ug|ek|ev|e v|e k|inc|llc|llp|ltd|limited|corp|corporation"
    r"|company|co|partg|the|haftungsbeschrankt)\b"
)
_SAME_HOUSE, _SAME_HOUSE_AND_PHONE, _SAME_PHONE, _SAME_SITE, _SAME_TOWN = 78, 45, 75, 80, 93
_CONTAINED, _PART_OF = 90, 70
_SAME_WORD = 75
_LONGEST_ENDING = 3  # letters by which a word is declined
_HALL = re.compile(r"\b(?:hall|building|bldg|quadrangle|tower)\.?$", re.IGNORECASE)
# Words by which nobody is told from another.
_PARTS = frozenset("facility shop store office parking plant".split())
_WEAK = frozenset("city town county municipal of the and at in facility site".split())
_LONG_TOKEN = 4


class NormalForm(Struct, frozen=True, gc=False):
    """What of a statement is compared."""

    name: str
    tokens: frozenset[str]
    house: str  # the normal form of a full address; "" without street or number
    town: str  # postal code, or the id of the town; "" without
    phones: frozenset[str]
    site: str  # of its website, where it is its own
    where: frozenset[str] = frozenset()  # words of its street and town


def normal_form(entry: PageEntry) -> NormalForm:
    name = name_form(entry.name)
    address = entry.address
    website = "" if is_shared(entry.website) else entry.website
    return NormalForm(
        name=name,
        tokens=frozenset(name.split()),
        house=_house(address) if address else "",
        town=_town(address, entry.place_id) if address else "",
        phones=frozenset(entry.phones),
        site=domain_of(website) if website else "",
        where=_words(f"{address.street} {address.city}") if address else frozenset(),
    )


@lru_cache(maxsize=65_536)
def name_form(name: str) -> str:
    """A name without its legal form.

    >>> name_form("Bäckerei Müller GmbH & Co. KG"), name_form("The Corner Inn, LLC")
    ('backerei muller', 'corner inn')
    """
    folded = fold(name)
    return " ".join(_LEGAL.sub(" ", folded).split()) or folded


def _house(address: Address) -> str:
    """Street, number and postal code; without a code the city, which has aliases.

    The number of a hall is that of a room.
    """
    if not (address.street and address.house_number) or _HALL.search(address.street):
        return ""
    city = "" if address.postcode else address.city
    house = _house_form(address.house_number, address.street, city, address.country)
    return f"{address.postcode[:5]} {house}"


@lru_cache(maxsize=65_536)
def _house_form(number: str, street: str, city: str, country: str) -> str:
    bare = Address(
        start=0, end=0, text="", house_number=number, street=street, unit="", city=city, region="",
        postcode="", country=country, point=None, place=None, source="",
    )  # fmt: skip
    return entity_form(bare)


def _town(address: Address, place_id: int) -> str:
    return f"{address.country}{address.postcode[:5]}" if address.postcode else str(place_id or "")


@lru_cache(maxsize=8192)
def _words(text: str) -> frozenset[str]:
    return frozenset(fold(text).split())


def _is_named_by_place(one: NormalForm, other: NormalForm) -> bool:
    """Whether two are the same sort of thing, and the first has no name but that of its place.

    Such as the "Custer Road Transfer Station", which its operator calls otherwise.
    """
    head = _head(one)
    if len(head) < _LONG_TOKEN or head != _head(other):
        return False
    return one.tokens <= (one.tokens & other.tokens) | _WEAK | one.where | _STREET_WORDS


def _share_word(one: NormalForm, other: NormalForm) -> bool:
    """Whether two names have a word in common, perhaps in two languages; not that of a sort."""
    if not one.tokens.isdisjoint(other.tokens):
        return True
    long = ([w for w in form.tokens if len(w) > _LONG_TOKEN] for form in (one, other))
    same = (pair for pair in product(*long) if ratio(*pair) >= _SAME_WORD)
    return any(not any(map(is_category_word, pair)) for pair in same)


def _is_compound(some: frozenset[str], others: frozenset[str]) -> bool:
    """Whether a word of others is one of these and more: the Schlosspark is not the Schloss."""
    for word in some - others:
        for other in others - some if len(word) >= _LONG_TOKEN else ():
            more = other[len(word) :] if other.startswith(word) else ""
            if len(more) > _LONGEST_ENDING and more not in some:
                return True
    return False


def _head(form: NormalForm) -> str:
    """The word that says what something is: the last that is not weak."""
    return next((word for word in reversed(form.name.split()) if word not in _WEAK), "")


_STREET_WORDS = frozenset("road rd street st avenue ave drive dr parkway pkwy lane ln".split())


class Likeness(NamedTuple):
    """That two statements are about the same thing."""

    why: str
    alike: int  # how alike the names are, 0 to 100
    same_house: bool


def likeness(one: NormalForm, other: NormalForm) -> Likeness | None:
    """Why two statements are about the same thing; None when they are not."""
    if one.house and other.house and one.house != other.house:
        return None
    alike = names_alike(one, other)
    shared_phone = not one.phones.isdisjoint(other.phones)
    if not (one.house and other.house):
        why = _why_without_house(one, other, alike, shared_phone=shared_phone)
        return Likeness(why, alike, same_house=False) if why else None
    if alike >= _SAME_HOUSE:
        return Likeness(f"same address, names alike ({alike})", alike, same_house=True)
    if _is_named_by_place(one, other) or _is_named_by_place(other, one):
        return Likeness("same address, one is named after it", alike, same_house=True)
    if shared_phone and alike >= _SAME_HOUSE_AND_PHONE and _share_word(one, other):
        why = f"same address and telephone, names somewhat alike ({alike})"
        return Likeness(why, alike, same_house=True)
    return None


def _why_without_house(
    one: NormalForm, other: NormalForm, alike: int, *, shared_phone: bool
) -> str:
    """The same where one of two has no full address."""
    elsewhere = bool(one.town and other.town and one.town != other.town)
    if shared_phone and alike >= _SAME_PHONE and not elsewhere:
        return f"same telephone, names alike ({alike})"
    if one.site and one.site == other.site and alike >= _SAME_SITE and not elsewhere:
        return f"same website, names alike ({alike})"
    if one.town and one.town == other.town and alike >= _SAME_TOWN:
        return f"same postal code or town, names the same ({alike})"
    return ""


def names_alike(one: NormalForm, other: NormalForm) -> int:
    """How alike two names are, 0 to 100; one that has all words of the other is very alike.

    Many more words, or a word such as "shop", tell of a part of the other, unless both have the
    same telephone number.
    """
    if one.name == other.name:
        return 100
    few, many = sorted((one.tokens, other.tokens), key=len)
    alike = round(token_sort_ratio(one.name, other.name))
    if _is_compound(one.tokens, other.tokens) or _is_compound(other.tokens, one.tokens):
        return min(alike, _PART_OF)
    if not (few and few <= many and any(len(token) >= _LONG_TOKEN for token in few)):
        return alike
    if not one.phones.isdisjoint(other.phones):
        return _CONTAINED
    if not _PARTS.isdisjoint(many - few):
        return min(alike, _PART_OF)
    lengths = sorted((len(one.name), len(other.name)))
    return _CONTAINED if 2 * lengths[0] >= lengths[1] else alike
