"""How many hosts of one domain, and of one IP address, a crawl takes up.

A name server can answer for any name below its domain, and pages can then name new hosts without
end: each costs disk, and each takes its turn like a host of somebody else. Many domains behind one
address can do the same. So both have a limit, which grows with what they are good for: some hosts
may be asked before any page was relevant, and every relevant page admits a few more.

A domain has a limit at which it ends, too. Public suffixes such as blogspot.com do not count as
domains here, since each name below them is somebody's own; a few large hosters are missing in the
list of suffixes and are named here. An address has no such limit, since many good hosts share those
of large hosters, and they are asked one at a time anyway. Nor is there one for private addresses:
whoever crawls their own machines knows how many there are.

It is kept in memory, in some 40 bytes for a host; a crawl that is resumed begins to count again.
"""

from __future__ import annotations

import math
from array import array

from geoscout.fetch.http.addresses import refusal
from geoscout.frontier.known_hosts import KnownUrls
from geoscout_places.urls import registrable_domain

HOSTERS = frozenset(
    {
        "webnode.com", "weebly.com", "wordpress.com", "tumblr.com", "livejournal.com",
        "over-blog.com", "jimdofree.com", "substack.com", "hatenablog.com", "skyrock.com",
    }
)  # fmt: skip
HOSTS_FOR_A_PAGE = 20  # that one relevant page admits


class HostQuota:
    """Counts the hosts of each domain and address, and admits no more than some."""

    def __init__(self, most: int, unproven: int = 0) -> None:
        """`most`: hosts of a domain; `unproven`: of a domain or address without a relevant page.

        0: as many as there are.
        """
        self._hosts, self._domains = KnownUrls(), _Crowds(most or math.inf, unproven)
        self._asked, self._addresses = KnownUrls(), _Crowds(math.inf, unproven)

    def admits(self, host: str) -> bool:
        """Whether a host may be asked; the first ones of a domain may, and then always."""
        if not self._domains.are_limited or self._hosts.find(host):
            return True
        domain = registrable_domain(host)
        if domain not in HOSTERS and not self._domains.add(domain):
            return False
        self._hosts.add(host)
        return True

    def admits_at(self, host: str, address: str) -> bool:
        """Whether a host may be asked at an address; the same, by address."""
        if not (address and self._addresses.are_limited) or self._asked.find(host):
            return True
        if refusal(address) is None and not self._addresses.add(address):
            return False
        self._asked.add(host)
        return True

    def note_relevant(self, host: str, address: str) -> None:
        """A page of a host was relevant."""
        self._domains.note_relevant(registrable_domain(host))
        self._addresses.note_relevant(address)


class _Crowds:
    """Hosts that have something in common, and how many relevant pages they have given."""

    def __init__(self, most: float, unproven: int) -> None:
        self.are_limited = most < math.inf or unproven > 0
        self._most, self._unproven = most, unproven or math.inf
        self._names = KnownUrls()
        self._counts, self._relevant = array("I", [0]), array("I", [0])  # by number of the name

    def add(self, name: str) -> bool:
        """Count one more host; False when there were enough."""
        number = self._number(name)
        more = HOSTS_FOR_A_PAGE * self._relevant[number]
        if self._counts[number] >= min(self._most, self._unproven + more):
            return False
        self._counts[number] += 1
        return True

    def note_relevant(self, name: str) -> None:
        if self.are_limited:
            self._relevant[self._number(name)] += 1

    def _number(self, name: str) -> int:
        number = self._names.find(name)
        if not number:
            number = self._names.add(name)
            self._counts.append(0)
            self._relevant.append(0)
        return number
