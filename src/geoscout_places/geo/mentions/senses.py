"""What a name may mean: its places, where they lie, and what they say about other names."""

from collections.abc import Mapping, Sequence
from itertools import compress
from typing import NamedTuple

from msgspec import Struct

from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.geo.mentions.linear_models import SenseModel
from geoscout_places.model import Candidate, Kind, Place
from geoscout_places.toponyms import NOT_NOUN

_OUTDONE = 7.5  # an option so much less likely than another is not meant on any page
_SENSES, _LEAST_SHARE = 3, 0.15  # of an ambiguous name that count as evidence
_WITHOUT_SQUARE = frozenset((Kind.COUNTRY, Kind.CONTINENT, Kind.AREA, Kind.REGION, Kind.WATER))
_SQUARE = 2.0  # degrees
_ROW = 1000
_DIVISIONS = (Kind.REGION, Kind.DISTRICT)


class Whereabouts(NamedTuple):
    """Where a place lies, as far as the other places of a page can speak for it."""

    country: str
    region: int  # id of its first-level region (its own, where it is one); 0 for none
    squares: tuple[int, int]  # in two grids, one shifted by half a square
    above: tuple[int, ...]  # ids of what contains it, narrow to broad


class Senses(Struct, gc=False):
    """The places a name may mean, and what resolution asks of them.

    A field has a value for each of these options. So a name is a few tuples of numbers: there are
    many names, and records for all their options would take long to make, and the garbage
    collector long to look through.
    """

    candidates: tuple[Candidate, ...]
    are_namesakes: Sequence[bool]  # divisions with the name of something inside them
    bases: tuple[float, ...]  # how likely each is meant, before the page is looked at
    ids: tuple[int, ...]
    kinds: tuple[Kind, ...]
    countries: tuple[str, ...]  # "" and 0 stand for none
    regions: tuple[int, ...]
    squares: tuple[int, ...]  # two of each
    lineages: tuple[tuple[int, ...], ...]  # ids of what contains each, narrow to broad
    around: frozenset[int]  # ids of the countries, regions and districts around any
    districts: tuple[int, ...]  # ids of those that are districts
    is_mixed: bool  # may be a town as well as a region or country
    # By number, the likeliest first: its part of what the name says about a page.
    shares: tuple[tuple[int, float], ...]


class NameFacts(Struct, gc=False):
    """What is known of a name before its text is looked at.

    A text has many names that are never more than a word or a surname, and their places are not
    asked for. So what a name may mean is worked out when it is first asked for.
    """

    name: str
    sort: str  # class of ambiguity with words and people, and of size: "word-small", "plain-big"
    score: float  # belief before the text is looked at
    source: Mapping[str, Senses]  # where it is asked for, by the name
    is_code: bool = False  # means a place in capitals only
    is_demonym: bool = False
    needs_neighbour: bool = False  # a code that means its place only beside a place in it
    noun: str = NOT_NOUN  # `NOUN` and so on, where nouns have capitals
    features: tuple[str, ...] = ()  # of which the score is the sum
    _senses: Senses | None = None

    def senses(self) -> Senses:
        """What it may mean."""
        if self._senses is None:
            self._senses = self.source[self.name]
        return self._senses


def find_senses(candidates: Sequence[Candidate], gazetteer: Gazetteer, model: SenseModel) -> Senses:
    """What a name may mean; there is at least one candidate."""
    places = [candidate.place for candidate in candidates]
    risen = [_risen(place, gazetteer) for place in places]
    are_namesakes = _namesakes(places, risen)
    bases = list(map(model.base_score, candidates, are_namesakes))
    if min(bases) < (least := max(bases) - _OUTDONE):
        kept = [base >= least for base in bases]
        candidates, places = list(compress(candidates, kept)), list(compress(places, kept))
        risen, bases = list(compress(risen, kept)), list(compress(bases, kept))
        are_namesakes = list(compress(are_namesakes, kept))
    ids = tuple([place.id for place in places])
    kinds = tuple([place.kind for place in places])
    return Senses(
        tuple(candidates),
        tuple(are_namesakes),
        tuple(bases),
        ids,
        kinds,
        countries=tuple([place.country for place in places]),
        regions=tuple([region for region, _ in risen]),
        squares=tuple([square for place in places for square in _squares(place)]),
        lineages=tuple([above for _, above in risen]),
        around=frozenset([id for _, above in risen for id in above[:-1]]),
        districts=tuple([id for id, kind in zip(ids, kinds, strict=True) if kind is Kind.DISTRICT]),
        is_mixed=_is_mixed(kinds),
        shares=_share_out([candidate.score for candidate in candidates[:_SENSES]]),
    )


def _namesakes(places: Sequence[Place], risen: Sequence[tuple[int, tuple[int, ...]]]) -> list[bool]:
    """Which of the places are divisions that have the name of something inside them."""
    if len(places) == 1:
        return [False]
    inside = {id for _, above in risen for id in above}
    return [place.id in inside and place.kind in _DIVISIONS for place in places]


def whereabouts(place: Place, gazetteer: Gazetteer) -> Whereabouts:
    """Where a place lies."""
    region, above = _risen(place, gazetteer)
    return Whereabouts(place.country, region, _squares(place), above)


def _risen(place: Place, gazetteer: Gazetteer) -> tuple[int, tuple[int, ...]]:
    """The region of a place, and the ids of what contains it (see `Whereabouts`)."""
    id = place.id
    region, above = gazetteer.lineage(place.parent)
    if id in above:  # imported files may say that two places contain each other
        above = above[: above.index(id)]
    return region or (id if place.kind is Kind.REGION else 0), above


def _squares(place: Place) -> tuple[int, int]:
    """Squares of two grids as numbers, such that near places share one; none for wide places."""
    if place.kind in _WITHOUT_SQUARE:
        return (0, 0)
    point = place.point
    north, east = (point.latitude + 90) / _SQUARE, (point.longitude + 180) / _SQUARE
    first = 1 + 2 * (int(north) * _ROW + int(east))
    return (first, 2 + 2 * (int(north + 0.5) * _ROW + int(east + 0.5)))


def _share_out(priors: Sequence[float]) -> tuple[tuple[int, float], ...]:
    """The likeliest options with their parts of the whole, by importance alone."""
    if len(priors) == 1:
        return _ONE
    shares = [10 ** (0.5 * (prior - priors[0])) for prior in priors]
    total = sum(shares)
    return tuple(
        [(n, share / total) for n, share in enumerate(shares) if share > _LEAST_SHARE * total]
    )


_ONE = ((0, 1.0),)


def _is_mixed(kinds: Sequence[Kind]) -> bool:
    if Kind.REGION not in kinds and Kind.COUNTRY not in kinds:
        return False
    return any(kind is not kinds[0] for kind in kinds)
