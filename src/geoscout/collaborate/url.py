"""By the URL of the link: the node of the city it names.

Words are split at everything that is not a letter or digit, and a name must be whole words:
`message.html` has no Mesa. Names of several words are found written together as well, inside a
word, when they have eight letters or more: `visitsanfrancisco` (G-5).
"""

from __future__ import annotations

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
from geoscout.gazetteer.names import fold
from geoscout.model import Link
from geoscout.plugins import read_options
from geoscout.settings import setting
from geoscout.toponyms import NameFinder
from geoscout.urls import host_of, host_tokens, path_tokens

REMEMBERED = 200_000  # URLs; the navigation of a site repeats the same links on every page
_NEAR = 2  # words between a city and the code of its state, as in ?city=reno&state=nv
_WITH_STATE, _BARE = 2.0, 1.0


@dataclass(frozen=True, slots=True)
class UrlOptions(CollaborationOptions):
    """What may be read differently in URLs."""

    joined: int = setting(
        8, "names of several words are found written together from here", "letters"
    )
    host: bool = setting(default=True, reason="look at the host name too, not at the path alone")


def create(aim: CollaborationAim) -> Collaboration:
    """The collaboration that reads URLs."""
    options = read_options("url", UrlOptions, aim.options)
    return ByUrl(aim, options)


class ByUrl(ClaimingCollaboration):
    """The city named in the URL of the link."""

    traits = CollaborationTraits(reads_links=False, reads_pages=False, goes_by_url=True)

    def __init__(self, aim: CollaborationAim, options: UrlOptions) -> None:
        super().__init__(aim.partition, Policy(aim.partition, options))
        self._finder = UrlFinder(OwnedNames(aim.partition.targets, aim.gazetteer), options)

    def claims(self, origin: Origin, links: Sequence[Link]) -> Sequence[Claims]:  # noqa: ARG002
        find = self._finder.claims
        return [find(link.url) for link in links]

    def label(self, origin: Origin) -> int:
        return best_place(self._finder.claims(origin.page.url))


class UrlFinder:
    """Finds owned cities in URLs in normal form."""

    def __init__(self, names: OwnedNames, options: UrlOptions) -> None:
        self._names = names
        self._with_host = options.host
        self._by_first: dict[str, list[tuple[str, ...]]] = {}
        spelt = [name for name in names.names if len(name) >= SHORTEST_IN_URLS]
        for words in sorted((tuple(name.split()) for name in spelt), key=len, reverse=True):
            self._by_first.setdefault(words[0], []).append(words)
        together = {name.replace(" ", ""): name for name in spelt if " " in name}
        self._joined = {text: n for text, n in together.items() if len(text) >= options.joined}
        self._finder = NameFinder(self._joined)
        self.claims = lru_cache(REMEMBERED)(self._claims)

    def _claims(self, url: str) -> Claims:
        """The cities in a URL: those with their state first, then by population (G-4)."""
        words = [fold(word) for word in self._words(url)]
        weights: dict[int, float] = {}
        for name, start, end in self._found(words):
            region = self._region(words, start, end, name)
            if place := self._names.meaning(name, region):
                weight = _WITH_STATE if region else _BARE
                weights[place] = max(weights.get(place, 0.0), weight)
        claims = [Claim(place, weight) for place, weight in weights.items()]
        return sorted(claims, key=self._rank) if len(claims) > 1 else claims

    def _words(self, url: str) -> list[str]:
        host = host_tokens(host_of(url)) if self._with_host else ()
        return [*host, *path_tokens(url)]

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
            else:
                yield from self._found_joined(word, index)

    def _found_joined(self, word: str, index: int) -> Iterator[tuple[str, int, int]]:
        if len(word) >= SHORTEST_IN_URLS:
            for start, end in self._finder.anywhere(word):
                yield self._joined[word[start:end]], index, index + 1

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
