"""How well an entry and an object of the map agree: a sum of parts that one can read.

The weights were set by hand, and tried on half of the synthetic maps of
`benchmarks/map_joining.py`, which also measures what each part contributes. A match needs two
things that agree; one strong sign, such as a telephone number, is not enough against a different
name at a different house.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import NamedTuple

from rapidfuzz.fuzz import token_sort_ratio

from geoscout_directory.map_forms import HouseNumbers, PlacedForm
from geoscout_places.gazetteer.areas.sphere import distance_km
from geoscout_places.model import Point, Precision

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
    """A part of the sum."""

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
