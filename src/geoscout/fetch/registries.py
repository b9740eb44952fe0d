"""Who holds a domain: asked once, then remembered on disk for every crawl.

RDAP first, since it has fields where whois has text; whois where no RDAP server knows the
top-level domain or none answers. That a record is absent or redacted is a reply and is
remembered too. What could not be asked is not. The clients have an address book of their own, with
the same rules for private addresses as the crawl.
"""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from geoscout.fetch.base import Resolver
from geoscout.fetch.http.addresses import EVERYTHING, address_rule
from geoscout.fetch.http.client import HttpClient
from geoscout.fetch.http.fetcher import address_book
from geoscout.fetch.http.rules import HttpRules
from geoscout.fetch.politeness import SharedWork
from geoscout.fetch.rdap import RdapClient, RdapRules
from geoscout.fetch.whois import WhoisClient, WhoisRules
from geoscout.registrations import RegistrationRecord
from geoscout_places.errors import DamagedDataError, FetchError
from geoscout_places.urls import registrable_domain

FILE = "registrations.sqlite"  # below the home folder
_DAY_SECONDS = 86_400.0
KEPT_SECONDS = 90 * _DAY_SECONDS  # registrants rarely move
_TABLE = """
CREATE TABLE IF NOT EXISTS registration (
    domain TEXT PRIMARY KEY, city TEXT NOT NULL, region TEXT NOT NULL, country TEXT NOT NULL,
    contact TEXT NOT NULL, source TEXT NOT NULL, asked_at REAL NOT NULL
) WITHOUT ROWID
"""


class RegistrationSource(Protocol):
    """Somebody who may know: RDAP or whois."""

    async def ask(self, domain: str) -> RegistrationRecord | None:
        """The record, perhaps without a place; None where there is nobody to ask.

        Raises:
            FetchError: it could not be asked.
        """


class RegistrationCache:
    """The records asked for so far, in a file that several crawls may share."""

    def __init__(self, file: Path, *, now: Callable[[], float] = time.time) -> None:
        """Open the file, or make it.

        Raises:
            DamagedDataError: it is not a database.
        """
        self._now = now
        self._file = file
        file.parent.mkdir(parents=True, exist_ok=True)
        self._connection = sqlite3.connect(file, timeout=30.0, isolation_level=None)
        with self._translated():
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute(_TABLE)

    def get(self, domain: str) -> RegistrationRecord | None:
        """The record, unless it was never asked for or too long ago."""
        with self._translated():
            row = self._connection.execute(
                "SELECT domain, city, region, country, contact, source FROM registration"
                " WHERE domain = ? AND asked_at > ?",
                (domain, self._now() - KEPT_SECONDS),
            ).fetchone()
        if row is None:
            return None
        domain, city, region, country, contact, source = row
        return RegistrationRecord(domain, city, region, country, contact, source=source)

    def put(self, record: RegistrationRecord) -> None:
        """Remember a record in place of an older one."""
        parts = (record.domain, record.city, record.region, record.country)
        with self._translated():
            self._connection.execute(
                "INSERT OR REPLACE INTO registration VALUES (?, ?, ?, ?, ?, ?, ?)",
                (*parts, record.contact, record.source, self._now()),
            )

    def close(self) -> None:
        self._connection.close()

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.DatabaseError as error:
            raise DamagedDataError(f"{self._file} cannot be used: {error}; delete it") from error


class Registrations:
    """Replies for hosts, from a table, from the cache, or from the sources in their order."""

    def __init__(
        self,
        sources: Sequence[RegistrationSource],
        cache: RegistrationCache,
        known: Mapping[str, RegistrationRecord] | None = None,
    ) -> None:
        """Prepare to ask; `known` are records that count before all others, as from a table."""
        self._sources = tuple(sources)
        self._cache = cache
        self._known = known or {}
        self._asked: SharedWork[RegistrationRecord] = SharedWork()

    async def look_up(self, host: str) -> RegistrationRecord:
        """The record of the domain a host belongs to; it may hold no place.

        Raises:
            FetchError: none of the sources could be asked.
        """
        domain = registrable_domain(host)
        return self.known(domain) or await self._asked.once(domain, self.ask)

    def known(self, domain: str) -> RegistrationRecord | None:
        """The record of a domain that nobody has to be asked for."""
        return self._known.get(domain) or self._cache.get(domain)

    async def look_up_all(self, hosts: Sequence[str]) -> dict[str, RegistrationRecord]:
        """The records by domain, asked for at the same time; without those that failed."""
        domains = list(dict.fromkeys(map(registrable_domain, hosts)))
        replies = await asyncio.gather(*map(self.look_up, domains), return_exceptions=True)
        found: dict[str, RegistrationRecord] = {}
        for domain, reply in zip(domains, replies, strict=True):
            if isinstance(reply, RegistrationRecord):
                found[domain] = reply
            elif not isinstance(reply, FetchError):
                raise reply
        return found

    async def ask(self, domain: str) -> RegistrationRecord:
        """Ask the sources, and remember what they say.

        Raises:
            FetchError: none of them could be asked.
        """
        best = RegistrationRecord(domain)
        failed: FetchError | None = None
        for source in self._sources:
            try:
                record = await source.ask(domain)
            except FetchError as error:
                failed = error
                continue
            best = record or best
            if best.has_place:
                break
        if failed is not None and not best.source:
            raise failed
        self._cache.put(best)
        return best


@dataclass(frozen=True, slots=True)
class RegistryRules:
    """How the servers of both kinds are asked."""

    http: HttpRules
    rdap: RdapRules = field(default_factory=RdapRules)
    whois: WhoisRules = field(default_factory=WhoisRules)
    kinds: tuple[str, ...] = ("rdap", "whois")  # that are asked, the first that tells counts


@asynccontextmanager
async def live_registrations(
    rules: RegistryRules,
    cache: Path,
    known: Mapping[str, RegistrationRecord] | None = None,
    resolver: Resolver | None = None,
) -> AsyncIterator[Registrations]:
    """Ask registries while the block runs; `resolver` None means the system's."""
    networks = EVERYTHING if rules.http.allow_private else rules.http.allowed_networks
    book = address_book(rules.http, resolver, address_rule(networks))
    client, remembered = HttpClient(rules.http, book), RegistrationCache(cache)
    clients: dict[str, RegistrationSource] = {
        "rdap": RdapClient(client, rules.rdap),
        "whois": WhoisClient(book, rules.whois),
    }
    try:
        yield Registrations([clients[kind] for kind in rules.kinds], remembered, known)
    finally:
        remembered.close()
        await client.close()
