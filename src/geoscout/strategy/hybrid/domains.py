"""Domains that give nothing new: how much of their worth is left, and what counts as new.

Before the first relevant page is found, no history can tell good hosts from bad ones, and one large
site near the seed could take the whole crawl. Later the calendar of a local site could, or a farm
that names the region in every link. So every domain tires: each response with nothing new lowers
the worth of its links, and the next new relevant page restores it. The more new pages a domain has
given, the more slowly it tires: else the priorities of a good site would rise and fall with every
page, and those that wait would no longer compare. Domains are counted rather than hosts, because a
farm has as many hosts as it likes.

What is new: an address that its domain has not shown, and with `aim=entities` a business, club or
office that no page has named. An entity comes as the numbers of its keys, such as its telephone
number and its name with its postal code; it is known if one of its numbers is. The tables are of
fixed size, and a later number replaces an earlier one in its place.
"""

from collections.abc import Iterable, Mapping
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from geoscout.strategy.terms import term_number
from geoscout_places.model import Address
from geoscout_places.urls import authority_of, registrable_domain, without_port

_BITS = 20  # of the number of hosts and domains remembered; a later one replaces an earlier one
_MASK = np.uint32((1 << _BITS) - 1)

Floats = NDArray[np.float64]
Numbers = NDArray[np.uint32]


class Brought(IntEnum):
    """What a response brought."""

    NEWS = 0  # a relevant page with something new
    NOTHING = 1  # a page that is not relevant, or an error
    REPEATS = 2  # a relevant page with nothing new, or only another URL


class TiredDomains:
    """How many responses in a row brought nothing new, by domain."""

    def __init__(self, halved_after: float) -> None:
        """`halved_after`: such responses halve the worth of a domain that gave nothing so far.

        One that gave n new pages can have 2 n + 1 times as many. 0: no domain tires.
        """
        self._halved_after = halved_after
        # By the lower bits of a host's number: the whole number, and that of its domain.
        self._hosts = np.zeros(1 << _BITS, np.uint32)
        self._domains = np.zeros(1 << _BITS, np.uint32)
        # By the lower bits of a domain's number: the whole number, and its responses. A column for
        # each member of `Brought`; NOTHING and REPEATS count from the last NEWS on.
        self._owners = np.zeros(1 << _BITS, np.uint32)
        self._counts = np.zeros((1 << _BITS, len(Brought)), np.float32)

    def unknown(self, hosts: Numbers) -> list[int]:
        """The positions of the hosts that `note` was not told of, or that were forgotten."""
        found: list[int] = np.flatnonzero(self._hosts.take(hosts & _MASK) != hosts).tolist()
        return found

    def note(self, urls: Iterable[str]) -> None:
        """Look up the domains of these URLs' hosts, so that `worth` can tell."""
        for authority in set(map(authority_of, urls)):
            number = term_number(authority)
            if self._hosts[number & _MASK] != number:
                self._hosts[number & _MASK] = number
                self._domains[number & _MASK] = _domain_number(authority)

    def worth(self, hosts: Numbers) -> Floats:
        """What is left of the worth of each host, from 1 down to 0; hosts by number.

        Repeats count more, and squared: their links look as good as links can look.
        """
        if not self._halved_after:
            return np.ones(len(hosts))
        domains = self._domains.take(hosts & _MASK) * (self._hosts.take(hosts & _MASK) == hosts)
        counts = self._counts.take(domains & _MASK, axis=0)
        counts *= (self._owners.take(domains & _MASK) == domains)[:, None]
        news, nothing, repeats = counts.astype(np.float64).T
        bored = nothing / (self._halved_after * (1.0 + 2.0 * news))
        trapped = 2.0 * repeats / (self._halved_after * (1.0 + news))
        return np.asarray(1.0 / ((1.0 + bored) * (1.0 + trapped) ** 2))

    def add(self, url: str, brought: Brought) -> None:
        """Count a response."""
        domain = _domain_number(authority_of(url))
        place = domain & int(_MASK)
        if self._owners[place] != domain:
            self._owners[place] = domain
            self._counts[place] = 0.0
        self._counts[place, brought] += 1.0
        if brought is Brought.NEWS:
            self._counts[place, Brought.NOTHING :] = 0.0

    def tables(self) -> tuple[NDArray[Any], ...]:
        """All that it knows; these arrays are never replaced by others."""
        return self._hosts, self._domains, self._owners, self._counts

    def save(self) -> dict[str, NDArray[Any]]:
        """Everything that was counted, as arrays."""
        places = np.flatnonzero(self._owners)
        return {"domains": self._owners[places], "domain-responses": self._counts[places]}

    def load(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Go on from what `save` gave."""
        places = arrays["domains"] & _MASK
        self._owners[places] = arrays["domains"]
        self._counts[places] = arrays["domain-responses"]


class SeenAddresses:
    """The addresses that each domain has shown, to tell what is new from what a footer repeats."""

    def __init__(self) -> None:
        # By the lower bits of the number of a domain with an address: the whole number.
        self._seen = np.zeros(1 << _BITS, np.uint32)

    def add(self, url: str, addresses: Iterable[Address]) -> bool:
        """Remember the addresses of a page; returns whether one is new for its domain.

        True for a page without any: then nothing can tell.
        """
        domain = _domain_number(authority_of(url))
        numbers = [term_number(_written(address), domain) for address in addresses]
        is_new = not numbers or any(self._seen[n & int(_MASK)] != n for n in numbers)
        for number in numbers:
            self._seen[number & int(_MASK)] = number
        return is_new

    def save(self) -> dict[str, NDArray[Any]]:
        """Everything, as an array."""
        return {"seen-addresses": self._seen[np.flatnonzero(self._seen)]}

    def load(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Go on from what `save` gave."""
        numbers = arrays["seen-addresses"]
        self._seen[numbers & _MASK] = numbers


def _written(address: Address) -> str:
    parts = (address.house_number, address.street, address.postcode, address.city)
    return " ".join(parts).casefold()


def _domain_number(authority: str) -> int:
    return term_number(registrable_domain(without_port(authority)))


_ENTITY_BITS = 22  # of the numbers remembered: 16 MB
_ENTITY_MASK = (1 << _ENTITY_BITS) - 1


class SeenEntities:
    """Every entity that pages have named so far."""

    def __init__(self) -> None:
        # By the lower bits of a key's number: the whole number.
        self._seen = np.zeros(1 << _ENTITY_BITS, np.uint32)

    def add(self, entities: Iterable[tuple[int, ...]]) -> int:
        """Remember the entities of a page; returns how many of them are new."""
        new = 0
        for keys in entities:
            new += not any(self._seen[key & _ENTITY_MASK] == key for key in keys)
            for key in keys:
                self._seen[key & _ENTITY_MASK] = key
        return new

    def save(self) -> dict[str, NDArray[Any]]:
        """Everything, as an array."""
        return {"seen-entities": self._seen[np.flatnonzero(self._seen)]}

    def load(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Go on from what `save` gave; a crawl with another aim has seen none."""
        numbers = arrays.get("seen-entities", np.zeros(0, np.uint32))
        self._seen[numbers & _ENTITY_MASK] = numbers
