"""What a name may mean: its places, where they lie, and what they say about other names.

A text has many names that are never more than a word or a surname, and their places are not asked
for. So a name keeps what the gazetteer has said of it, and the rest is worked out when it is
needed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from geoscout.gazetteer.base import Gazetteer
from geoscout.geo.mentions.linear_models import SenseModel
from geoscout.model import Candidate, Kind, NameRole, Place

_OUTDONE = 7.5  # an option so much less likely than another is not meant on any page
_SENSES, _LEAST_SHARE = 3, 0.15  # of an ambiguous name that count as evidence
_WITHOUT_SQUARE = frozenset((Kind.COUNTRY, Kind.CONTINENT, Kind.AREA, Kind.REGION, Kind.WATER))
_SQUARE = 2.0  # degrees
_ROW = 1000
_DIVISIONS = (Kind.REGION, Kind.DISTRICT)


class Whereabouts(NamedTuple):
    """Where an option lies, as far as the other places of a page can speak for it."""

    country: str
    region: int  # id of its first-level region (its own, where it is one); 0 for none
    squares: tuple[int, int]  # in two grids, one shifted by half a square
    above: tuple[int, ...]  # ids of what contains it, narrow to broad


class Option(NamedTuple):
    """A place a name may mean, with what resolution asks of it."""

    place: Place
    prior: float  # importance, in powers of ten of inhabitants
    role: NameRole
    base: float  # how likely it is meant, before the page is looked at
    where: Whereabouts
    is_namesake: bool  # a division that has the name of something inside it


class Senses:
    """The places a name may mean; each field below is worked out when it is first read."""

    __slots__ = (
        "_name", "_options_of", "above", "countries", "districts", "ids", "is_mixed",
        "options", "regions", "shares", "squares",
    )  # fmt: skip

    options: tuple[Option, ...]
    ids: frozenset[int]
    above: frozenset[int]  # ids of countries, regions and districts around any option
    districts: frozenset[int]  # ids of those options that are districts
    is_mixed: bool  # may be a town as well as a region or country
    countries: frozenset[str]
    regions: frozenset[int]
    squares: frozenset[int]
    shares: tuple[tuple[Option, float], ...]  # its likeliest senses, as parts of one

    def __init__(self, name: str, options_of: Callable[[str], tuple[Option, ...]]) -> None:
        """`options_of` gives the options of a name."""
        self._name = name
        self._options_of = options_of

    if not TYPE_CHECKING:  # a type checker knows the fields

        def __getattr__(self, field: str) -> Any:
            """Called for a field that has no value yet; a field that has one costs nothing more."""
            if field == "options":
                found = self._options_of(self._name)
            elif field in _FIELDS:
                found = _FIELDS[field](self.options)
            else:
                raise AttributeError(field)
            setattr(self, field, found)
            return found


def place_options(
    candidates: Sequence[Candidate], gazetteer: Gazetteer, sense: SenseModel
) -> tuple[Option, ...]:
    """The options of a name; there is at least one candidate."""
    places = [whereabouts(candidate.place, gazetteer) for candidate in candidates]
    inside = {id for where in places for id in where.above}
    options = []
    for candidate, where in zip(candidates, places, strict=True):
        place = candidate.place
        is_namesake = place.kind in _DIVISIONS and place.id in inside
        base = sense.base_score(candidate, is_namesake=is_namesake)
        options.append(
            Option(place, candidate.score, candidate.role, base, where, is_namesake=is_namesake)
        )
    least = max([option.base for option in options]) - _OUTDONE
    return tuple([option for option in options if option.base >= least])


def whereabouts(place: Place, gazetteer: Gazetteer) -> Whereabouts:
    """Where a place lies."""
    region, above = gazetteer.lineage(place.parent)
    if place.id in above:  # imported files may say that two places contain each other
        above = above[: above.index(place.id)]
    if not region and place.kind is Kind.REGION:
        region = place.id
    return Whereabouts(place.country, region, _squares(place), above)


def _squares(place: Place) -> tuple[int, int]:
    """Squares of two grids as numbers, such that near places share one; none for wide places."""
    if place.kind in _WITHOUT_SQUARE:
        return (0, 0)
    north, east = (place.point.latitude + 90) / _SQUARE, (place.point.longitude + 180) / _SQUARE
    first = 1 + 2 * (int(north) * _ROW + int(east))
    return (first, 2 + 2 * (int(north + 0.5) * _ROW + int(east + 0.5)))


def _share_out(options: Sequence[Option]) -> tuple[tuple[Option, float], ...]:
    """The likeliest options with their parts of the whole, by importance alone."""
    first = options[0].prior
    shares = [(option, 10 ** (0.5 * (option.prior - first))) for option in options[:_SENSES]]
    total = sum([share for _, share in shares])
    return tuple([(o, share / total) for o, share in shares if share > _LEAST_SHARE * total])


def _is_mixed(kinds: set[Kind]) -> bool:
    return len(kinds) > 1 and (Kind.REGION in kinds or Kind.COUNTRY in kinds)


_FIELDS: dict[str, Callable[[Sequence[Option]], Any]] = {
    "ids": lambda options: frozenset([option.place.id for option in options]),
    "above": lambda options: frozenset([id for o in options for id in o.where.above[:-1]]),
    "districts": lambda options: frozenset(
        [o.place.id for o in options if o.place.kind is Kind.DISTRICT]
    ),
    "is_mixed": lambda options: _is_mixed({option.place.kind for option in options}),
    "countries": lambda options: frozenset([o.where.country for o in options if o.where.country]),
    "regions": lambda options: frozenset([o.where.region for o in options if o.where.region]),
    "squares": lambda options: frozenset([square for o in options for square in o.where.squares]),
    "shares": _share_out,
}
