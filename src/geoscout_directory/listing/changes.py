"""What differs between two states of an entry, for its history."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from msgspec import Struct

from geoscout_directory.formats import contact_row
from geoscout_directory.records import DirectoryEntry
from geoscout_places.gazetteer.names import fold

_BETWEEN = "; "


class HistoryKind(StrEnum):
    """What happened to an entry."""

    CHANGED = "changed"  # pages say something else of it
    RENAMED = "renamed"  # the same thing had another name or address before
    GONE = "gone"  # no page names it any more
    RETURNED = "returned"


class EntryChange(Struct, frozen=True, gc=False, kw_only=True):
    """One line of the history of an entry."""

    at: float  # when the page that says so was fetched; seconds since the epoch, UTC
    what: HistoryKind
    field: str = ""  # of those that `facts_of` gives
    before: str = ""
    after: str = ""


def facts_of(entry: DirectoryEntry) -> dict[str, str]:
    """What a history follows, as texts."""
    address = entry.address
    town = f"{address.postcode} {address.city}".strip() if address else ""
    contact = {
        name: _BETWEEN.join(sorted(value)) if isinstance(value, list) else str(value)
        for name, value in contact_row(entry).items()
    }
    where = ", ".join(filter(None, (entry.street_line, town)))
    return {"name": entry.name, "address": where, **contact}


def changes_between(
    before: DirectoryEntry, after: DirectoryEntry, at: float, what: HistoryKind
) -> Iterator[EntryChange]:
    """A line for each field that differs."""
    old, new = facts_of(before), facts_of(after)
    for field, value in new.items():
        if value != old[field]:
            yield EntryChange(at=at, what=what, field=field, before=old[field], after=value)


def is_successor(entry: DirectoryEntry, gone: DirectoryEntry) -> bool:
    """Whether an entry is what another has become: the same telephone number, or the same house.

    A house has many tenants, so two with different telephone numbers are two.
    """
    if entry.phones and gone.phones:
        return not set(entry.phones).isdisjoint(gone.phones)
    one, other = _house(entry), _house(gone)
    return bool(one) and one == other


def _house(entry: DirectoryEntry) -> str:
    address = entry.address
    if address is None or not address.street:
        return ""
    return fold(f"{address.street} {address.house_number} {address.postcode or address.city}")
