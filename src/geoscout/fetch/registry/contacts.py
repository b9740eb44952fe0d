"""From the contacts of a registration to one record: whose place counts, and what is not a place.

Since 2018 most registries answer "REDACTED FOR PRIVACY", or with the address of a proxy service,
which says where the service is and nothing about the registrant. Both are the same as no reply.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
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
