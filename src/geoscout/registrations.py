"""The registrant of a domain, as far as a registry tells: the record, and tables of records.

Apart from the clients in `fetch`, because a strategy reads the records too, and experiments bring
a table instead of asking registries: most contacts are redacted since 2018 (K-8 in docs/rank.md),
and a published experiment must not depend on what a server says today.

Most registries answer "REDACTED FOR PRIVACY", or with the address of a proxy service, which says
where the service is and nothing about the registrant. `make_record` takes both for no reply.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Protocol, runtime_checkable

from geoscout_places.errors import UsageError
from geoscout_places.urls import registrable_domain


@dataclass(frozen=True, slots=True)
class RegistrationRecord:
    """Where the registrant of a domain is; parts that are absent or redacted are ""."""

    domain: str  # the registrable one
    city: str = ""
    region: str = ""  # state or province, as written
    country: str = ""  # an ISO code or a name, as written
    contact: str = ""  # whose place it is: "admin", "registrant", "technical"
    source: str = ""  # "whois", "rdap" or "table"

    @property
    def has_place(self) -> bool:
        """Whether it says anything about where."""
        return bool(self.city or self.region or self.country)


@runtime_checkable
class RegistrantReader(Protocol):
    """Judges links by the registrants of their domains, as the strategies `hybrid` and `rank` do.

    What is known before the crawl is handed to `add_registrations`. Where registries are asked
    while the crawl runs, `open_questions` is called first; then `next_question` gives the domains
    to ask about, and `add_reply` takes what the registries say.
    """

    def add_registrations(self, records: Mapping[str, RegistrationRecord]) -> None:
        """Take records into account, by domain."""

    def open_questions(self) -> None:
        """Collect questions from now on: registries are asked."""

    def ask_about(self, hosts: Iterable[str]) -> None:
        """Add the domains of these hosts to the questions."""

    @property
    def has_questions(self) -> bool:
        """Whether `next_question` has one."""

    def next_question(self) -> str | None:
        """The domain whose registrant is wanted most; None for none at the moment."""

    def add_reply(self, record: RegistrationRecord) -> Sequence[str]:
        """Take a reply into account; returns the hosts whose links must be scored again."""


_COLUMNS = tuple(field.name for field in fields(RegistrationRecord))


def read_registrations(file: Path) -> dict[str, RegistrationRecord]:
    """The records of a table by domain: tab-separated, the names of its columns in line one."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read the table of registrations {file}: {error}") from error
    header = tuple(lines[0].split("\t")) if lines else ()
    if "domain" not in header or not set(header) <= set(_COLUMNS):
        raise UsageError(f"{file}: line one must name columns: {', '.join(_COLUMNS)}")
    rows = (dict(zip(header, line.split("\t"), strict=False)) for line in lines[1:] if line)
    records = (RegistrationRecord(**{"source": "table", **row}) for row in rows)
    return {record.domain: record for record in records}


def write_registrations(file: Path, records: Iterable[RegistrationRecord]) -> None:
    """A table that `read_registrations` reads."""
    rows = ["\t".join(_plain(getattr(record, name)) for name in _COLUMNS) for record in records]
    file.write_text("\n".join(["\t".join(_COLUMNS), *rows, ""]), encoding="utf-8")


def registration_of(
    host: str, records: Mapping[str, RegistrationRecord]
) -> RegistrationRecord | None:
    """The record of the domain a host belongs to; None where there is none."""
    return records.get(registrable_domain(host)) if records else None


def _plain(text: str) -> str:
    """On one line, without tabs."""
    return " ".join(text.split())


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
    """The record of the first preferred contact that tells a place; empty where none does.

    They are never mixed: where the holder shows but a state, the town of a hoster says nothing.
    """
    for name in PREFERRED:
        contact = contacts.get(name)
        if contact is None or _PROXY.search(contact.organisation):
            continue
        place = (visible(contact.city), visible(contact.region), visible(contact.country))
        if any(place):
            city, region, country = place
            return RegistrationRecord(domain, city, region, country, name, source=source)
    return RegistrationRecord(domain, source=source)
