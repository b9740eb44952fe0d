"""RDAP (RFC 9082, 9083): registrations as JSON over HTTPS, where whois has free text.

IANA's bootstrap file (RFC 9224) says which server knows a top-level domain. Addresses stand in
jCards (RFC 7095). A thin registry points at the registrar's server with a link `related`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

import orjson

from geoscout.fetch.http.client import HttpClient
from geoscout.fetch.http.rules import KIBIBYTE, MEBIBYTE, file_rule
from geoscout.fetch.politeness import Pace
from geoscout.fetch.retries import failure, is_redirect, next_hop
from geoscout.registrations import Contact, RegistrationRecord, make_record
from geoscout_places.errors import FetchError
from geoscout_places.model import Response
from geoscout_places.urls import host_of, normalise

BOOTSTRAP = "https://data.iana.org/rdap/dns.json"
_HEADERS = {"Accept": "application/rdap+json, application/json;q=0.9"}
_ROLES = {"administrative": "admin", "registrant": "registrant", "technical": "technical"}
_DEEPEST = 6  # entities in entities
_MOST_ENTITIES = 200
_ADDRESS_PARTS = 7  # of a jCard: box, extension, street, city, region, postcode, country


@dataclass(frozen=True, slots=True)
class RdapRules:
    """How RDAP servers are asked."""

    bootstrap: str = BOOTSTRAP
    pause_seconds: float = 2.0  # after each question to a server
    most_redirects: int = 3
    reply_bytes: int = 256 * KIBIBYTE
    bootstrap_bytes: int = 2 * MEBIBYTE


class RdapClient:
    """Asks RDAP servers for registrations."""

    def __init__(
        self,
        client: HttpClient,
        rules: RdapRules | None = None,
    ) -> None:
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
