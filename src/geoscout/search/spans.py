"""Finds which part of a query is a place: `SpanFinder.find` names the ways in their order.

A postal code is one of the countries that the index has the most pages of, so that the number of a
bus line or a year is hardly taken for one.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from geoscout.search.base import Relation
from geoscout.search.places import PlaceChoice, PlaceChooser
from geoscout.search.query_words import (
    articles,
    find_prepositions,
    joined_articles,
    stop_words,
)
from geoscout_places.gazetteer.names import fold
from geoscout_places.geo.address.english_streets import ENGLISH
from geoscout_places.model import NameRole, Postcode
from geoscout_places.toponyms.words import is_known_word

_LONGEST_NAME = 7  # tokens: "Santiago de Compostela , A Coruña , Spain" has that many
_RARE = 2  # pages; a word of more is taken as it is written
_SHORTEST_TYPO = 4  # letters
# What the names of sports clubs begin with, and a town follows that is not meant: "fc bayern".
_ELIDED = re.compile(r"^[dl]['’](?=\w)", re.IGNORECASE)  # "d'Alsace"
_CLUBS = frozenset("fc sc sv tsv tus vfb vfl fsv afc ac cf cd rc sk bc hc ec".split())


@dataclass(frozen=True, slots=True)
class PlaceSpan:
    """A part of the query that is a place."""

    start: int  # tokens, with the preposition
    end: int
    name: str
    relation: Relation
    is_explicit: bool
    choices: Sequence[PlaceChoice]
    corrected: str = ""


class SpanFinder:
    """Looks for a place in the tokens of one query."""

    def __init__(
        self, tokens: Sequence[str], chooser: PlaceChooser, written: Sequence[str] = ()
    ) -> None:
        """`written` are all tokens of the query, with those that ask for facts."""
        self._tokens, self._written = tokens, written or tokens
        self._folded = [fold(token) for token in tokens]
        self._prepositions = find_prepositions(self._folded)
        self._chooser = chooser

    def find(self) -> PlaceSpan | None:
        """The part that is a place; None when there are only words."""
        ways = (
            self._all_of_it,
            self._around_preposition,
            self._after_preposition,
            self._misspelt_after_preposition,
            self._bare,
            self._misspelt_bare,
        )
        return next((span for way in ways if (span := next(way(), None))), None)

    def _all_of_it(self) -> Iterator[PlaceSpan]:
        """A query that is a name with a preposition inside: "Landau in der Pfalz".

        Else what follows the preposition would be the place, or be taken for a misspelt one.
        """
        count = len(self._tokens)
        inner = [found.is_sure for at, found in self._prepositions if at > 0]
        if not inner or count > _LONGEST_NAME:
            return
        name = self._name(0, count)
        if self._chooser.gazetteer.candidates(name):
            choices = self._choose(0, count, is_explicit=False)
            is_name = bool(choices) and fold(choices[0].place.name) == fold(name)  # "Isle of Skye"
            if choices and (is_name or any(inner)) and self._chooser.is_plausible(name, choices):
                yield PlaceSpan(0, count, name, Relation.IN, is_explicit=False, choices=choices)

    def _around_preposition(self) -> Iterator[PlaceSpan]:
        """A name at the end with a preposition inside, behind words: "carnival Port of Spain"."""
        count, folded = len(self._tokens), self._folded
        inner = [at for at, _ in self._prepositions if at]
        for first in range(max(1, count - _LONGEST_NAME), max(inner, default=0)):
            if folded[first] in articles() or any(at <= first < at + 1 for at in inner):
                continue
            choices = self._choose(first, count, is_explicit=False)
            if choices and fold(choices[0].place.name) == fold(self._name(first, count)):
                yield PlaceSpan(
                    first, count, self._name(first, count), Relation.IN, is_explicit=False,
                    choices=choices,
                )  # fmt: skip

    def _after_preposition(self) -> Iterator[PlaceSpan]:
        """Names behind a sure preposition, the last preposition first, the longest name first."""
        yield from self._over_a_preposition()
        for at, first, relation in self.prepositions(is_sure=True):
            for end in self._ends(first):
                choices = self._choose(first, end, is_explicit=True)
                if choices and not self._is_word(first, end, choices):
                    name = self._name(first, end)
                    yield PlaceSpan(at, end, name, relation, is_explicit=True, choices=choices)

    def _over_a_preposition(self) -> Iterator[PlaceSpan]:
        """Names that have a preposition inside: "in Garching bei München"."""
        found = list(self.prepositions(is_sure=True))
        for at, first, relation in found:
            inner = [later for later, _, _ in found if later > first]
            for end in self._ends(first) if inner else ():
                choices = self._choose(first, end, is_explicit=True) if end > min(inner) else []
                if choices and choices[0].role != NameRole.CODE:
                    name = self._name(first, end)
                    yield PlaceSpan(at, end, name, relation, is_explicit=True, choices=choices)

    def _is_word(self, first: int, end: int, choices: Sequence[PlaceChoice]) -> bool:
        """Whether what follows a preposition is rather an ordinary word than a place."""
        if all(map(self._is_small_word, range(first, end))):
            return True
        is_after_article = self._folded[first - 1] in joined_articles()
        name = self._name(first, end)
        return self._chooser.is_word(name, choices, is_after_article=is_after_article)

    def _is_small_word(self, at: int) -> bool:
        """Whether a token is an article or the like; "OR" in capitals is a code."""
        folded = self._folded[at]
        small = folded in articles() or folded in stop_words()
        return small and not self._tokens[at].isupper()

    def _misspelt_after_preposition(self) -> Iterator[PlaceSpan]:
        for at, first, relation in self.prepositions(is_sure=True):
            for end in self._ends(first):
                if self._is_rare(first, end):
                    yield from self._corrected(at, first, end, relation)

    def _corrected(self, at: int, first: int, end: int, relation: Relation) -> Iterator[PlaceSpan]:
        is_explicit = at < first
        name = self._name(first, end)
        spelt = self._chooser.correct(name, is_explicit=is_explicit)
        if spelt and (choices := self._chooser.choose(spelt, is_explicit=True)):
            yield PlaceSpan(at, end, name, relation, is_explicit, choices=choices, corrected=spelt)

    def _bare(self) -> Iterator[PlaceSpan]:
        """Plausible names at the end, behind doubtful prepositions, at the beginning, and within.

        Within other words only a place in the region of the crawl is meant ("jazz Munich style"),
        or one that many pages are in, or what alone has a capital. "Melrose Avenue" is a street.
        """
        count = len(self._tokens)
        ends = [(at, at, count, Relation.IN) for at in range(max(0, count - _LONGEST_NAME), count)]
        doubtful = [
            (at, first, end, relation)
            for at, first, relation in self.prepositions(is_sure=False)
            for end in self._ends(first)
        ]
        beginnings = [(0, 0, end, Relation.IN) for end in self._ends(0)]
        within = [
            (first, first, end, Relation.IN)
            for first in range(1, count - 1)
            for end in self._ends(first)
            if end < count
        ]
        for spans, is_within in (((*doubtful, *ends, *beginnings), False), (within, True)):
            for at, first, end, relation in spans:
                if first and self._folded[first - 1] in _CLUBS:
                    continue
                if end < count and self._folded[end] in ENGLISH.street_types:
                    continue
                choices = self._choose(first, end, is_explicit=False)
                name = self._name(first, end)
                is_marked = bool(choices) and self._is_marked(first, end)
                if is_within and not (is_marked or self._chooser.is_covered(choices)):
                    continue
                if choices and self._chooser.is_plausible(name, choices, is_marked=is_marked):
                    yield PlaceSpan(at, end, name, relation, is_explicit=False, choices=choices)

    def _is_marked(self, first: int, end: int) -> bool:
        """Whether of all words only these are written with a capital."""
        name = self._tokens[first:end]
        if first and self._folded[first - 1] in joined_articles():  # "in der Altstadt"
            return False
        letters = [token[0] for token in self._written if token[0].isalpha() and token not in name]
        if not letters:  # "Black Forest", but not "Essen"
            return len(name) > 1 and all(token[0].isupper() for token in name)
        return name[0][0].isupper() and all(map(str.islower, letters))

    def _misspelt_bare(self) -> Iterator[PlaceSpan]:
        count = len(self._tokens)
        for first, end in ((count - 2, count), (count - 1, count), (0, 2), (0, 1)):
            if 0 <= first < end <= count and self._is_rare(first, end):
                yield from self._corrected(first, first, end, Relation.IN)

    def prepositions(self, *, is_sure: bool) -> Iterator[tuple[int, int, Relation]]:
        """Where a preposition stands, where its name begins, and what it means; the last first."""
        for at, found in reversed(self._prepositions):
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
        text = _ELIDED.sub("", " ".join(self._tokens[first:end]))
        return text.replace(" ,", ",").replace(" ;", ",").strip(" ,;?!.")

    def _choose(self, first: int, end: int, *, is_explicit: bool) -> list[PlaceChoice]:
        name = self._name(first, end)
        return self._chooser.choose(name, is_explicit=is_explicit) if name else []

    def _is_rare(self, first: int, end: int) -> bool:
        """Whether the words hardly occur in the index, as misspelt ones do."""
        words = self._chooser.index.words_of(self._name(first, end).partition(",")[0])
        long_enough = sum(map(len, words)) >= _SHORTEST_TYPO
        pages = [self._chooser.index.pages_with(word) for word in words]
        if all(map(is_known_word, words)) and self._tokens[first].islower():
            return False  # "im backofen"
        return bool(words) and long_enough and min(pages) <= _RARE


_MOST_TOKENS = 2  # "SW1A 1AA", "1012 AB"
_LONGEST_IN_TWO = 8  # characters of a code with a blank; "94558 winery" has a word behind it
_LEAST_LETTERS = 4
_YEAR = re.compile(r"(?:19|20)\d\d")
_LONGEST_TOWN = 3  # tokens behind the code: "80331 München"


@dataclass(frozen=True, slots=True)
class PostcodeSpan:
    """A part of the query that is a postal code, with its town if that follows."""

    start: int  # tokens
    end: int
    postcode: Postcode


def find_postcode(tokens: Sequence[str], chooser: PlaceChooser) -> PostcodeSpan | None:
    """The first postal code of a query; None when it has none."""
    for start, end, code in _candidates(tokens):
        for country in chooser.countries():
            if found := chooser.gazetteer.postcodes(country, code):
                return PostcodeSpan(start, _behind_town(tokens, end, found[0], chooser), found[0])
    return None


def _candidates(tokens: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    has_digit = [any(map(str.isdigit, token)) for token in tokens]
    for start in range(len(tokens)):
        if not any(has_digit[start : start + _MOST_TOKENS]):
            continue
        for end in range(min(start + _MOST_TOKENS, len(tokens)), start, -1):
            code = " ".join(tokens[start:end]).upper()
            if _may_be_code(code) and not (" " in code and len(code) > _LONGEST_IN_TWO):
                yield start, end, code


def _may_be_code(code: str) -> bool:
    letters = code.replace(" ", "").replace("-", "")
    return (
        len(letters) >= _LEAST_LETTERS
        and letters.isalnum()
        and any(letter.isdigit() for letter in letters)
        and not _YEAR.fullmatch(code)
    )


def _behind_town(tokens: Sequence[str], end: int, postcode: Postcode, chooser: PlaceChooser) -> int:
    """Where the name of the code's own town ends that follows it; else the end of the code."""
    for last in range(min(end + _LONGEST_TOWN, len(tokens)), end, -1):
        name = " ".join(tokens[end:last]).strip(" ,;")
        choices = chooser.choose(name, is_explicit=True) if name else []
        if any(choice.place.id == postcode.place_id for choice in choices):
            return last
    return end
