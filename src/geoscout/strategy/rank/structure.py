"""The structural parser: which places a link speaks of before its page has been seen.

Evidence comes from the host and path of the URL, from the registration record of its domain, from
the anchor, and from the words around it. Each piece keeps its source, so that a priority can be
explained and an experiment can leave a source out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from geoscout.registrations import RegistrationRecord, registration_of
from geoscout.strategy.rank.senses import CodeReader, without_short_aliases
from geoscout.strategy.registrants import registrant_place
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.model import Link, Place
from geoscout_places.toponyms.short_texts import Toponym, ToponymReader
from geoscout_places.urls import host_of, path_tokens

_PARAMETER = re.compile(r"([?&])[^=&]*=")
SOURCES = ("host", "path", "anchor", "before", "after", "registration")
WINDOW = 25  # tokens on either side of a link, the most a Link has


@dataclass(frozen=True, slots=True)
class Clue:
    """A toponym and where it was found."""

    toponym: Toponym
    source: str  # one of SOURCES


class Context(NamedTuple):
    """What is known of a link's places, and the texts they were found in."""

    url: str
    anchor: str
    before: str
    after: str
    evidence: tuple[Clue, ...]  # in the order of SOURCES


class StructuralParser:
    """Reads the place evidence of links."""

    def __init__(
        self,
        reader: ToponymReader,
        gazetteer: Gazetteer,
        *,
        window: int = WINDOW,
        in_wordnet: bool = False,
    ) -> None:
        """`in_wordnet`: a registrant is in the narrowest area that GeoWordNet knows."""
        self._reader = reader
        self._codes = CodeReader(gazetteer)
        self._in_wordnet = in_wordnet
        self._gazetteer = gazetteer
        self._registrations: dict[str, RegistrationRecord] = {}
        self._window = window
        self._registered: dict[str, tuple[Toponym, ...]] = {}  # domain -> its place

    def add_registrations(self, records: Mapping[str, RegistrationRecord]) -> None:
        """Take registrations into account, by domain."""
        self._registrations.update(records)

    def read_links(self, links: Sequence[Link]) -> list[Context]:
        """The evidence of each link; all texts of a page together cost one pass."""
        urls = [link.url for link in links]
        anchors = [link.anchor or link.alt for link in links]
        befores = [self._last_tokens(link.before) for link in links]
        afters = [self._first_tokens(link.after) for link in links]
        paths = [path_tokens(_without_parameters(url)) for url in urls]
        path_texts = [" ".join(path) for path in paths]
        texts = [*path_texts, *anchors, *befores, *afters]
        found, count = self._reader.in_texts(texts, raised=2 * len(links)), len(links)
        by_source = (
            self._reader.in_hosts(urls),
            [(*f, *self._reader.run_together(p, f)) for f, p in zip(found, paths, strict=False)],
            *(found[part * count : (part + 1) * count] for part in (1, 2, 3)),
            list(map(self.registered_in, urls)) if self._registrations else [()] * count,
        )
        evidence = map(self._counting, map(_join, *by_source), path_texts, anchors, befores, afters)
        return list(map(Context, urls, anchors, befores, afters, evidence))

    def _counting(self, clues: tuple[Clue, ...], *texts: str) -> tuple[Clue, ...]:
        """The clues of one link without short aliases, narrowed by the codes after their names.

        `texts` are its path, its anchor, and the words before and after it.
        """
        if not clues:
            return ()
        by_source = dict(zip(SOURCES[1:5], texts, strict=True))
        counting = []
        for clue in clues:
            toponym = without_short_aliases(clue.toponym)
            if toponym is not None and (text := by_source.get(clue.source)):
                toponym = self._codes.narrow(toponym, text, is_lower=clue.source == "path")
            if toponym is not None:
                counting.append(Clue(toponym, clue.source))
        return tuple(counting)

    def read_url(self, url: str) -> tuple[Clue, ...]:
        """The evidence of a normal URL alone, such as a seed."""
        bare = Link.to(url)
        return self.read_links([bare])[0].evidence

    def _last_tokens(self, text: str) -> str:
        if self._window >= WINDOW or not text:
            return text
        return " ".join(text.split()[-self._window :]) if self._window else ""

    def _first_tokens(self, text: str) -> str:
        if self._window >= WINDOW or not text:
            return text
        return " ".join(text.split()[: self._window])

    def registered_in(self, url: str) -> tuple[Toponym, ...]:
        """Where the registrant of the URL's domain is."""
        record = registration_of(host_of(url), self._registrations)
        if record is None:
            return ()
        if record.domain not in self._registered:
            place = self._registrant_place(record)
            found = place and Toponym(place.name, (place,), len(place.name.split()))
            self._registered[record.domain] = (found,) if found else ()
        return self._registered[record.domain]

    def _registrant_place(self, record: RegistrationRecord) -> Place | None:
        place = registrant_place(record, self._gazetteer)
        if place is None or not self._in_wordnet:
            return place
        around = (place, *self._gazetteer.ancestors(place))
        return next((area for area in around if self._gazetteer.synsets(area)), None)


def _without_parameters(url: str) -> str:
    """The URL without the names of its parameters, which are the programmer's: "sid", "print".

    >>> _without_parameters("http://example.org/find?city=Boston&sid=7")
    'http://example.org/find?Boston&7'
    """
    return _PARAMETER.sub(r"\1", url) if "=" in url else url


def _join(*by_source: Sequence[Toponym]) -> tuple[Clue, ...]:
    """The toponyms of one link, each with its source; most links have none."""
    if not any(by_source):
        return ()
    pairs = zip(SOURCES, by_source, strict=True)
    return tuple([Clue(toponym, source) for source, found in pairs for toponym in found])
