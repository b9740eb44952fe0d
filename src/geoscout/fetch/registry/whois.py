"""Whois (RFC 3912): a line to port 43, a text back, and referrals from server to server.

IANA knows the registry of a top-level domain, a thin registry (.com) knows the registrar, and only
that one has the contacts. Servers are named by other servers, so a chain is short, never comes
back to a server, stays on port 43, and goes to public addresses only.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from dataclasses import dataclass

from geoscout.errors import FetchError
from geoscout.fetch.failures import failure
from geoscout.fetch.http.dns import AddressBook
from geoscout.fetch.http.translate import translate
from geoscout.fetch.registry.contacts import make_record
from geoscout.fetch.registry.pace import Pace
from geoscout.fetch.registry.whois_text import contacts_in, referral_in
from geoscout.registrations import RegistrationRecord

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
    """How whois servers are asked."""

    root: str = ROOT
    port: int = 43
    seconds: float = 10.0  # for one reply, connecting included
    reply_bytes: int = 65_536  # what is longer is cut; contacts stand far before
    most_referrals: int = 3
    pause_seconds: float = 2.0  # after each question to a server


class WhoisClient:
    """Asks whois servers for registrations."""

    def __init__(
        self,
        addresses: AddressBook,
        rules: WhoisRules | None = None,
    ) -> None:
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
                text = await self._reply(server, _question(server, domain))
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


def _question(server: str, domain: str) -> str:
    return _QUESTIONS.get(server, "{}").format(domain)


def _decoded(body: bytes) -> str:
    """Most servers speak UTF-8, old ones Latin-1; none says which."""
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.start > len(body) - 4:  # cut inside a character
            return body.decode("utf-8", "ignore")
        return body.decode("latin-1")
