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
from geoscout.index.known_spots import mark_of
from geoscout.search.kinds import PlaceKind
from geoscout.search.ranking import Slots, are_among

LEAST = 200  # candidates asked for; ranking them takes half a millisecond
PER_HIT = 3  # candidates for every hit to be shown, if that is more
SOME_WORDS = 0.3  # of the best text score, for pages of the place that lack words
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
    # The least place scores of some of them, for what the hierarchy of places does not tell.
    floors: tuple[tuple[Slots, float], ...] = ()
    exact: Slots | None = None  # those that give the very house, street or landmark asked for
    has_some_only: bool = False  # each lacks a word that is asked for, or the place
    has_names: bool = False  # no words are asked for: scores are of the name of the place

    @property
    def is_complete(self) -> bool:
        """Whether every page that fits is among them."""
        return len(self.found.slots) >= self.found.total

    def with_more(self, more: Found, least: float) -> Candidates:
        """Add pages that have a place score of at least so much, whatever their places are."""
        if not more.slots.size:
            return self
        is_new = ~are_among(more.slots, self.found.slots)
        slots = np.concatenate([self.found.slots, more.slots[is_new]])
        scores = np.concatenate([self.found.scores, more.scores[is_new]])
        found = Found(slots, scores, max(self.found.total, more.total, len(slots)))
        return replace(self, found=found, floors=(*self.floors, (more.slots, least)))

    @property
    def best(self) -> float:
        """The best text score."""
        return float(self.found.scores.max(initial=0.0)) or 1.0

    def with_some(self, more: Found, least: float, best: float) -> Candidates:
        """Add pages that lack words; theirs is worth a part of `best`, that of a page with words.

        Their scores count names, which are rarer than most words and would outweigh them.
        """
        worth = SOME_WORDS * best / (more.scores.max(initial=0.0) or 1.0)
        return self.with_more(Found(more.slots, more.scores * worth, len(more.slots)), least)

    def with_exact(self, exact: Found) -> Candidates:
        """Add the pages that give the very house, street or landmark that is asked for."""
        return replace(self.with_more(exact, 1.0), exact=exact.slots)

    def with_names(self, named: Found, least: float) -> Candidates:
        """Score pages by the name of the place, where no words are asked for."""
        plain = Found(self.found.slots, np.zeros(len(self.found.slots)), self.found.total)
        wider = replace(self, found=plain).with_more(named, least)
        scores = np.zeros(len(wider.found.slots))
        order = np.argsort(wider.found.slots)
        at = order[np.searchsorted(wider.found.slots[order], named.slots)]
        scores[at] = named.scores
        found = Found(wider.found.slots, scores, wider.found.total)
        return replace(wider, found=found, has_names=True)

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


def find_titled(reader: Index, wish: Wish, name: str, namesakes: tuple[int, ...]) -> Found:
    """Pages with the words that have the name of a place in their title, address or in-link.

    Not those that have an address in another place of that name, or are mainly about it.
    """
    return reader.find(_titled(reader, wish, name, namesakes), wish.most)


def find_without_words(
    reader: Index, wish: Wish, name: str, namesakes: tuple[int, ...], places: tuple[int, ...]
) -> tuple[Found, Found]:
    """Pages of a place that need not have the words: those in it, and those titled with its name.

    Their scores are those of the words and the name together.
    """
    titled = _titled(reader, wish, name, namesakes)
    words = (*wish.words, *((word,) for word in wish.hints))
    titled = replace(titled, words=words, needs_all=False, hints=())
    strong = Where(places, field=PlaceField.STRONG)
    inside = replace(titled, titled=(), without=(), where=(*titled.where, strong))
    return reader.find(inside, wish.most), reader.find(titled, wish.most)


def _titled(reader: Index, wish: Wish, name: str, namesakes: tuple[int, ...]) -> Wanted:
    return Wanted(
        wish.words,
        where=(wish.within,) if wish.within else (),
        titled=tuple(reader.words_of(name)),
        without=namesakes,
        without_field=PlaceField.STRONG,
        hints=wish.hints,
        filters=wish.filters,
    )


def find_known(reader: Index, wish: Wish, key: str, town: int) -> Found:
    """Pages with the words that give a landmark, or a house or street and an address in its town.

    Every town has a Main Street, and the key of a house does not say whose it is.
    """
    known = Where((mark_of(key),), field=PlaceField.KNOWN)
    inside = [Where((town,), field=PlaceField.STRONG)] if town else []
    where = (known, *inside, *([wish.within] if wish.within else []))
    return reader.find(Wanted(wish.words, where=where, filters=wish.filters), wish.most)


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
