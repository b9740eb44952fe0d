"""What the geoparser knows, loaded once: the automaton, the words, and the facts of each name.

A crawl meets the same few thousand names again and again, so what a name may mean and how far to
trust it are worked out the first time and kept.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from geoscout.caches import BoundedCache
from geoscout.gazetteer.base import Gazetteer
from geoscout.gazetteer.tables import DATA_FOLDER, DemonymRow, read_table
from geoscout.geo.mentions.context import NameContext
from geoscout.geo.mentions.linear_models import BeliefModel, SenseModel, read_weights
from geoscout.model import Candidate, Kind, NameRole, Place
from geoscout.toponyms import UNKNOWN, WordUse, read_words, region_among, sight

_MOST_OPTIONS = 20  # of one name; the rest are hamlets that no text can mean unqualified
_MOST_FACTS = 200_000
_METONYM_POPULATION = 20_000
_OUTDONE = 9.0  # an option so much less likely than another is not meant on any page
_HOPELESS = -3.25  # no surroundings make up for this
_SENSES, _LEAST_SHARE = 3, 0.15  # of an ambiguous name that count as evidence
_CODE_LETTERS = 3
_BIG, _MIDDLE = 6.0, 4.6  # importance of a city of 200,000 and one of 8,000
_WORD, _PERSON = 2, 3  # digits of the words table from which a word or a name of people is usual
_LONG, _MANY_WORDS, _MANY_OPTIONS = 8, 3, 4
_WIDE = (Kind.CONTINENT, Kind.COUNTRY, Kind.AREA, Kind.REGION)
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


class NameFacts(NamedTuple):
    """What is known of a name before its text is looked at."""

    options: tuple[Option, ...]
    sort: str  # class of ambiguity with words and people, and of size: "word-small", "plain-big"
    features: tuple[str, ...]
    score: float  # belief before the text is looked at
    is_code: bool  # means a place in capitals only
    is_demonym: bool
    ids: frozenset[int]
    above: frozenset[int]  # ids of regions and districts around any option
    countries: frozenset[str]
    regions: frozenset[int]
    squares: frozenset[int]
    shares: tuple[tuple[Option, float], ...]  # its likeliest senses, as parts of one


class NameKnowledge:
    """The knowledge `find_mentions` needs."""

    def __init__(
        self, gazetteer: Gazetteer, words: Mapping[str, WordUse], demonyms: Collection[str]
    ) -> None:
        self.gazetteer = gazetteer
        self.words = words
        self.demonyms = demonyms  # as `sight` shows them
        self.belief = BeliefModel(read_weights("belief.tsv"))
        self.sense = SenseModel(read_weights("sense.tsv"))
        self.automaton = gazetteer.automaton()
        self.neighbours = NameContext(words)
        # The facts of a name as `sight` shows it; None when it can mean no place.
        self.facts = BoundedCache(self._find_facts, _MOST_FACTS)

    @classmethod
    def load(cls, gazetteer: Gazetteer, folder: Path = DATA_FOLDER) -> NameKnowledge:
        """The knowledge of a gazetteer and of the tables in a folder."""
        rows = read_table(folder / "demonyms.tsv", DemonymRow)
        return cls(gazetteer, read_words(folder), {sight(row.demonym) for row in rows})

    def _find_facts(self, name: str) -> NameFacts | None:
        is_demonym, singular = self._as_demonym(name)
        candidates = _without_metonyms(self.gazetteer.candidates(singular))[:_MOST_OPTIONS]
        if not candidates:
            return None
        if is_demonym:
            # A country may list the adjective among its names.
            candidates = [c for c in candidates if _is_of_people(c)] or candidates[:1]
        best = candidates[0]
        is_code = best.role == NameRole.CODE and len(name.replace(".", "")) <= _CODE_LETTERS
        word = UNKNOWN if is_demonym else self.words.get(name.lower(), UNKNOWN)
        sort = "demonym" if is_demonym else "code" if is_code else _sort(word, best.score)
        features = _features(name, word, candidates)
        score = self.belief.name_score(sort, features)
        if score < _HOPELESS and self.belief.weights:
            return None
        return _facts(
            self._options(candidates), sort, features, score, is_code=is_code, is_demonym=is_demonym
        )

    def _as_demonym(self, name: str) -> tuple[bool, str]:
        """Whether the name is a word for people, and its singular."""
        if name in self.demonyms:
            return True, name
        is_plural = name[-1:] == "s" and name[:-1] in self.demonyms and not self._is_proper(name)
        return is_plural, name[:-1] if is_plural else name

    def _is_proper(self, name: str) -> bool:
        """Whether a place has the name itself: Laos, where Lao is a word for people too."""
        return any(c.role == NameRole.NAME for c in self.gazetteer.candidates(name)[:1])

    def _options(self, candidates: Sequence[Candidate]) -> tuple[Option, ...]:
        ancestors = [self.gazetteer.ancestors(c.place) for c in candidates]
        inside = {place.id for above in ancestors for place in above}
        options = [
            self._option(candidate, above, is_namesake=candidate.place.id in inside)
            for candidate, above in zip(candidates, ancestors, strict=True)
        ]
        least = max(option.base for option in options) - _OUTDONE
        return tuple(option for option in options if option.base >= least)

    def _option(self, candidate: Candidate, above: Sequence[Place], *, is_namesake: bool) -> Option:
        place = candidate.place
        is_namesake = is_namesake and place.kind in _DIVISIONS
        return Option(
            place=place,
            prior=candidate.score,
            role=candidate.role,
            base=self.sense.base_score(candidate, is_namesake=is_namesake),
            where=_whereabouts(place, above),
            is_namesake=is_namesake,
        )


def _whereabouts(place: Place, above: Sequence[Place]) -> Whereabouts:
    own = place.id if place.kind is Kind.REGION else 0
    region = region_among(above) or own
    return Whereabouts(place.country, region, _squares(place), tuple(p.id for p in above))


def _squares(place: Place) -> tuple[int, int]:
    """Squares of two grids as numbers, such that near places share one; none for wide places."""
    if place.kind in _WITHOUT_SQUARE:
        return (0, 0)
    north, east = (place.point.latitude + 90) / _SQUARE, (place.point.longitude + 180) / _SQUARE
    first = 1 + 2 * (int(north) * _ROW + int(east))
    return (first, 2 + 2 * (int(north + 0.5) * _ROW + int(east + 0.5)))


def _facts(  # noqa: PLR0913 - the judged fields of the record it makes
    options: tuple[Option, ...],
    sort: str,
    features: tuple[str, ...],
    score: float,
    *,
    is_code: bool,
    is_demonym: bool,
) -> NameFacts:
    return NameFacts(
        options,
        sort,
        features,
        score,
        is_code,
        is_demonym=is_demonym,
        ids=frozenset(option.place.id for option in options),
        above=frozenset(id for option in options for id in option.where.above[:-1]),
        countries=frozenset(option.where.country for option in options if option.where.country),
        regions=frozenset(option.where.region for option in options if option.where.region),
        squares=frozenset(square for option in options for square in option.where.squares),
        shares=_share_out(options),
    )


def _share_out(options: Sequence[Option]) -> tuple[tuple[Option, float], ...]:
    """The likeliest options with their parts of the whole, by importance alone."""
    first = options[0].prior
    shares = [(option, 10 ** (0.5 * (option.prior - first))) for option in options[:_SENSES]]
    total = sum(share for _, share in shares)
    return tuple((o, share / total) for o, share in shares if share > _LEAST_SHARE * total)


def _without_metonyms(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Candidates without countries that are only an alias of one of their own cities."""
    cities = {
        c.place.country
        for c in candidates
        if c.place.kind is Kind.CITY and c.place.population > _METONYM_POPULATION
    }
    return [
        c
        for c in candidates
        if not (
            c.place.kind is Kind.COUNTRY and c.role == NameRole.ALIAS and c.place.country in cities
        )
    ]


def _is_of_people(candidate: Candidate) -> bool:
    is_wide_alias = candidate.place.kind in _WIDE and candidate.role == NameRole.ALIAS
    return candidate.role == NameRole.DEMONYM or is_wide_alias


def _sort(word: WordUse, importance: float) -> str:
    size = "big" if importance >= _BIG else "middle" if importance >= _MIDDLE else "small"
    if word.uses >= _WORD:
        return f"word-{size}"
    if word.first >= _PERSON:
        return f"first-{size}"
    if word.last >= _PERSON:
        return f"last-{size}"
    return f"rare-{size}" if any(word) else f"plain-{size}"


def _features(name: str, word: WordUse, candidates: Sequence[Candidate]) -> tuple[str, ...]:
    best = candidates[0]
    parts = name.count(" ") + 1
    # In another script every name is an alias, and says more with fewer letters.
    role, length = (best.role, len(name)) if name.isascii() else (NameRole.NAME, _LONG)
    return (
        f"role={role}",
        f"kind={best.place.kind}",
        f"words={min(parts, _MANY_WORDS)}",
        f"length={min(length, _LONG)}" if parts == 1 else "length=many",
        f"size={max(0, min(9, int(best.score)))}",
        f"uses={word.uses}",
        f"first={word.first}",
        f"last={word.last}",
        f"options={min(len(candidates).bit_length(), _MANY_OPTIONS)}",
    )
