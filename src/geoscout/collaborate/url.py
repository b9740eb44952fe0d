"""By the URL of the link: the node of the city it names.

Words are split at everything that is not a letter or digit, and a name must be whole words:
`message.html` has no Mesa. Words that are run together are taken apart first: a name counts inside
a token when the likeliest cut of the token into words has it as a word, so `houstonchronicle.com`
names Houston, and `newyorker.com` does not name New York (G-5). Names of several words are found
like that in the whole URL, names of one word in the host only, where people run words together; a
path has hyphens.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from geoscout.collaborate.base import (
    ClaimingCollaboration,
    Collaboration,
    CollaborationAim,
    CollaborationTraits,
    Origin,
)
from geoscout.collaborate.owned_names import SHORTEST_IN_URLS, OwnedNames
from geoscout.collaborate.policy import Claim, Claims, CollaborationOptions, Policy, best_place
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.gazetteer.names import fold
from geoscout_places.model import Link
from geoscout_places.plugins import read_options, setting
from geoscout_places.toponyms import ORDINARY, UNKNOWN, NameFinder, read_words
from geoscout_places.toponyms.segmentation import Segmenter, read_frequencies
from geoscout_places.toponyms.short_texts import LEAST_OF_EVERYDAY_WORDS
from geoscout_places.urls import host_of, host_tokens, path_tokens

WORDS_REMEMBERED = 200_000  # tokens, some 30 MB; the same ones come on every page of a site
_RUNS = re.compile(r"[0-9]+|[^0-9]+")
_LONG_FORMS = (("st ", "saint"), ("ft ", "fort"), ("mt ", "mount"))  # `fold` has the short ones


class UrlWords:
    """Reads the words of URLs in normal form, folded."""

    def __init__(self, names: OwnedNames, gazetteer: Gazetteer, joined: int) -> None:
        """`joined`: names of several words are found written together from this many letters."""
        self._gazetteer = gazetteer
        # Own names come last, for an alias may look the same when it is written together.
        several = [n for n in sorted(names.names, key=names.own_names.__contains__) if " " in n]
        spelt = {form: name for name in several for form in _joined_forms(name)}
        self._joined = {form: name for form, name in spelt.items() if len(form) >= joined}
        in_path = {form for form, name in self._joined.items() if name in names.own_names}
        one_word = {name for name in names.own_names if _is_telling(name, names)}
        self._segmenter = Segmenter(in_path | one_word, filter(_is_short, names.regions))
        in_host = in_path | one_word
        self._in_path = lru_cache(WORDS_REMEMBERED)(
            lambda t: self._words_of(t, in_path, path_finder)
        )
        self._in_host = lru_cache(WORDS_REMEMBERED)(
            lambda t: self._words_of(t, in_host, host_finder)
        )
        path_finder, host_finder = NameFinder(in_path), NameFinder(in_host)

    def of(self, url: str, *, with_host: bool = True) -> list[str]:
        """The words of the host, if asked for, and of path and query, from left to right."""
        words: list[str] = []
        if with_host:
            for token in host_tokens(host_of(url)):
                words += self._in_host(token)
        for token in path_tokens(url):
            words += self._in_path(token)
        return words

    def _words_of(self, token: str, names: set[str], finder: NameFinder) -> list[str]:
        folded = fold(token)
        if folded in self._joined:
            return self._joined[folded].split()
        if len(folded) <= SHORTEST_IN_URLS or not any(finder.anywhere(folded)):
            return [folded]
        if self._gazetteer.candidates(folded):
            return [folded]  # Madisonville is a town itself
        words = [word for run in _RUNS.findall(folded) for word in self._split(run)]
        return list(self._spelt(words, names)) if names.intersection(words) else [folded]

    def _split(self, run: str) -> list[str]:
        return [run] if run.isdigit() else self._segmenter.split(run)

    def _spelt(self, words: list[str], names: set[str]) -> Iterator[str]:
        """The words, without short ones in front of a name: "inbuffalo" is not in Indiana."""
        for word, following in zip(words, [*words[1:], ""], strict=True):
            if word in self._joined:
                yield from self._joined[word].split()
            elif not (_is_short(word) and following in names):
                yield word


def _joined_forms(name: str) -> Iterator[str]:
    """How a name is written as one word.

    >>> list(_joined_forms("st louis")), list(_joined_forms("houston"))
    (['stlouis', 'saintlouis'], ['houston'])
    """
    yield name.replace(" ", "")
    for short, long in _LONG_FORMS:
        if name.startswith(short):
            yield long + name[len(short) :].replace(" ", "")


def _is_telling(name: str, names: OwnedNames) -> bool:
    """Whether a name of one word counts inside a host name: not Mobile, an everyday word."""
    if " " in name or len(name) < SHORTEST_IN_URLS:
        return False
    is_everyday = read_words().get(name, UNKNOWN).uses >= ORDINARY
    return not is_everyday or names.bearers(name)[0].population >= LEAST_OF_EVERYDAY_WORDS


def _is_short(name: str) -> bool:
    return len(name) == 2


REMEMBERED = 200_000  # URLs; the navigation of a site repeats the same links on every page
_NEAR = 2  # words between a city and the code of its state, as in ?city=reno&state=nv
_WITH_STATE, _BARE = 2.0, 1.0
# An alias of one word that the web uses more often than this is another word: the gazetteer has
# "spoken" for Spokane and "roles" for Raleigh. Philly is rarer.
_COMMON_ALIAS = 5.5


@dataclass(frozen=True, slots=True)
class UrlOptions(CollaborationOptions):
    """What may be read differently in URLs."""

    joined: int = setting(
        6, "names of several words are found written together from here", "letters"
    )
    host: bool = setting(default=True, reason="look at the host name too, not at the path alone")


def create(aim: CollaborationAim) -> Collaboration:
    """The collaboration that reads URLs."""
    options = read_options("url", UrlOptions, aim.options)
    return ByUrl(aim, options)


class ByUrl(ClaimingCollaboration):
    """The city named in the URL of the link."""

    traits = CollaborationTraits(reads_links=False, goes_by_url=True)

    def __init__(self, aim: CollaborationAim, options: UrlOptions) -> None:
        super().__init__(aim.partition, Policy(aim.partition, options))
        names = OwnedNames(aim.partition.targets, aim.gazetteer)
        self._finder = UrlFinder(names, aim.gazetteer, options)

    def claims(self, origin: Origin, links: Sequence[Link]) -> Sequence[Claims]:  # noqa: ARG002
        find = self._finder.claims
        return [find(link.url) for link in links]

    def label(self, origin: Origin) -> int:
        return best_place(self._finder.claims(origin.page.url))


class UrlFinder:
    """Finds owned cities in URLs in normal form."""

    def __init__(self, names: OwnedNames, gazetteer: Gazetteer, options: UrlOptions) -> None:
        self._names = names
        self._words = UrlWords(names, gazetteer, options.joined)
        self._with_host = options.host
        self._by_first: dict[str, list[tuple[str, ...]]] = {}
        spelt = [name for name in names.names if _is_used(name, names)]
        for words in sorted((tuple(name.split()) for name in spelt), key=len, reverse=True):
            self._by_first.setdefault(words[0], []).append(words)
        self.claims = lru_cache(REMEMBERED)(self._claims)

    def _claims(self, url: str) -> Claims:
        """The cities in a URL: those with their state first, then by population (G-4)."""
        words = self._words.of(url, with_host=self._with_host)
        weights: dict[int, float] = {}
        for name, start, end in self._found(words):
            region = self._region(words, start, end, name)
            if place := self._names.meaning(name, region):
                weight = _WITH_STATE if region else _BARE
                weights[place] = max(weights.get(place, 0.0), weight)
        claims = [Claim(place, weight) for place, weight in weights.items()]
        return sorted(claims, key=self._rank) if len(claims) > 1 else claims

    def _found(self, words: list[str]) -> Iterator[tuple[str, int, int]]:
        """The names in the words, and from which word to which they go."""
        used = 0
        for index, word in enumerate(words):
            if index < used:
                continue
            for name in self._by_first.get(word, ()):
                if tuple(words[index : index + len(name)]) == name:
                    used = index + len(name)
                    yield " ".join(name), index, used
                    break

    def _region(self, words: list[str], start: int, end: int, name: str) -> int:
        """The region in the URL that has a city of this name; 0 for none.

        A region's name counts anywhere, its code only near the city: most codes are words.
        """
        regions = self._names.regions
        near = range(start - _NEAR, end + _NEAR)
        known = {bearer.region for bearer in self._names.bearers(name)}
        for index, word in enumerate(words):
            if start <= index < end:
                continue
            following = f"{word} {words[index + 1]}" if index + 1 < len(words) else ""
            region = regions.get(following) or regions.get(word, 0)
            if region in known and (len(word) > 3 or index in near):
                return region
        return 0

    def _rank(self, claim: Claim) -> tuple[float, int, int]:
        return -claim.weight, -self._names.population(claim.place), claim.place


def _is_used(name: str, names: OwnedNames) -> bool:
    """Whether a name is looked for in URLs as whole words."""
    if " " in name or name in names.own_names:
        return len(name) >= SHORTEST_IN_URLS
    is_common = read_frequencies().get(name, _COMMON_ALIAS + 1) <= _COMMON_ALIAS
    return len(name) >= SHORTEST_IN_URLS and not is_common
