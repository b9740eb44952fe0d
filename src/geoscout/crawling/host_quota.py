"""How many hosts of one domain a crawl takes up.

A name server can answer for any name below its domain, and pages can then name new hosts without
end: each costs disk, and each takes its turn like a host of somebody else. So a domain has a limit.
Public suffixes such as blogspot.com do not count as domains here, since each name below them is
somebody's own; a few large hosters are missing in the list of suffixes and are named here.

There is no such limit for an IP address: hosts behind one are asked one at a time, with a pause in
between, however many they are, and many good ones share the addresses of large hosters.

It is kept in memory, in some 40 bytes for a host; a crawl that is resumed begins to count again.
"""

from __future__ import annotations

from array import array

from geoscout.frontier.known import KnownUrls
from geoscout.urls import registrable_domain

HOSTERS = frozenset(
    {
        "webnode.com", "weebly.com", "wordpress.com", "tumblr.com", "livejournal.com",
        "over-blog.com", "jimdofree.com", "substack.com", "hatenablog.com", "skyrock.com",
    }
)  # fmt: skip


class HostQuota:
    """Counts the hosts of each domain, and admits no more than some."""

    def __init__(self, most: int) -> None:
        """`most`: hosts of a domain; 0: as many as there are."""
        self._most = most
        self._hosts = KnownUrls()  # that were admitted
        self._domains = KnownUrls()
        self._counts = array("I", [0])  # by the number of the domain

    def admits(self, host: str) -> bool:
        """Whether a host may be asked; the first ones of a domain may, and then always."""
        if not self._most or self._hosts.find(host):
            return True
        domain = registrable_domain(host)
        if domain not in HOSTERS:
            number = self._domains.find(domain)
            if not number:
                number = self._domains.add(domain)
                self._counts.append(0)
            if self._counts[number] >= self._most:
                return False
            self._counts[number] += 1
        self._hosts.add(host)
        return True
