"""From the contacts of a registration to one record: whose place counts, and what is not a place.

Since 2018 most registries answer "REDACTED FOR PRIVACY", or with the address of a proxy service,
which says where the service is and nothing about the registrant. Both are the same as no reply.

One question at a time to a server, with a pause after each.

Registries close their doors to who asks fast, some after ten questions a minute. The crawl's own
frontier cannot see to it: these servers are not what it crawls.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

from geoscout.registrations import RegistrationRecord

# The paper takes the administrative contact; a registrant is where most records still have one.
PREFERRED = ("admin", "registrant", "technical")
_LONGEST = 100  # characters; the longest name of a town has 85
_HIDDEN = re.compile(
    r"redact|privacy|private|not disclosed|non[- ]?public|withheld|gdpr|data protect|masked|masking"
    r"|request email|statutory|upon request|not available|not applicable|not shown|hidden"
    r"|obfuscated|anonym|^n/?a$|^none$|^unknown$|^null$|^[\W_]+$",
    re.IGNORECASE,
)
_PROXY = re.compile(
    r"proxy|privacy|private|whois ?guard|perfect privacy|redact|withheld|identity protect"
    r"|domains? protect|protect(?:ed|ion)? service|whois agent|anonym",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Contact:
    """Where somebody named in a registration is, as written."""

    city: str = ""
    region: str = ""
    country: str = ""
    organisation: str = ""


def visible(text: str) -> str:
    """The text on one line, or "" where it only says that it does not tell.

    >>> visible(" Oldenburg "), visible("REDACTED FOR PRIVACY"), visible("--")
    ('Oldenburg', '', '')
    """
    plain = " ".join(text.split())
    return "" if len(plain) > _LONGEST or _HIDDEN.search(plain) else plain


def make_record(domain: str, contacts: Mapping[str, Contact], source: str) -> RegistrationRecord:
    """The record of the first preferred contact that tells most; empty where none tells."""
    best = RegistrationRecord(domain, source=source)
    for name in PREFERRED:
        contact = contacts.get(name)
        if contact is None or _PROXY.search(contact.organisation):
            continue
        place = (visible(contact.city), visible(contact.region), visible(contact.country))
        if _told(place) > _told((best.city, best.region, best.country)):
            city, region, country = place
            best = RegistrationRecord(domain, city, region, country, name, source=source)
    return best


def _told(place: tuple[str, str, str]) -> int:
    """A city tells more than what lies around it."""
    city, region, country = place
    return 4 * bool(city) + 2 * bool(region) + bool(country)


class Pace:
    """Keeps the pause for each server. There are as many servers as top-level domains at most."""

    def __init__(self, seconds: float, *, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._monotonic = monotonic
        self._locks: dict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._free_at: dict[str, float] = {}

    @asynccontextmanager
    async def turn(self, server: str) -> AsyncIterator[None]:
        """Wait for the server to be free; it is left alone for a while afterwards."""
        async with self._locks[server]:
            wait = self._free_at.get(server, 0.0) - self._monotonic()
            if wait > 0:
                await asyncio.sleep(wait)
            try:
                yield
            finally:
                self._free_at[server] = self._monotonic() + self._seconds
