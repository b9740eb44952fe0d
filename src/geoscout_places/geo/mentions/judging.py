"""Sorts names by what else they may be, before any text is looked at: words, people, codes.

It depends on the language of the text. "Lage" is a word of every day in German and nothing but a
town in English; there a capital letter tells a name from a word, in German it does not.
"""

from collections.abc import Mapping, Sequence
from math import floor, log10
from typing import NamedTuple

from geoscout_places.caches import BoundedCache
from geoscout_places.language import Language, NameWords
from geoscout_places.model import Candidate, Kind, NameRole, Place
from geoscout_places.toponyms import (
    NOT_NOUN,
    NOUN,
    TOWN_IMPORTANCE,
    UNKNOWN,
    WordFrequencies,
    WordUse,
    expected_frequency,
    sight,
)

_BIG, _MIDDLE = 6.0, 4.6  # importance of a city of 200,000 and one of 8,000
_WORD, _PERSON = 2, 3  # digits of the words table from which a word or a name of people is usual
_FUNCTION_WORD = 9  # of any language
_LONG, _MANY_WORDS, _MANY_OPTIONS = 8, 3, 4
_COUNTED_IN = "en"  # the language whose uses the words table counts
_WIDE = (Kind.CONTINENT, Kind.COUNTRY)
_WIDE_IMPORTANCE = 8.0  # every language speaks of all countries as of its own cities
_ORDINARY_EXCESS = 1.5  # orders of magnitude of use beyond what the places of a name explain
_FEATURES = (Kind.AREA, Kind.WATER, Kind.LANDMARK)
_NOUN_EXCESS = 1.0  # the same where every noun has a capital
_MOST_EXCESS = 6  # halves of an order of magnitude
_MOST_USES = 5_000  # tuples of features that are kept; there are a few hundred
_COMPARED = 5  # places of a name that may explain how often it is used


def _counted(feature: str, most: int) -> tuple[str, ...]:
    """The names of a feature that is a number up to a limit; made once, since names are many."""
    return tuple(f"{feature}={number}" for number in range(most + 1))


_ROLES = {role: f"role={role}" for role in NameRole}
_KINDS = {kind: f"kind={kind}" for kind in Kind}
_PARTS, _LENGTHS = _counted("words", _MANY_WORDS), _counted("length", _LONG)
_SIZES, _OPTIONS = _counted("size", 9), _counted("options", _MANY_OPTIONS)
_USES, _FIRSTS, _LASTS = _counted("uses", 9), _counted("first", 9), _counted("last", 9)


class Bearing(NamedTuple):
    """What is asked of the places that have a name."""

    role: NameRole  # of the likeliest
    kind: Kind
    score: float  # its importance
    bearers: int
    is_home: bool  # whether one of them is in a country of the language
    excess: float  # how far the name is more frequent than its places explain; -1 where unknown


class NameJudge:
    """Sorts the names of texts in one language."""

    def __init__(
        self, language: Language | None, words: Mapping[str, WordUse], counts: WordFrequencies
    ) -> None:
        """`language` is None for texts whose language is not known."""
        self._words = words
        self._counts = counts
        self._language = language
        self._has_counted_uses = language is None or language.code == _COUNTED_IN
        # Codes of states ("Mo.", "IN") are written in English texts; elsewhere they are words.
        self.has_codes = self._has_counted_uses
        names = language.names if language else NameWords()
        self.country_names = frozenset(map(sight, names.country_names))
        self._own_names = frozenset(entry.partition(">")[0] for entry in names.own_names)
        self._has_capital_nouns = language is not None and language.capital_nouns
        self._homes = frozenset(language.countries) if language else frozenset[str]()
        self._uses = BoundedCache(self._use_features, _MOST_USES)

    def knows(self, name: str) -> bool:
        """Whether the name means something in this language that it means in no other."""
        return name in self._own_names

    def is_code_abroad(self, place: Place) -> bool:
        """Whether the code of a place is hardly written alone: "TV" is seldom Treviso.

        Codes of countries are written everywhere, those of regions in English and at home.
        """
        if place.kind in _WIDE:
            return False
        is_usual = self.has_codes or place.country in self._homes
        return place.kind is not Kind.REGION or not is_usual

    def is_word_here(self, name: str) -> bool:
        """Whether the language uses a word for people in English more often than English does."""
        if self._language is None or self._has_counted_uses:
            return False
        word = name.lower()
        return self._counts.digit(word, self._language.code) > self._counts.digit(word, _COUNTED_IN)

    def judge(self, name: str, bearing: Bearing) -> tuple[str, tuple[str, ...], str]:
        """Sort, features and noun (see `NameFacts`) of a name, which is no code or demonym."""
        word = self._use(name)
        # Rivers and mountains have an article like any noun: "in den Alpen".
        may_be_noun = self._has_capital_nouns and bearing.kind not in _FEATURES
        noun = self._counts.noun(name.lower()) if may_be_noun else NOT_NOUN
        size = _size(bearing.score)
        sort = f"{self._group(name, word, bearing.excess, noun)}-{size}"
        step = max(-1, min(_MOST_EXCESS, floor(2 * bearing.excess)))
        use = self._uses[step, noun, size, bearing.role, "home" if bearing.is_home else "away"]
        return sort, name_shape(name, word, bearing) + use, noun

    def weigh(self, name: str, candidates: Sequence[Candidate]) -> Bearing:
        """What is asked of the places of a name; there is at least one."""
        homes = self._homes
        is_home = bool(homes) and not homes.isdisjoint([c.place.country for c in candidates])
        return bearing_of(candidates, is_home=is_home, excess=self._excess(name, candidates))

    def _use_features(self, key: tuple[int, str, str, NameRole, str]) -> tuple[str, ...]:
        step, noun, size, role, home = key
        excess = "known excess" if noun == NOT_NOUN else "noun excess"
        nouns = (
            f"{excess}={step}", f"noun={noun}", f"noun={noun} {size}", f"noun={noun} role={role}"
        )  # fmt: skip
        return (
            f"excess={step}",
            f"excess={step} {size}",
            *(nouns if self._has_capital_nouns else ()),
            f"{home} {size}",
        )

    def _use(self, name: str) -> WordUse:
        """Uses are counted in English; a function word is one in any language."""
        word = self._words.get(name.lower(), UNKNOWN)
        if self._has_counted_uses or word.uses in (0, _FUNCTION_WORD):
            return word
        return WordUse(0, word.first, word.last)

    def _excess(self, name: str, candidates: Sequence[Candidate]) -> float:
        """How far the name is more frequent than its places explain."""
        language = self._language
        if language is None:
            return -1.0
        count = self._counts.use(name.lower(), language.code)
        if count is None:
            return -1.0  # most names
        own, offsets = self._homes, self._counts.offsets[language.code]
        return min([_beyond(count, one, own, offsets) for one in candidates[:_COMPARED]])

    def _group(self, name: str, word: WordUse, excess: float, noun: str) -> str:
        if noun == NOUN or (noun != NOT_NOUN and excess >= _NOUN_EXCESS):
            return "noun"
        if word.uses >= _WORD or (excess >= _ORDINARY_EXCESS and not self._has_capital_nouns):
            return "word"
        is_known = self._has_capital_nouns and excess >= _NOUN_EXCESS
        if is_known and self._words.get(name.lower(), UNKNOWN).uses > _WORD:
            return "word"  # of English
        if word.first >= _PERSON:
            return "first"
        if word.last >= _PERSON:
            return "last"
        # What is much spoken of and no noun is a famous place, or a name of something else.
        return "known" if is_known else "rare" if any(word) else "plain"


def _beyond(
    count: float, candidate: Candidate, countries: frozenset[str], offsets: tuple[float, float]
) -> float:
    """How far a count is above what a language of these countries has for a place."""
    place = candidate.place
    is_wide = place.kind in _WIDE
    # By its people, since an alias has a lower score than the name in another language.
    importance = max(candidate.score, log10(place.population + 1) + TOWN_IMPORTANCE)
    if is_wide:
        importance = max(importance, _WIDE_IMPORTANCE)
    is_home = is_wide or place.country in countries
    return count - expected_frequency(importance, is_home=is_home) - offsets[not is_home]


def _size(importance: float) -> str:
    return "big" if importance >= _BIG else "middle" if importance >= _MIDDLE else "small"


def bearing_of(
    candidates: Sequence[Candidate], *, is_home: bool = False, excess: float = -1.0
) -> Bearing:
    """What is asked of the places of a name; there is at least one."""
    best = candidates[0]
    return Bearing(
        role=best.role,
        kind=best.place.kind,
        score=best.score,
        bearers=len(candidates),
        is_home=is_home,
        excess=excess,
    )


def name_shape(name: str, word: WordUse, bearing: Bearing) -> tuple[str, ...]:
    """The features of a name that are the same in every language."""
    parts = name.count(" ") + 1
    # In another script every name is an alias, and says more with fewer letters.
    role, length = (bearing.role, len(name)) if name.isascii() else (NameRole.NAME, _LONG)
    return (
        _ROLES[role],
        _KINDS[bearing.kind],
        _PARTS[min(parts, _MANY_WORDS)],
        _LENGTHS[min(length, _LONG)] if parts == 1 else "length=many",
        _SIZES[max(0, min(9, int(bearing.score)))],
        _USES[word.uses],
        _FIRSTS[word.first],
        _LASTS[word.last],
        _OPTIONS[min(bearing.bearers.bit_length(), _MANY_OPTIONS)],
    )
