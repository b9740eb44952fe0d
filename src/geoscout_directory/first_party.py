"""What a thing's own website says of it, with the page and the day of each fact.

Maps take facts from the website of the thing itself and not from directories and advertisers. A
page is the thing's own when its domain is that of the thing's website, and no other things have
their website there, unless by names that are alike: the branches of a chain.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace
from rapidfuzz.fuzz import token_set_ratio

from geoscout_directory.contacts import domain_of, is_shared
from geoscout_directory.likeness import name_form
from geoscout_directory.listing.finding import SourcePage
from geoscout_directory.merging import make_entry
from geoscout_directory.records import DirectoryEntry, PageEntry

_MOST_NAMES = 3  # of different things at one website; more make it a list
_ALIKE = 80  # of 100; branches of a chain are called alike


class Fact(Struct, frozen=True):
    """Where a value of an entry stands, and when that was seen."""

    url: str
    answered_at: float  # seconds since the epoch; 0 where it is not known


class OwnSites:
    """Which websites are those of the things that they describe."""

    def __init__(self, entries: Iterable[DirectoryEntry]) -> None:
        names: dict[str, list[str]] = defaultdict(list)
        for entry in entries:
            for domain in {domain_of(said.url) for said in entry.said if _claims(said)}:
                form = name_form(entry.name)
                if all(token_set_ratio(form, other) < _ALIKE for other in names[domain]):
                    names[domain].append(form)
        self._lists = {domain for domain, found in names.items() if len(found) > _MOST_NAMES}

    def reduced(self, entry: DirectoryEntry) -> DirectoryEntry | None:
        """The entry as its own website tells it; None where that says nothing of it."""
        own = [said for said in entry.said if _claims(said) and self._is_of(said)]
        return replace(make_entry(own, ()), id=entry.id, map=entry.map) if own else None

    def _is_of(self, said: PageEntry) -> bool:
        return domain_of(said.url) not in self._lists


def _claims(said: PageEntry) -> bool:
    """Whether a page says that it is part of the thing's website."""
    return (
        said.is_own and not is_shared(said.url) and domain_of(said.url) == domain_of(said.website)
    )


def facts_of(entry: DirectoryEntry, pages: Mapping[str, SourcePage]) -> dict[str, Fact]:
    """For each field that has a value the most trusted page that says it."""
    found: dict[str, Fact] = {}
    for said in entry.said:
        page = pages.get(said.url)
        fact = Fact(said.url, page.answered_at if page else 0.0)
        for field in _fields_said(said, entry):
            found.setdefault(field, fact)
    return found


def _fields_said(said: PageEntry, entry: DirectoryEntry) -> Iterator[str]:
    """The fields of an entry that have their values from a page."""
    if said.name == entry.name:
        yield "name"
    if said.address is not None and said.address == entry.address:
        yield "address"
    if entry.phones and entry.phones[0] in said.phones:
        yield "phones"
    if entry.mails and entry.mails[0] in said.mails:
        yield "mails"
    if entry.hours and said.hours == entry.hours:
        yield "hours"
