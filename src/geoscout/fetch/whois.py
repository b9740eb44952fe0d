"""Whois (RFC 3912): a line to port 43, a text back, and referrals from server to server.

IANA knows the registry of a top-level domain, a thin registry (.com) knows the registrar, and only
that one has the contacts. Servers are named by other servers, so a chain is short, never comes
back to a server, stays on port 43, and goes to public addresses only.

Reads what whois servers answer: three families of free text, and whatever else comes.

The protocol (RFC 3912) says nothing about the form. Generic domains answer `Registrant City: X`
as ICANN wants it; European registries answer blocks of `key: value`, one a contact, with handles
(`admin-c: XY1`) that point at blocks; DENIC and Nominet have headed sections. A text in none of
these forms has no contacts, which is normal.
"""

import asyncio
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from geoscout.fetch.http.addresses import AddressBook
from geoscout.fetch.http.client import translate
from geoscout.fetch.politeness import Pace
from geoscout.fetch.retries import failure
from geoscout.registrations import Contact, RegistrationRecord, make_record
from geoscout_places.errors import FetchError

_MOST_LINES = 2000
_LONGEST_LINE, _LONGEST_KEY = 1000, 60
_COMMENT = ("%", "#", ">>>")
_ROLES = {
    **dict.fromkeys(("admin", "administrative", "administrative contact", "admin-c"), "admin"),
    **dict.fromkeys(("registrant", "holder", "holder-c", "owner", "owner-c", "org"), "registrant"),
    **dict.fromkeys(("registrant contact", "domain holder", "registrant's"), "registrant"),
    **dict.fromkeys(("tech", "technical", "tech-c", "technical contact"), "technical"),
}
_FIELDS = {
    **dict.fromkeys(("city", "town", "locality"), "city"),
    **dict.fromkeys(("state/province", "state", "province", "region", "county"), "region"),
    **dict.fromkeys(("country", "country code", "countrycode", "country/economy"), "country"),
    **dict.fromkeys(("organization", "organisation", "org", "name"), "organisation"),
    **dict.fromkeys(("person", "contact", "org-name", "role"), "organisation"),
}
_GENERIC = re.compile(r"(registrant|admin|administrative|tech|technical)\s+(.+)", re.IGNORECASE)
# A town behind its code, which some countries write with a blank: 105 63 Athens, 110 00 Praha.
_TOWN = re.compile(r"(?:[A-Z]{1,2}-)?(?:\d{4,6}|\d{3} \d{2,3})\s+(\D{2,60})")
_REFERRALS = frozenset(
    ("refer", "whois", "registrar whois server", "whois server", "referralserver")
)
_SERVER = re.compile(r"(?:r?whois://)?([a-z0-9](?:[a-z0-9.-]{0,250}[a-z0-9])?)(?::43)?/?", re.ASCII)

Pair = tuple[str, str]  # a key in lower case and its value


def referral_in(text: str) -> str:
    """The server a text sends us on to; "" where it sends us nowhere.

    >>> referral_in("whois:    whois.nic.example")
    'whois.nic.example'
    """
    for key, value in _pairs(text):
        if key in _REFERRALS and "." in value:
            server = _SERVER.fullmatch(value.lower())
            if server is not None:
                return server[1]
    return ""


def contacts_in(text: str) -> dict[str, Contact]:
    """The contacts by role: "admin", "registrant", "technical"."""
    fields: dict[str, dict[str, str]] = {}
    blocks = list(_blocks(text))
    handles = _handles(blocks)
    for block in blocks:
        for key, value in block:
            found = _GENERIC.fullmatch(key)
            if found and found[2] in _FIELDS:
                _note(fields, _ROLES[found[1]], _FIELDS[found[2]], value)
        for role in _roles_of(block, handles):
            for field, value in _facts(block):
                _note(fields, role, field, value)
    return {role: Contact(**facts) for role, facts in fields.items()}


def _note(fields: dict[str, dict[str, str]], role: str, field: str, value: str) -> None:
    """The first value counts: a second one is a translation or another contact.

    Of names all count, since any of them may be that of a proxy.
    """
    facts = fields.setdefault(role, {})
    if field == "organisation" and field in facts:
        facts[field] += f"; {value}"
    facts.setdefault(field, value)


def _lines(text: str) -> Iterator[str]:
    """The lines without comments; a hostile reply has long ones, and many."""
    for line in text.splitlines()[:_MOST_LINES]:
        stripped = line[:_LONGEST_LINE].strip()
        if not stripped.startswith(_COMMENT):
            yield stripped


def _pair(line: str) -> Pair | None:
    key, colon, value = line.partition(":")
    is_pair = colon and 0 < len(key) <= _LONGEST_KEY and "[" not in key
    return (key.strip().lower(), value.strip()) if is_pair else None


def _pairs(text: str) -> Iterator[Pair]:
    return (pair for pair in map(_pair, _lines(text)) if pair)


def _blocks(text: str) -> Iterator[list[Pair]]:
    """Runs of lines between blank ones, or from a `[Heading]`; a bare line goes with its key."""
    block: list[Pair] = []
    for line in _lines(text):
        if not line or line.startswith("["):
            yield block
            block = [("section", line.strip("[] ").lower())] if line else []
        elif pair := _pair(line):
            block.append(pair)
        elif block:
            block.append((block[-1][0], line))
    yield block


def _handles(blocks: Iterable[list[Pair]]) -> dict[str, list[str]]:
    """Handle -> the roles that point at it."""
    roles: dict[str, list[str]] = {}
    for block in blocks:
        for key, value in block:
            if key in _ROLES and value:
                roles.setdefault(value.lower(), []).append(_ROLES[key])
    return roles


def _roles_of(block: list[Pair], handles: Mapping[str, list[str]]) -> list[str]:
    """What the contact of a block is to the domain; empty for a block that is not a contact."""
    roles: list[str] = []
    for key, value in block:
        if key == "section" and value in _ROLES:
            roles.append(_ROLES[value])
        elif key in ("nic-hdl", "handle", "contact id"):
            roles += handles.get(value.lower(), ())
        elif key.startswith("registrant's address"):  # Nominet
            roles.append("registrant")
    return roles


def _facts(block: list[Pair]) -> Iterator[Pair]:
    for key, value in block:
        if key in _FIELDS and value:
            yield _FIELDS[key], value
        elif "address" in key:
            town = _TOWN.fullmatch(value)
            if town is not None:
                yield "city", town[1].partition(",")[0].strip()
    nominet = [value for key, value in block if key.startswith("registrant's address") and value]
    yield from _british(nominet)


def _british(lines: list[str]) -> Iterator[Pair]:
    """Street, town, county, postcode and country on a line each, the middle ones optional."""
    if len(lines) > 3:
        yield "city", lines[-4] if len(lines) > 4 else lines[-3]
        yield "country", lines[-1]


ROOT = "whois.iana.org"
# Servers that answer in full only when asked in their own way.
_QUESTIONS = {
    "whois.denic.de": "-T dn,ace {}",
    "whois.jprs.jp": "{}/e",
    "whois.verisign-grs.com": "domain {}",
}
_TLDS_REMEMBERED = 2000  # there are some 1,500


@dataclass(frozen=True, slots=True)
class WhoisRules:
    root: str = ROOT
    port: int = 43
    seconds: float = 10.0  # for one reply, connecting included
    reply_bytes: int = 65_536  # what is longer is cut; contacts stand far before
    most_referrals: int = 3
    pause_seconds: float = 2.0  # after each question to a server


class WhoisClient:
    """Asks whois servers for registrations."""

    def __init__(self, addresses: AddressBook, rules: WhoisRules | None = None) -> None:
        self._addresses = addresses
        self._rules = rules or WhoisRules()
        self._pace = Pace(self._rules.pause_seconds)
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._registries: dict[str, str] = {}  # top-level domain -> server, "" for none

    async def ask(self, domain: str) -> RegistrationRecord | None:
        """What the registry, or a registrar it names, says of a domain; None without a registry.

        Raises:
            FetchError: the registry could not be asked.
        """
        server = await self._registry(domain.rpartition(".")[2])
        if not server:
            return None
        best = RegistrationRecord(domain, source="whois")
        asked: list[str] = []
        while server and server not in asked and len(asked) <= self._rules.most_referrals:
            asked.append(server)
            try:
                text = await self._reply(server, _QUESTIONS.get(server, "{}").format(domain))
            except FetchError:
                if len(asked) == 1:
                    raise
                break  # the registry has answered; it is not a failure if a registrar does not
            record = make_record(domain, contacts_in(text), "whois")
            best = record if record.has_place else best
            server = referral_in(text)
        return best

    async def _registry(self, top_level: str) -> str:
        # Questions about many domains come at once, and the root is asked once.
        async with self._locks[top_level]:
            return await self._known_registry(top_level)

    async def _known_registry(self, top_level: str) -> str:
        if top_level not in self._registries:
            server = referral_in(await self._reply(self._rules.root, top_level))
            if len(self._registries) > _TLDS_REMEMBERED:
                self._registries.clear()
            self._registries[top_level] = server
        return self._registries[top_level]

    async def _reply(self, server: str, question: str) -> str:
        async with self._pace.turn(server):
            address = await self._addresses.address(server)
            try:
                async with asyncio.timeout(self._rules.seconds):
                    body = await self._exchange(address, question)
            except TimeoutError as error:
                raise failure("timeout", f"{server}: whois") from error
            except OSError as error:
                raise translate(error) from error
        return _decoded(body)

    async def _exchange(self, address: str, question: str) -> bytes:
        reader, writer = await asyncio.open_connection(address, self._rules.port)
        try:
            writer.write(f"{question}\r\n".encode("ascii", "ignore"))
            await writer.drain()
            return await self._read(reader)
        finally:
            writer.close()

    async def _read(self, reader: asyncio.StreamReader) -> bytes:
        body = bytearray()
        while len(body) < self._rules.reply_bytes:
            piece = await reader.read(self._rules.reply_bytes - len(body))
            if not piece:
                break
            body += piece
        return bytes(body)


def _decoded(body: bytes) -> str:
    """Most servers speak UTF-8, old ones Latin-1; none says which."""
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.start > len(body) - 4:  # cut inside a character
            return body.decode("utf-8", "ignore")
        return body.decode("latin-1")
