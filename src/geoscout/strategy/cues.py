"""What the place names in a link say about the region: in it, around it, near it, elsewhere.

A name of a place that contains the region is a good sign too: the way to a county leads over the
page of its state. What a name means for the region is worked out once and kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Any

import numpy as np

from geoscout.gazetteer.base import Gazetteer
from geoscout.gazetteer.region import Region
from geoscout.model import Link, Place
from geoscout.strategy.toponyms import Toponym, ToponymReader
from geoscout.urls import path_tokens

NEAR_KM = 50.0
SAME_AREA_KM = 250.0
_MOST_NAMES = 100_000
_WORDS_AROUND = 6  # on either side of a link
_MOST_TEXTS = 10_000  # URLs and anchors remembered, about 5 MB


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


# What a cue is worth as a number, in the order of `Cue`.
WORTH = np.array([0.0, -1.0, -0.5, 0.0, 0.5, 0.7, 1.0, 2.0])


class CueReader:
    """Reads the cues of links."""

    def __init__(self, gazetteer: Gazetteer, region: Region) -> None:
        self._region = region
        self._reader = ToponymReader(gazetteer, region)
        self._around = {
            above.id for place in region.places for above in gazetteer.ancestors(place)
        } - {place.id for place in region.places}
        self._known: dict[str, Cue] = {}  # by name
        self._urls: dict[str, tuple[Cue, Cue]] = {}  # host and path, by URL
        self._anchors: dict[str, Cue] = {}

    def of_links(self, links: Sequence[Link]) -> list[tuple[Cue, Cue, Cue, Cue]]:
        """For each link what its host, its path, its own text and title, and the text around say.

        Most links of a page stand on others of its site, too: only the new ones are looked at.
        """
        urls = [link.url for link in links]
        anchors = [
            f"{link.anchor} {link.title} {link.alt}" if link.title or link.alt else link.anchor
            for link in links
        ]
        self._read_urls(_unknown(urls, self._urls))
        self._read_anchors(_unknown(anchors, self._anchors))
        around = map(self._strongest, self._reader.in_texts([_around(link) for link in links]))
        return [
            (*self._urls[url], self._anchors[anchor], cue)
            for url, anchor, cue in zip(urls, anchors, around, strict=True)
        ]

    def _read_urls(self, urls: Sequence[str]) -> None:
        paths = [" ".join(path_tokens(url)) for url in urls]
        hosts, named = self._reader.in_hosts(urls), self._reader.in_texts(paths, raised=len(urls))
        for url, host, path in zip(urls, hosts, named, strict=True):
            self._urls[url] = self._strongest(host), self._strongest(path)

    def _read_anchors(self, anchors: Sequence[str]) -> None:
        named = self._reader.in_texts(anchors, raised=len(anchors))
        for anchor, toponyms in zip(anchors, named, strict=True):
            self._anchors[anchor] = self._strongest(toponyms)

    def of_text(self, text: str) -> Cue:
        """What the names in a text say."""
        return self._strongest(self._reader.in_texts([text])[0])

    def _strongest(self, toponyms: Sequence[Toponym]) -> Cue:
        return max(map(self._cue, toponyms)) if toponyms else Cue.NOTHING

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
        if place.id in self._around:
            return Cue.AROUND
        if not place.country or place.country not in self._region.countries:
            return Cue.ABROAD
        distance = self._region.distance_km(place.point)
        if distance <= NEAR_KM:
            return Cue.NEAR
        return Cue.AREA if distance <= SAME_AREA_KM else Cue.FAR


def _around(link: Link) -> str:
    """The words next to a link; no name goes on across it."""
    before = link.before.rsplit(None, _WORDS_AROUND)[-_WORDS_AROUND:]
    return " ".join([*before, "|", *link.after.split(None, _WORDS_AROUND)[:_WORDS_AROUND]])


def _unknown(texts: Sequence[str], known: dict[str, Any]) -> list[str]:
    """Those that are not known, each once; makes room for them where there is none."""
    if len(known) > _MOST_TEXTS:
        known.clear()
    return [text for text in dict.fromkeys(texts) if text not in known]
