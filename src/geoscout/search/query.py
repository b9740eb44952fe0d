"""Reads a query into words and a place.

In this order: coordinates; a street with its town; what follows a sure preposition, if need be with
its spelling corrected; a name at the end or the beginning, if the index shows that it is meant as a
place; such a name misspelt. What is left are the words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from geoscout.gazetteer.areas.region_areas import label
from geoscout.gazetteer.names import fold
from geoscout.model import Place, Point
from geoscout.search.base import WORDS_ONLY, Interpretation, Question, Relation
from geoscout.search.places import PlaceChoice, PlaceChooser
from geoscout.search.query_words import TOKEN, articles, find_prepositions, stop_words
from geoscout.search.street_finding import StreetFinder, towns_of
from geoscout.search.streets import StreetLocator, StreetQuery

_COORDINATES = re.compile(
    r"(?P<before>.*?)(?<![\w.+-])"
    r"(?P<latitude>[-+]?\d{1,2}\.\d+)\s*[,;]\s*(?P<longitude>[-+]?\d{1,3}\.\d+)(?P<after>.*)"
)
_LONGEST_NAME = 7  # tokens: "Santiago de Compostela , A Coruña , Spain" has that many
_RARE = 2  # pages; a word of more is taken as it is written
_SHORTEST_TYPO = 4  # letters


@dataclass(frozen=True, slots=True)
class _Span:
    """A part of the query that is a place."""

    start: int  # tokens, with the preposition
    end: int
    name: str
    relation: Relation
    is_explicit: bool
    choices: Sequence[PlaceChoice]
    corrected: str = ""


class QueryReader:
    """Reads one question."""

    def __init__(self, question: Question, chooser: PlaceChooser, streets: StreetLocator) -> None:
        self._question = question
        self._chooser = chooser
        self._streets = streets
        self._tokens = TOKEN.findall(question.text)
        self._folded = [fold(token) for token in self._tokens]

    def read(self) -> Interpretation:
        """The interpretation that is taken."""
        question = self._question
        if question.place_id == WORDS_ONLY:
            return self._without_place()
        if question.place_id is not None:
            return self._with_given_place(question.place_id)
        if found := _COORDINATES.fullmatch(question.text):
            return self._at_coordinates(found)
        if (street := self._find_street()) and (choices := towns_of(street, self._chooser)):
            return self._at_street(street, choices)
        span = self._find_span()
        return self._with_place(span) if span else self._without_place()

    def _find_street(self) -> StreetQuery | None:
        starts = [(at, first) for at, first, _ in self._prepositions(is_sure=True)]
        return StreetFinder(self._question.text, self._chooser).find([*starts, (0, 0)])

    def _at_street(self, street: StreetQuery, choices: Sequence[PlaceChoice]) -> Interpretation:
        """What is near a street or house; the town is the place."""
        text = self._question.text
        words = self._words(f"{_without_preposition(text[: street.start])} {text[street.end :]}")
        town = choices[0].place
        found = self._streets.locate(street, town)
        return Interpretation(
            words=words,
            relation=Relation.NEAR,
            place=town,
            label=f"{street.name}, {self._label(town)}",
            name=f"{street.name}, {street.town}",
            point=found.point,
            is_explicit=True,
            alternatives=self._chooser.alternatives(choices),
            notes=(found.note,) if found.note else (),
            street=street.name,
            precision=found.precision,
        )

    def _find_span(self) -> _Span | None:
        ways = (
            self._after_preposition,
            self._misspelt_after_preposition,
            self._bare,
            self._misspelt_bare,
        )
        return next((span for way in ways if (span := next(way(), None))), None)

    def _after_preposition(self) -> Iterator[_Span]:
        """Names behind a sure preposition, the last preposition first, the longest name first."""
        for at, first, relation in self._prepositions(is_sure=True):
            for end in self._ends(first):
                choices = self._choose(first, end, is_explicit=True)
                if choices:
                    yield _Span(at, end, self._name(first, end), relation, True, choices=choices)  # noqa: FBT003

    def _misspelt_after_preposition(self) -> Iterator[_Span]:
        for at, first, relation in self._prepositions(is_sure=True):
            for end in self._ends(first):
                if self._is_rare(first, end):
                    yield from self._corrected(at, first, end, relation)

    def _corrected(self, at: int, first: int, end: int, relation: Relation) -> Iterator[_Span]:
        is_explicit = at < first
        name = self._name(first, end)
        spelt = self._chooser.correct(name, is_explicit=is_explicit)
        if spelt and (choices := self._chooser.choose(spelt, is_explicit=True)):
            yield _Span(at, end, name, relation, is_explicit, choices=choices, corrected=spelt)

    def _bare(self) -> Iterator[_Span]:
        """Plausible names at the end, then behind doubtful prepositions, then at the beginning."""
        count = len(self._tokens)
        ends = [(at, at, count, Relation.IN) for at in range(max(0, count - _LONGEST_NAME), count)]
        doubtful = [
            (at, first, end, relation)
            for at, first, relation in self._prepositions(is_sure=False)
            for end in self._ends(first)
        ]
        beginnings = [(0, 0, end, Relation.IN) for end in self._ends(0)]
        for at, first, end, relation in (*doubtful, *ends, *beginnings):
            choices = self._choose(first, end, is_explicit=False)
            if choices and self._chooser.is_plausible(self._name(first, end), choices):
                yield _Span(at, end, self._name(first, end), relation, False, choices=choices)  # noqa: FBT003

    def _misspelt_bare(self) -> Iterator[_Span]:
        count = len(self._tokens)
        for first, end in ((count - 2, count), (count - 1, count), (0, 2), (0, 1)):
            if 0 <= first < end <= count and self._is_rare(first, end):
                yield from self._corrected(first, first, end, Relation.IN)

    def _prepositions(self, *, is_sure: bool) -> Iterator[tuple[int, int, Relation]]:
        """Where a preposition stands, where its name begins, and what it means; the last first."""
        for at, found in reversed(find_prepositions(self._folded)):
            first = at + len(found.words)
            if found.is_sure != is_sure:
                continue
            if first < len(self._tokens):
                yield at, first, found.relation
            if first < len(self._tokens) - 1 and self._folded[first] in articles():
                yield at, first + 1, found.relation  # after "Le Mans" was looked for

    def _ends(self, first: int) -> range:
        """Where a name that begins here may end, the farthest first."""
        return range(min(len(self._tokens), first + _LONGEST_NAME), first, -1)

    def _name(self, first: int, end: int) -> str:
        text = " ".join(self._tokens[first:end])
        return text.replace(" ,", ",").replace(" ;", ",").strip(" ,;?!.")

    def _choose(self, first: int, end: int, *, is_explicit: bool) -> list[PlaceChoice]:
        name = self._name(first, end)
        return self._chooser.choose(name, is_explicit=is_explicit) if name else []

    def _is_rare(self, first: int, end: int) -> bool:
        """Whether the words hardly occur in the index, as misspelt ones do."""
        words = self._chooser.index.words_of(self._name(first, end).partition(",")[0])
        long_enough = sum(map(len, words)) >= _SHORTEST_TYPO
        pages = [self._chooser.index.pages_with(word) for word in words]
        return bool(words) and long_enough and min(pages) <= _RARE

    def _with_place(self, span: _Span) -> Interpretation:
        rest = [*self._tokens[: span.start], *self._tokens[span.end :]]
        words = self._words(" ".join(rest))
        choices = self._chooser.with_words(span.choices, words)
        place = choices[0].place
        notes = (f"read {span.name!r} as {span.corrected!r}",) if span.corrected else ()
        return Interpretation(
            words=words,
            relation=span.relation,
            place=place,
            label=self._label(place),
            name=span.name,
            point=place.point,
            is_explicit=span.is_explicit,
            corrected=span.corrected,
            alternatives=self._chooser.alternatives(choices),
            notes=notes,
        )

    def _with_given_place(self, id: int) -> Interpretation:
        """The place the caller names; the words are what the text has besides any place in it."""
        read = QueryReader(_as_text(self._question), self._chooser, self._streets).read()
        place = self._chooser.place(id)
        if place is None:
            return read
        if read.street and (street := self._find_street()):
            others = [c for c in towns_of(street, self._chooser) if c.place.id != id]
            chosen = PlaceChoice(place, 0.0, self._chooser.index.pages_at(id))
            return self._at_street(street, [chosen, *others])
        others = self._chooser.choose(read.name, is_explicit=True) if read.name else []
        chosen = PlaceChoice(place, 0.0, self._chooser.index.pages_at(id))
        rest = [choice for choice in others if choice.place.id != id]
        return Interpretation(
            words=read.words,
            relation=read.relation or Relation.IN,
            place=place,
            label=self._label(place),
            name=read.name,
            point=place.point,
            is_explicit=True,
            corrected=read.corrected,
            alternatives=self._chooser.alternatives([chosen, *rest]),
        )

    def _at_coordinates(self, found: re.Match[str]) -> Interpretation:
        point = Point(float(found["latitude"]), float(found["longitude"]))
        words = self._words(f"{_without_preposition(found['before'])} {found['after']}")
        name = f"{found['latitude']}, {found['longitude']}"
        return Interpretation(words, Relation.NEAR, None, name, name, point=point, is_explicit=True)

    def _without_place(self) -> Interpretation:
        """Only words; with the user's own place if that was given."""
        words, near = self._words(self._question.text), self._question.near
        if near is None or self._question.place_id == WORDS_ONLY:
            return Interpretation(words)
        name = f"{near.latitude:.4f}, {near.longitude:.4f}"
        return Interpretation(words, Relation.NEAR, None, name, "", point=near, is_explicit=True)

    def _words(self, text: str) -> tuple[str, ...]:
        words = list(dict.fromkeys(self._chooser.index.words_of(text)))
        ignored = stop_words()
        return tuple(word for word in words if word not in ignored) or tuple(words)

    def _label(self, place: Place) -> str:
        return label(place, self._chooser.gazetteer)


def _as_text(question: Question) -> Question:
    return Question(question.text, near=question.near)


def _without_preposition(text: str) -> str:
    """The text without a preposition at its end, or one with an article: "cafe near", "in der"."""
    tokens = TOKEN.findall(text)
    folded = [fold(token) for token in tokens]
    kept = _before_preposition(folded)
    if kept == len(tokens) > 1 and folded[-1] in articles():  # "de" is one, and ends "près de"
        kept = _before_preposition(folded[:-1])
    return " ".join(tokens[:kept])


def _before_preposition(folded: Sequence[str]) -> int:
    """How many tokens stand before the preposition at the end; all where there is none."""
    for at, preposition in find_prepositions(folded)[-1:]:
        if at + len(preposition.words) == len(folded):
            return at
    return len(folded)
