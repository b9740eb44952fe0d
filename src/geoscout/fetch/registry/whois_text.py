"""Reads what whois servers answer: three families of free text, and whatever else comes.

The protocol (RFC 3912) says nothing about the form. Generic domains answer `Registrant City: X`
as ICANN wants it; European registries answer blocks of `key: value`, one a contact, with handles
(`admin-c: XY1`) that point at blocks; DENIC and Nominet have headed sections. A text in none of
these forms has no contacts, which is normal.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from geoscout.fetch.registry.contacts import Contact

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
_TOWN = re.compile(r"(?:[A-Z]{1,2}-)?\d{4,6}\s+(\D{2,60})")
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
                yield "city", town[1].strip()
    nominet = [value for key, value in block if key.startswith("registrant's address") and value]
    yield from _british(nominet)


def _british(lines: list[str]) -> Iterator[Pair]:
    """Street, town, county, postcode and country on a line each, the middle ones optional."""
    if len(lines) > 3:
        yield "city", lines[-4] if len(lines) > 4 else lines[-3]
        yield "country", lines[-1]
