"""Who holds a domain: asked once, then remembered on disk for every crawl.

RDAP (RFC 9082, 9083) first, since it has JSON over HTTPS where whois has free text; whois where no
RDAP server knows the top-level domain or none answers. That a record is absent or redacted is a
reply and is remembered too. What could not be asked is not. The clients have an address book of
their own, with the same rules for private addresses as the crawl.

IANA's bootstrap file (RFC 9224) says which RDAP server knows a top-level domain. Addresses stand in
jCards (RFC 7095). A thin registry points at the registrar's server with a link `related`.
"""

import asyncio
import sqlite3
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import Any, Protocol

import orjson

from geoscout.fetch.base import Resolver
from geoscout.fetch.http.addresses import EVERYTHING, address_rule
from geoscout.fetch.http.client import HttpClient
from geoscout.fetch.http.fetcher import address_book
from geoscout.fetch.http.rules import KIBIBYTE, MEBIBYTE, HttpRules, file_rule
from geoscout.fetch.politeness import Pace, SharedWork
from geoscout.fetch.retries import failure, is_redirect, next_hop
from geoscout.fetch.whois import WhoisClient, WhoisRules
from geoscout.registrations import Contact, RegistrationRecord, make_record
from geoscout_places.errors import DamagedDataError, FetchError
from geoscout_places.model import Response
from geoscout_places.urls import host_of, normalise, registrable_domain

BOOTSTRAP = "https://data.iana.org/rdap/dns.json"
_HEADERS = {"Accept": "application/rdap+json, application/json;q=0.9"}
_ROLES = {"administrative": "admin", "registrant": "registrant", "technical": "technical"}
_DEEPEST = 6  # entities in entities
_MOST_ENTITIES = 200
_ADDRESS_PARTS = 7  # of a jCard: box, extension, street, city, region, postcode, country


@dataclass(frozen=True, slots=True)
class RdapRules:
    bootstrap: str = BOOTSTRAP
    pause_seconds: float = 2.0  # after each question to a server
    most_redirects: int = 3
    reply_bytes: int = 256 * KIBIBYTE
    bootstrap_bytes: int = 2 * MEBIBYTE


class RdapClient:
    """Asks RDAP servers for registrations."""

    def __init__(self, client: HttpClient, rules: RdapRules | None = None) -> None:
        self._client = client
        self._rules = rules or RdapRules()
        self._pace = Pace(self._rules.pause_seconds)
        self._lock = asyncio.Lock()  # many questions come at once, and the file is asked for once
        self._servers: dict[str, str] | None = None  # top-level domain -> base URL

    async def ask(self, domain: str) -> RegistrationRecord | None:
        """What a server says of a domain; None where no server knows the top-level domain or it.

        Raises:
            FetchError: no reply; of kind "protocol" where it is not RDAP.
        """
        base = (await self._bootstrapped()).get(domain.rpartition(".")[2])
        if base is None:
            return None
        found = await self._object(f"{base}domain/{domain}")
        if found is None:
            return None
        record = make_record(domain, contacts_of(found), "rdap")
        if record.has_place:
            return record
        return await self._from_registrar(found, record)

    async def _from_registrar(
        self, found: Mapping[str, Any], record: RegistrationRecord
    ) -> RegistrationRecord:
        url = related_link(found)
        if not url:
            return record
        try:
            more = await self._object(url)
        except FetchError:
            return record  # the registry has answered; it is not a failure if a registrar does not
        return make_record(record.domain, contacts_of(more), "rdap") if more else record

    async def _bootstrapped(self) -> Mapping[str, str]:
        async with self._lock:
            return await self._read_bootstrap()

    async def _read_bootstrap(self) -> Mapping[str, str]:
        if self._servers is None:
            content = await self._get(self._rules.bootstrap, self._rules.bootstrap_bytes)
            self._servers = read_bootstrap(_json(content.body))
        return self._servers

    async def _object(self, url: str) -> Mapping[str, Any] | None:
        response = await self._get(url, self._rules.reply_bytes)
        if response.status == HTTPStatus.NOT_FOUND:
            return None
        if response.status != HTTPStatus.OK:
            is_passing = (
                response.status == HTTPStatus.TOO_MANY_REQUESTS
                or response.status >= HTTPStatus.INTERNAL_SERVER_ERROR
            )
            kind = "stalled" if is_passing else "protocol"
            raise failure(kind, f"status {response.status} for {url}")
        return _json(response.body)

    async def _get(self, url: str, most_bytes: int) -> Response:
        chain: list[str] = []
        while True:
            async with self._pace.turn(host_of(url)):
                response = await self._client.ask(url, file_rule(most_bytes), _HEADERS)
            if not is_redirect(response) or len(chain) >= self._rules.most_redirects:
                return response
            following = next_hop(response, chain)
            chain.append(url)
            url = following


def read_bootstrap(content: Mapping[str, Any]) -> dict[str, str]:
    """The base URL for each top-level domain, an https one where there is a choice."""
    servers: dict[str, str] = {}
    for service in _list(content.get("services")):
        if not (isinstance(service, list) and len(service) > 1):
            continue
        urls = [url for url in _list(service[1]) if isinstance(url, str)]
        urls = [url for url in map(normalise, urls) if url]
        if urls:
            url = next((url for url in urls if url.startswith("https:")), urls[0])
            base = url if url.endswith("/") else f"{url}/"
            servers |= {str(name).lower(): base for name in _list(service[0])}
    return servers


def contacts_of(found: Mapping[str, Any]) -> dict[str, Contact]:
    """The contacts by role; the first entity of a role counts."""
    contacts: dict[str, Contact] = {}
    for entity in _entities(found, _DEEPEST):
        roles = [_ROLES[role] for role in _list(entity.get("roles")) if role in _ROLES]
        contact = _contact(entity) if roles else None
        for role in roles if contact else ():
            contacts.setdefault(role, contact or Contact())
    return contacts


def related_link(found: Mapping[str, Any]) -> str:
    """Where the registrar tells more; "" where no link says so."""
    for link in _list(found.get("links")):
        if isinstance(link, dict) and link.get("rel") == "related":
            url = link.get("href")
            if isinstance(url, str) and "/domain/" in url:
                return normalise(url) or ""
    return ""


def _entities(found: Mapping[str, Any], depth: int) -> Iterator[Mapping[str, Any]]:
    if not depth:
        return
    for entity in _list(found.get("entities"))[:_MOST_ENTITIES]:
        if isinstance(entity, dict):
            yield entity
            yield from _entities(entity, depth - 1)


def _contact(entity: Mapping[str, Any]) -> Contact | None:
    card = _list(entity.get("vcardArray"))
    properties = [p for p in _list(card[1]) if isinstance(p, list)] if len(card) > 1 else []
    organisation = next((str(p[3]) for p in properties if len(p) > 3 and p[0] == "org"), "")
    name = next((str(p[3]) for p in properties if len(p) > 3 and p[0] == "fn"), "")
    for parts in (p for p in properties if len(p) > 3 and p[0] == "adr"):
        address = [_text(part) for part in _list(parts[3])]
        if len(address) == _ADDRESS_PARTS:
            code = _text(parts[1].get("cc")) if isinstance(parts[1], dict) else ""
            return Contact(address[3], address[4], address[6] or code, f"{organisation} {name}")
    return None


def _text(part: object) -> str:
    """A part of an address may be a list of lines."""
    if isinstance(part, list):
        return ", ".join(str(line) for line in part)
    return part if isinstance(part, str) else ""


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _json(body: bytes) -> Mapping[str, Any]:
    try:
        content = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise failure("protocol", f"not JSON: {error}") from error
    if not isinstance(content, dict):
        raise failure("protocol", "not a JSON object")
    return content


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
    """Replies for hosts, from the cache, or from the sources in their order."""

    def __init__(self, sources: Sequence[RegistrationSource], cache: RegistrationCache) -> None:
        self._sources = tuple(sources)
        self._cache = cache
        self._asked: SharedWork[RegistrationRecord] = SharedWork()

    async def look_up(self, host: str) -> RegistrationRecord:
        """The record of the domain a host belongs to; it may hold no place.

        Raises:
            FetchError: none of the sources could be asked.
        """
        domain = registrable_domain(host)
        return self._cache.get(domain) or await self._asked.once(domain, self.ask)

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
    rules: RegistryRules, cache: Path, resolver: Resolver | None = None
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
        yield Registrations([clients[kind] for kind in rules.kinds], remembered)
    finally:
        remembered.close()
        await client.close()
