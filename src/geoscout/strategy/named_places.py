"""What the place names in a link say about the region: in it, around it, near it, elsewhere.

A name of a place that contains the region is a good sign too: the way to a county leads over the
page of its state. What a name means for the region is worked out once and kept.
"""

from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from functools import cached_property
from typing import Any

import numpy as np

from geoscout.strategy.terms import text_of_anchor
from geoscout_places.caches import BoundedCache
from geoscout_places.gazetteer.areas.region import Region
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.gazetteer.names import fold, german_spellings
from geoscout_places.model import Kind, Link, NameRole, Place
from geoscout_places.toponyms.short_texts import Toponym, ToponymReader
from geoscout_places.urls import host_of, host_tokens, path_texts

NEAR_KM = 50.0
SAME_AREA_KM = 250.0
_MOST_NAMES = 100_000
_WORDS_AROUND = 6  # on either side of a link
_SHORTEST_PART = 5  # letters; shorter names are parts of many words
_DIVISIONS = (Kind.REGION, Kind.DISTRICT)  # a country is too large to be a sign
_MOST_TEXTS = 10_000  # URLs, hosts, anchors and texts around links remembered, about 10 MB


class Cue(IntEnum):
    """What a link's names say, the stronger the higher."""

    NOTHING = 0
    ABROAD = 1  # only places in other countries
    FAR = 2  # in a country of the region
    AREA = 3  # within a few hundred kilometres
    NEAR = 4
    AROUND = 5  # a place that contains the region
    MAYBE = 6  # a name that most likely means another place
    INSIDE = 7


# Each cue as a number, in the order of `Cue`.
CUE_VALUES = np.array([0.0, -1.0, -0.5, 0.0, 0.5, 0.7, 1.0, 2.0])


class CueReader:
    """Reads the cues of links."""

    def __init__(self, gazetteer: Gazetteer, region: Region) -> None:
        self._gazetteer = gazetteer
        self._region = region
        self._containing = {
            above.id for place in region.places for above in gazetteer.ancestors(place)
        } - {place.id for place in region.places}
        self._of_host = BoundedCache(self._read_host, _MOST_TEXTS)
        self._known: dict[str, Cue] = {}  # by name
        self._hosts: dict[str, Cue] = {}  # by URL
        self._paths: dict[str, Cue] = {}  # the same URLs
        self._anchors: dict[str, Cue] = {}
        self._around_links: dict[str, Cue] = {}  # by what `_surroundings` gives

    # Made with the first link: where other processes read links, it is never asked about any.
    @cached_property
    def _reader(self) -> ToponymReader:
        return ToponymReader(self._gazetteer, self._region)

    @cached_property
    def _within_hosts(self) -> dict[str, Cue]:
        return _names_in_hosts(self._gazetteer, self._region)

    @cached_property
    def _lengths(self) -> list[int]:
        return sorted(set(map(len, self._within_hosts)))

    def of_links(self, links: Sequence[Link]) -> list[tuple[Cue, Cue, Cue, Cue]]:
        """For each link what its host, its path, its own text and title, and the text around say.

        Most links of a page stand on others of its site, too: only the new ones are looked at.
        """
        urls = [link.url for link in links]
        anchors = [text_of_anchor(link) for link in links]
        around = [_surroundings(link) for link in links]
        self._read(
            _unknown(urls, self._paths),
            _unknown(anchors, self._anchors),
            _unknown(around, self._around_links),
        )
        columns = (
            map(self._hosts.__getitem__, urls),
            map(self._paths.__getitem__, urls),
            map(self._anchors.__getitem__, anchors),
            map(self._around_links.__getitem__, around),
        )
        return list(zip(*columns, strict=True))

    def _read(self, urls: Sequence[str], anchors: Sequence[str], around: Sequence[str]) -> None:
        """Read what is new, all of it in one pass."""
        raised = len(urls) + len(anchors)
        texts = [*path_texts(urls), *anchors, *map(_next_words, around)]
        cues = self._strongest_of_each(self._reader.in_texts(texts, raised=raised))
        hosts = [self._of_host[host_of(url)] for url in urls]
        if not self._paths:
            self._hosts.clear()  # together
        self._hosts.update(zip(urls, hosts, strict=True))
        self._paths.update(zip(urls, cues, strict=False))
        self._anchors.update(zip(anchors, cues[len(urls) : raised], strict=True))
        self._around_links.update(zip(around, cues[raised:], strict=True))

    def _read_host(self, host: str) -> Cue:
        (named,) = self._strongest_of_each([self._reader.in_host(host)])
        return named or self._part_of_host(host)

    def _part_of_host(self, host: str) -> Cue:
        """What a name of the region says that is a part of a word of the host: "hoteldachau".

        A region of a hundred cities has thousands of names, so parts are looked up among them.
        """
        find, words = self._within_hosts.get, host_tokens(host)
        ends = (part for word in words for n in self._lengths for part in (word[:n], word[-n:]))
        return max((find(part, Cue.NOTHING) for part in ends), default=Cue.NOTHING)

    def _strongest_of_each(self, named: Sequence[Sequence[Toponym]]) -> list[Cue]:
        nothing = Cue.NOTHING
        return [max(map(self._cue, toponyms)) if toponyms else nothing for toponyms in named]

    def _cue(self, toponym: Toponym) -> Cue:
        cue = self._known.get(toponym.name)
        if cue is None:
            if len(self._known) >= _MOST_NAMES:
                self._known.clear()
            cue = self._known[toponym.name] = self._judge(toponym.senses)
        return cue

    def _judge(self, senses: Sequence[Place]) -> Cue:
        likeliest = self.of_place(senses[0])
        if likeliest is Cue.INSIDE or len(senses) == 1:
            return likeliest
        if any(self._region.contains_place(place) for place in senses[1:]):
            return Cue.MAYBE
        return likeliest

    def of_place(self, place: Place) -> Cue:
        """What it says that something is in a place."""
        if self._region.contains_place(place):
            return Cue.INSIDE
        if place.id in self._containing:
            return Cue.AROUND
        if not place.country or place.country not in self._region.countries:
            return Cue.ABROAD
        distance = self._region.distance_km(place.point, most=SAME_AREA_KM)
        if distance <= NEAR_KM:
            return Cue.NEAR
        return Cue.AREA if distance <= SAME_AREA_KM else Cue.FAR


def _names_in_hosts(gazetteer: Gazetteer, region: Region) -> dict[str, Cue]:
    """Names that are known inside a word: all of the region, the main one of state and county.

    Every language has its names for a state, and one of them is part of some word.
    """
    above = [place for inner in region.places for place in gazetteer.ancestors(inner)]
    around = [place.name for place in above if place.kind in _DIVISIONS]
    inside = [place for place in region.places if place.kind is not Kind.COUNTRY]
    names = [
        name
        for named in gazetteer.names(inside).values()
        for name, role in named
        if role in {NameRole.NAME, NameRole.ALIAS}
    ]
    found = dict.fromkeys(_written_in_hosts(around), Cue.AROUND)
    return found | dict.fromkeys(_written_in_hosts(names), Cue.MAYBE)


def _written_in_hosts(names: Iterable[str]) -> Iterator[str]:
    for name in names:
        for spelling in {name, *german_spellings(name)}:
            joined = "".join(fold(spelling).removesuffix(" county").split())
            if len(joined) >= _SHORTEST_PART and joined.isascii():
                yield joined


def _surroundings(link: Link) -> str:
    """The text before and after a link, in two lines; empty where it cannot name a place.

    A name is written with a capital, unless it is in letters that have none.
    """
    if not (link.before or link.after):
        return ""
    text = f"{link.before}\n{link.after}"
    return "" if text.islower() and text.isascii() else text


def _next_words(surroundings: str) -> str:
    """The words next to a link; no name goes on across it."""
    before, _, after = surroundings.partition("\n")
    words = before.rsplit(None, _WORDS_AROUND)[-_WORDS_AROUND:]
    return " ".join([*words, "|", *after.split(None, _WORDS_AROUND)[:_WORDS_AROUND]])


def _unknown(texts: Sequence[str], known: dict[str, Any]) -> list[str]:
    """Those that are not known, each once; makes room for them where there is none."""
    if len(known) > _MOST_TEXTS:
        known.clear()
    return list(dict.fromkeys([text for text in texts if text not in known]))
