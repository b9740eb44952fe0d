"""Gets candidates from the index: what is in the place, near it, or has its name.

Pages with all the words come first, with any of them if need be. `Gatherer.gather` names the ways
in their order. Each further one is for what the ones before lack: the geoparser does not recognise
every name, and no page may have all that is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from geoscout.index.base import (
    ADDRESS,
    DIRECT,
    NO_FILTERS,
    Found,
    Index,
    PageFilters,
    PlaceField,
    Wanted,
    Where,
    Word,
)
from geoscout.index.schema import mark_of
from geoscout.search.base import Interpretation, Question, Relation
from geoscout.search.places import other_bearers
from geoscout.search.query_words import PlaceKind, find_kind, names_of_kind
from geoscout.search.ranking import NAMED_SCORE, TITLED_SCORE, Slots, are_among
from geoscout.search.target import Target
from geoscout_places.gazetteer.areas.region import Region
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.model import Kind, Place
from geoscout_places.toponyms import are_nested

LEAST = 200  # candidates asked for; ranking them takes half a millisecond
PER_HIT = 3  # candidates for every hit to be shown, if that is more
SOME_WORDS = 0.3  # of the best text score, for pages of the place that lack words
KIND_SCORE = 0.5  # of the best text score, for being about a place of the kind asked for
ENOUGH = 10  # pages with all words; with fewer, pages with some of the words are taken as well
_NAMED = 3  # other names of a sort of thing that a note has


Check = Callable[[], None]  # raises something when nobody waits for the answer any more


@dataclass(frozen=True, slots=True)
class Wish:
    """What candidates are wanted for."""

    words: tuple[Word, ...]
    within: Where | None  # all must be in this
    hits: int  # to be shown, from the first
    filters: PageFilters = NO_FILTERS
    hints: tuple[str, ...] = ()  # words of the name of the place
    facts: tuple[str, ...] = ()  # what is asked of a thing; pages need not have the words
    otherwise: tuple[Word, ...] = ()  # the words with other names of sorts of things; or none

    @property
    def most(self) -> int:
        return max(LEAST, PER_HIT * self.hits)

    def wanted(self, *where: Where, **more: Any) -> Wanted:
        """The query for pages with the words in all of these that pass the filters."""
        inside = (self.within,) if self.within else ()
        given = {"words": self.words, "filters": self.filters, **more}
        return Wanted(where=(*where, *inside), **given)


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
    hints = (*wish.hints, *wish.facts) if wish.words else ()
    preferred = tuple(wheres[:-1])
    wanted = wish.wanted(*wheres[-1:], preferred=preferred, hints=hints, leads=wish.facts)
    found = reader.find(wanted, wish.most)
    if wish.otherwise and found.total < ENOUGH:
        other = replace(wanted, words=wish.otherwise)
        if (more := reader.find(other, wish.most)).total > found.total or len(wish.words) > 1:
            wanted, found = other, more
    if len(wanted.words) > 1 and found.total < ENOUGH:
        wanted = replace(wanted, needs_all=False)
        found = reader.find(wanted, wish.most)
    return Candidates(found, wanted)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with all that was made of it, before the index is asked."""

    question: Question
    interpretation: Interpretation
    wish: Wish
    target: Target | None
    region: Region | None
    check: Check

    @property
    def words(self) -> tuple[Word, ...]:
        return self.wish.words

    @property
    def hints(self) -> tuple[str, ...]:
        """Words of the name of the place; () where no pages may be found by it."""
        return self.wish.hints

    def moved_near(self) -> Asked:
        """The same question for what is near the place instead of in it."""
        asked = self.noting(
            f"nothing fits in {self.interpretation.label} itself; these pages are near it"
        )
        target = replace(self.target, relation=Relation.NEAR) if self.target else None
        return replace(
            asked,
            interpretation=replace(asked.interpretation, relation=Relation.NEAR),
            target=target,
        )

    def widened(self) -> Asked:
        """The same question for the whole town of a street."""
        town = self.interpretation.place.name if self.interpretation.place else ""
        asked = self.noting(f"few pages are known near the street; others of {town} follow")
        return replace(asked, target=self.target.widened() if self.target else None)

    def in_other_words(self) -> Asked:
        """The same question with the other names of sorts of things."""
        known = {form for word in self.words for form in word}
        new = [form for word in self.wish.otherwise for form in word if form not in known]
        named = ", ".join(map(repr, new[:_NAMED]))
        asked = self.noting(f"few pages have these words; searched for {named} too")
        return replace(asked, wish=replace(self.wish, words=self.wish.otherwise, otherwise=()))

    def noting(self, note: str) -> Asked:
        """The same question with something the user should know."""
        return replace(
            self,
            interpretation=replace(self.interpretation, notes=(*self.interpretation.notes, note)),
        )


class Gatherer:
    """Asks one index for candidates."""

    def __init__(self, reader: Index, gazetteer: Gazetteer) -> None:
        self.reader = reader
        self.gazetteer = gazetteer

    def gather(self, asked: Asked) -> tuple[Asked, Candidates]:
        """The candidates, and the question with notes on how they were found."""
        candidates = self._ask(asked)
        if asked.target and asked.target.town and candidates.found.total < ENOUGH:
            wider = asked.widened()
            found = self._ask(wider)
            if found.found.total > candidates.found.total:
                asked, candidates = wider, found
        if not candidates.found.total and asked.target and asked.target.relation is Relation.IN:
            nearby = asked.moved_near()
            found = self._ask(nearby)
            asked, candidates = (nearby, found) if found.found.total else (asked, candidates)
        if candidates.wanted.words == asked.wish.otherwise != asked.words:
            asked = asked.in_other_words()
        if asked.interpretation.known_key:
            candidates = candidates.with_exact(self._known(asked))
        asked, candidates = self._add_kind(asked, candidates)
        return self._add_by_name(asked, candidates) if asked.hints else (asked, candidates)

    def _ask(self, asked: Asked) -> Candidates:
        asked.check()
        return gather_candidates(self.reader, asked.wish, self._wheres(asked))

    def _wheres(self, asked: Asked) -> list[Where]:
        return asked.target.wheres(has_words=bool(asked.words)) if asked.target else []

    def _find(self, asked: Asked, wanted: Wanted) -> Found:
        return self.reader.find(wanted, asked.wish.most)

    def _known(self, asked: Asked) -> Found:
        """Pages with the words that give a landmark, or a house or street with its town.

        Every town has a Main Street, and the key of a house does not say whose it is.
        """
        read, known = asked.interpretation, PlaceField.KNOWN
        where = [Where((mark_of(read.known_key),), field=known)]
        if town := read.town_of_street:
            where.append(Where((town,), field=PlaceField.STRONG))
        return self._find(asked, asked.wish.wanted(*where))

    def _add_by_name(self, asked: Asked, candidates: Candidates) -> tuple[Asked, Candidates]:
        """With pages that have the name of the place, as far as those in it do not suffice."""
        if not asked.words:
            return asked, candidates.with_names(self._find_name(asked), NAMED_SCORE)
        known = candidates.found.total
        if known < asked.wish.most:
            titled = self._not_elsewhere(asked, self._find(asked, self._titled(asked)))
            candidates = candidates.with_more(titled, TITLED_SCORE)
        if candidates.found.total < ENOUGH:
            named = self._not_elsewhere(asked, self._find_named(asked))
            candidates = candidates.with_more(named, NAMED_SCORE)
        fitting = candidates.found.total
        missing = asked.interpretation.missing  # then no page has all words
        is_near = known and asked.target and asked.target.relation is Relation.NEAR
        has_all = fitting and candidates.wanted.needs_all and (is_near or not missing)
        if len(asked.words) + len(missing) > 1 and not has_all:
            candidates = self._add_without_words(asked, candidates)
        if not known:
            asked = asked.noting(_no_pages_note(asked.interpretation, candidates, fitting))
        return asked, candidates

    def _not_elsewhere(self, asked: Asked, found: Found) -> Found:
        """Without the pages that have an address in another city, and none in the one asked for.

        "Buffalo, New York" has the name of New York City, and "Lisbon Falls" that of Lisbon.
        """
        place = asked.interpretation.place
        if place is None or place.kind is not Kind.CITY or not found.slots.size:
            return found
        rows = self.reader.places_of(found.slots)
        rows = rows.taken(rows.flags & ADDRESS > 0)
        ids = rows.places[rows.flags & DIRECT > 0]
        others = [id for id in np.unique(ids).tolist() if self._is_other_city(id, place)]
        here = rows.owners[rows.places == place.id]
        left_out = np.setdiff1d(rows.owners[np.isin(rows.places, others)], here)
        kept = ~np.isin(np.arange(len(found.slots)), left_out)
        return Found(found.slots[kept], found.scores[kept], found.total - len(left_out))

    def _is_other_city(self, id: int, place: Place) -> bool:
        other = self.gazetteer.place(id)
        if other is None or other.id == place.id or other.kind is not Kind.CITY:
            return False
        return not are_nested(other, place, self.gazetteer)

    def _titled(self, asked: Asked) -> Wanted:
        """For pages with the words and the name of the place in title, address or in-link.

        Not those that have an address in another place of that name, or are mainly about it.
        """
        read = asked.interpretation
        return asked.wish.wanted(
            titled=tuple(self.reader.words_of(read.searched_name)),
            without=read.namesakes,
            without_field=PlaceField.STRONG,
            hints=asked.hints,
        )

    def _add_without_words(self, asked: Asked, candidates: Candidates) -> Candidates:
        """With pages of the place that lack words, where none has all of them.

        Those in it, and those titled with its name. One that has none of the words says nothing.
        """
        titled = replace(self._titled(asked), needs_all=False)
        strong = Where(asked.target.places if asked.target else (), field=PlaceField.STRONG)
        inside = replace(titled, titled=(), without=(), where=(*titled.where, strong))
        best, has_some_only = candidates.best, not candidates.found.total
        by_title = self._not_elsewhere(asked, self._find(asked, titled))
        found = candidates.with_some(by_title, TITLED_SCORE, best)
        found = found.with_some(self._find(asked, inside), 0.0, best)
        return replace(found, has_some_only=has_some_only)

    def _find_name(self, asked: Asked) -> Found:
        """Pages that have the name of a place as it is written, where no words are asked for."""
        words = tuple((word,) for word in self.reader.words_of(asked.interpretation.searched_name))
        return self._find(asked, asked.wish.wanted(words=words))

    def _find_named(self, asked: Asked) -> Found:
        """Pages with the name of the place as it is written, else without its qualifiers."""
        name, namesakes = asked.interpretation.place_name, asked.interpretation.namesakes
        found = self._with_name(asked, name, namesakes)
        bare, comma, _ = name.partition(",")
        if found.total or not comma or asked.interpretation.place is None:
            return found
        # Hardly a page of a town in Iowa says "United States". But without that, namesakes that
        # the qualifier had ruled out are back.
        namesakes = other_bearers(asked.interpretation.place, bare, self.gazetteer)
        return self._with_name(asked, bare, namesakes)

    def _with_name(self, asked: Asked, name: str, namesakes: tuple[int, ...]) -> Found:
        """Pages that have the words and a name, unless they belong to a namesake."""
        named = tuple(self.reader.words_of(name))
        wanted = asked.wish.wanted(named=named, without=namesakes, hints=asked.hints)
        return self._find(asked, wanted)

    def _add_kind(self, asked: Asked, candidates: Candidates) -> tuple[Asked, Candidates]:
        """With pages about places of a kind, where words name one: all of them, or few have all."""
        kind = find_kind(asked.interpretation.words)
        is_scarce = candidates.found.total < ENOUGH or not candidates.wanted.needs_all
        if kind is None or not (kind.is_all or is_scarce):
            return asked, candidates
        about = self._of_kind(asked, kind)
        if not about.total:
            return asked, candidates
        note = f"pages about places of the kind {kind.name!r} count too (GeoWordNet)"
        interpretation = replace(asked.interpretation, kind=kind.name)
        asked = replace(asked, interpretation=interpretation).noting(note)
        return asked, candidates.with_kind(about)

    def _of_kind(self, asked: Asked, kind: PlaceKind) -> Found:
        """Pages with the other words that are about a place of a kind, or have a name of one."""
        place, wish = asked.interpretation.place, asked.wish
        rest = tuple(asked.words[position] for position in kind.rest)
        where = self._wheres(asked)[-1:]
        kinds = Where(kind.offsets, field=PlaceField.KIND)
        found = [self._find(asked, wish.wanted(*where, kinds, words=rest))]
        for name in names_of_kind(kind, place.id) if place else []:
            words = tuple(self.reader.words_of(name))
            found.append(self.reader.find(wish.wanted(*where, words=rest, named=words), ENOUGH))
        slots = np.unique(np.concatenate([part.slots for part in found]))
        return Found(slots, np.zeros(len(slots)), len(slots))


def _no_pages_note(interpretation: Interpretation, candidates: Candidates, named: int) -> str:
    if named:
        found = "these pages have its name"
    elif candidates.found.total:
        found = "these pages are there, or have its name, and lack words"
    else:
        found = "and none has its name"
    return f"no page that fits is known to be in {interpretation.label} or near it; {found}"
