"""By the URL of the link: the node of the city it names.

Words are split at everything that is not a letter or digit, and a name must be whole words:
`message.html` has no Mesa. Words that are run together are taken apart first (`url_words.py`):
`houstonchronicle.com` names Houston, `newyorker.com` does not name New York (G-5).
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
from geoscout.collaborate.url_words import UrlWords
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.model import Link
from geoscout_places.plugins import read_options, setting
from geoscout_places.toponyms.segmentation import read_frequencies

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

    traits = CollaborationTraits(reads_links=False, reads_pages=False, goes_by_url=True)

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
