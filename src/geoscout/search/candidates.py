"""Gets candidates from the index: pages with all the words first, with any of them if need be.

Where a place has few pages, those that have its name among their words are taken as well: the
geoparser does not recognise every name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from geoscout.index.queries import Wanted, Where, Word
from geoscout.index.reader import Found, IndexReader
from geoscout.search.base import QueryReading

LEAST = 200  # candidates asked for; ranking them takes half a millisecond
PER_HIT = 3  # candidates for every hit that shall be shown, where that is more
ENOUGH = 10  # pages with all words; with fewer, pages with some of the words are taken as well


@dataclass(frozen=True, slots=True)
class Wish:
    """What candidates are wanted for."""

    words: tuple[Word, ...]
    within: Where | None  # all must be in this
    hits: int  # to be shown, from the first

    @property
    def most(self) -> int:
        return max(LEAST, PER_HIT * self.hits)


@dataclass(frozen=True, slots=True)
class Candidates:
    """Pages to rank, and the query that has them all."""

    found: Found
    wanted: Wanted
    named: Found | None = None  # those among them that only have the name of the place

    @property
    def is_complete(self) -> bool:
        """Whether every page that fits is among them."""
        return len(self.found.slots) >= self.found.total

    def with_named(self, named: Found) -> Candidates:
        """Add pages that only have the name of the place."""
        slots = np.concatenate([self.found.slots, named.slots])
        scores = np.concatenate([self.found.scores, named.scores])
        slots, first = np.unique(slots, return_index=True)
        # Few enough to be all there is, or there would have been no need for them.
        total = max(self.found.total, len(slots))
        return Candidates(Found(slots, scores[first], total), self.wanted, named)


def gather(reader: IndexReader, wish: Wish, wheres: Sequence[Where]) -> Candidates:
    """The candidates in any of `wheres`, the last of which has the others inside."""
    candidates = _ask(reader, wish, wheres, needs_all=True)
    if len(wish.words) > 1 and candidates.found.total < ENOUGH:
        return _ask(reader, wish, wheres, needs_all=False)
    return candidates


def find_named(reader: IndexReader, wish: Wish, reading: QueryReading) -> Found:
    """Pages that have the words and the name of the place, unless they belong to a namesake."""
    wanted = Wanted(
        wish.words,
        where=(wish.within,) if wish.within else (),
        named=tuple(reader.words_of(reading.place_name)),
        without=reading.namesakes,
    )
    return reader.find(wanted, wish.most)


def _ask(
    reader: IndexReader, wish: Wish, wheres: Sequence[Where], *, needs_all: bool
) -> Candidates:
    inner = (wish.within,) if wish.within else ()
    queries = [Wanted(wish.words, needs_all, (where, *inner)) for where in wheres]
    queries = queries or [Wanted(wish.words, needs_all, inner)]
    # The widest first: when it already has everything, the narrower ones have nothing to add.
    widest = reader.find(queries[-1], wish.most)
    if widest.total <= wish.most:
        return Candidates(widest, queries[-1])
    parts = [*(reader.find(query, wish.most) for query in queries[:-1]), widest]
    slots = np.concatenate([part.slots for part in parts])
    scores = np.concatenate([part.scores for part in parts])
    slots, first = np.unique(slots, return_index=True)
    return Candidates(Found(slots, scores[first], widest.total), queries[-1])
