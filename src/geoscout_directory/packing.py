"""The entries of pages as the file of a directory has them: a tenth of the size of the records."""

from __future__ import annotations

from msgspec import Struct

from geoscout_directory.records import Contradiction, DirectoryEntry, MergeReason, PageEntry
from geoscout_places.codec import Codec
from geoscout_places.model import Address, Point, Precision

READING_VERSION = 5  # of what is read from a page: one more whenever that changes


class _PackedAddress(Struct, frozen=True, gc=False, array_like=True, omit_defaults=True):
    start: int
    end: int
    text: str
    parts: tuple[str, str, str, str, str, str, str]  # in the order of `Address`
    point: tuple[float, float] | None
    source: str
    of_site: bool = False
    precision: Precision | None = None


class _PackedEntry(Struct, frozen=True, gc=False, array_like=True, omit_defaults=True):
    name: str
    evidence: str
    address: _PackedAddress | None = None
    place_id: int = 0
    phones: tuple[str, ...] = ()
    mails: tuple[str, ...] = ()
    hours: str = ""
    categories: tuple[str, ...] = ()
    website: str = ""
    is_own: bool = False


class _PackedMerged(Struct, frozen=True, gc=False, array_like=True):
    id: str
    chosen: _PackedEntry
    said: tuple[tuple[str, _PackedEntry], ...]  # each with the URL of its page
    reasons: tuple[tuple[str, str, str], ...]
    contradictions: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]


_ENTRY, _MERGED = Codec(_PackedEntry), Codec(_PackedMerged)


def pack_entry(entry: PageEntry) -> bytes:
    """One entry without its URL."""
    return _ENTRY.encode(_packed(entry))


def unpack_entry(packed: bytes, url: str) -> PageEntry:
    """The entry of the page of a URL.

    Raises:
        DamagedDataError: the bytes are something else.
    """
    return _unpacked(_ENTRY.decode(packed), url)


def pack_merged(entry: DirectoryEntry) -> bytes:
    """A merged entry, without what the map says of it."""
    chosen = PageEntry(
        url="", name=entry.name, evidence="", address=entry.address, place_id=entry.place_id,
        phones=entry.phones, mails=entry.mails, hours=entry.hours, categories=entry.categories,
        website=entry.website,
    )  # fmt: skip
    return _MERGED.encode(
        _PackedMerged(
            entry.id,
            _packed(chosen),
            tuple((said.url, _packed(said)) for said in entry.said),
            tuple((reason.one, reason.other, reason.why) for reason in entry.reasons),
            tuple((found.field, found.values) for found in entry.contradictions),
        )
    )


def unpack_merged(packed: bytes) -> DirectoryEntry:
    """The merged entry that was packed.

    Raises:
        DamagedDataError: the bytes are something else.
    """
    merged = _MERGED.decode(packed)
    chosen = _unpacked(merged.chosen, "")
    return DirectoryEntry(
        id=merged.id, name=chosen.name, address=chosen.address, place_id=chosen.place_id,
        phones=chosen.phones, mails=chosen.mails, hours=chosen.hours, categories=chosen.categories,
        website=chosen.website,
        said=tuple(_unpacked(entry, url) for url, entry in merged.said),
        reasons=tuple(MergeReason(*reason) for reason in merged.reasons),
        contradictions=tuple(Contradiction(*found) for found in merged.contradictions),
    )  # fmt: skip


def _packed(entry: PageEntry) -> _PackedEntry:
    address = entry.address
    return _PackedEntry(
        name=entry.name,
        evidence=entry.evidence,
        address=_packed_address(address) if address is not None else None,
        place_id=entry.place_id,
        phones=entry.phones,
        mails=entry.mails,
        hours=entry.hours,
        categories=entry.categories,
        website=entry.website,
        is_own=entry.is_own,
    )


def _packed_address(address: Address) -> _PackedAddress:
    point = address.point
    return _PackedAddress(
        start=address.start,
        end=address.end,
        text=address.text,
        parts=(
            address.house_number, address.street, address.unit, address.city, address.region,
            address.postcode, address.country,
        ),
        point=(point.latitude, point.longitude) if point is not None else None,
        source=address.source,
        of_site=address.of_site,
        precision=address.precision,
    )  # fmt: skip


def _unpacked(entry: _PackedEntry, url: str) -> PageEntry:
    address = entry.address
    return PageEntry(
        url=url,
        name=entry.name,
        evidence=entry.evidence,
        address=_unpacked_address(address) if address is not None else None,
        place_id=entry.place_id,
        phones=entry.phones,
        mails=entry.mails,
        hours=entry.hours,
        categories=entry.categories,
        website=entry.website,
        is_own=entry.is_own,
    )


def _unpacked_address(packed: _PackedAddress) -> Address:
    number, street, unit, city, region, postcode, country = packed.parts
    return Address(
        start=packed.start,
        end=packed.end,
        text=packed.text,
        house_number=number,
        street=street,
        unit=unit,
        city=city,
        region=region,
        postcode=postcode,
        country=country,
        point=Point(*packed.point) if packed.point else None,
        place=None,
        source=packed.source,
        of_site=packed.of_site,
        precision=packed.precision,
    )
