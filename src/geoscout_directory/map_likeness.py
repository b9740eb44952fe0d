"""Whether an entry and an object of the map are the same: where they can meet, how well they agree.

Entries and objects are compared only if they share a key: a telephone number, a website, a house
or a rare word of the name, the last two within some kilometres. The keys of all entries are made
first; an object of the map that has none of them is dropped at once, so that memory grows with the
directory and not with the map.

How well two agree is a sum of parts that one can read (`signs`). The weights were set by hand, and
tried on half of the synthetic maps of `benchmarks/map_joining.py`, which also measures what each
part contributes. A match needs two things that agree; one strong sign, such as a telephone number,
is not enough against a different name at a different house.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from math import floor
from typing import NamedTuple

from msgspec import Struct
from rapidfuzz.fuzz import token_sort_ratio

from geoscout.osm.records import OsmObject
from geoscout_directory.contacts import is_shared, normal_phone
from geoscout_directory.likeness import name_form
from geoscout_directory.records import DirectoryEntry
from geoscout_places.gazetteer.areas.sphere import distance_km
from geoscout_places.gazetteer.names import fold, fold_street
from geoscout_places.model import Point, Precision
from geoscout_places.urls import domain_of

_CELL = 0.05  # degrees: 5.6 km from north to south, 3.7 km from west to east at 48°
_REACH = {Precision.TOWN: 3, Precision.REGION: 3}  # cells around a point; others 1
_RARE_WORDS = 2  # of a name that make keys
_SHORTEST, _STEM = 3, 6  # letters of such a word, and how many of them count
_NUMBER = re.compile(r"(\d+)\s*([a-z]?)")
_MOST_IN_RANGE = 10

Key = tuple[str | int, ...]


class HouseNumbers(Struct, frozen=True, gc=False):
    """The numbers of a house: "12-16" has 12, 14 and 16."""

    numbers: frozenset[int]
    letter: str


class PlacedForm(Struct, frozen=True, gc=False, kw_only=True):
    """The normal form of an entry or object."""

    names: tuple[str, ...]
    phones: frozenset[str]
    sites: frozenset[str]
    street: str  # "" without a street or a number
    house: HouseNumbers | None
    postcode: str
    city: str
    point: Point | None
    precision: Precision | None
    categories: frozenset[str]


def entry_form(entry: DirectoryEntry) -> PlacedForm:
    """The normal form of an entry, with the names that any page gives it."""
    address = entry.address
    names = dict.fromkeys(name_form(name) for name in (entry.name, *(s.name for s in entry.said)))
    own = [said.url for said in entry.said if said.is_own]
    return PlacedForm(
        names=tuple(filter(None, names)),
        phones=frozenset(entry.phones),
        sites=_sites((entry.website, *own)),
        street=fold_street(address.street) if address and address.house_number else "",
        house=house_numbers(address.house_number) if address else None,
        postcode=_code(address.postcode) if address else "",
        city=fold(address.city) if address else "",
        point=entry.point,
        precision=entry.precision,
        categories=frozenset(entry.categories),
    )


def object_form(found: OsmObject, country: str) -> PlacedForm:
    """The normal form of an object; `country` is where numbers without a code belong."""
    address = found.address
    phones = (normal_phone(phone, address.country or country) for phone in found.phones)
    return PlacedForm(
        names=tuple(filter(None, dict.fromkeys(map(name_form, found.names)))),
        phones=frozenset(filter(None, phones)),
        sites=_sites(found.websites),
        street=fold_street(address.street) if address.house_number else "",
        house=house_numbers(address.house_number),
        postcode=_code(address.postcode),
        city=fold(address.city),
        point=found.point,
        precision=Precision.HOUSE,
        categories=frozenset(found.categories),
    )


def _sites(urls: Sequence[str]) -> frozenset[str]:
    return frozenset(domain_of(url) for url in urls if url and not is_shared(url)) - {""}


def _code(postcode: str) -> str:
    return postcode.replace(" ", "").upper()[:5]


def house_numbers(text: str) -> HouseNumbers | None:
    """The numbers of a house; None without any.

    >>> sorted(house_numbers("12-16").numbers), house_numbers("12 A").letter, house_numbers("x")
    ([12, 14, 16], 'a', None)
    """
    found = _NUMBER.findall(text.lower())
    if not found:
        return None
    numbers = [int(number) for number, _ in found]
    if len(numbers) == 2 and "-" in text and 0 < numbers[1] - numbers[0] <= 2 * _MOST_IN_RANGE:
        step = 2 if (numbers[1] - numbers[0]) % 2 == 0 else 1
        numbers = list(range(numbers[0], numbers[1] + 1, step))
    return HouseNumbers(frozenset(numbers[:_MOST_IN_RANGE]), found[0][1])


def entry_keys(form: PlacedForm, frequent: Counter[str]) -> Iterator[Key]:
    """Under which keys objects are looked for that an entry may be."""
    yield from _contact_keys(form)
    for cell in _cells(form):
        yield from _house_keys(form, cell)
        for word in _rare_words(form, frequent):
            yield ("word", word, *cell)


def object_keys(form: PlacedForm) -> Iterator[Key]:
    """The keys of an object, of which an entry must have one."""
    yield from _contact_keys(form)
    if form.point is None:
        return
    cell = _cell_of(form.point)
    yield from _house_keys(form, cell)
    for word in {stem for name in form.names for stem in stems(name)}:
        yield ("word", word, *cell)


def _contact_keys(form: PlacedForm) -> Iterator[Key]:
    for phone in sorted(form.phones):
        yield ("phone", phone)
    for site in sorted(form.sites):
        yield ("site", site)


def _house_keys(form: PlacedForm, cell: tuple[int, int]) -> Iterator[Key]:
    if form.street and form.house:
        for number in sorted(form.house.numbers):
            yield ("house", form.street, number, *cell)


def _cells(form: PlacedForm) -> Iterator[tuple[int, int]]:
    """The cells in which an entry can be, with those around them."""
    if form.point is None:
        return
    row, column = _cell_of(form.point)
    reach = _REACH.get(form.precision or Precision.REGION, 1)
    for down in range(-reach, reach + 1):
        for across in range(-reach, reach + 1):
            yield row + down, column + across


def _cell_of(point: Point) -> tuple[int, int]:
    return floor(point.latitude / _CELL), floor(point.longitude / _CELL)


def _rare_words(form: PlacedForm, frequent: Counter[str]) -> list[str]:
    """Of each name the words that the fewest entries have."""
    chosen: dict[str, None] = {}
    for name in form.names:
        ranked = sorted(stems(name), key=lambda stem: (frequent[stem], -len(stem), stem))
        chosen.update(dict.fromkeys(ranked[:_RARE_WORDS]))
    return list(chosen)


def stems(name: str) -> frozenset[str]:
    """The beginnings of the words of a name: "Müllers" and "Müller" have the same.

    >>> sorted(stems("restaurant zum ol"))
    ['restau', 'zum']
    """
    words = frozenset(word[:_STEM] for word in name.split() if len(word) >= _SHORTEST)
    return words or frozenset(name.split())


THRESHOLD = 5.0
_CONTAINED = 88
_LONG_WORD = 4
# Up to which distance in km a point speaks how much for the same thing.
_DISTANCES = ((0.06, 2.0), (0.15, 1.0), (0.5, 0.0), (2.0, -2.0))
_FAR = -5.0
# How far an inexact point may be from the thing, in km; beyond, it is another thing.
_INEXACT = {Precision.STREET: 1.5, Precision.POSTCODE: 8.0, Precision.TOWN: 20.0}
_ANYWHERE = 100.0


class Sign(NamedTuple):
    kind: str
    weight: float
    text: str


class SharedBy(NamedTuple):
    """What many objects share says little: the website and number of a chain."""

    phones: Collection[str]
    sites: Collection[str]


def signs(entry: PlacedForm, found: PlacedForm, place: Point | None, many: SharedBy) -> list[Sign]:
    """All that speaks for or against an entry and an object being the same.

    `place` is where the entry is by its address in the map, if the map has that.
    """
    parts: tuple[Callable[[], Iterator[Sign]], ...] = (
        lambda: _name(entry, found),
        lambda: _phone(entry, found, many.phones),
        lambda: _site(entry, found, many.sites),
        lambda: _address(entry, found),
        lambda: _distance(entry, found, place),
        lambda: _category(entry, found),
    )
    return [sign for part in parts for sign in part()]


def _name(entry: PlacedForm, found: PlacedForm) -> Iterator[Sign]:
    if not (entry.names and found.names):
        return
    alike = max(_alike(one, other) for one in entry.names for other in found.names)
    weight = next(
        (w for least, w in ((95, 4.0), (85, 3.0), (75, 2.0), (60, 0.0)) if alike >= least), -3.0
    )
    yield Sign("name", weight, f"names alike ({alike})")


def _alike(one: str, other: str) -> int:
    """How alike two names are, 0 to 100."""
    if one == other or one.replace(" ", "") == other.replace(" ", ""):
        return 100
    few, many = sorted((set(one.split()), set(other.split())), key=len)
    if few <= many and any(len(word) >= _LONG_WORD for word in few):
        return _CONTAINED
    return round(token_sort_ratio(one, other))


def _phone(entry: PlacedForm, found: PlacedForm, many: Collection[str]) -> Iterator[Sign]:
    shared = entry.phones & found.phones
    if shared:
        weight = 5.0 if shared.difference(many) else 1.0
        yield Sign("phone", weight, "same telephone")
    elif entry.phones and found.phones:
        yield Sign("phone", -1.0, "other telephone")


def _site(entry: PlacedForm, found: PlacedForm, many: Collection[str]) -> Iterator[Sign]:
    shared = entry.sites & found.sites
    if shared:
        yield Sign("site", 3.0 if shared.difference(many) else 1.0, "same website")
    elif entry.sites and found.sites:
        yield Sign("site", -0.5, "other website")


def _address(entry: PlacedForm, found: PlacedForm) -> Iterator[Sign]:
    if not (entry.street and found.street and entry.house and found.house):
        return
    if entry.street != found.street:
        yield Sign("address", -4.0, "other street")
    elif entry.postcode and found.postcode and entry.postcode != found.postcode:
        yield Sign("address", -1.0, "other postal code")
    elif is_same_house(entry.house, found.house):
        yield Sign("address", 3.0, "same address")
    elif entry.house.numbers & found.house.numbers:
        yield Sign("address", 1.0, "house next to it")
    else:
        yield Sign("address", -2.0, "other house")


def is_same_house(one: HouseNumbers, other: HouseNumbers) -> bool:
    """Whether two numbers mean the same house."""
    return bool(one.numbers & other.numbers) and one.letter == other.letter


def _distance(entry: PlacedForm, found: PlacedForm, place: Point | None) -> Iterator[Sign]:
    if found.point is None:
        return
    exact = place or (entry.point if entry.precision is Precision.HOUSE else None)
    if exact is not None:
        apart = distance_km(exact, found.point)
        weight = next((weight for most, weight in _DISTANCES if apart <= most), _FAR)
        yield Sign("distance", weight, f"{1000 * apart:.0f} m apart")
    elif entry.point is not None:
        apart = distance_km(entry.point, found.point)
        if apart > _INEXACT.get(entry.precision or Precision.REGION, _ANYWHERE):
            yield Sign("distance", _FAR, f"{apart:.0f} km apart")


def _category(entry: PlacedForm, found: PlacedForm) -> Iterator[Sign]:
    """The same category speaks for it; another one says nothing, a café is a restaurant to some."""
    if entry.categories & found.categories:
        yield Sign("category", 1.0, "same category")
