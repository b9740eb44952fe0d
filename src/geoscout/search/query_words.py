"""The little words of a query: prepositions before a place, articles, stop words.

What follows a sure preposition is a place. A doubtful one ("a", "en", "by") also begins other
things, so that what follows must look like a place by itself. The words are those of all languages
(`geoscout_places.language`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from geoscout.search.base import Relation
from geoscout_places.gazetteer.names import fold
from geoscout_places.language import Language, merge

TOKEN = re.compile(r"[^\s,;]+|[,;]")


@dataclass(frozen=True, slots=True)
class Preposition:
    """What a preposition says of the place behind it."""

    words: tuple[str, ...]  # folded
    relation: Relation
    is_sure: bool


@cache
def articles() -> frozenset[str]:
    """What may stand between a preposition and a place, folded."""
    return _folded(lambda language: language.query.articles)


@cache
def stop_words() -> frozenset[str]:
    """Words that say nothing next to others, folded.

    BM25 would weigh them little, but all words are demanded.
    """
    return _folded(lambda language: language.query.stop_words)


@cache
def single_prepositions() -> frozenset[str]:
    """Sure prepositions of one word: they say nothing where no place follows."""
    return frozenset(p.words[0] for p in _prepositions() if p.is_sure and len(p.words) == 1)


@cache
def joined_articles() -> frozenset[str]:
    """Articles, and prepositions joined with one ("im"), folded: a noun follows, never a town."""
    return articles() | _folded(lambda language: language.names.articles)


@cache
def _here_phrases(at: int) -> dict[str, tuple[tuple[str, ...], ...]]:
    """The phrases that say "here" by the first (0) or last (-1) of their words, longest first."""
    phrases = merge(lambda language: language.query.here)
    found = {tuple(fold(word) for word in phrase.split()) for phrase in phrases}
    table: dict[str, tuple[tuple[str, ...], ...]] = {}
    for words in sorted(found, key=lambda words: (-len(words), words)):
        table[words[at]] = (*table.get(words[at], ()), words)
    return table


def find_here(folded: Sequence[str]) -> tuple[int, int] | None:
    """Where a query speaks of the place of its user, as positions of words.

    At the end, or at the beginning if it is more than a preposition ("nearby Ulm").

    >>> find_here("coffee near me".split()), find_here("near me coffee".split())
    ((1, 3), (0, 2))
    >>> find_here("cafe in der nahe".split()), find_here("cafe in der nahe von ulm".split())
    ((1, 4), None)
    """
    if not folded:
        return None
    words = tuple(folded)
    for phrase in _here_phrases(-1).get(words[-1], ()):
        if words[-len(phrase) :] == phrase:
            return len(words) - len(phrase), len(words)
    for phrase in _here_phrases(0).get(words[0], ()):
        preposition = _match(words, 0)
        longer = len(phrase) > (len(preposition.words) if preposition else 0)
        if longer and words[: len(phrase)] == phrase:
            return 0, len(phrase)
    return None


def _folded(choose: Callable[[Language], Iterable[str]]) -> frozenset[str]:
    return frozenset(fold(word) for word in merge(choose))


@cache
def _by_first_word() -> dict[str, list[Preposition]]:
    table: dict[str, list[Preposition]] = {}
    for preposition in _prepositions():
        table.setdefault(preposition.words[0], []).append(preposition)
    for found in table.values():
        found.sort(key=lambda preposition: -len(preposition.words))
    return table


def _prepositions() -> Iterator[Preposition]:
    lists = (
        (merge(lambda language: language.query.sure_in), Relation.IN, True),
        (merge(lambda language: language.query.doubtful_in), Relation.IN, False),
        (merge(lambda language: language.query.sure_near), Relation.NEAR, True),
        (merge(lambda language: language.query.doubtful_near), Relation.NEAR, False),
    )
    for texts, relation, is_sure in lists:
        for text in texts:
            yield Preposition(tuple(fold(word) for word in text.split()), relation, is_sure)


def find_prepositions(folded: Sequence[str]) -> list[tuple[int, Preposition]]:
    """The prepositions of a query's folded words with their positions; none inside another.

    >>> [(at, " ".join(p.words)) for at, p in find_prepositions("cafe in der nahe von ulm".split())]
    [(1, 'in der nahe von')]
    """
    found: list[tuple[int, Preposition]] = []
    at = 0
    while at < len(folded):
        preposition = _match(folded, at)
        if preposition is not None:
            found.append((at, preposition))
        at += len(preposition.words) if preposition else 1
    return found


def _match(folded: Sequence[str], start: int) -> Preposition | None:
    """The longest preposition that stands at a position."""
    for preposition in _by_first_word().get(folded[start], ()):
        if tuple(folded[start : start + len(preposition.words)]) == preposition.words:
            return preposition
    return None
