"""What a name may mean: its places, where they lie, and what they say about other names.

A text has many names that are never more than a word or a surname, and their places are not asked
for. So a name keeps what the gazetteer has said of it, and the rest is worked out when it is
needed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.geo.mentions.linear_models import SEATS, SenseModel
from geoscout_places.model import Candidate, Kind, NameRole, Place
from geoscout_places.native import kernel

_OUTDONE = 7.5  # an option so much less likely than another is not meant on any page
_SENSES, _LEAST_SHARE = 3, 0.15  # of an ambiguous name that count as evidence
_WITHOUT_SQUARE = frozenset((Kind.COUNTRY, Kind.CONTINENT, Kind.AREA, Kind.REGION, Kind.WATER))
_SQUARE = 2.0  # degrees
_ROW = 1000
_DIVISIONS = (Kind.REGION, Kind.DISTRICT)


class Whereabouts(Struct, frozen=True, gc=False):
    """Where an option lies, as far as the other places of a page can speak for it."""

    country: str
    region: int  # id of its first-level region (its own, where it is one); 0 for none
    squares: tuple[int, int]  # in two grids, one shifted by half a square
    above: tuple[int, ...]  # ids of what contains it, narrow to broad


class Option(Struct, frozen=True, gc=False):
    """A place a name may mean, with what resolution asks of it."""

    place: Place
    prior: float  # importance, in powers of ten of inhabitants
    role: NameRole
    base: float  # how likely it is meant, before the page is looked at
    where: Whereabouts
    is_namesake: bool  # a division that has the name of something inside it


class NamePrior:
    """What is known of a name before its text is looked at, and before its places are."""

    __slots__ = ("features", "is_code", "is_demonym", "noun", "score", "sort", "source")

    sort: str  # class of ambiguity with words and people, and of size: "word-small", "plain-big"
    features: tuple[str, ...]  # for who learns; mostly () else
    score: float  # belief before the text is looked at
    is_code: bool  # means a place in capitals only
    is_demonym: bool
    noun: str  # `NOUN` and so on, where nouns have capitals
    source: tuple[Any, int] | None  # what the kernels read its places from


if not TYPE_CHECKING and (names := kernel("names")):
    NamePrior = names.Facts  # the same fields, which the kernels read without asking Python


class Senses(NamePrior):
    """The places a name may mean; the fields below are worked out when one is first read.

    What is only gone through is a tuple, in which a value may stand several times.
    """

    __slots__ = (
        "_name", "_options_of", "above", "countries", "districts", "ids", "is_mixed",
        "options", "regions", "shares", "squares",
    )  # fmt: skip

    options: tuple[Option, ...]
    ids: frozenset[int]
    above: frozenset[int]  # ids of countries, regions and districts around any option
    districts: tuple[int, ...]  # ids of those options that are districts
    is_mixed: bool  # may be a town as well as a region or country
    countries: tuple[str, ...]  # "" and 0 among these stand for none
    regions: tuple[int, ...]
    squares: tuple[int, ...]
    shares: tuple[tuple[Option, float], ...]  # its likeliest senses, as parts of one

    def __init__(self, name: str, options_of: Callable[[str], tuple[Option, ...]]) -> None:
        """`options_of` gives the options of a name."""
        self._name = name
        self._options_of = options_of

    if not TYPE_CHECKING:  # a type checker knows the fields

        def __getattr__(self, field: str) -> Any:
            """Called for a field that has no value yet; a field that has one costs nothing more."""
            if field == "options":
                self.options = self._options_of(self._name)
            elif field == "shares":
                self.shares = _share_out(self.options)
            elif field in Senses.__slots__:
                self._gather()
            else:
                raise AttributeError(field)
            return getattr(self, field)

    def _gather(self) -> None:
        """Work out all fields that are about the areas of the options, which are read together."""
        ids, above, districts, kinds = [], set[int](), [], []
        countries, regions, squares = [], [], list[int]()
        for option in self.options:
            place, where = option.place, option.where
            ids.append(place.id)
            kinds.append(place.kind)
            if place.kind is Kind.DISTRICT:
                districts.append(place.id)
            above.update(where.above[:-1])
            countries.append(where.country)
            regions.append(where.region)
            squares += where.squares
        self.ids, self.above, self.districts = frozenset(ids), frozenset(above), tuple(districts)
        self.is_mixed = _is_mixed(kinds)
        self.countries, self.regions, self.squares = (
            tuple(countries),
            tuple(regions),
            tuple(squares),
        )


def option_maker(bearers: Any | None, sense: SenseModel) -> Any | None:
    """The kernel that does what `place_options` does for written names; None without it."""
    names = kernel("names")
    if names is None or bearers is None:
        return None
    marks = (
        bytes(kind in _WITHOUT_SQUARE for kind in Kind),
        bytes(kind in _DIVISIONS for kind in Kind),
        bytes(term in SEATS for term in bearers.terms),
    )
    return names.OptionMaker(bearers, (Option, Whereabouts), *sense.base_weights(), marks)


def place_options(
    candidates: Sequence[Candidate], gazetteer: Gazetteer, sense: SenseModel
) -> tuple[Option, ...]:
    """The options of a name; there is at least one candidate."""
    places = [whereabouts(candidate.place, gazetteer) for candidate in candidates]
    if len(candidates) == 1:
        return (_option(candidates[0], places[0], sense, is_namesake=False),)
    inside = {id for where in places for id in where.above}
    options = [
        _option(
            candidate,
            where,
            sense,
            is_namesake=candidate.place.id in inside and candidate.place.kind in _DIVISIONS,
        )
        for candidate, where in zip(candidates, places, strict=True)
    ]
    least = max([option.base for option in options]) - _OUTDONE
    return tuple([option for option in options if option.base >= least])


def _option(
    candidate: Candidate, where: Whereabouts, sense: SenseModel, *, is_namesake: bool
) -> Option:
    base = sense.base_score(candidate, is_namesake=is_namesake)
    return Option(
        candidate.place, candidate.score, candidate.role, base, where, is_namesake=is_namesake
    )


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


def _is_mixed(kinds: Sequence[Kind]) -> bool:
    if Kind.REGION not in kinds and Kind.COUNTRY not in kinds:
        return False
    return any(kind is not kinds[0] for kind in kinds)
