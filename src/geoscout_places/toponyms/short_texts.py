"""Place names in short texts: URLs, anchors and the words around links.

The geoparser reads whole pages and weighs what stands around a name. Short texts have nothing
around a name, and a page has hundreds of them and a tenth of a millisecond for all. So all texts
of a page are looked through in one pass of the gazetteer's automaton, and what a name may mean is
worked out once and kept.

Names that are also ordinary words ("Reading", "Home", "Best") would make a place of every
navigation bar. They count only for places in the area that is called home, such as the region of
a crawl.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations
from typing import Protocol

from msgspec import Struct

from geoscout_places._native import kernel
from geoscout_places.caches import BoundedCache
from geoscout_places.gazetteer.automaton import NameSearch, capitalised, sight
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.language import merge
from geoscout_places.model import NameRole, Place
from geoscout_places.toponyms.finding import WIDE, HomeArea, proper_bearers
from geoscout_places.toponyms.segmentation import Segmenter, read_frequencies
from geoscout_places.toponyms.words import ORDINARY, UNKNOWN, WordUse, read_words
from geoscout_places.urls import host_of, host_tokens

# Smaller places, unless at home, bear names of things and people: Choir, Nomi, Scott.
LEAST_POPULATION = 5000
LEAST_OF_ALIASES = 50_000
LEAST_OF_SHORT_NAMES = 100_000
LEAST_OF_FIRST_NAMES = 500_000
# For a name that is an everyday word to count inside a host name: Buffalo is meant more often than
# not, Mobile, Orange and Independence are not.
LEAST_OF_EVERYDAY_WORDS = 200_000
_SHORT = 4  # letters
FIRST_NAME = 4  # the digit of the words table from which a word is a usual first name
_MOST_WORDS = 20_000  # whose capital is remembered, some 3 MB
_MOST_NAMES = 200_000  # remembered, some 60 MB; a crawl meets a few thousand
_MOST_HOSTS = 10_000  # and words of hosts, of which a farm has as many as it likes
_SHORTEST_JOINED, _LONGEST_JOINED = 7, 24  # "newyork" is the shortest one sees often
_MOST_PARTS = 3  # "saltlakecity"
_SHORTEST_PART = 2
_BREAK = " \n "  # no name has one in it


class Toponym(Struct, frozen=True):
    """A name and the places it may mean."""

    name: str
    senses: tuple[Place, ...]  # the likeliest first: the most populous, or WordNet's order
    words: int


class Vocabulary(Protocol):
    """Names that are not those of the gazetteer, such as GeoWordNet's."""

    def automaton(self) -> NameSearch:
        """It finds every name."""
        ...

    def look_up(self, name: str) -> Toponym | None:
        """What a name means, as the automaton found it; None for no place."""
        ...


def _capitals() -> BoundedCache[str, str]:
    """Words with a capital, as `capitalised` gives it; asking it for each would take a while."""
    # Longer words never stay small.
    longest_small = max(map(len, merge(lambda language: language.names.small_words)))

    def find(word: str) -> str:
        is_plain = len(word) > longest_small and word.isascii() and word.isalpha()
        return word[0].upper() + word[1:] if is_plain else capitalised(word)

    return BoundedCache(find, _MOST_WORDS)


def pack_small_words() -> array[int] | None:
    """The words that `capitalised` leaves as they are, each as a number; None where one is long."""
    small = {sight(word) for word in merge(lambda language: language.names.small_words)}
    if not all(word.isascii() and word.isalpha() and len(word) <= 8 for word in small):
        return None
    return array("Q", [int.from_bytes(word.encode(), "little") for word in sorted(small)])


def _raise_words() -> Callable[[str], str] | None:
    """`capitalised` for ASCII texts, compiled; None where there is no kernel."""
    compiled, packed = kernel("terms"), pack_small_words()
    if compiled is None or packed is None:
        return None
    return lambda text: compiled.raise_words(text, packed)


class ToponymReader:
    """Finds the toponyms of a gazetteer in texts and URLs."""

    def __init__(
        self,
        gazetteer: Gazetteer,
        home: HomeArea | None = None,
        vocabulary: Vocabulary | None = None,
    ) -> None:
        """`vocabulary` None: every name of the gazetteer counts."""
        self._gazetteer = gazetteer
        self._home = home
        self._automaton = (vocabulary or gazetteer).automaton()
        self._uses = read_words()
        self._capital = _capitals()
        self._raise_words = _raise_words()
        look_up = vocabulary.look_up if vocabulary else self._look_up
        self._known = BoundedCache(look_up, _MOST_NAMES)
        self._joined = BoundedCache(self._split, _MOST_HOSTS)
        self._hosts = BoundedCache(self._in_host, _MOST_HOSTS)
        self._cut_hosts = BoundedCache(self._in_cut_host, _MOST_HOSTS)
        self._segmenter = Segmenter(())

    def in_texts(self, texts: Sequence[str], *, raised: int = 0) -> list[tuple[Toponym, ...]]:
        """The toponyms of each text, in order; in the first `raised` texts also in lower case."""
        view = self._view(texts, raised)
        found: list[tuple[Toponym, ...]] = [()] * len(texts)
        line, line_end = 0, len(texts[0]) if texts else 0
        for start, end, toponym in self._spans(view):
            while start > line_end:
                line += 1
                line_end += len(_BREAK) + len(texts[line])
            if end <= line_end:
                found[line] += (toponym,)
        return found

    def _view(self, texts: Sequence[str], raised: int) -> str:
        """All texts in one, as the automaton sees them, with every length kept."""
        view = sight(_BREAK.join(texts))
        if not raised:
            return view
        size = sum(map(len, texts[:raised])) + len(_BREAK) * (raised - 1)
        head = view[:size]
        if self._raise_words and head.isascii():
            return self._raise_words(head) + view[size:]
        capital = self._capital
        return " ".join([capital[word] for word in head.split(" ")]) + view[size:]

    def in_hosts(self, urls: Iterable[str]) -> list[tuple[Toponym, ...]]:
        """The toponyms in the host name of each normal URL, also where words are run together.

        Towns among other words count too, if they are large: "houstonchronicle".
        """
        whole, cut = self._hosts, self._cut_hosts
        return [whole[host] or cut[host] for host in map(host_of, urls)]

    def in_host(self, host: str) -> tuple[Toponym, ...]:
        """The same of one host name."""
        return self._hosts[host]

    def _in_host(self, host: str) -> tuple[Toponym, ...]:
        # the last label is a top-level domain: ".re" and ".nice" are not meant as places
        labels = host_tokens(host.rpartition(".")[0])
        separate = self.in_texts([" ".join(labels)], raised=1)[0]
        return (*separate, *self.run_together(labels, separate))

    def _in_cut_host(self, host: str) -> tuple[Toponym, ...]:
        """The large places whose names are words of a label when it is cut into its words."""
        cuts: list[list[str]] = []
        for label in host_tokens(host.rpartition(".")[0]):
            if len(label) > _SHORT and label.isascii() and label.isalpha():
                words = self._segmenter.split(label, self._names_within(label))
                cuts += [words] * (len(words) > 1)
        separate = self.in_texts(list(map(" ".join, cuts)), raised=len(cuts))
        found = [
            (*names, *self.run_together(c, names)) for names, c in zip(separate, cuts, strict=True)
        ]
        return tuple([toponym for names in found for toponym in names if self._is_large(toponym)])

    def _names_within(self, label: str) -> list[str]:
        """The names of one word in a label, and those that the web writes as one ("newyork")."""
        ends = [label[start:].capitalize() for start in range(len(label) - _SHORT)]
        view = "\n".join(ends)
        names = [
            view[a:b] for a, b, _ in self._automaton.find(view) if not a or view[a - 1] == "\n"
        ]
        single = [name.lower() for name in names if (t := self._known[name]) and self._is_large(t)]
        usual = read_frequencies()
        parts = (
            label[a:b]
            for a, b in combinations(range(len(label) + 1), 2)
            if b - a >= _SHORTEST_JOINED
        )
        return single + [part for part in parts if part in usual and self._joined[part]]

    def _is_large(self, toponym: Toponym) -> bool:
        """Whether a name among other words of a host is believed to be that of a place."""
        name = toponym.name
        use = self._uses.get(name.lower(), UNKNOWN)
        least = LEAST_OF_EVERYDAY_WORDS if use.uses >= ORDINARY else LEAST_OF_ALIASES
        least = max(least, *_leasts(name, use))
        return len(name) > _SHORT and any(place.population >= least for place in toponym.senses)

    def run_together(self, tokens: Sequence[str], already: Sequence[Toponym]) -> Iterator[Toponym]:
        """Names of several words written as one token: "sanfrancisco"."""
        for token in tokens:
            if not (_SHORTEST_JOINED <= len(token) <= _LONGEST_JOINED):
                continue
            toponym = self._joined[token]
            if toponym is not None and toponym not in already:
                yield toponym

    def _split(self, token: str) -> Toponym | None:
        """The name a token is when it is taken apart; names with a blank in them only."""
        if not (token.isascii() and token.isalpha()):
            return None
        for parts in range(2, _MOST_PARTS + 1):
            ways, length = "\n".join(_ways(token, parts)), len(token) + parts - 1
            for start, end, _ in self._automaton.find(ways):
                if end - start == length and (toponym := self._known[ways[start:end]]):
                    return toponym
        return None

    def _spans(self, view: str) -> Iterator[tuple[int, int, Toponym]]:
        size, known = len(view), self._known
        for start, end, _ in self._automaton.find(view):
            # Asked first: many names are the beginning of a word, and new names take long.
            if (end < size and view[end].isalnum()) or (start and view[start - 1].isalnum()):
                continue
            toponym = known[view[start:end]]
            if toponym is not None:
                yield start, end, toponym

    def _look_up(self, name: str) -> Toponym | None:
        use = self._uses.get(name.lower(), UNKNOWN)
        leasts, is_ordinary = _leasts(name, use), use.uses >= ORDINARY
        senses = {
            place.id: place for place in self._find_bearers(name, leasts, is_ordinary=is_ordinary)
        }
        if not senses:
            return None
        ordered = sorted(senses.values(), key=lambda place: -place.population)
        return Toponym(name, tuple(ordered), len(name.split()))

    def _find_bearers(
        self, name: str, leasts: tuple[int, int], *, is_ordinary: bool
    ) -> list[Place]:
        """The places that are meant by a name in a short text."""
        found = []
        for bearer in proper_bearers(name, self._gazetteer):
            place, least = bearer.place, leasts[bearer.role != NameRole.NAME]
            is_large = place.population >= least or place.kind in WIDE
            if is_large if is_large != is_ordinary else self._is_at_home(place):
                found.append(place)
        return found

    def _is_at_home(self, place: Place) -> bool:
        return self._home is not None and self._home.contains_place(place)


def _leasts(name: str, use: WordUse) -> tuple[int, int]:
    """The inhabitants a place must have for its name, and for its alias, to be believed."""
    if use.first >= FIRST_NAME:
        return LEAST_OF_FIRST_NAMES, LEAST_OF_FIRST_NAMES
    if len(name) <= _SHORT:
        return LEAST_OF_SHORT_NAMES, LEAST_OF_SHORT_NAMES
    return LEAST_POPULATION, LEAST_OF_ALIASES


def _ways(token: str, parts: int) -> list[str]:
    """Every way to cut the token into this number of parts, each with a capital.

    >>> _ways("elpaso", 2)
    ['El Paso', 'Elp Aso', 'Elpa So']
    """
    if parts == 1:
        return [token.capitalize()]
    last = len(token) - _SHORTEST_PART * (parts - 1)
    return [
        f"{token[:cut].capitalize()} {rest}"
        for cut in range(_SHORTEST_PART, last + 1)
        for rest in _ways(token[cut:], parts - 1)
    ]
