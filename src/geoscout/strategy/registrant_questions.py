"""Which domains a crawl would like to know the holder of, the most wanted first.

Registries let themselves be asked once in a few seconds, and a crawl meets thousands of domains.
So the questions wait here, each with the hosts whose links would be judged anew by the answer.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from heapq import heappop, heappush
from itertools import repeat

from geoscout.urls import host_of, host_tokens, registrable_domain

_MOVED_FROM = 1.2  # times what it was queued with: then it is queued anew
_MOST_DOMAINS = 50_000  # some 20 MB; beyond that the least wanted are given up


class OpenQuestions:
    """The domains whose holder is not known yet."""

    def __init__(self) -> None:
        # by domain, of those nobody has asked for: how much in all, and by when it was queued
        self._wanted: defaultdict[str, float] = defaultdict(float)
        self._queued: dict[str, float] = {}
        self._queue: list[tuple[float, str]] = []  # a heap; one entry of a domain counts
        self._hosts: dict[str, set[str]] = {}  # by domain, also of those being asked for
        self._asked: set[str] = set()

    def __len__(self) -> int:
        """The domains that nobody has asked for."""
        return len(self._wanted)

    def add(self, urls: Iterable[str], wants: Iterable[float] | None = None) -> list[bool]:
        """Want to know of each URL's domain; returns for which the answer is still to come.

        `wants`: how much, else all alike. What is wanted most in all is asked first.
        """
        return list(map(self._add, map(host_of, urls), wants or repeat(1.0)))

    def add_hosts(self, hosts: Iterable[str]) -> list[bool]:
        """The same for hosts."""
        return list(map(self._add, hosts, repeat(1.0)))

    def _add(self, host: str, want: float) -> bool:
        domain = _domain(host)
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
        """The domain to ask for next; None when there is none."""
        while self._queue:
            want, domain = heappop(self._queue)
            if self._queued.get(domain) == -want:
                del self._wanted[domain], self._queued[domain]
                self._asked.add(domain)
                return domain
        return None

    def settle(self, domain: str) -> list[str]:
        """The answer is there; returns the hosts it concerns."""
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


class HolderQuestions:
    """The part of a `RegistrationReader` that every strategy does alike: to have questions."""

    _questions: OpenQuestions | None = None  # None: nobody answers

    def ask_for_holders(self) -> None:
        """From now on somebody answers."""
        self._questions = OpenQuestions()

    def want_holders(self, hosts: Iterable[str]) -> None:
        """Want to know who holds the domains of these hosts."""
        if self._questions is not None:
            self._questions.add_hosts(hosts)

    @property
    def wants_more(self) -> bool:
        """Whether `next_domain` has one."""
        return self._questions is not None and bool(len(self._questions))

    def next_domain(self) -> str | None:
        """The domain whose holder is wanted most; None for none."""
        return None if self._questions is None else self._questions.take()


def _domain(host: str) -> str:
    """The domain somebody has registered; "" for an address and a name of the local network."""
    return registrable_domain(host) if "." in host and host_tokens(host) else ""
