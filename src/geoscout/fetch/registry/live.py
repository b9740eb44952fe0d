"""The live registries put together: RDAP, then whois, behind one cache.

They have an address book of their own, with the same rules for private addresses as the crawl.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from geoscout.fetch.base import Resolver
from geoscout.fetch.http.addresses import EVERYTHING, address_rule
from geoscout.fetch.http.client import HttpClient
from geoscout.fetch.http.name_books import address_book
from geoscout.fetch.http.rules import HttpRules
from geoscout.fetch.registry.lookup import RegistrationCache, Registrations, RegistrationSource
from geoscout.fetch.registry.rdap import RdapClient, RdapRules
from geoscout.fetch.registry.whois import WhoisClient, WhoisRules
from geoscout.registrations import RegistrationRecord


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
