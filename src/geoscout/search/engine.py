"""Answers questions: reads the query, asks the index, ranks, groups, cuts snippets.

READ THIS FIRST of the package: `SearchEngine.answer` names the steps in their order.
"""

from collections.abc import Hashable, Iterator
from dataclasses import replace
from functools import cached_property
from itertools import islice

import numpy as np

from geoscout.geocode import Geocoder
from geoscout.index.base import NO_FILTERS, Index
from geoscout.index.places import PlaceTable, SynsetPlaces
from geoscout.search.base import (
    WORDS_ONLY,
    Answer,
    Facet,
    Hit,
    Interpretation,
    Question,
    SearchOffer,
)
from geoscout.search.candidates import Asked, Candidates, Check, Gatherer, Wish
from geoscout.search.grouping import count_facets, group
from geoscout.search.hits import HitMaker, PlaceLabels, RankedPages
from geoscout.search.home import HomeRegion
from geoscout.search.places import NameMemory, PlaceChooser
from geoscout.search.query import QueryReader
from geoscout.search.query_words import (
    OtherWords,
    QueryLanguages,
    SortNames,
    correct_words,
    is_small_word,
    kinds_by_name,
    stop_words,
)
from geoscout.search.ranking import (
    NAME_WEIGHT,
    NO_NAME,
    PlaceScores,
    are_among,
    combine_scores,
    fit_of,
    is_within,
    normalised,
    own_site_fit,
    place_weight,
    rescore,
    score_places,
)
from geoscout.search.related import Related, RelatedPages
from geoscout.search.streets import OwnSpots, StreetLocator, find_address
from geoscout.search.target import make_target, note_on_language, read_within, where_within
from geoscout_places.caches import BoundedCache
from geoscout_places.errors import UsageError
from geoscout_places.gazetteer.areas.region import Region
from geoscout_places.gazetteer.base import Gazetteer

_MOST_OFFERS = 5


def similar_questions(question: Question, interpretation: Interpretation) -> list[Question]:
    """Questions to try, the nearest to what was asked first."""
    plain = replace(question, place_id=None, offset=0, facets=False)
    return list(islice(_variants(plain, interpretation), _MOST_OFFERS))


def _variants(question: Question, interpretation: Interpretation) -> Iterator[Question]:
    words, place = interpretation.words, _place_text(interpretation)
    if len(words) > 1:
        for left_out in range(len(words) - 1, -1, -1):
            rest = " ".join((*words[:left_out], *words[left_out + 1 :]))
            yield replace(question, text=f"{rest} {place}".strip())
    if words and place:
        yield replace(question, text=" ".join(words), place_id=WORDS_ONLY)
        yield replace(question, text=place.partition(" ")[2])


def _place_text(interpretation: Interpretation) -> str:
    """The place of a query with its preposition, to be read in the same way again."""
    if not interpretation.relation or not interpretation.place_name:
        return ""
    return f"{interpretation.relation} {interpretation.place_name}"


_PLACES_REMEMBERED = 50_000
_ANY_ADDRESS = "12 Main Street, Austin, TX 78701"
MODELS = ("bm25", "cosine")
ABOVE_FOLD = 2  # hits come before the one of a far larger namesake


class KnownOfIndex:
    """What is known of one commit of an index, read when it is first asked for."""

    def __init__(self, index: Index, gazetteer: Gazetteer) -> None:
        self.edition: Hashable = index.edition
        self.memory = NameMemory()  # what names meant to earlier questions
        self._index, self._gazetteer = index, gazetteer

    @cached_property
    def table(self) -> PlaceTable:
        """The places the index has."""
        return PlaceTable.read(self._index, self._gazetteer)

    @cached_property
    def languages(self) -> QueryLanguages:
        """What tells the languages a query may be in, by the words of pages."""
        return QueryLanguages(self._index)


class SearchEngine:
    """Answers questions from one index."""

    def __init__(
        self,
        reader: Index,
        gazetteer: Gazetteer,
        geocoder: Geocoder | None = None,
        home: Region | None = None,
        names_of: SortNames = lambda _: (),
    ) -> None:
        """`home` is the region of the crawl; None where that is not known."""
        self._names_of = names_of
        self.reader = reader
        self._home = HomeRegion(home) if home else None
        self.gazetteer = gazetteer
        self._streets = StreetLocator(gazetteer, OwnSpots(reader, gazetteer), geocoder)
        self._synsets = SynsetPlaces(gazetteer)
        self._places = BoundedCache(gazetteer.place, _PLACES_REMEMBERED)
        self._labels = PlaceLabels(gazetteer)
        self._gatherer = Gatherer(reader, gazetteer)
        self._known = KnownOfIndex(reader, gazetteer)

    @property
    def known(self) -> KnownOfIndex:
        """What was read of the index as it is now."""
        if self._known.edition != self.reader.edition:
            self._known = KnownOfIndex(self.reader, self.gazetteer)
        return self._known

    def answer(self, question: Question, check: Check = lambda: None) -> Answer:
        """The hits for a question; `check` is called before each step, and may end it.

        Raises:
            UsageError: the question is empty or has a value it cannot have.
            UnknownPlaceError: `within` or `place_id` names no place.
        """
        asked = self._understand(question, check)
        asked, candidates = self._gatherer.gather(asked)
        check()
        if question.model == "cosine" and asked.words:
            candidates = replace(
                candidates, found=rescore(self.reader, candidates.found, asked.words)
            )
        pages = self._rank(asked, candidates)
        check()
        end = question.offset + question.limit
        signs = self.reader.signs_of(pages.slots)
        grouped = group(signs.texts, signs.hosts, pages.scores.tolist(), end)
        shown = grouped.groups[question.offset : end]
        check()
        maker = HitMaker(self.reader, self._synsets, self._labels, asked)
        has_measured = asked.region is not None or bool(asked.target and asked.target.limit_km)
        is_answered = pages.slots.size and not candidates.has_some_only
        hits = tuple(maker.make(pages, shown, explain=question.explain))
        asked, hits = self._with_rival(asked, hits)
        return Answer(
            interpretation=asked.interpretation,
            hits=hits,
            facets=self._facets(pages, candidates) if question.facets else (),
            total=len(pages.slots) if candidates.is_complete else candidates.found.total,
            total_is_exact=candidates.is_complete or not has_measured,
            has_more=len(grouped.groups) + grouped.left > end,
            offers=() if is_answered else self._offers(asked),
            languages=dict(self.reader.languages()),
        )

    def _with_rival(self, asked: Asked, hits: tuple[Hit, ...]) -> tuple[Asked, tuple[Hit, ...]]:
        """The hits with the best one of a far larger namesake among the first, and said so.

        However many pages there are of Athens in Alabama, who asks may mean the one in Greece.
        """
        rival, question = asked.interpretation.rival, asked.question
        if rival is None or question.offset or question.limit <= ABOVE_FOLD or not hits:
            return asked, hits
        other = replace(question, place_id=rival.id, limit=1, facets=False)
        answer = self.answer(other, asked.check)
        best = [hit for hit in answer.hits if any(p.place.id == rival.id for p in hit.places)]
        if not best or answer.offers or best[0].url in {hit.url for hit in hits[: ABOVE_FOLD + 1]}:
            return asked, hits
        rest = [hit for hit in hits if hit.url != best[0].url]
        mixed = (*rest[:ABOVE_FOLD], best[0], *rest[ABOVE_FOLD:])[: question.limit]
        where = "last" if mixed[-1] is best[0] else "third"
        label = self.gazetteer.label(rival)
        return asked.noting(f"the {where} hit is of {label}, which is larger"), mixed

    def related(self, url: str, limit: int) -> RelatedPages | None:
        """The pages related to one by their places; None where the index does not have it."""
        known = self.known.table
        return Related(self.reader, self.gazetteer, known, self._synsets).of(url, limit)

    def warm(self) -> None:
        """Load what the first questions of some kinds would wait for: it takes half a second."""
        find_address(_ANY_ADDRESS, self.gazetteer)
        kinds_by_name()
        self.known.table.names()

    def read(self, question: Question) -> Interpretation:
        """How a question is understood, without answering it."""
        return self._understand(question, lambda: None).interpretation

    def _understand(self, question: Question, check: Check) -> Asked:
        if question.model not in MODELS:
            raise UsageError(f"no model is called {question.model!r}; there are: bm25, cosine")
        region = self._region(question)
        is_from_nowhere = question.near is None and region is None
        chooser = PlaceChooser(
            self.gazetteer, self.reader, lambda: self.known.table, question.near, region,
            synsets=self._synsets, memory=self.known.memory if is_from_nowhere else None,
            home=self._home,
        )  # fmt: skip
        check()
        interpretation = QueryReader(question, chooser, self._streets).read()
        is_limited = region is not None or question.filters
        if not interpretation.words and not interpretation.relation and not is_limited:
            raise UsageError('the question is empty; ask for words, a place, or "words in a place"')
        named = OtherWords(interpretation.words, self._names_of, self.reader).named
        interpretation = correct_words(interpretation, self.reader, named)
        if note := note_on_language(question.filters, self.reader.languages()):
            interpretation = replace(interpretation, notes=(*interpretation.notes, note))
        wish = Wish(
            tuple(map(self.reader.with_forms, interpretation.words)),
            where_within(region) if region else None,
            question.offset + question.limit,
            question.filters,
            hints=self._hints(interpretation),
            facts=self._facts(question, interpretation),
            otherwise=OtherWords(interpretation.words, self._names_of, self.reader).as_wanted(),
        )
        target = make_target(interpretation, question, self.gazetteer)
        return Asked(question, interpretation, wish, target, region, check=check)

    def _facts(self, question: Question, interpretation: Interpretation) -> tuple[str, ...]:
        """What need not be there; also words that say nothing alone, but do in "Sutter Home"."""
        small = filter(is_small_word, self.reader.words_of(question.text))
        left_out = dict.fromkeys((*interpretation.preferred, *small))
        return tuple(word for word in left_out if word not in interpretation.words)

    def _hints(self, interpretation: Interpretation) -> tuple[str, ...]:
        """The words of the place's name, as the user and as the gazetteer writes it."""
        place = interpretation.place
        if place is None or interpretation.precision is not None:  # a street or postal code
            return ()
        names = f"{interpretation.place_name} {place.name}"
        words = (word for word in self.reader.words_of(names) if word not in stop_words())
        return tuple(dict.fromkeys(words))

    def _region(self, question: Question) -> Region | None:
        """What hits must lie within: as the question says, else the circle around the user."""
        if question.within:
            return read_within(question.within, self.gazetteer)
        if question.near is None or question.radius_km is None:
            return None
        center = f"{question.near.latitude},{question.near.longitude}"
        return Region.parse(f"{center},{question.radius_km}", self.gazetteer)

    def _offers(self, asked: Asked) -> tuple[SearchOffer, ...]:
        """Questions like this one that have hits, for a question that has none."""
        counted = [
            SearchOffer(
                other.text, other.place_id, self._count(other, asked.check), keeps_filters=True
            )
            for other in similar_questions(asked.question, asked.interpretation)
        ]
        return tuple(offer for offer in (*self._unfiltered(asked), *counted) if offer.pages)

    def _unfiltered(self, asked: Asked) -> Iterator[SearchOffer]:
        """The same question without its filters, if it has any."""
        question = asked.question
        if question.filters and (question.text or question.within):
            pages = self._count(replace(question, filters=NO_FILTERS), asked.check)
            yield SearchOffer(question.text, question.place_id, pages, keeps_filters=False)

    def _count(self, question: Question, check: Check) -> int:
        """How many pages fit a question."""
        _, candidates = self._gatherer.gather(self._understand(question, check))
        return 0 if candidates.has_some_only else candidates.found.total

    def _rank(self, asked: Asked, candidates: Candidates) -> RankedPages:
        """The candidates that fit, the best first."""
        found = candidates.found
        slots, texts = found.slots, normalised(found.scores)
        places: PlaceScores | None = None
        fits = np.ones(len(slots), bool)
        if asked.target is not None:
            places = score_places(self.reader, slots, asked.target, measure=asked.question.explain)
            for chosen, least in candidates.floors:
                places = places.at_least(least, are_among(slots, chosen))
            fits &= places.scores > 0
        if asked.region is not None:
            fits &= is_within(self.reader, slots, asked.region)
        weight = place_weight(asked.interpretation)
        if candidates.has_names:
            texts, weight = NO_NAME + (1 - NO_NAME) * texts, NAME_WEIGHT
        place = places.scores if places else np.ones(len(slots))
        words = self.reader.words_of(asked.question.text)
        languages = self.known.languages.of_words(words)
        fitness = fit_of(self.reader, slots, languages, candidates.exact)
        scores = combine_scores(texts, place, weight) * fitness
        order = np.lexsort((slots, -scores))
        order = order[fits[order]]
        own = own_site_fit(self.reader, slots[order], asked.interpretation.words)
        fitness[order] *= own
        scores[order] *= own
        order = order[np.argsort(-scores[order], kind="stable")]
        return RankedPages(
            slots[order], scores[order], texts[order], found.scores[order],
            places.taken(order) if places else None, weight=weight, fitness=fitness[order],
        )  # fmt: skip

    def _facets(self, pages: RankedPages, candidates: Candidates) -> tuple[Facet, ...]:
        slots = pages.slots if candidates.is_complete else None
        return count_facets(self.reader, self._places.__getitem__, candidates.wanted, slots)
