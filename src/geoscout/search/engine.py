"""Answers questions: reads the query, asks the index, ranks, groups, cuts snippets.

READ THIS FIRST of the package: `SearchEngine.answer` names the steps in their order.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from geoscout.errors import UsageError
from geoscout.gazetteer.areas.region import Region
from geoscout.gazetteer.base import Gazetteer
from geoscout.geo.geocode import Geocoder
from geoscout.index.base import NO_FILTERS, Found, Index, Where, Word
from geoscout.index.place_table import PlaceTable
from geoscout.index.synsets import SynsetPlaces
from geoscout.search.base import Answer, Facet, Interpretation, Question, Relation, SearchOffer
from geoscout.search.candidates import (
    ENOUGH,
    Candidates,
    Wish,
    find_named,
    find_of_kind,
    gather_candidates,
)
from geoscout.search.cosine import rescore
from geoscout.search.facets import count_facets
from geoscout.search.filters import note_on_language
from geoscout.search.grouping import group
from geoscout.search.hits import HitMaker, RankedPages
from geoscout.search.kinds import find_kind, names_of_kind
from geoscout.search.offers import similar_questions
from geoscout.search.places import PlaceChooser, other_bearers
from geoscout.search.query import QueryReader
from geoscout.search.ranking import (
    PlaceScores,
    combine_scores,
    is_within,
    normalised,
    place_weight,
    score_places,
)
from geoscout.search.spelling import correct_words
from geoscout.search.streets import StreetLocator
from geoscout.search.target import Target, make_target, where_within
from geoscout.search.within import read_within

MODELS = ("bm25", "cosine")


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question with all that was made of it."""

    question: Question
    interpretation: Interpretation
    words: tuple[Word, ...]
    target: Target | None
    region: Region | None

    @property
    def wish(self) -> Wish:
        within = where_within(self.region) if self.region else None
        is_limited = within is not None and (within.places or within.cells)
        hits = self.question.offset + self.question.limit
        return Wish(self.words, within if is_limited else None, hits, self.question.filters)

    def moved_near(self) -> _Asked:
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

    def widened(self) -> _Asked:
        """The same question for the whole town of a street."""
        town = self.interpretation.place.name if self.interpretation.place else ""
        asked = self.noting(f"few pages are known near the street; others of {town} follow")
        return replace(asked, target=self.target.widened() if self.target else None)

    def noting(self, note: str) -> _Asked:
        """The same question with something the user should know."""
        return replace(
            self,
            interpretation=replace(self.interpretation, notes=(*self.interpretation.notes, note)),
        )


class SearchEngine:
    """Answers questions from one index."""

    def __init__(
        self, reader: Index, gazetteer: Gazetteer, geocoder: Geocoder | None = None
    ) -> None:
        self.reader = reader
        self.gazetteer = gazetteer
        self._streets = StreetLocator(gazetteer, geocoder)
        self._synsets = SynsetPlaces(gazetteer)
        self._table: tuple[Hashable, PlaceTable] | None = None

    def answer(self, question: Question) -> Answer:
        """The hits for a question.

        Raises:
            UsageError: the question is empty or has a value it cannot have.
            UnknownPlaceError: `within` or `place_id` names no place.
        """
        asked = self._understand(question)
        asked, candidates = self._gather(asked)
        if question.model == "cosine" and asked.words:
            candidates = replace(
                candidates, found=rescore(self.reader, candidates.found, asked.words)
            )
        pages = self._rank(asked, candidates)
        end = question.offset + question.limit
        signs = self.reader.signs_of(pages.slots)
        grouped = group(signs.texts, signs.hosts, pages.scores.tolist(), end)
        shown = grouped.groups[question.offset : end]
        maker = HitMaker(self.reader, self._synsets, asked.interpretation, asked.words)
        has_measured = asked.region is not None or bool(asked.target and asked.target.limit_km)
        return Answer(
            interpretation=asked.interpretation,
            hits=tuple(maker.make(pages, shown, explain=question.explain)),
            facets=self._facets(pages, candidates) if question.facets else (),
            total=len(pages.slots) if candidates.is_complete else candidates.found.total,
            total_is_exact=candidates.is_complete or not has_measured,
            has_more=len(grouped.groups) + grouped.left > end,
            offers=() if pages.slots.size else self._offers(asked),
            languages=dict(self.reader.languages()),
        )

    def read(self, question: Question) -> Interpretation:
        """How a question is understood, without answering it."""
        return self._understand(question).interpretation

    def _understand(self, question: Question) -> _Asked:
        if question.model not in MODELS:
            raise UsageError(f"no model is called {question.model!r}; there are: bm25, cosine")
        region = self._region(question)
        chooser = PlaceChooser(
            self.gazetteer, self.reader, self._place_table, question.near, region,
            synsets=self._synsets,
        )  # fmt: skip
        interpretation = QueryReader(question, chooser, self._streets).read()
        is_limited = region is not None or question.filters
        if not interpretation.words and not interpretation.relation and not is_limited:
            raise UsageError('the question is empty; ask for words, a place, or "words in a place"')
        interpretation = correct_words(interpretation, self.reader)
        if note := note_on_language(question.filters, self.reader.languages()):
            interpretation = replace(interpretation, notes=(*interpretation.notes, note))
        words = tuple(self.reader.with_forms(word) for word in interpretation.words)
        return _Asked(
            question,
            interpretation,
            words,
            make_target(interpretation, question, self.gazetteer),
            region,
        )

    def _region(self, question: Question) -> Region | None:
        """What hits must lie within: as the question says, else the circle around the user."""
        if question.within:
            return read_within(question.within, self.gazetteer)
        if question.near is None or question.radius_km is None:
            return None
        center = f"{question.near.latitude},{question.near.longitude}"
        return Region.parse(f"{center},{question.radius_km}", self.gazetteer)

    def _gather(self, asked: _Asked) -> tuple[_Asked, Candidates]:
        """The candidates; where nothing is in the place, those near it; where few, by its name."""
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
        asked, candidates = self._add_kind(asked, candidates)
        if asked.interpretation.place and asked.words and candidates.found.total < ENOUGH:
            known, candidates = candidates, candidates.with_named(self._find_named(asked))
            if not known.found.total:
                asked = asked.noting(_no_pages_note(asked.interpretation, candidates))
        return asked, candidates

    def _add_kind(self, asked: _Asked, candidates: Candidates) -> tuple[_Asked, Candidates]:
        """With pages about places of a kind, where words name one: all of them, or few have all."""
        kind = find_kind(asked.interpretation.words)
        is_scarce = candidates.found.total < ENOUGH or not candidates.wanted.needs_all
        if kind is None or not (kind.is_all or is_scarce):
            return asked, candidates
        place = asked.interpretation.place
        names = names_of_kind(kind, place.id) if place else []
        about = find_of_kind(self.reader, asked.wish, self._wheres(asked), kind, names)
        if not about.total:
            return asked, candidates
        note = f"pages about places of the kind {kind.name!r} count too (GeoWordNet)"
        interpretation = replace(asked.interpretation, kind=kind.name)
        asked = replace(asked, interpretation=interpretation).noting(note)
        return asked, candidates.with_kind(about)

    def _find_named(self, asked: _Asked) -> Found:
        """Pages with the name of the place as it is written, else without its qualifiers."""
        name = asked.interpretation.place_name
        found = find_named(self.reader, asked.wish, name, asked.interpretation.namesakes)
        bare, comma, _ = name.partition(",")
        if found.total or not comma or asked.interpretation.place is None:
            return found
        # Hardly a page of a town in Iowa says "United States". But without that, namesakes that
        # the qualifier had ruled out are back.
        namesakes = other_bearers(asked.interpretation.place, bare, self.gazetteer)
        return find_named(self.reader, asked.wish, bare, namesakes)

    def _offers(self, asked: _Asked) -> tuple[SearchOffer, ...]:
        """Questions like this one that have hits, for a question that has none."""
        counted = [
            SearchOffer(
                other.text, other.place_id, self._gather(self._understand(other))[1].found.total
            )
            for other in similar_questions(asked.question, asked.interpretation)
        ]
        return tuple(offer for offer in (*self._unfiltered(asked), *counted) if offer.pages)

    def _unfiltered(self, asked: _Asked) -> Iterator[SearchOffer]:
        """The same question without its filters, if it has any."""
        question = asked.question
        if question.filters:
            plain = self._understand(replace(question, filters=NO_FILTERS))
            pages = self._gather(plain)[1].found.total if plain.words or plain.target else 0
            yield SearchOffer(question.text, question.place_id, pages, keeps_filters=False)

    def _ask(self, asked: _Asked) -> Candidates:
        return gather_candidates(self.reader, asked.wish, self._wheres(asked))

    def _wheres(self, asked: _Asked) -> list[Where]:
        return asked.target.wheres(has_words=bool(asked.words)) if asked.target else []

    def _rank(self, asked: _Asked, candidates: Candidates) -> RankedPages:
        """The candidates that fit, the best first."""
        found = candidates.found
        slots, texts = found.slots, normalised(found.scores)
        places: PlaceScores | None = None
        fits = np.ones(len(slots), bool)
        if asked.target is not None:
            places = score_places(self.reader, slots, asked.target, measure=asked.question.explain)
            if candidates.named is not None:
                places = places.at_least_named(np.isin(slots, candidates.named.slots))
            fits &= places.scores > 0
        if asked.region is not None:
            fits &= is_within(self.reader, slots, asked.region)
        weight = place_weight(asked.interpretation)
        place = places.scores if places else np.ones(len(slots))
        scores = combine_scores(texts, place, weight)
        order = np.lexsort((slots, -scores))
        order = order[fits[order]]
        return RankedPages(
            slots[order], scores[order], texts[order], found.scores[order],
            places.taken(order) if places else None, weight=weight,
        )  # fmt: skip

    def _facets(self, pages: RankedPages, candidates: Candidates) -> tuple[Facet, ...]:
        slots = pages.slots if candidates.is_complete else None
        return count_facets(self.reader, self.gazetteer, candidates.wanted, slots)

    def _place_table(self) -> PlaceTable:
        """The places the index has, read again when it has grown."""
        edition = self.reader.edition
        if self._table is None or self._table[0] != edition:
            self._table = (edition, PlaceTable.read(self.reader, self.gazetteer))
        return self._table[1]


def _no_pages_note(interpretation: Interpretation, candidates: Candidates) -> str:
    found = "these pages have its name" if candidates.found.total else "and none has its name"
    return f"no page that fits is known to be in {interpretation.label} or near it; {found}"
