"""Gets the candidates for a question: what is in the place, near it, or has its name.

`Gatherer.gather` names the ways in their order. Each further one is for what the ones before lack:
the geoparser does not recognise every name, and no page may have all that is asked for.
"""

from __future__ import annotations

from dataclasses import replace

from geoscout.index.base import Found, Index, Wanted, Where
from geoscout.search.asked import Asked
from geoscout.search.base import Interpretation, Relation
from geoscout.search.candidates import (
    ENOUGH,
    Candidates,
    find_known,
    find_named,
    find_of_kind,
    find_titled,
    find_without_words,
    gather_candidates,
)
from geoscout.search.kinds import find_kind, names_of_kind
from geoscout.search.places import other_bearers
from geoscout.search.ranking import NAMED_SCORE, TITLED_SCORE
from geoscout_places.gazetteer.base import Gazetteer


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
        if key := asked.interpretation.known_key:
            town = asked.interpretation.town_of_street
            candidates = candidates.with_exact(find_known(self.reader, asked.wish, key, town))
        asked, candidates = self._add_kind(asked, candidates)
        return self._add_by_name(asked, candidates) if asked.names else (asked, candidates)

    def _add_by_name(self, asked: Asked, candidates: Candidates) -> tuple[Asked, Candidates]:
        """With pages that have the name of the place, as far as those in it do not suffice."""
        if not asked.words:
            return asked, candidates.with_names(self._find_name(asked), NAMED_SCORE)
        known, read = candidates.found.total, asked.interpretation
        if known < asked.wish.most:
            titled = find_titled(self.reader, asked.wish, read.searched_name, read.namesakes)
            candidates = candidates.with_more(titled, TITLED_SCORE)
        if candidates.found.total < ENOUGH:
            candidates = candidates.with_more(self._find_named(asked), NAMED_SCORE)
        named = candidates.found.total
        if len(asked.words) > 1 and not (named and candidates.wanted.needs_all):
            candidates = self._add_without_words(asked, candidates)
        if not known:
            asked = asked.noting(_no_pages_note(read, candidates, named))
        return asked, candidates

    def _add_without_words(self, asked: Asked, candidates: Candidates) -> Candidates:
        """With pages of the place that lack words, where none has all of them."""
        read, target = asked.interpretation, asked.target
        places = target.places if target else ()
        inside, titled = find_without_words(
            self.reader, asked.wish, read.searched_name, read.namesakes, places
        )
        best, has_some_only = candidates.best, not candidates.found.total
        found = candidates.with_some(titled, TITLED_SCORE, best).with_some(inside, 0.0, best)
        return replace(found, has_some_only=has_some_only)

    def _find_name(self, asked: Asked) -> Found:
        """Pages that have the name of a place as it is written, where no words are asked for."""
        words = tuple((word,) for word in self.reader.words_of(asked.interpretation.searched_name))
        where = (asked.wish.within,) if asked.wish.within else ()
        wanted = Wanted(words, where=where, filters=asked.wish.filters)
        return self.reader.find(wanted, asked.wish.most)

    def _add_kind(self, asked: Asked, candidates: Candidates) -> tuple[Asked, Candidates]:
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

    def _find_named(self, asked: Asked) -> Found:
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

    def _ask(self, asked: Asked) -> Candidates:
        asked.check()
        return gather_candidates(self.reader, asked.wish, self._wheres(asked))

    def _wheres(self, asked: Asked) -> list[Where]:
        return asked.target.wheres(has_words=bool(asked.words)) if asked.target else []


def _no_pages_note(interpretation: Interpretation, candidates: Candidates, named: int) -> str:
    if named:
        found = "these pages have its name"
    elif candidates.found.total:
        found = "these pages are there, or have its name, and lack words"
    else:
        found = "and none has its name"
    return f"no page that fits is known to be in {interpretation.label} or near it; {found}"
