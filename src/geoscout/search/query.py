"""Reads a query into words and a place.

In this order: coordinates; a street with its town; what follows a sure preposition, if need be with
its spelling corrected; a name at the end or the beginning, if the index shows that it is meant as a
place; such a name misspelt. What is left are the words.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from geoscout.search.asking import NOT_IN_PAGES, read_asked
from geoscout.search.base import (
    WORDS_ONLY,
    Alternative,
    Interpretation,
    Question,
    Relation,
)
from geoscout.search.places import PlaceChoice, PlaceChooser
from geoscout.search.query_words import (
    TOKEN,
    articles,
    find_here,
    find_prepositions,
    single_prepositions,
    stop_words,
)
from geoscout.search.spans import PlaceSpan, PostcodeSpan, SpanFinder, find_postcode
from geoscout.search.streets import (
    OwnStreet,
    StreetFinder,
    StreetLocator,
    StreetQuery,
    towns_of,
)
from geoscout_places.errors import UnknownPlaceError
from geoscout_places.gazetteer.names import fold
from geoscout_places.model import Place, Point, Precision
from geoscout_places.toponyms.words import is_everyday_word

_COORDINATES = re.compile(
    r"(?P<before>.*?)(?<![\w.+-])"
    r"(?P<latitude>[-+]?\d{1,2}\.\d+)\s*[,;]\s*(?P<longitude>[-+]?\d{1,3}\.\d+)(?P<after>.*)"
)

_ONLY_WORDS = (Alternative("no place, only words", None, 0),)
_KNOWN_PEOPLE = 100_000  # of a place whose name may be a word of every day
_HERE_UNKNOWN = "where you are is not known, so this is a search for the words alone"


class QueryReader:
    """Reads one question."""

    def __init__(
        self,
        question: Question,
        chooser: PlaceChooser,
        streets: StreetLocator,
        *,
        words: Sequence[str] = (),
    ) -> None:
        """`words` are kinds of what may be asked that are taken for words."""
        self._given, self._chooser = question, chooser
        self._asked = read_asked(question.text, self._is_name, without=words)
        self._chooser = chooser = replace(chooser, spoken=self._asked.countries)
        self._question = replace(question, text=self._asked.text)
        self._streets = streets
        self._tokens = TOKEN.findall(self._asked.text)
        self._spans = SpanFinder(self._tokens, chooser, TOKEN.findall(question.text))

    def read(self) -> Interpretation:
        """The interpretation that is taken.

        Raises:
            UnknownPlaceError: the place that the question gives by its id is not there.
        """
        asked, read = self._asked, self._read()
        is_cut = asked.text != self._given.text
        if "weather" in asked.kinds and read.words and is_cut:  # "weather balloon"
            return QueryReader(self._given, self._chooser, self._streets, words=["weather"]).read()
        preferred = [
            w for w in self._chooser.index.words_of(asked.preferred) if w not in read.words
        ]
        notes = [note for kind, note in NOT_IN_PAGES.items() if kind in asked.kinds]
        return replace(
            read,
            asks=tuple(kind for kind in asked.kinds if kind != "nearest"),
            preferred=tuple(preferred),
            open_at=asked.open_at,
            notes=(*read.notes, *notes),
        )

    def _is_name(self, name: str) -> bool:
        """Whether a text may be the name of a place, and nothing else is more likely."""
        found = self._chooser.gazetteer.candidates(name)
        is_known = bool(found) and found[0].place.population >= _KNOWN_PEOPLE
        return bool(found) and (is_known or not is_everyday_word(name))

    def _read(self) -> Interpretation:
        question = self._question
        if question.place_id == WORDS_ONLY:
            return self._without_place()
        if question.place_id is not None:
            return self._with_given_place(question.place_id)
        span = None if (point := self._read_point()) else self._spans.find()
        return point or (self._with_place(span) if span else self._without_place())

    def _read_point(self) -> Interpretation | None:
        """Coordinates, a street, the user's own place or a postal code; None for none of them."""
        if found := _COORDINATES.fullmatch(self._question.text):
            return self._at_coordinates(found)
        if (street := self._find_street()) and (choices := towns_of(street, self._chooser)):
            return self._at_street(street, choices)
        if here := find_here([fold(token) for token in self._tokens]):
            return self._at_user(here)
        if code := find_postcode(self._tokens, self._chooser):
            return self._at_postcode(code)
        if known := self._streets.own.street_in(self._tokens):
            return self._at_known_street(known)
        return self._at_landmark()

    def _at_known_street(self, street: OwnStreet) -> Interpretation | None:
        """What is near a street that pages have in one town only; the query names no town."""
        town, spot = self._chooser.place(street.found.place_id), street.found.spot
        if town is None:
            return None
        name = " ".join(self._tokens[street.start : street.end])
        no_house = f"no page has the number of {name}; searched for the street"
        return Interpretation(
            words=self._words_around(street.start, street.end),
            relation=Relation.NEAR,
            place=town,
            label=f"{name}, {self._label(town)}",
            name=name,
            point=spot.point if spot else town.point,
            is_explicit=True,
            alternatives=_ONLY_WORDS,
            notes=() if street.is_house or not name[-1].isdigit() else (no_house,),
            street=name,
            precision=spot.precision if spot else Precision.TOWN,
            known_key=street.found.key,
        )

    def _at_landmark(self) -> Interpretation | None:
        """What is near something that pages give the coordinates of, behind a sure preposition."""
        for at, first, _ in self._spans.prepositions(is_sure=True):
            name = " ".join(self._tokens[first:]).strip(" ,;?!.")
            found = self._streets.own.landmark(name) if name else None
            if found is None or found.spot is None or self._chooser.gazetteer.search(name):
                continue
            town = self._chooser.gazetteer.nearest(found.spot.point)
            return Interpretation(
                words=self._words(" ".join(self._tokens[:at])),
                relation=Relation.NEAR,
                place=town,
                label=f"{name}, {self._label(town)}" if town else name,
                name=name,
                point=found.spot.point,
                is_explicit=True,
                alternatives=_ONLY_WORDS,
                precision=found.spot.precision,
                known_key=found.key,
            )
        return None

    def _at_postcode(self, span: PostcodeSpan) -> Interpretation:
        """What is near the middle of a postal code."""
        postcode = span.postcode
        town = self._chooser.place(postcode.place_id)
        return Interpretation(
            self._words_around(span.start, span.end),
            Relation.NEAR,
            town,
            f"{postcode.code} {self._label(town) if town else postcode.town}",
            postcode.code,
            point=postcode.point,
            is_explicit=True,
            alternatives=_ONLY_WORDS,
            precision=Precision.POSTCODE,
        )

    def _at_user(self, here: tuple[int, int]) -> Interpretation:
        """What is near the user, if it is known where that is."""
        rest = [*self._tokens[: here[0]], *self._tokens[here[1] :]]
        words, near = self._words(" ".join(rest)), self._question.near
        if near is None:
            return Interpretation(words, notes=(_HERE_UNKNOWN,), asks_here=True)
        return Interpretation(
            words, Relation.NEAR, None, "you", point=near, is_explicit=True, asks_here=True
        )

    def _find_street(self) -> StreetQuery | None:
        starts = [(at, first) for at, first, _ in self._spans.prepositions(is_sure=True)]
        numbers = [(at, at) for at, token in enumerate(self._tokens) if at and token.isdigit()]
        return StreetFinder(self._question.text, self._chooser).find([*starts, (0, 0), *numbers])

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
            alternatives=self._chooser.alternatives(choices, street.town),
            notes=(found.note,) if found.note else (),
            street=street.name,
            precision=found.precision,
            known_key=found.key,
        )

    def _with_place(self, span: PlaceSpan) -> Interpretation:
        rest = [*self._tokens[: span.start], *self._tokens[span.end :]]
        text = " ".join(rest)
        words = () if self._says_nothing(text) else self._words(text)
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
            alternatives=self._chooser.alternatives(choices, span.corrected or span.name),
            rival=self._chooser.larger_namesake(choices),
            notes=notes,
        )

    def _with_given_place(self, id: int) -> Interpretation:
        """The place the caller names; the words are what the text has besides any place in it."""
        place = self._chooser.place(id)
        if place is None:
            raise UnknownPlaceError(f"id:{id}")
        read = QueryReader(_as_text(self._question), self._chooser, self._streets).read()
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
            alternatives=self._chooser.alternatives([chosen, *rest], read.name),
        )

    def _at_coordinates(self, found: re.Match[str]) -> Interpretation:
        point = Point(float(found["latitude"]), float(found["longitude"]))
        words = self._words(f"{_without_preposition(found['before'])} {found['after']}")
        name = f"{found['latitude']}, {found['longitude']}"
        return Interpretation(words, Relation.NEAR, None, name, name, point=point, is_explicit=True)

    def _without_place(self) -> Interpretation:
        """Only words; with the user's own place if that was given."""
        if "nearest" in self._asked.kinds:
            return self._at_user((0, 0))
        words, near = self._words(self._question.text), self._question.near
        if near is None or self._question.place_id == WORDS_ONLY:
            return Interpretation(words)
        name = f"{near.latitude:.4f}, {near.longitude:.4f}"
        return Interpretation(words, Relation.NEAR, None, name, "", point=near, is_explicit=True)

    def _words_around(self, start: int, end: int) -> tuple[str, ...]:
        """The words before some tokens, without a preposition, and behind them."""
        before = _without_preposition(" ".join(self._tokens[:start]))
        return self._words(f"{before} {' '.join(self._tokens[end:])}")

    def _words(self, text: str) -> tuple[str, ...]:
        words = list(dict.fromkeys(self._chooser.index.words_of(text)))
        small, prepositions = stop_words(), single_prepositions()
        kept = (word for word in words if word not in small and word not in prepositions)
        return tuple(kept) or tuple(words)

    def _says_nothing(self, text: str) -> bool:
        """Whether all that stands beside a place are small words: "Paris ist auch schön"."""
        known = stop_words() | single_prepositions()
        return all(word in known for word in self._chooser.index.words_of(text))

    def _label(self, place: Place) -> str:
        return self._chooser.gazetteer.label(place)


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
