"""Which domains a crawl would like to know the holder of, the most wanted first.

Registries let themselves be asked once in a few seconds, and a crawl meets thousands of domains.
So the questions wait here, each with the hosts whose links would be judged anew by the answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from geoscout.urls import host_of, host_tokens, registrable_domain

_MOST_DOMAINS = 50_000  # some 20 MB; beyond that the least wanted are given up


class OpenQuestions:
    """The domains whose holder is not known yet."""

    def __init__(self) -> None:
        self._wanted: Counter[str] = Counter()  # links by domain, of those nobody has asked for
        self._hosts: dict[str, set[str]] = {}  # by domain, also of those being asked for
        self._asked: set[str] = set()

    def __len__(self) -> int:
        """The domains that nobody has asked for."""
        return len(self._wanted)

    def add(self, urls: Iterable[str]) -> list[bool]:
        """Want to know of each URL's domain; returns for which the answer is still to come."""
        return self.add_hosts(map(host_of, urls))

    def add_hosts(self, hosts: Iterable[str]) -> list[bool]:
        """The same for hosts."""
        return list(map(self._add, hosts))

    def _add(self, host: str) -> bool:
        domain = _domain(host)
        if not domain:
            return False
        if domain not in self._asked:
            self._wanted[domain] += 1
        elif domain not in self._hosts:
            return False  # it has been answered
        self._hosts.setdefault(domain, set()).add(host)
        if len(self._wanted) > _MOST_DOMAINS:
            self._give_up_some()
        return True

    def take(self) -> str | None:
        """The domain to ask for next; None when there is none."""
        if not self._wanted:
            return None
        domain = max(self._wanted, key=lambda name: self._wanted[name])
        del self._wanted[domain]
        self._asked.add(domain)
        return domain

    def settle(self, domain: str) -> list[str]:
        """The answer is there; returns the hosts it concerns."""
        self._asked.add(domain)
        self._wanted.pop(domain, None)
        return sorted(self._hosts.pop(domain, ()))

    def _give_up_some(self) -> None:
        for domain, _ in self._wanted.most_common()[_MOST_DOMAINS // 2 :]:
            del self._wanted[domain], self._hosts[domain]


def _domain(host: str) -> str:
    """The domain somebody has registered; "" for an address and a name of the local network."""
    return registrable_domain(host) if "." in host and host_tokens(host) else ""
