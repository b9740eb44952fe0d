"""Where a site probably is, before any of its pages was read.

Three things tell: the end of its domain where that is a city or a region (`.bayern`, `.tx.us`),
the language of the page, and the registrant of the domain. They count next to what the pages of
the site name, and soon no more: with the first page they have their whole weight, with the second
a quarter, with the third a ninth.

The weights were measured (`benchmarks/origins.py`, docs/why/toponyms.md). A domain of a country is
not here: it counts as one name of the page (`country.py`), and counting it for the site as well
changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from geoscout.caches import BoundedCache
from geoscout.gazetteer.base import Gazetteer
from geoscout.geo.area_shares import AreaShares, WhereaboutsOf
from geoscout.geo.mentions.senses import Whereabouts
from geoscout.language import all_languages
from geoscout.model import Kind, Place, SiteKnowledge
from geoscout.urls import HOSTS_REMEMBERED, host_of

_TABLE = Path(__file__).with_name("domains.tsv")
_MOST_LABELS = 3  # of the endings in it
_COUNTRY_CODE = 2  # letters
_MOST_LANGUAGES = 1000  # remembered as pages claim them
_EVERYWHERE = "en"  # also the language of pages whose country has another one


class OriginWeights(NamedTuple):
    """How much each kind of evidence counts; 1 is as much as a page that names only one place."""

    domain: float = 0.5
    language: float = 0.2
    registrant: float = 0.2  # often only the seat of a company that owns many sites


class SiteOrigins:
    """Adds to what is known of a site where it probably is."""

    def __init__(
        self,
        gazetteer: Gazetteer,
        whereabouts: WhereaboutsOf,
        weights: OriginWeights | None = None,
    ) -> None:
        """`whereabouts` says where a place lies."""
        self._gazetteer = gazetteer
        self._whereabouts = whereabouts
        self.weights = weights or OriginWeights()
        self._homes: dict[str, Sequence[tuple[str, float]]] = {}  # by language
        self._places = BoundedCache(self._place_of_host, HOSTS_REMEMBERED)
        self._countries = BoundedCache(self._countries_of, _MOST_LANGUAGES)

    def join(self, site: SiteKnowledge | None, url: str, language: str) -> SiteKnowledge | None:
        """What is known of a site, with what the URL and the language of a page of it tell.

        `language` is what the page claims (BCP 47). None where nothing is known at all.
        """
        known = site or SiteKnowledge()
        found = list(self._evidence(url, language, known.registrant))
        if not found:
            return site
        scale = (known.pages + 1) ** -2
        shares = AreaShares(known)
        for where, weight in found:
            shares.add(where, weight * scale)
        return replace(known, **shares.at_least())

    def _evidence(
        self, url: str, language: str, registrant: Place | None
    ) -> Iterator[tuple[Whereabouts, float]]:
        weights = self.weights
        place = self._places[host_of(url)] if "://" in url else None
        if place is not None:
            yield self._whereabouts(place), weights.domain
        for country, share in self._countries[language]:
            yield Whereabouts(country, 0, (0, 0), ()), weights.language * share
        if registrant is not None:
            yield self._whereabouts(registrant), weights.registrant

    def _place_of_host(self, host: str) -> Place | None:
        """The city or region whose domain a host is in; None for all others."""
        labels = host.lower().rstrip(".").split(".")
        endings = (".".join(labels[-count:]) for count in range(_MOST_LABELS, 0, -1))
        id = next((_domains()[ending] for ending in endings if ending in _domains()), None)
        return None if id is None else self._gazetteer.place(id)

    def _countries_of(self, claimed: str) -> Sequence[tuple[str, float]]:
        """The country that a claimed language names, or those where it is spoken, with shares."""
        code, _, rest = claimed.replace("_", "-").partition("-")
        code, country = code.lower(), rest.rpartition("-")[2].upper()
        if code == _EVERYWHERE:
            return ()
        if len(country) == _COUNTRY_CODE and country.isalpha():
            return [(country, 1.0)]
        if code not in self._homes and code in _spoken_in():
            self._homes[code] = self._shares(_spoken_in()[code])
        return self._homes.get(code, ())

    def _shares(self, codes: Sequence[str]) -> list[tuple[str, float]]:
        """Some countries by their codes, each with its share of their inhabitants."""
        found = [candidate.place for code in codes for candidate in self._gazetteer.search(code)]
        sizes = {place.country: place.population for place in found if place.kind is Kind.COUNTRY}
        whole = sum(sizes.get(code, 0) for code in codes)
        return [(code, sizes[code] / whole) for code in codes if sizes.get(code)]


@cache
def _spoken_in() -> Mapping[str, Sequence[str]]:
    """Where most people speak each language."""
    return {language.code: language.countries for language in all_languages()}


@cache
def _domains() -> Mapping[str, int]:
    """The ids of places by the endings of domains that are theirs."""
    found: dict[str, int] = {}
    for line in _TABLE.read_text(encoding="utf-8").splitlines()[1:]:
        id, _, endings = line.split("\t")
        found |= dict.fromkeys(endings.split(), int(id))
    return found
