"""Gets candidates from the index: pages with all the words first, with any of them if need be.

Where a place has few pages, those that have its name among their words are taken as well: the
geoparser does not recognise every name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from geoscout.index.base import (
    NO_FILTERS,
    Found,
    Index,
    PageFilters,
    PlaceField,
    Wanted,
    Where,
    Word,
)
from geoscout.search.kinds import PlaceKind

LEAST = 200  # candidates asked for; ranking them takes half a millisecond
PER_HIT = 3  # candidates for every hit to be shown, if that is more
KIND_SCORE = 0.5  # of the best text score, for being about a place of the kind asked for
ENOUGH = 10  # pages with all words; with fewer, pages with some of the words are taken as well


@dataclass(frozen=True, slots=True)
class Wish:
    """What candidates are wanted for."""

    words: tuple[Word, ...]
    within: Where | None  # all must be in this
    hits: int  # to be shown, from the first
    filters: PageFilters = NO_FILTERS
    hints: tuple[str, ...] = ()  # words of the name of the place

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

    def with_kind(self, about: Found) -> Candidates:
        """With pages about a place of the kind that words name, whether they have the words or not.

        For that each gets half the score of the best page with the words.
        """
        found = self.found
        worth = KIND_SCORE * (found.scores.max(initial=0.0) or 1.0)
        is_new = ~np.isin(about.slots, found.slots)
        raised = found.scores + worth * np.isin(found.slots, about.slots)
        slots = np.concatenate([found.slots, about.slots[is_new]])
        added = np.full(int(is_new.sum()), worth)
        scores = np.concatenate([raised, added])
        return replace(self, found=Found(slots, scores, found.total + len(added)))


def gather_candidates(reader: Index, wish: Wish, wheres: Sequence[Where]) -> Candidates:
    """The candidates in the last of `wheres`; those in the others too come first."""
    where = (*wheres[-1:], *([wish.within] if wish.within else []))
    wanted = Wanted(
        wish.words,
        where=where,
        preferred=tuple(wheres[:-1]),
        hints=wish.hints if wish.words else (),
        filters=wish.filters,
    )
    found = reader.find(wanted, wish.most)
    if len(wish.words) > 1 and found.total < ENOUGH:
        wanted = replace(wanted, needs_all=False)
        found = reader.find(wanted, wish.most)
    return Candidates(found, wanted)


def find_named(reader: Index, wish: Wish, name: str, namesakes: tuple[int, ...]) -> Found:
    """Pages that have the words and the name of a place, unless they belong to a namesake."""
    wanted = Wanted(
        wish.words,
        where=(wish.within,) if wish.within else (),
        named=tuple(reader.words_of(name)),
        without=namesakes,
        hints=wish.hints,
        filters=wish.filters,
    )
    return reader.find(wanted, wish.most)


def find_of_kind(
    reader: Index, wish: Wish, wheres: Sequence[Where], kind: PlaceKind, names: Sequence[str]
) -> Found:
    """Pages with the other words that are about a place of a kind, or have a name of one."""
    rest = tuple(wish.words[position] for position in kind.rest)
    where = (*wheres[-1:], *([wish.within] if wish.within else []))
    kinds = Where(kind.offsets, field=PlaceField.KIND)
    about = Wanted(rest, where=(*where, kinds), filters=wish.filters)
    found = [reader.find(about, wish.most)]
    for name in names:
        words = tuple(reader.words_of(name))
        wanted = Wanted(rest, where=where, named=words, filters=wish.filters)
        found.append(reader.find(wanted, ENOUGH))
    slots = np.unique(np.concatenate([part.slots for part in found]))
    return Found(slots, np.zeros(len(slots)), len(slots))
