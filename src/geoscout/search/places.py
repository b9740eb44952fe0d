"""Which place a name in a query means.

Four things speak for a place: how many people live there (as the gazetteer orders names), how many
pages of the index belong to it, whether it is in the region of the crawl, and how near it is to the
user. They are added as powers of ten, so that a hundred times the pages outweigh a hundred times
the people.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import partial
from math import exp, log10
from typing import TypeVar

from geoscout.index.base import Index, PlaceField, Wanted, Where, Word
from geoscout.index.places import PlaceNames, PlaceTable, SynsetPlaces
from geoscout.search.base import Alternative
from geoscout.search.home import PEOPLE_OF_QUARTER, HomeRegion
from geoscout.search.query_words import find_kind
from geoscout_places.errors import UnknownPlaceError
from geoscout_places.gazetteer.areas.region import Region
from geoscout_places.gazetteer.areas.sphere import distance_km
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.gazetteer.names import fold
from geoscout_places.gazetteer.tables import importance
from geoscout_places.model import Candidate, Kind, NameRole, Place, Point
from geoscout_places.toponyms import are_nested, qualified_bearers, region_among
from geoscout_places.toponyms.words import (
    BARE_EXCESS,
    EXPLICIT_EXCESS,
    is_everyday_word,
    is_german_noun,
    is_well_known,
    word_excess,
)

Kept = TypeVar("Kept")
_NO_PAGES = 0.001  # counts as this many: three powers of ten behind a place with one page
_MENTION = 0.1  # what a page counts that names a place and has no address there
_ALIAS = 2.0  # powers of ten that a place is behind which is known by this name among others
_ALIAS_UNSEEN = 0.9  # less where no bearer has a page: then the gazetteer's order decides
_NEARNESS = 10.0  # what standing in the place itself is worth: more than any pages
_NEARNESS_KM = 200.0  # at which a third of that is left
_SAME_LANGUAGE = 0.6  # powers of ten for being where the language of the query is spoken
_CLOSE = 1.0  # powers of ten between namesakes that the words of the question may decide
_MOST_ALTERNATIVES = 6
_FAR_LARGER = 10  # times the people: such a namesake is worth a hit, whatever pages there are
_FAR_LARGER_THAN_HOME = 20  # the same next to a place in the region of the crawl
_CANDIDATES_COUNTED = 30
_NAMES_REMEMBERED = 5000
# The share of the pages with a word that must be at its place for a bare word to be a name: of a
# large city, and of a village. Villages bear the names of things ("Kirchen", "Berge", "Biere"),
# and where a text has the thing, some of its pages are taken for the village.
_NATURAL = frozenset({Kind.AREA, Kind.WATER, Kind.LANDMARK})
_LARGE, _LARGE_SHARE = 100_000, 0.15
_SMALL, _SMALL_SHARE = 10_000, 0.5
_CAPITALISED = 1 / 3  # of that share is enough for a word with a capital
_VERY_LARGE = 300_000  # people of a city that is meant by its name, unless that is a word
_LEAST_PEOPLE = 1000  # of a place that the index has no page of
_FEW = 5  # pages with a word
_COVERED = 10  # pages that have an address in a place
_SUPPORTED_SHARE = 0.1  # of the pages with an ordinary word are about the town of that name
_KNOWN_BY_TWO_WORDS = 50_000  # people of a "Union City": both words are ordinary, hardly the two
_GERMAN_SPEAKING = ("DE", "AT", "CH")
_SPOKEN = 0.05  # of the pages are in a country whose language queries may be in
_EVERYDAY_EXCESS = 2.0  # from which the name of a river or region is a word of every day
_COUNTRIES = 3  # whose postal codes are known in a query
_LONGEST_CODE = 2  # letters; "in OR", but not "OR" alone
_TYPO_SIMILARITY = 0.75  # one keystroke in four letters, two in eight


@dataclass(frozen=True, slots=True)
class PlaceChoice:
    """A place a name may mean."""

    place: Place
    score: float  # in powers of ten
    pages: int
    role: NameRole = NameRole.NAME  # of the name it was found by


class NameMemory:
    """What names meant to earlier questions, for one commit of an index.

    Only for questions that say neither where the user is nor where the place must be. A town is
    asked for again and again, with other words each time, and choosing it takes as long as ranking.
    """

    def __init__(self) -> None:
        self.choices: dict[Hashable, list[PlaceChoice]] = {}
        self.words: dict[Hashable, bool] = {}

    def keep(self, known: dict[Hashable, Kept], key: Hashable, find: Callable[[], Kept]) -> Kept:
        """What is known under a key, found where it is not; too much is forgotten."""
        if key not in known:
            found = find()
            if len(known) >= _NAMES_REMEMBERED:
                known.clear()
            known[key] = found
        return known[key]


@dataclass(frozen=True, slots=True)
class PlaceChooser:
    """Chooses among the places of a name for one question."""

    gazetteer: Gazetteer
    index: Index
    table: Callable[[], PlaceTable]  # the places the index has; only asked for when they matter
    own: Point | None = None  # where the user is
    region: Region | None = None  # the place must be in it
    synsets: SynsetPlaces | None = None  # places that only GeoWordNet has
    memory: NameMemory | None = None  # only without `own` and `region`
    home: HomeRegion | None = None  # of the crawl: what is in it is more likely meant
    spoken: frozenset[str] = frozenset()  # countries whose language the query is in

    def countries(self) -> Sequence[str]:
        """The codes of the countries that the index has the most pages of."""
        return self.table().countries[:_COUNTRIES]

    def place(self, id: int) -> Place | None:
        """The place of an id."""
        return self.gazetteer.place(id) or (self.synsets.place(id) if self.synsets else None)

    def choose(self, name: str, *, is_explicit: bool) -> list[PlaceChoice]:
        """The places the name may mean, the likeliest first; empty when there is none.

        Codes ("NH") and nothing shorter than three letters count only where a place is expected.
        """
        find, memory = partial(self._choose, name, is_explicit=is_explicit), self.memory
        key = (name, is_explicit, self.spoken)
        return memory.keep(memory.choices, key, find).copy() if memory else find()

    def _choose(self, name: str, *, is_explicit: bool) -> list[PlaceChoice]:
        found = self._bearers(name, is_explicit=is_explicit)
        if self.region is not None:
            inside = [c for c in found if self.region.contains_place(c.place)]
            found = inside or found
        is_shared = sum(candidate.place.kind is Kind.CITY for candidate in found) > 1
        words = tuple((word,) for word in self.index.words_of(name.partition(",")[0]))
        found = found[:_CANDIDATES_COUNTED]
        has_pages = any(self.index.pages_at(candidate.place.id) for candidate in found)
        alias = _ALIAS if has_pages else _ALIAS_UNSEEN
        choices = [self._weigh(c, words if is_shared else (), alias) for c in found]
        return self._city_first(sorted(choices, key=lambda choice: -choice.score))

    def _city_first(self, choices: list[PlaceChoice]) -> list[PlaceChoice]:
        """The choices, but before a region its large city of the same name, if that has pages.

        A state always has more pages than its city, and yet New York is the city.
        """
        for number, choice in enumerate(choices):
            if _is_large(choice.place) and choice.role == NameRole.NAME and choice.pages and number:
                around = choices[0].place
                if around.kind is Kind.REGION and self.gazetteer.is_inside(choice.place, around):
                    return [choice, *choices[:number], *choices[number + 1 :]]
        return choices

    def _bearers(self, name: str, *, is_explicit: bool) -> list[Candidate]:
        if len(name) <= _LONGEST_CODE and not self._may_be_code(name, is_explicit=is_explicit):
            return []
        found = qualified_bearers(name, self.gazetteer, with_codes=is_explicit)
        if self.home is not None and not any(map(self._is_home, found)):
            found = [*found, *self.home.parts(name)]
        if found or self.synsets is None or not is_explicit:
            return found
        # "Iberian Peninsula" is not in the gazetteer; the index has pages of what is part of it.
        return [
            Candidate(place, importance(place.kind, 0), NameRole.NAME)
            for place in self.synsets.named(name)
            if self.index.pages_at(place.id)
        ]

    def is_at_home(self, choices: Sequence[PlaceChoice]) -> bool:
        """Whether the likeliest place of a name is in the region of the crawl."""
        return bool(choices) and self._is_home(choices[0])

    def is_covered(self, choices: Sequence[PlaceChoice]) -> bool:
        """Whether the likeliest place of a name is in the region, or many pages are there."""
        if not choices or self.is_at_home(choices):
            return bool(choices)
        return self.index.pages_addressed_at(choices[0].place.id) >= _COVERED

    def _is_home(self, candidate: Candidate | PlaceChoice) -> bool:
        return self.home is not None and self.home.region.contains_place(candidate.place)

    def _may_be_code(self, name: str, *, is_explicit: bool) -> bool:
        """Whether so few letters can be a place: "in NH", "in uk", but not "near me"."""
        return is_explicit and (name.isupper() or not is_everyday_word(name))

    def _weigh(self, candidate: Candidate, name: tuple[Word, ...], alias: float) -> PlaceChoice:
        """`name` are the words of a name that several cities have; empty where one has it."""
        place = candidate.place
        pages, sure = self.index.pages_at(place.id), self.index.pages_addressed_at(place.id)
        # What a page says of a bare name may be of another place of that name; an address hardly.
        mentions = max(pages - sure, self._pages_around(place, name) if name else 0)
        score = candidate.score + log10(sure + _MENTION * max(mentions, 0) or _NO_PAGES)
        if candidate.role == NameRole.ALIAS:
            score -= alias
        if self.home is not None and self._is_home(candidate):
            score += self.home.worth
        if place.country in self.spoken:
            score += _SAME_LANGUAGE
        if self.own is not None:
            score += _NEARNESS * exp(-distance_km(self.own, place.point) / _NEARNESS_KM)
        return PlaceChoice(place, score, pages, candidate.role)

    def _pages_around(self, place: Place, name: tuple[Word, ...]) -> int:
        """The pages with the name that belong to the region or country around a city.

        A page of a directory says "Glenwood" in a list of Iowa, and nothing else tells which one.
        """
        around = region_among(self.gazetteer.ancestors(place))
        if not around or place.kind is not Kind.CITY or not self.index.pages_at(around):
            return 0
        return self.index.count(
            Wanted(words=name, where=(Where((around,), field=PlaceField.STRONG),))
        )

    def with_words(self, choices: Sequence[PlaceChoice], words: Sequence[str]) -> list[PlaceChoice]:
        """The choices, where of namesakes that are close the one with the words comes first.

        Only of the kind of the best: a state always has more pages than its city.
        """
        best = choices[0]
        close = [c for c in choices if best.score - c.score < _CLOSE and self._rivals(c, best)]
        if len(close) < 2 or not words:
            return list(choices)
        asked = tuple(self.index.with_forms(word) for word in words)
        weights = {c.place.id: c.score + self._pages_weight(asked, c.place) for c in close}
        return self._city_first(
            sorted(choices, key=lambda choice: -weights.get(choice.place.id, choice.score))
        )

    def _rivals(self, choice: PlaceChoice, best: PlaceChoice) -> bool:
        same = choice.place.id == best.place.id
        return same or (
            choice.place.kind is best.place.kind and not self._is_around(choice.place, best.place)
        )

    def _pages_weight(self, words: tuple[Word, ...], place: Place) -> float:
        pages = self.index.count(
            Wanted(words=words, where=(Where((place.id,), field=PlaceField.STRONG),))
        )
        return log10(1 + pages)

    def is_word(self, name: str, choices: Sequence[PlaceChoice], *, is_after_article: bool) -> bool:
        """Whether a name after a preposition is rather an ordinary word: "museum bei Regen".

        A town that the index has pages of is meant all the same. `choices` are all of the name.
        """
        find = partial(self._is_word, name, choices, is_after_article=is_after_article)
        memory = self.memory
        return memory.keep(memory.words, (name, is_after_article), find) if memory else find()

    def _is_word(
        self, name: str, choices: Sequence[PlaceChoice], *, is_after_article: bool
    ) -> bool:
        best = choices[0]
        if "," in name or (is_well_known(best.place, best.role) and not is_after_article):
            return False
        least = BARE_EXCESS if is_after_article else EXPLICIT_EXCESS
        if word_excess(name, best.place, best.role) < least:
            return False
        is_marked = name[:1].isupper() and not self._may_be_noun(name)
        if is_marked and not is_after_article and best.place.population >= _SMALL:
            return False  # "in Normal": only German writes nouns so
        least = 0.0 if is_marked else _SUPPORTED_SHARE
        return self._share_at(name, choices, _sure_field(best.place)) <= least

    def _may_be_noun(self, name: str) -> bool:
        """Whether a capital letter says nothing: of German nouns, where pages may be German."""
        return is_german_noun(name) and any(
            self.table().pages_in(country) >= _SPOKEN * self.index.page_count
            for country in _GERMAN_SPEAKING
        )

    def is_plausible(
        self, name: str, choices: Sequence[PlaceChoice], *, is_marked: bool = False
    ) -> bool:
        """Whether a bare name is meant as a place, by the pages that have the word.

        "Nice hotels" is not about Nice where most pages with that word are elsewhere. `is_marked`
        if it alone is written with a capital, which counts where no page has it.
        """
        words, best = self.index.words_of(name), choices[0]
        excess = word_excess(name, best.place, best.role)
        if excess >= _EVERYDAY_EXCESS and name.islower() and best.place.kind in _NATURAL:
            return False  # "baden im see": the geoparser, too, takes the verb for the region
        if excess >= BARE_EXCESS and not (len(words) > 1 and _has_city(choices)):
            if is_marked and best.role is NameRole.NAME and not self._seen(words):
                return _is_large_enough(best.place)
            share = self._share_at(name, choices, _sure_field(best.place))
            return share > 0 and share >= _needed_share(name, choices)
        kind = find_kind(words) if name.islower() else None
        if kind and kind.is_all and not any(choice.pages for choice in choices):
            return False  # "island museum" is not about Iceland, which is called so in German
        is_usual = len(words) > 1 or best.place.population >= _VERY_LARGE
        if is_usual or (self._is_home(best) and best.place.kind not in _NATURAL):
            return True
        return self._is_usual(name, choices)

    def _is_usual(self, name: str, choices: Sequence[PlaceChoice]) -> bool:
        """Whether the pages that have a word have it for one of these places."""
        least_people = _is_large_enough(choices[0].place)
        seen = self._seen(self.index.words_of(name))
        if not seen:
            return least_people
        share = self._share_at(name, choices, PlaceField.NAMED)
        if not share:  # a few pages that do not tell do not speak against a town of the name
            return seen <= _FEW and least_people
        return share >= _needed_share(name, choices)

    def _seen(self, words: Sequence[str]) -> int:
        return self.index.count(Wanted(words=tuple((word,) for word in words)))

    def _share_at(self, name: str, choices: Sequence[PlaceChoice], field: PlaceField) -> float:
        """The share of the pages with the words of a name that are at one of its places."""
        words = tuple((word,) for word in self.index.words_of(name))
        seen = self.index.count(Wanted(words=words)) if words else 0
        where = Where(places=tuple(choice.place.id for choice in choices), field=field)
        return self.index.count(Wanted(words=words, where=(where,))) / seen if seen else 0.0

    def correct(self, name: str, *, is_explicit: bool) -> str:
        """The known name that a misspelt one most likely is; "" for none, and for a known one.

        Names of places the index has come first; of the others only where a place is expected.
        """
        if any(found.role == NameRole.NAME for found in self.gazetteer.search(name)):
            return ""
        first, comma, rest = name.partition(",")
        spelt = self.table().names().nearest(fold(first), _TYPO_SIMILARITY)
        if not spelt and is_explicit:
            spelt = self.table().names(with_others=True).nearest(fold(first), _TYPO_SIMILARITY)
        if spelt and (found := self.gazetteer.search(f"{spelt}{comma}{rest}")):
            is_word = word_excess(spelt, found[0].place, found[0].role) >= BARE_EXCESS
            # "besteigen" is rather a verb than Steigen in Norway misspelt
            return "" if is_word and not is_explicit else f"{spelt}{comma}{rest}"
        if not is_explicit:
            return ""
        try:
            self.gazetteer.find(name)
        except UnknownPlaceError as error:
            return next(filter(partial(_is_spelt_like, fold(first)), error.suggestions), "")
        return ""

    def larger_namesake(self, choices: Sequence[PlaceChoice]) -> Place | None:
        """The likeliest place of the name that only lost to one with more pages, if far larger.

        Not of a place near the user, which is meant for another reason.
        """
        chosen = choices[0]
        if self.own is not None or self.region is not None:
            return None
        least = max(_FAR_LARGER * chosen.place.population, _SMALL)
        if self._is_home(chosen):
            people = max(chosen.place.population, PEOPLE_OF_QUARTER)
            least = _FAR_LARGER_THAN_HOME * people
        larger = (
            choice.place
            for choice in choices[1:]
            if choice.pages
            and choice.role == NameRole.NAME
            and choice.place.population >= least
            and not self._is_around(choice.place, chosen.place)
        )
        return next(larger, None)

    def alternatives(self, choices: Sequence[PlaceChoice], name: str) -> tuple[Alternative, ...]:
        """What else a name may mean, and that it may not be a place at all.

        What lies around the chosen place, such as its county, comes after what is elsewhere; but a
        large city in the chosen state, or the state of a city put before it, comes first: New York.
        """
        chosen = choices[0]
        others = sorted(choices[1:], key=lambda choice: self._how_unlikely(choice, chosen))
        return (
            *(
                Alternative(
                    self._label_of(other, chosen.place, name),
                    other.place,
                    other.pages,
                    is_elsewhere=not self._is_around(other.place, chosen.place),
                )
                for other in others[:_MOST_ALTERNATIVES]
            ),
            Alternative("no place, only words", None, 0),
        )

    def _how_unlikely(self, other: PlaceChoice, chosen: PlaceChoice) -> int:
        if not self._is_around(other.place, chosen.place):
            return 1
        is_inside = _is_large(other.place) and self.gazetteer.is_inside(other.place, chosen.place)
        return 0 if is_inside or other.score > chosen.score else 2

    def _label_of(self, other: PlaceChoice, chosen: Place, name: str) -> str:
        """The name of another place, and why it is offered where it is not called as asked for."""
        label = self.label(other.place, chosen)
        is_other = other.role is NameRole.ALIAS and fold(name) not in fold(label)
        return f"{label} (also {name})" if is_other else label

    def label(self, place: Place, chosen: Place) -> str:
        """The name of a place, with its kind where it would read like that of the chosen one."""
        name = self.gazetteer.label(place)
        same = place.id != chosen.id and name == self.gazetteer.label(chosen)
        return f"{name} ({place.kind})" if same else name

    def _is_around(self, place: Place, chosen: Place) -> bool:
        return are_nested(chosen, place, self.gazetteer)


def _is_spelt_like(folded: str, suggestion: str) -> bool:
    """Whether a suggestion may be what was mistyped: not "Benld" for "Benelux"."""
    return bool(PlaceNames((fold(suggestion.partition(",")[0]),)).nearest(folded, _TYPO_SIMILARITY))


def other_bearers(place: Place, name: str, gazetteer: Gazetteer) -> tuple[int, ...]:
    """The ids of the places of this name that are elsewhere."""
    bearers = [candidate.place for candidate in gazetteer.search(name)]
    return tuple(
        bearer.id
        for bearer in bearers[:_CANDIDATES_COUNTED]
        if not are_nested(place, bearer, gazetteer)
    )


def _is_large(place: Place) -> bool:
    return place.kind is Kind.CITY and place.population >= _LARGE


def _has_city(choices: Sequence[PlaceChoice]) -> bool:
    cities = (c.place for c in choices if c.role == NameRole.NAME and c.place.kind is Kind.CITY)
    return any(city.population >= _KNOWN_BY_TWO_WORDS for city in cities)


def _sure_field(place: Place) -> PlaceField:
    """How pages must be at a place whose name is a word; nobody has an address in a river."""
    return PlaceField.NAMED if place.kind in _NATURAL else PlaceField.STRONG


def _is_large_enough(place: Place) -> bool:
    """Whether a place may be meant of which the index has no page."""
    return place.population >= _LEAST_PEOPLE or place.kind in (Kind.AREA, Kind.WATER)


def _needed_share(name: str, choices: Sequence[PlaceChoice]) -> float:
    people = max((choice.place.population for choice in choices if choice.pages), default=0)
    return _least_share(people) * (_CAPITALISED if name[:1].isupper() else 1.0)


def _least_share(population: int) -> float:
    """The share of pages that a place of this size must have of the pages with its name.

    >>> [round(_least_share(size), 3) for size in (5, 31_623, 2_000_000)]
    [0.5, 0.325, 0.15]
    """
    size = log10(min(max(population, _SMALL), _LARGE) / _SMALL) / log10(_LARGE / _SMALL)
    return _SMALL_SHARE + (_LARGE_SHARE - _SMALL_SHARE) * size
