"""What the geoparser knows, loaded once: the automaton, the words, and the facts of each name.

A crawl meets the same few thousand names again and again, so what a name may mean and how far to
trust it are worked out the first time and kept.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from geoscout.caches import BoundedCache
from geoscout.gazetteer.base import Gazetteer
from geoscout.gazetteer.tables import DATA_FOLDER, DemonymRow, read_table
from geoscout.geo.mentions.context import NameContext
from geoscout.geo.mentions.linear_models import BeliefModel, SenseModel, read_weights
from geoscout.geo.mentions.senses import (
    Option,
    Senses,
    Whereabouts,
    place_options,
    surroundings,
    whereabouts,
)
from geoscout.model import Candidate, Kind, NameRole, Place
from geoscout.toponyms import UNKNOWN, WordUse, heads, line_names, read_words, sight

_MOST_OPTIONS = 20  # of one name; the rest are hamlets that no text can mean unqualified
_MOST_FACTS = 200_000
_METONYM_POPULATION = 20_000
_HOPELESS = -3.25  # no surroundings make up for this
_CODE_LETTERS = 3
_BIG, _MIDDLE = 6.0, 4.6  # importance of a city of 200,000 and one of 8,000
_WORD, _PERSON = 2, 3  # digits of the words table from which a word or a name of people is usual
_LONG, _MANY_WORDS, _MANY_OPTIONS = 8, 3, 4
_WIDE = (Kind.CONTINENT, Kind.COUNTRY, Kind.AREA, Kind.REGION)


class NameFacts(Senses):
    """What is known of a name before its text is looked at."""

    __slots__ = ("features", "is_code", "is_demonym", "score", "sort")

    sort: str  # class of ambiguity with words and people, and of size: "word-small", "plain-big"
    features: tuple[str, ...]
    score: float  # belief before the text is looked at
    is_code: bool  # means a place in capitals only
    is_demonym: bool


class NamePattern(NamedTuple):
    """What the automaton found: a name of places, or another word that is looked for."""

    name: str  # as `sight` shows it
    facts: NameFacts | None  # None when it can mean no place
    is_other: bool  # a word such as "River", or a railway line


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
        self._around = surroundings(gazetteer)
        # The facts of a name as `sight` shows it; None when it can mean no place.
        self.facts = BoundedCache(self._find_facts, _MOST_FACTS)
        # By the automaton's number of a name, which comes with each hit and is quicker to look up
        # than the name; None where a hit means nothing.
        self.patterns: dict[int, NamePattern | None] = {}

    @classmethod
    def load(cls, gazetteer: Gazetteer, folder: Path = DATA_FOLDER) -> NameKnowledge:
        """The knowledge of a gazetteer and of the tables in a folder."""
        rows = read_table(folder / "demonyms.tsv", DemonymRow)
        return cls(gazetteer, read_words(folder), {sight(row.demonym) for row in rows})

    def learn_pattern(self, number: int, name: str) -> NamePattern | None:
        """Keep what a pattern of the automaton stands for."""
        facts, is_other = self.facts[name], name in other_patterns()
        found = NamePattern(name, facts, is_other) if facts or is_other else None
        if len(self.patterns) >= _MOST_FACTS:
            self.patterns.clear()
        self.patterns[number] = found
        return found

    def forget(self) -> None:
        """Forget the facts of all names, after a model was exchanged."""
        self.facts.clear()
        self.patterns.clear()

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
        facts = NameFacts(candidates, self._options)
        facts.sort, facts.features, facts.score = sort, features, score
        facts.is_code, facts.is_demonym = is_code, is_demonym
        return facts

    def _as_demonym(self, name: str) -> tuple[bool, str]:
        """Whether the name is a word for people, and its singular."""
        if name in self.demonyms:
            return True, name
        is_plural = name[-1:] == "s" and name[:-1] in self.demonyms and not self._is_proper(name)
        return is_plural, name[:-1] if is_plural else name

    def _is_proper(self, name: str) -> bool:
        """Whether a place has the name itself: Laos, where Lao is a word for people too."""
        return any(c.role == NameRole.NAME for c in self.gazetteer.candidates(name)[:1])

    def whereabouts(self, place: Place) -> Whereabouts:
        """Where a place lies, as far as other places can speak for it."""
        return whereabouts(place, self._around)

    def _options(self, candidates: Sequence[Candidate]) -> tuple[Option, ...]:
        return place_options(candidates, self._around, self.sense)


@cache
def other_patterns() -> frozenset[str]:
    """What the automaton finds besides names of places."""
    return heads() | frozenset(line_names())


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
