"""Queries by rule from what is true of pages: every way to name a place, and what each means.

Each takes a page that is about a city and a word of that page's topic, so that there is always an
answer. A bare name that several cities have means the one that pages of the web
are about, however large the others are; of several in the web the one with the most people and the
most pages. Where these are two, nobody can say which is meant, and the name is asked for with a
qualifier only.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice

from benchmarks.search_parts.truth import TruePage
from geoscout_lab.worlds.synthetic.profile import language_of
from geoscout_places.gazetteer import Gazetteer
from geoscout_places.gazetteer.names import fold
from geoscout_places.model import Kind, Place

_COUNTRY_OF = {"de": "DE", "en": "US", "fr": "FR"}
_NEAR = {"de": "in der Nähe von", "en": "near", "fr": "près de"}
_IN = {"de": "in", "en": "in", "fr": "à"}
_ROUNDS = 50  # in which a kind of query may find its cities
_LEAST_LETTERS = 6  # of a name that is misspelt


@dataclass(frozen=True)
class Query:
    """A query with its right interpretation."""

    kind: str
    text: str
    words: tuple[str, ...]
    relation: str
    place: Place | None


class QueryMaker:
    """Makes queries about the pages of one web."""

    def __init__(
        self,
        pages: list[TruePage],
        gazetteer: Gazetteer,
        seed: int,
        words_of: Callable[[TruePage], list[str]] | None = None,
    ) -> None:
        """`words_of` gives the words of a page to ask for; None: the nouns of its topic."""
        self._gazetteer = gazetteer
        self._chance = random.Random(seed)
        self._words_of = words_of or topic_words
        self._pages = [page for page in pages if page.city and self._words_of(page)]
        self._names: dict[str, dict[int, Place]] = defaultdict(dict)
        self._page_counts: Counter[int] = Counter()
        for page in self._pages:
            if page.city:
                self._names[fold(page.city.name)][page.city.id] = page.city
                self._page_counts[page.city.id] += 1

    def make(self, each: int) -> list[Query]:
        """Queries of every kind, `each` of them; fewer of one that the pages give no more of."""
        kinds: dict[str, Callable[[], Iterator[Query]]] = {
            "in a city": self._in_city,
            "bare name": self._bare,
            "ambiguous name": self._ambiguous,
            "qualified name": self._qualified,
            "nested place": self._nested,
            "near a city": self._near,
            "misspelt": self._misspelt,
            "no place": self._no_place,
        }
        made: list[Query] = []
        for make in kinds.values():
            made += islice(_distinct(make()), each)
        return made

    def _draw(self) -> Iterator[tuple[TruePage, str, Place]]:
        """A page, one of its words and its city; every city once, then again, some times."""
        by_city: dict[int, list[TruePage]] = defaultdict(list)
        for page in self._pages:
            by_city[page.city.id if page.city else 0].append(page)
        for _ in range(_ROUNDS):
            ids = sorted(by_city)
            self._chance.shuffle(ids)
            for id in ids:
                page = self._chance.choice(by_city[id])
                if page.city:
                    yield page, self._chance.choice(self._words_of(page)), page.city

    def _draw_clear(self) -> Iterator[tuple[TruePage, str, Place]]:
        """The same for cities whose bare name can only mean them."""
        for page, word, city in self._draw():
            if self._is_clear(city):
                yield page, word, city

    def _in_city(self) -> Iterator[Query]:
        for page, word, city in self._draw_clear():
            text = f"{word} {_IN[page.language]} {city.name}"
            yield Query("in a city", text, (word,), "in", city)

    def _bare(self) -> Iterator[Query]:
        for number, (_, word, city) in enumerate(self._draw_clear()):
            text = f"{city.name} {word}" if number % 2 else f"{word} {city.name.lower()}"
            yield Query("bare name", text, (word,), "in", city)

    def _ambiguous(self) -> Iterator[Query]:
        """Names that several cities of the web have, or a larger one elsewhere."""
        for page, word, city in self._draw_clear():
            cities = [c for c in self._gazetteer.candidates(city.name) if c.place.kind is Kind.CITY]
            shared = len(self._names[fold(city.name)]) > 1
            if shared or (len(cities) > 1 and cities[0].place.id != city.id):
                text = f"{word} {_IN[page.language]} {city.name}"
                yield Query("ambiguous name", text, (word,), "in", city)

    def _qualified(self) -> Iterator[Query]:
        for page, word, city in self._draw():
            above = [p for p in self._gazetteer.ancestors(city) if _is_qualifier(p, city)]
            if above:
                qualifier = self._chance.choice(above).name
                if len(self._bearers(city, qualifier)) == 1:
                    text = f"{word} {_IN[page.language]} {city.name}, {qualifier}"
                    yield Query("qualified name", text, (word,), "in", city)

    def _nested(self) -> Iterator[Query]:
        for page, word, city in self._draw():
            above = [p for p in self._gazetteer.ancestors(city) if _is_qualifier(p, city)]
            if above:
                place = self._chance.choice(above)
                text = f"{word} {'en' if page.language == 'fr' else 'in'} {place.name}"
                yield Query("nested place", text, (word,), "in", place)

    def _near(self) -> Iterator[Query]:
        for page, word, city in self._draw_clear():
            text = f"{word} {_NEAR[page.language]} {city.name}"
            yield Query("near a city", text, (word,), "near", city)

    def _misspelt(self) -> Iterator[Query]:
        for _, word, city in self._draw_clear():
            spelt = _misspell(city.name, self._chance)
            if len(city.name) >= _LEAST_LETTERS and not self._gazetteer.search(spelt):
                text = f"{word} in {spelt}"
                yield Query("misspelt", text, (word,), "in", city)

    def _no_place(self) -> Iterator[Query]:
        for page, word, _ in self._draw():
            others = [other for other in self._words_of(page) if other != word]
            if others:
                words = (word, self._chance.choice(others))
                yield Query("no place", " ".join(words), words, "", None)

    def _is_clear(self, city: Place) -> bool:
        """Whether a bare name means this city, by people and by pages."""
        bearers = self._names[fold(city.name)]
        people = max(bearers.values(), key=lambda place: place.population)
        pages = max(bearers, key=lambda id: (self._page_counts[id], id == city.id))
        return people.id == pages == city.id

    def _bearers(self, city: Place, qualifier: str) -> set[int]:
        """The web's cities that the qualified name may mean."""
        found = self._gazetteer.search(f"{city.name}, {qualifier}")
        return {c.place.id for c in found} & set(self._names[fold(city.name)])


def _distinct(queries: Iterator[Query]) -> Iterator[Query]:
    """Each text once: a web with one ambiguous town would have few else, many times."""
    asked: set[str] = set()
    for query in queries:
        if query.text not in asked:
            asked.add(query.text)
            yield query


def topic_words(page: TruePage) -> list[str]:
    """Nouns of the page's topic that stand in it, as the index has them."""
    nouns = language_of(_COUNTRY_OF[page.language]).topics[page.topic]
    plain = [noun.lower() for noun in nouns if noun.isascii() and noun.isalpha()]
    return [noun for noun in plain if noun in page.words]


def _is_qualifier(place: Place, city: Place) -> bool:
    return place.kind in (Kind.REGION, Kind.COUNTRY) and fold(place.name) != fold(city.name)


def _misspell(name: str, chance: random.Random) -> str:
    """One letter left out, doubled, or swapped with the next; never the first."""
    at = chance.randrange(1, len(name) - 2) if len(name) > _LEAST_LETTERS - 1 else 1
    return chance.choice(
        [
            name[:at] + name[at + 1 :],
            name[:at] + name[at] + name[at:],
            name[:at] + name[at + 1] + name[at] + name[at + 2 :],
        ]
    )
