"""Which place a name in a query means.

Three things speak for a place: how many people live there (as the gazetteer orders names), how
many pages of the index belong to it, and how near it is to the user. They are added as powers of
ten, so that a hundred times the pages outweigh a hundred times the people.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp, log10

from geoscout.errors import UnknownPlaceError
from geoscout.gazetteer.names import fold
from geoscout.gazetteer.region import Region
from geoscout.gazetteer.region_areas import label
from geoscout.gazetteer.sphere import distance_km
from geoscout.gazetteer.sqlite import SqliteGazetteer
from geoscout.index.nodes import PlaceNames
from geoscout.index.queries import Wanted, Where
from geoscout.index.reader import IndexReader
from geoscout.model import Candidate, Place, Point
from geoscout.search.base import Alternative

_NO_PAGES = 0.001  # counts as this many: three powers of ten behind a place with one page
_MENTION = 0.1  # what a page that only mentions a place counts
_NEARNESS = 6.0  # what standing in the place itself is worth, in powers of ten
_NEARNESS_KM = 200.0  # at which a third of that is left
_MOST_ALTERNATIVES = 6
_CANDIDATES_COUNTED = 30
_PLAUSIBLE_SHARE, _CAPITALISED_SHARE = 0.15, 0.05  # of the pages with a word that are at its place
_LEAST_PEOPLE = 1000  # of a place whose name the index does not have
_LONGEST_CODE = 2  # letters; "in OR", but not "OR" alone
_TYPO_SIMILARITY = 0.75  # one keystroke in four letters, two in eight


@dataclass(frozen=True, slots=True)
class Choice:
    """A place a name may mean."""

    place: Place
    score: float  # in powers of ten
    pages: int


@dataclass(frozen=True, slots=True)
class PlaceChooser:
    """Chooses among the places of a name for one question."""

    gazetteer: SqliteGazetteer
    index: IndexReader
    names: Callable[[], PlaceNames]  # of the places the index has; only asked for misspelt ones
    own: Point | None = None  # where the user is
    region: Region | None = None  # the place must be in it

    def choose(self, name: str, *, is_explicit: bool) -> list[Choice]:
        """The places the name may mean, the likeliest first; empty when there is none.

        Codes ("NH") and nothing shorter than three letters count only where a place is expected.
        """
        found = [
            c for c in self.gazetteer.search(name) if _is_meant(c, name, is_explicit=is_explicit)
        ]
        if self.region is not None:
            inside = [c for c in found if self.region.contains_place(c.place)]
            found = inside or found
        choices = [self._weigh(candidate) for candidate in found[:_CANDIDATES_COUNTED]]
        return sorted(choices, key=lambda choice: -choice.score)

    def _weigh(self, candidate: Candidate) -> Choice:
        place = candidate.place
        pages, sure = self.index.pages_at(place.id), self.index.pages_surely_at(place.id)
        # A bare name may have been taken for the wrong place; an address hardly.
        score = candidate.score + log10(sure + _MENTION * (pages - sure) or _NO_PAGES)
        if self.own is not None:
            score += _NEARNESS * exp(-distance_km(self.own, place.point) / _NEARNESS_KM)
        return Choice(place, score, pages)

    def is_plausible(self, name: str, choices: Sequence[Choice]) -> bool:
        """Whether a bare name is meant as a place, by the pages that have the word.

        "Nice hotels" is not about Nice where most pages with that word are elsewhere.
        """
        words = self.index.words_of(name)
        if len(words) > 1:
            return True
        seen = self.index.pages_with(words[0]) if words else 0
        if not seen:
            return choices[0].place.population >= _LEAST_PEOPLE
        where = Where(nodes=tuple(choice.place.id for choice in choices))
        there = self.index.count(Wanted(words=((words[0],),), where=(where,)))
        return there / seen >= (_CAPITALISED_SHARE if name[:1].isupper() else _PLAUSIBLE_SHARE)

    def correct(self, name: str, *, is_explicit: bool) -> str:
        """The known name that a misspelt one most likely is; "" for none.

        Names of places the index has come first; of the others only where a place is expected.
        """
        first, comma, rest = name.partition(",")
        spelt = self.names().nearest(fold(first), _TYPO_SIMILARITY)
        if spelt and self.gazetteer.search(f"{spelt}{comma}{rest}"):
            return f"{spelt}{comma}{rest}"
        if not is_explicit:
            return ""
        try:
            self.gazetteer.find(name)
        except UnknownPlaceError as error:
            return error.suggestions[0] if error.suggestions else ""
        return ""

    def alternatives(self, choices: Sequence[Choice]) -> tuple[Alternative, ...]:
        """What else a name may mean, and that it may be no place at all.

        What lies around the chosen place, such as its county, comes after what is elsewhere.
        """
        chosen = choices[0].place
        others = [
            Alternative(
                self.label(choice.place, chosen),
                choice.place,
                choice.pages,
                is_elsewhere=not self._is_around(choice.place, chosen),
            )
            for choice in choices[1:]
        ]
        others.sort(key=lambda other: not other.is_elsewhere)
        del others[_MOST_ALTERNATIVES:]
        return (*others, Alternative("no place, only words", None, 0))

    def label(self, place: Place, chosen: Place) -> str:
        """The name of a place, with its kind where it would read like that of the chosen one."""
        name = label(place, self.gazetteer)
        same = place.id != chosen.id and name == label(chosen, self.gazetteer)
        return f"{name} ({place.kind})" if same else name

    def _is_around(self, place: Place, chosen: Place) -> bool:
        return self.gazetteer.is_inside(chosen, place) or self.gazetteer.is_inside(place, chosen)


def _is_meant(candidate: Candidate, name: str, *, is_explicit: bool) -> bool:
    if candidate.role == "demonym":
        return False
    return is_explicit or (candidate.role != "code" and len(name) > _LONGEST_CODE)
