"""Statements of one page about the same thing, made one.

A page often says an address twice: in its markup and in its text, or above and below. The
statement that comes first names the thing; the others add what it lacks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace
from rapidfuzz.fuzz import token_set_ratio

from geoscout_directory.opening import days_of
from geoscout_directory.records import NamePlace, PageEntry
from geoscout_places.gazetteer.names import fold
from geoscout_places.model import Address

MOST_PHONES, MOST_MAILS = 5, 3
_MOST_RIVALS = 50  # at one house on one page
_ALIKE = 80  # of 100, from which names next to one address mean one thing


def is_same_address(one: Address, other: Address) -> bool:
    """Whether two addresses of one page are the same, however they are abbreviated."""
    if one.house_number.lower() != other.house_number.lower():
        return False
    if one.unit and other.unit and one.unit.lower() != other.unit.lower():
        return False
    where = one.postcode == other.postcode or fold(one.city) == fold(other.city)
    return where and fold(one.street)[:5] == fold(other.street)[:5]


def is_less_of(one: Address, other: Address) -> bool:
    """Whether one of two addresses lacks the house number or street that the other has."""
    if one.postcode != other.postcode:
        return False
    if not (one.street and other.street):
        return True
    same_street = fold(one.street)[:5] == fold(other.street)[:5]
    return same_street and not (one.house_number and other.house_number)


def join_statements(entries: Sequence[PageEntry], *, is_one: bool = False) -> list[PageEntry]:
    """The entries of one page, those of the same thing made one; the first of them names it.

    `is_one`: the text of the page has one address only, so all names next to it mean one thing.
    """
    kept: list[PageEntry] = []
    near: dict[tuple[str, str], list[int]] = {}  # what can be the same: so time stays linear
    for entry in entries:
        keys = list(_keys(entry))
        if is_one and entry.address is not None:
            keys.append(("postcode", entry.address.postcode))
        rivals = [i for key in keys for i in near.get(key, ())[:_MOST_RIVALS]]
        same = next((i for i in rivals if _is_same(kept[i], entry, is_one)), None)
        if same is None:
            for key in keys:
                near.setdefault(key, []).append(len(kept))
            kept.append(entry)
        else:
            kept[same] = _with(kept[same], entry)
    return kept


def _keys(entry: PageEntry) -> Iterator[tuple[str, str]]:
    """What entries have in common that can be the same: the house, or the name."""
    if entry.address is not None:
        address = entry.address
        yield f"house {address.house_number.lower()}", fold(address.street)[:5]
    if entry.name:
        yield "name", fold(entry.name)


def _is_same(one: PageEntry, other: PageEntry, is_one: bool) -> bool:  # noqa: FBT001
    if one.address is None or other.address is None:
        return fold(one.name) == fold(other.name)
    if not is_same_address(one.address, other.address):
        is_same_name = is_one or fold(one.name) == fold(other.name)
        return is_same_name and is_less_of(one.address, other.address)
    weak = (NamePlace.TITLE, NamePlace.SITE)
    if is_one or not (one.name and other.name) or other.evidence in weak or one.evidence in weak:
        return True
    if one.phones and other.phones and set(one.phones).isdisjoint(other.phones):
        return False
    alike = token_set_ratio(fold(one.name), fold(other.name)) >= _ALIKE
    return alike or not _is_line(one) or not _is_line(other)


def _is_line(entry: PageEntry) -> bool:
    return entry.evidence in tuple(NamePlace)


def _with(one: PageEntry, other: PageEntry) -> PageEntry:
    """Two statements of one page as one; the better name and all details."""
    if not one.name or (one.evidence in (NamePlace.TITLE, NamePlace.SITE) and other.name):
        one, other = other, one
    better = max(one, other, key=_address_parts)
    website, is_own = (one.website, one.is_own) if one.website else (other.website, other.is_own)
    return replace(
        one,
        address=better.address,
        place_id=better.place_id,
        phones=tuple(dict.fromkeys((*one.phones, *other.phones)))[:MOST_PHONES],
        mails=tuple(dict.fromkeys((*one.mails, *other.mails)))[:MOST_MAILS],
        hours=max(one.hours, other.hours, key=days_of),
        categories=one.categories or other.categories,
        website=website,
        is_own=is_own,
    )


def _address_parts(entry: PageEntry) -> int:
    """How much of an address an entry has."""
    address = entry.address
    return (
        sum(map(bool, (address.street, address.house_number, address.postcode))) if address else -1
    )
