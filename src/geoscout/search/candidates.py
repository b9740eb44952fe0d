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

MOST = 500  # candidates of each query; ranking them takes about a millisecond
ENOUGH = 10  # pages with all words; with fewer, pages with some of the words are taken as well


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


def gather(
    reader: IndexReader, words: tuple[Word, ...], wheres: Sequence[Where], within: Where | None
) -> Candidates:
    """The candidates for words in any of `wheres`, the last of which has the others inside."""
    candidates = _ask(reader, Wanted(words, needs_all=True), wheres, within)
    if len(words) > 1 and candidates.found.total < ENOUGH:
        return _ask(reader, Wanted(words, needs_all=False), wheres, within)
    return candidates


def find_named(
    reader: IndexReader, words: tuple[Word, ...], reading: QueryReading, within: Where | None
) -> Found:
    """Pages that have the words and the name of the place, unless they belong to a namesake."""
    wanted = Wanted(
        words,
        where=(within,) if within else (),
        named=tuple(reader.words_of(reading.place_name)),
        without=reading.namesakes,
    )
    return reader.find(wanted, MOST)


def _ask(
    reader: IndexReader, wanted: Wanted, wheres: Sequence[Where], within: Where | None
) -> Candidates:
    inner = (within,) if within else ()
    queries = [Wanted(wanted.words, wanted.needs_all, (where, *inner)) for where in wheres]
    queries = queries or [Wanted(wanted.words, wanted.needs_all, inner)]
    # The widest first: when it already has everything, the narrower ones have nothing to add.
    widest = reader.find(queries[-1], MOST)
    if widest.total <= MOST:
        return Candidates(widest, queries[-1])
    parts = [*(reader.find(query, MOST) for query in queries[:-1]), widest]
    slots = np.concatenate([part.slots for part in parts])
    scores = np.concatenate([part.scores for part in parts])
    slots, first = np.unique(slots, return_index=True)
    return Candidates(Found(slots, scores[first], widest.total), queries[-1])
