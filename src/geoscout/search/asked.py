"""A question with all that was made of it, before the index is asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from geoscout.index.base import Word
from geoscout.search.base import Interpretation, Question, Relation
from geoscout.search.candidates import Wish
from geoscout.search.target import Target, where_within
from geoscout_places.gazetteer.areas.region import Region

Check = Callable[[], None]  # raises something when nobody waits for the answer any more


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with all that was made of it."""

    question: Question
    interpretation: Interpretation
    words: tuple[Word, ...]
    target: Target | None
    region: Region | None
    hints: tuple[str, ...]  # words of the name of the place, where it is one that has pages
    check: Check

    @property
    def names(self) -> bool:
        """Whether pages may be found by the name of the place."""
        return bool(self.hints)

    @property
    def wish(self) -> Wish:
        within = where_within(self.region) if self.region else None
        is_limited = within is not None and (within.places or within.cells)
        hits = self.question.offset + self.question.limit
        return Wish(
            self.words,
            within if is_limited else None,
            hits,
            self.question.filters,
            hints=self.hints,
        )

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

    def noting(self, note: str) -> Asked:
        """The same question with something the user should know."""
        return replace(
            self,
            interpretation=replace(self.interpretation, notes=(*self.interpretation.notes, note)),
        )
