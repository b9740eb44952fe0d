"""The words of a query: small ones before places, misspelt ones, and the language they are in.

What follows a sure preposition is a place. A doubtful one ("a", "en", "by") also begins other
things, so that what follows must look like a place by itself. A word that no page has is corrected:
"muesum" where pages have "museum".

"Biergarten" is on German and French pages, but a French one is rarely what is meant. No list of
words tells that; the pages do. By Bayes' rule: how many pages there are in a language, times, for
every word of the query, the share of them that have it. So "Munich" speaks for English and
"München" for German, without anybody having written that down.

A page about Sicily need not say that it is an island; GeoWordNet does. So a word that names a kind
of place is also met by pages about places of that kind. That counts where the words of a query are
nothing but such a kind, and where few pages have all words; in other queries words such as "port"
mostly mean something else.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache, reduce

from geoscout.index.base import Index, PageFilters, Wanted, Word
from geoscout.index.schema import inflections
from geoscout.search.base import Interpretation, Relation
from geoscout_places.caches import BoundedCache
from geoscout_places.gazetteer.names import fold
from geoscout_places.gazetteer.wordnet import GeoWordNet, PlaceClass, load_geowordnet
from geoscout_places.language import Language, merge
from geoscout_places.toponyms.words import is_known_word

TOKEN = re.compile(r"[^\s,;]+|[,;]")


@dataclass(frozen=True, slots=True)
class Preposition:
    """What a preposition says of the place behind it."""

    words: tuple[str, ...]  # folded
    relation: Relation
    is_sure: bool


@cache
def articles() -> frozenset[str]:
    """What may stand between a preposition and a place, folded."""
    return _folded(lambda language: language.query.articles)


@cache
def stop_words() -> frozenset[str]:
    """Words that say nothing next to others, folded.

    BM25 would weigh them little, but all words are demanded.
    """
    return _folded(lambda language: language.query.stop_words)


@cache
def single_prepositions() -> frozenset[str]:
    """Sure prepositions of one word: they say nothing where no place follows."""
    return frozenset(p.words[0] for p in _prepositions() if p.is_sure and len(p.words) == 1)


def is_small_word(word: str) -> bool:
    """Whether a word says nothing next to others, but is no article or preposition."""
    return word in stop_words() and word not in articles() and word not in single_prepositions()


@cache
def joined_articles() -> frozenset[str]:
    """Articles, and prepositions joined with one ("im"), folded: a noun follows, never a town."""
    return articles() | _folded(lambda language: language.names.articles)


@cache
def _here_phrases(at: int) -> dict[str, tuple[tuple[str, ...], ...]]:
    """The phrases that say "here" by the first (0) or last (-1) of their words, longest first."""
    phrases = merge(lambda language: language.query.here)
    found = {tuple(fold(word) for word in phrase.split()) for phrase in phrases}
    table: dict[str, tuple[tuple[str, ...], ...]] = {}
    for words in sorted(found, key=lambda words: (-len(words), words)):
        table[words[at]] = (*table.get(words[at], ()), words)
    return table


def find_here(folded: Sequence[str]) -> tuple[int, int] | None:
    """Where a query speaks of the place of its user, as positions of words.

    At the end, or elsewhere if it is more than a preposition ("nearby Ulm") and, within, a phrase.

    >>> find_here("coffee near me".split()), find_here("near me coffee".split())
    ((1, 3), (0, 2))
    >>> find_here("cafe in der nahe".split()), find_here("cafe in der nahe von ulm".split())
    ((1, 4), None)
    """
    if not folded:
        return None
    words = tuple(folded)
    for phrase in _here_phrases(-1).get(words[-1], ()):
        if words[-len(phrase) :] == phrase:
            return len(words) - len(phrase), len(words)
    for at, word in enumerate(words):
        for phrase in _here_phrases(0).get(word, ()):
            preposition = _match(words, at)
            longer = len(phrase) > max(at > 0, len(preposition.words) if preposition else 0)
            if longer and words[at : at + len(phrase)] == phrase:
                return at, at + len(phrase)
    return None


def _folded(choose: Callable[[Language], Iterable[str]]) -> frozenset[str]:
    return frozenset(fold(word) for word in merge(choose))


@cache
def _by_first_word() -> dict[str, list[Preposition]]:
    table: dict[str, list[Preposition]] = {}
    for preposition in _prepositions():
        table.setdefault(preposition.words[0], []).append(preposition)
    for found in table.values():
        found.sort(key=lambda preposition: -len(preposition.words))
    return table


def _prepositions() -> Iterator[Preposition]:
    lists = (
        (merge(lambda language: language.query.sure_in), Relation.IN, True),
        (merge(lambda language: language.query.doubtful_in), Relation.IN, False),
        (merge(lambda language: language.query.sure_near), Relation.NEAR, True),
        (merge(lambda language: language.query.doubtful_near), Relation.NEAR, False),
    )
    for texts, relation, is_sure in lists:
        for text in texts:
            yield Preposition(tuple(fold(word) for word in text.split()), relation, is_sure)


def find_prepositions(folded: Sequence[str]) -> list[tuple[int, Preposition]]:
    """The prepositions of a query's folded words with their positions; none inside another.

    >>> [(at, " ".join(p.words)) for at, p in find_prepositions("cafe in der nahe von ulm".split())]
    [(1, 'in der nahe von')]
    """
    found: list[tuple[int, Preposition]] = []
    at = 0
    while at < len(folded):
        preposition = _match(folded, at)
        if preposition is not None:
            found.append((at, preposition))
        at += len(preposition.words) if preposition else 1
    return found


def _match(folded: Sequence[str], start: int) -> Preposition | None:
    """The longest preposition that stands at a position."""
    for preposition in _by_first_word().get(folded[start], ()):
        if tuple(folded[start : start + len(preposition.words)]) == preposition.words:
            return preposition
    return None


_SHORTEST = 6  # letters of a word that is corrected: shorter ones have too many neighbours
# A word is corrected to one that this many pages have. Rarer ones are other words that happen to be
# spelt alike: "schlafen" is not "schlagen".
_LEAST_PAGES, _LEAST_SHARE = 3, 0.01


# Calls the sorts of things that words name by their other names: the positions of the words, and
# the names, in all languages. Two words may name one together.
SortNames = Callable[[Sequence[str]], Iterable[tuple[range, Sequence[str]]]]
_MOST_OTHERS = 8  # other names of one sort of thing
_BY_CHANCE = 2  # pages that have several words, and not together
_MOST_SHARE = 0.3  # of the pages: a word of more stands in menus
_SHORTEST_OTHER = 5  # letters: shorter ones are words of other languages, too


class OtherWords:
    """The words of a query, and what pages call the sorts of things that some of them name.

    Only where pages of the usual language lack the words: of a lawyer German pages say Anwalt.
    """

    def __init__(self, words: Sequence[str], names_of: SortNames, index: Index) -> None:
        self._words, self._index = words, index
        self._names = {
            at: found
            for at, names in names_of(words)
            if self._are_foreign(at) and (found := self._occurring(names))
        }
        self.named = frozenset(words[n] for at in self._names for n in at)

    def as_wanted(self) -> tuple[Word, ...]:
        """What pages must have; several words that name one thing are met as one."""
        first = {at[0]: at for at in self._names}
        inner = {n for at in self._names for n in at[1:]}
        found = []
        for n, word in enumerate(self._words):
            if n in first:
                own = min((self._words[m] for m in first[n]), key=self._index.pages_with)
                found.append((*self._index.with_forms(own), *self._names[first[n]]))
            elif n not in inner:
                found.append(self._index.with_forms(word))
        return tuple(found) if self._names else ()

    def _are_foreign(self, at: range) -> bool:
        """Whether no page of the usual language has the word: it calls that otherwise.

        Several words stand on pages by chance.
        """
        pages = self._index.languages()
        usual = PageFilters(language=max(pages, key=pages.__getitem__, default=""))
        words = tuple(self._index.with_forms(self._words[n]) for n in at)
        by_chance = _BY_CHANCE if len(words) > 1 else 0
        return self._index.count(Wanted(words=words, filters=usual)) <= by_chance

    def _occurring(self, names: Iterable[str]) -> tuple[str, ...]:
        """The names of one word that pages have, those on the most pages first."""
        found = (self._index.words_of(name) for name in names)
        words = {word for word, *more in found if not more and len(word) >= _SHORTEST_OTHER}
        pages = {word: self._index.pages_with(word) for word in words.difference(self._words)}
        most = _MOST_SHARE * self._index.page_count
        told = sorted((w for w in pages if 0 < pages[w] <= most), key=lambda w: (-pages[w], w))
        return tuple(told[:_MOST_OTHERS])


def correct_words(
    interpretation: Interpretation, index: Index, named: Collection[str] = ()
) -> Interpretation:
    """The interpretation with words that occur, and a note for each that was corrected or left out.

    All words are demanded: with one that no page has, pages with any of the others would do.
    `named` are words of sorts of things that pages call otherwise.
    """
    spelt = {w: w if w in named else _corrected(w, index) for w in interpretation.words}
    changed = tuple((word, other) for word, other in spelt.items() if word != other)
    kept = [w for w in dict.fromkeys(spelt.values()) if w in named or _occurs(w, index)]
    if not kept or find_kind(interpretation.words):  # a page need not say that Sicily is an island
        kept = list(dict.fromkeys(spelt.values()))
    missing = tuple(word for word in spelt.values() if word not in kept)
    if not changed and not missing:
        return interpretation
    notes = [f"no page has {word!r}; searched for {other!r}" for word, other in changed]
    notes += [f"no page has {word!r}; searched for the rest" for word in missing]
    return replace(
        interpretation,
        words=tuple(kept),
        missing=missing,
        notes=(*interpretation.notes, *notes),
    )


def _occurs(word: str, index: Index) -> bool:
    return any(map(index.pages_with, index.with_forms(word)))


def _corrected(word: str, index: Index) -> str:
    is_long = len(word) >= _SHORTEST and word.isalpha()
    if not is_long or _occurs(word, index):
        return word
    if stem := next((stem for stem in index.stems_of(word) if _occurs(stem, index)), ""):
        return stem
    if is_known_word(word):
        return word
    other = index.spelt_like(word)
    is_usual = other and index.pages_with(other) >= max(
        _LEAST_PAGES, _LEAST_SHARE * index.page_count
    )
    return other if is_usual else word


_LEAST_OF_LANGUAGE = 0.01  # of the pages that a language must have to be thought of
_MOST_PAGES = 50_000  # with a word that is looked at: more say little, and take milliseconds
_USUAL_PAGES = 20  # with the share of all languages, that are added to those of each language
_WORDS_REMEMBERED = 5000


class QueryLanguages:
    """Tells the languages of queries to one commit of an index."""

    def __init__(self, index: Index) -> None:
        pages = index.languages()
        least = max(1.0, _LEAST_OF_LANGUAGE * sum(pages.values()))
        self._index = index
        self._pages = {code: n for code, n in pages.items() if code and n >= least}
        self._profiles = BoundedCache(self._profile, _WORDS_REMEMBERED)

    def of_words(self, words: Iterable[str]) -> Mapping[str, float]:
        """How likely each language is, next to the likeliest; empty where there is one at most."""
        if len(self._pages) < 2:
            return {}
        start = {code: float(pages) for code, pages in self._pages.items()}
        weights = reduce(_times, (self._profiles[word] for word in words), start)
        best = max(weights.values())
        return {code: weight / best for code, weight in weights.items()}

    def _profile(self, word: str) -> Mapping[str, float]:
        """The share of the pages of each language that have a word; empty where it says nothing."""
        if not 0 < self._index.pages_with(word) <= _MOST_PAGES:
            return {}
        counts = self._index.languages_with(word)
        # Three of five French pages tell little: a language with few pages is taken as usual.
        usual = _USUAL_PAGES * sum(counts.values()) / self._index.page_count
        return {
            code: (counts.get(code, 0) + usual) / (pages + _USUAL_PAGES)
            for code, pages in self._pages.items()
        }


def _times(weights: dict[str, float], profile: Mapping[str, float]) -> dict[str, float]:
    if not profile:
        return weights
    found = {code: weight * profile[code] for code, weight in weights.items()}
    best = max(found.values())  # of long queries nothing would be left
    return {code: weight / best for code, weight in found.items()}


# Places that a kind must have. With fewer nothing is gained; with more, as "city", it is nearly
# every place.
_FEWEST, _MOST = 5, 300
_MOST_NAMES = 40  # that are looked for in one query
_LONGEST = 3  # words of a kind: "body of water"

# The names that `kinds_by_name` gives. A query with none of them need not wait for GeoWordNet.
_NAMES = """
    aegean island, african country, american state, archipelago, asian country,
    australian state, bay, borough, bridge, canadian province, canal, cantilever bridge, cape,
    capital, central american country, channel, city district, colony, continent, country,
    county, desert, empire, european country, french region, gulf, hill, island, isthmus,
    italian region, lake, mountain peak, national capital, national park, ocean, park, peak,
    peninsula, port, port of entry, possession, promontory, provincial capital, range, region,
    river, sea, seashore, south american country, state, state capital, strait, street,
    suspension bridge, tableland, town, university, valley, village, volcano, waterfall
"""
KIND_NAMES = frozenset(name.strip() for name in " ".join(_NAMES.split()).split(","))


@dataclass(frozen=True, slots=True)
class PlaceKind:
    """A kind of place that words of a query name."""

    name: str  # "island"
    offsets: tuple[int, ...]  # of the classes of GeoWordNet with this name
    rest: tuple[int, ...]  # positions of the query's other words

    @property
    def is_all(self) -> bool:
        """Whether the query has no other words."""
        return not self.rest


def find_kind(words: Sequence[str]) -> PlaceKind | None:
    """The kind of place that some of the words name, the longest name first; None for none."""
    for length in range(min(_LONGEST, len(words)), 0, -1):
        for start in range(len(words) - length + 1):
            named = words[start : start + length]
            for name in _forms(named):
                if name in KIND_NAMES and (offsets := kinds_by_name().get(name)):
                    taken = range(start, start + length)
                    rest = tuple(n for n in range(len(words)) if n not in taken)
                    return PlaceKind(name, offsets, rest)
    return None


def _forms(words: Sequence[str]) -> Iterator[str]:
    """The words as one name, with the last in other forms: "national capitals"."""
    before = words[:-1]
    for last in (words[-1], *inflections(words[-1])):
        yield " ".join((*before, last))


@lru_cache(maxsize=1)
def kinds_by_name() -> dict[str, tuple[int, ...]]:
    """The kinds one can ask for by their folded names, with the offsets of their classes."""
    wordnet = load_geowordnet()
    places = wordnet.synsets.values()
    all_of = Counter(kind.offset for synset in places for kind in wordnet.kinds(synset))
    called = Counter(offset for synset in places for offset in synset.classes)
    usual = {offset for offset, times in called.items() if times >= _FEWEST}
    usual |= {wide for offset in usual for wide in _heads(wordnet.classes[offset], wordnet)}
    found: dict[str, list[int]] = defaultdict(list)
    for offset in usual:
        if _FEWEST <= all_of[offset] <= _MOST:
            found[fold(wordnet.classes[offset].words[0])].append(offset)
    return {name: tuple(sorted(offsets)) for name, offsets in found.items()}


def _heads(kind: PlaceClass, wordnet: GeoWordNet) -> Iterator[int]:
    """The wider kinds that a kind has in its name: a national capital is called a capital.

    It is a seat and a center too, but nobody calls it so.
    """
    for offset in kind.hypernyms:
        wider = wordnet.classes.get(offset)
        if wider and kind.words[0].endswith(f" {wider.words[0]}"):
            yield offset


def names_of_kind(kind: PlaceKind, place_id: int) -> list[str]:
    """The names of what is of a kind and part of a place, and is not in the gazetteer.

    Few lakes, rivers and mountains are; pages are found by their names then.
    """
    wordnet = load_geowordnet()
    found = [
        synset
        for synset in wordnet.synsets.values()
        if synset.place_id is None
        and any(known.offset in kind.offsets for known in wordnet.kinds(synset))
        and any(whole.place_id == place_id for whole in wordnet.wholes(synset))
    ]
    return [name for synset in found for name in synset.words][:_MOST_NAMES]


def is_of_kind(place_id: int, kind: PlaceKind) -> bool:
    """Whether a place of the gazetteer is of a kind."""
    wordnet = load_geowordnet()
    return any(
        known.offset in kind.offsets
        for synset in wordnet.of_place(place_id)
        for known in wordnet.kinds(synset)
    )
