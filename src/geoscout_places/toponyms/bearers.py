"""Who bears a name: the places it may mean.

The gazetteer orders them by importance, the likeliest first. Which of them is meant is for each
stage to decide by what it sees: the rest of a page, the region of a crawl, the cities that nodes
own, the pages of an index.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.model import Candidate, Kind, NameRole, Place

WIDE = (Kind.CONTINENT, Kind.AREA, Kind.COUNTRY, Kind.REGION)
_PROPER = frozenset((NameRole.NAME, NameRole.ALIAS))


class HomeArea(Protocol):
    """The area whose places are likelier than others; a `Region` is one."""

    def contains_place(self, place: Place) -> bool:
        """Whether the place lies in it."""
        ...


def proper_bearers(name: str, gazetteer: Gazetteer) -> list[Candidate]:
    """The places that are called so; those with such a code or such people are left out."""
    return [found for found in gazetteer.candidates(name) if found.role in _PROPER]


def qualified_bearers(name: str, gazetteer: Gazetteer, *, with_codes: bool) -> list[Candidate]:
    """The places that a name means which may carry qualifiers: "Lisbon, NH".

    Words for people ("Portuguese") mean none, codes ("NH") only where they are asked for.
    """
    left_out = {NameRole.DEMONYM} if with_codes else {NameRole.DEMONYM, NameRole.CODE}
    return [found for found in gazetteer.search(name) if found.role not in left_out]


def is_first_bearer(place: Place, name: str, gazetteer: Gazetteer) -> bool:
    """Whether the name means this place before all others of the world."""
    found = gazetteer.candidates(name)
    return bool(found) and found[0].place.id == place.id


def region_among(above: Iterable[Place]) -> int:
    """The id of the first-level region among what contains a place; 0 for none.

    Places of one name mostly differ in it.
    """
    return next((outer.id for outer in above if outer.kind is Kind.REGION), 0)


def are_nested(one: Place, other: Place, gazetteer: Gazetteer) -> bool:
    """Whether one of two places lies in the other: a city and the county it gave its name."""
    return gazetteer.is_inside(one, other) or gazetteer.is_inside(other, one)
