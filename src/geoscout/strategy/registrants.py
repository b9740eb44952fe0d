"""Where the holder of a link's domain is, seen from the region.

Registries are asked beside a crawl, so what one says comes after the link was found. It is kept by
the number of the host, as histories are, and counts when what waits is scored anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from geoscout.gazetteer.base import Gazetteer
from geoscout.model import Kind, Place
from geoscout.registrations import RegistrationRecord, registration_of
from geoscout.strategy.named_places import WORTH, Cue, CueReader
from geoscout.strategy.terms import term_number
from geoscout.urls import host_of

_BITS = 20  # of the number of hosts remembered; who came last has the place
_MASK = np.uint32((1 << _BITS) - 1)


class Holders:
    """The holders of hosts, as far as they are known."""

    def __init__(self, gazetteer: Gazetteer, cues: CueReader) -> None:
        self._gazetteer = gazetteer
        self._cues = cues
        self._records: dict[str, RegistrationRecord] = {}
        self._judged: dict[str, Cue] = {}  # by domain
        self._owners = np.zeros(1 << _BITS, np.uint32)
        self._said = np.zeros(1 << _BITS, np.uint8)  # a `Cue`

    def know(self, records: Mapping[str, RegistrationRecord]) -> None:
        """Take records into account, by domain; a later one of a domain replaces the earlier."""
        self._records.update(records)
        replaced = self._judged.keys() & records.keys()
        if replaced:
            for domain in replaced:
                del self._judged[domain]
            self._owners[:] = 0  # which of the hosts are theirs is not kept

    def note(self, urls: Iterable[str]) -> None:
        """Look up who holds the hosts of these URLs, so that `worths` can tell."""
        if not self._records:
            return
        for host in {url.split("/", 3)[2] for url in urls}:
            number = term_number(host)
            if self._owners[number & _MASK] == number:
                continue
            record = registration_of(host_of(f"http://{host}/"), self._records)
            if record is not None:
                self._owners[number & _MASK] = number
                self._said[number & _MASK] = self._cue(record)

    def are_known(self, hosts: NDArray[np.uint32]) -> NDArray[np.bool_]:
        """Whether the holder of each host is known, by number."""
        return np.asarray(self._owners[hosts & _MASK] == hosts)

    def worths(self, hosts: NDArray[np.uint32]) -> NDArray[np.float64]:
        """What the place of each host's holder is worth, by number; 0 where it is not known."""
        return np.asarray(WORTH[self._said[hosts & _MASK]] * self.are_known(hosts))

    def _cue(self, record: RegistrationRecord) -> Cue:
        if record.domain not in self._judged:
            place = place_of(record, self._gazetteer)
            cue = Cue.NOTHING if place is None else self._cues.of_place(place)
            self._judged[record.domain] = cue
        return self._judged[record.domain]


def place_of(record: RegistrationRecord, gazetteer: Gazetteer) -> Place | None:
    """The one place of a record: its city within its region and country, else these."""
    parts = [part for part in (record.city, record.region, record.country) if part]
    for start in range(len(parts)):
        if parts[start:] == [record.country]:
            return _country(record.country, gazetteer)
        found = gazetteer.search(", ".join(parts[start:]))
        if not found and start == 0 and len(parts) > 2:  # "Oldenburg, NI, DE": an odd region
            found = gazetteer.search(f"{parts[0]}, {parts[-1]}")
        if found and found[0].place.kind is not Kind.CONTINENT:
            return found[0].place
    return None


def _country(name: str, gazetteer: Gazetteer) -> Place | None:
    """The country of a name or code; CA is Canada here, and not California."""
    found = [candidate.place for candidate in gazetteer.search(name)]
    countries = [place for place in found if place.kind is Kind.COUNTRY]
    by_code = [place for place in countries if place.country == name.upper()]
    return next(iter([*by_code, *countries]), None)
