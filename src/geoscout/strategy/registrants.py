"""The registrants of links' domains: where they are, and about which ones to ask a registry.

A registry answers once in a few seconds, and a crawl meets thousands of domains. So registries are
asked while the crawl goes on: the questions wait here, the most wanted first, each with the hosts
whose links must be scored again when the reply is there. Where a registrant is, seen from the
region, is kept by the number of the host, as the histories of the hybrid are.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from heapq import heappop, heappush
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from geoscout.registrations import RegistrationRecord, registration_of
from geoscout.strategy.named_places import CUE_VALUES, Cue, CueReader
from geoscout.strategy.terms import term_number
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.model import Kind, Place
from geoscout_places.urls import (
    authority_of,
    host_of,
    host_tokens,
    registrable_domain,
    without_port,
)

_BITS = 20  # of the number of hosts remembered; a later host takes the place of an earlier one
_MASK = np.uint32((1 << _BITS) - 1)
_MOVED_FROM = 1.2  # a domain is queued again when it is wanted this many times as much
_MOST_DOMAINS = 50_000  # some 20 MB; beyond that the least wanted are given up


class RegistrantPlaces:
    """Where the registrants of hosts are, as far as it is known."""

    def __init__(self, gazetteer: Gazetteer, cues: CueReader) -> None:
        self._gazetteer = gazetteer
        self._cues = cues
        self._records: dict[str, RegistrationRecord] = {}
        self._judged: dict[str, Cue] = {}  # by domain
        # Both by the lower bits of the host's number; `_cue_of` is valid where the whole number of
        # the host stands in `_hosts`.
        self._hosts = np.zeros(1 << _BITS, np.uint32)
        self._cue_of = np.zeros(1 << _BITS, np.uint8)  # a `Cue`

    def add(self, records: Mapping[str, RegistrationRecord]) -> None:
        """Take records into account, by domain; a later one of a domain replaces the earlier."""
        self._records.update(records)
        replaced = self._judged.keys() & records.keys()
        if replaced:
            for domain in replaced:
                del self._judged[domain]
            self._hosts[:] = 0  # which of the hosts are theirs is not kept

    def note(self, urls: Iterable[str]) -> None:
        """Look up the registrants of these URLs' hosts, so that `values` can tell."""
        if not self._records:
            return
        for authority in set(map(authority_of, urls)):
            number = term_number(authority)
            if self._hosts[number & _MASK] == number:
                continue
            record = registration_of(without_port(authority), self._records)
            if record is not None:
                self._hosts[number & _MASK] = number
                self._cue_of[number & _MASK] = self._cue(record)

    def are_known(self, hosts: NDArray[np.uint32]) -> NDArray[np.bool_]:
        """Whether the registrant of each host is known, by number."""
        return np.asarray(self._hosts[hosts & _MASK] == hosts)

    def values(self, hosts: NDArray[np.uint32]) -> NDArray[np.float64]:
        """The place of each host's registrant as a number, as for cues; 0 where it is unknown."""
        return np.asarray(CUE_VALUES[self._cue_of[hosts & _MASK]] * self.are_known(hosts))

    def _cue(self, record: RegistrationRecord) -> Cue:
        if record.domain not in self._judged:
            place = registrant_place(record, self._gazetteer)
            cue = Cue.NOTHING if place is None else self._cues.of_place(place)
            self._judged[record.domain] = cue
        return self._judged[record.domain]


def registrant_place(record: RegistrationRecord, gazetteer: Gazetteer) -> Place | None:
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


class OpenQuestions:
    """The domains whose registrant is not known yet.

    A domain is in `_wanted` and `_queued` until it is asked about, then in `_asked` for good. Its
    hosts are in `_hosts` from the first question until the reply.
    """

    def __init__(self) -> None:
        self._wanted: defaultdict[str, float] = defaultdict(float)  # how much, in all
        self._queued: dict[str, float] = {}  # how much it was wanted when it was last queued
        # A heap of both; only the entry that agrees with `_queued` counts, older ones are skipped.
        self._queue: list[tuple[float, str]] = []
        self._hosts: dict[str, set[str]] = {}
        self._asked: set[str] = set()

    def __len__(self) -> int:
        """The domains that have not been asked about."""
        return len(self._wanted)

    def add(self, urls: Iterable[str], wants: Iterable[float] | None = None) -> list[bool]:
        """Ask about each URL's domain; returns for which the reply is still to come.

        `wants`: how much each is wanted, else all alike. What is wanted most is asked first.
        """
        return list(map(self._add, map(host_of, urls), wants or repeat(1.0)))

    def add_hosts(self, hosts: Iterable[str]) -> list[bool]:
        """The same for hosts."""
        return list(map(self._add, hosts, repeat(1.0)))

    def _add(self, host: str, want: float) -> bool:
        domain = registrable_domain(host) if "." in host and host_tokens(host) else ""
        if not domain:
            return False
        if domain not in self._asked:
            self._want(domain, want)
        elif domain not in self._hosts:
            return False  # it has been answered
        self._hosts.setdefault(domain, set()).add(host)
        if len(self._wanted) > _MOST_DOMAINS:
            self._give_up_some()
        return True

    def take(self) -> str | None:
        """The domain to ask about next; None when there is none."""
        while self._queue:
            want, domain = heappop(self._queue)
            if self._queued.get(domain) == -want:
                del self._wanted[domain], self._queued[domain]
                self._asked.add(domain)
                return domain
        return None

    def close(self, domain: str) -> list[str]:
        """The reply is there; returns the hosts it concerns."""
        self._asked.add(domain)
        self._wanted.pop(domain, None)
        self._queued.pop(domain, None)
        return sorted(self._hosts.pop(domain, ()))

    def _want(self, domain: str, want: float) -> None:
        self._wanted[domain] += want
        if self._wanted[domain] > _MOVED_FROM * self._queued.get(domain, 0.0):
            self._queued[domain] = self._wanted[domain]
            heappush(self._queue, (-self._queued[domain], domain))

    def _give_up_some(self) -> None:
        by_want = sorted(self._wanted, key=lambda name: -self._wanted[name])
        for domain in by_want[_MOST_DOMAINS // 2 :]:
            del self._wanted[domain], self._queued[domain], self._hosts[domain]
        self._queue = sorted((-want, domain) for domain, want in self._queued.items())


class RegistrantQuestions:
    """The part of a `RegistrantReader` that every strategy does alike: it collects questions."""

    _questions: OpenQuestions | None = None  # None: registries are not asked

    def open_questions(self) -> None:
        """Collect questions from now on: registries are asked."""
        self._questions = OpenQuestions()

    def ask_about(self, hosts: Iterable[str]) -> None:
        """Add the domains of these hosts to the questions."""
        if self._questions is not None:
            self._questions.add_hosts(hosts)

    @property
    def has_questions(self) -> bool:
        """Whether `next_question` has one."""
        return self._questions is not None and bool(len(self._questions))

    def next_question(self) -> str | None:
        """The domain whose registrant is wanted most; None for none."""
        return None if self._questions is None else self._questions.take()
