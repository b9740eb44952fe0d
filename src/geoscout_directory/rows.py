"""Entries as rows for other programs: flat ones for tables, whole ones with all that was said."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

import msgspec

from geoscout.store.export import ExportSource
from geoscout.store.export_rows import Row
from geoscout_directory.records import DirectoryEntry, MapChange, PageEntry
from geoscout_directory.websites import domain_of

_COLUMNS = (
    "entry", "name", "street", "house_number", "postcode", "city", "region", "country", "lat",
    "lon", "precision", "phones", "mails", "opening_hours", "categories", "website", "pages",
    "sites", "source",
)  # fmt: skip
_MAP_COLUMNS = ("osm_id", "osm_status", "osm_changes", "osm_lacks", "osm_located_by", "osm_why")
_BETWEEN = "; "


def entries_source(
    entries: Callable[[], Iterable[DirectoryEntry]], *, joined: bool = False
) -> ExportSource:
    """Entries to be exported, one row each; lists are one text. `joined` adds what the map says."""
    columns = (*_COLUMNS, *_MAP_COLUMNS) if joined else _COLUMNS
    return ExportSource("entries", columns, partial(_flat_rows, entries))


def _flat_rows(entries: Callable[[], Iterable[DirectoryEntry]]) -> Iterator[Row]:
    for entry in entries():
        row = {"entry": entry.id, "name": entry.name, **where_row(entry), **contact_row(entry)}
        for name in ("phones", "mails", "categories"):
            row[name] = _BETWEEN.join(row[name])
        row["pages"] = len({said.url for said in entry.said})
        row["sites"] = len({domain_of(said.url) for said in entry.said})
        yield {**row, "source": entry.said[0].url, **_flat_map(entry)}


def _flat_map(entry: DirectoryEntry) -> Row:
    """What the map says of an entry, in columns; nothing if it was not asked."""
    match = entry.map
    if match is None:
        return {}
    return {
        "osm_id": match.osm_id,
        "osm_status": str(match.status),
        "osm_changes": _BETWEEN.join(map(change_text, match.changes)),
        "osm_lacks": _BETWEEN.join(match.lacks),
        "osm_located_by": match.located_by,
        "osm_why": match.why,
    }


def change_text(change: MapChange) -> str:
    """A change in one line.

    >>> change_text(MapChange("phone", "+49 89 1", "+49 89 2"))
    'phone: +49 89 1 → +49 89 2'
    """
    return f"{change.field}: {change.in_map} → {change.on_pages}"


def where_row(entry: DirectoryEntry | PageEntry) -> Row:
    """The address of an entry in its parts, with its point."""
    address = entry.address
    point = address.point if address else None
    return {
        "street": address.street if address else "",
        "house_number": address.house_number if address else "",
        "postcode": address.postcode if address else "",
        "city": address.city if address else "",
        "region": address.region if address else "",
        "country": address.country if address else "",
        "lat": point.latitude if point else None,
        "lon": point.longitude if point else None,
        "precision": str(address.precision) if address and address.precision else None,
    }


def contact_row(entry: DirectoryEntry | PageEntry) -> Row:
    """What else is known of an entry."""
    return {
        "phones": list(entry.phones),
        "mails": list(entry.mails),
        "opening_hours": entry.hours,
        "categories": list(entry.categories),
        "website": entry.website,
    }


def whole_row(entry: DirectoryEntry) -> Row:
    """An entry with what each page says of it, why they were merged, and where they disagree."""
    return {
        "entry": entry.id,
        "name": entry.name,
        **where_row(entry),
        **contact_row(entry),
        "said": [
            {
                "url": said.url,
                "name": said.name,
                "evidence": said.evidence,
                "own_site": said.is_own,
                **where_row(said),
                **contact_row(said),
            }
            for said in entry.said
        ],
        "merged": [{"one": r.one, "other": r.other, "why": r.why} for r in entry.reasons],
        "contradictions": {
            found.field: [{"value": value, "url": url} for value, url in found.values]
            for found in entry.contradictions
        },
        **_whole_map(entry),
    }


def _whole_map(entry: DirectoryEntry) -> Row:
    match = entry.map
    if match is None:
        return {}
    changes = [
        {"field": found.field, "map": found.in_map, "pages": found.on_pages}
        for found in match.changes
    ]
    return {"osm": {**msgspec.to_builtins(match), "changes": changes}}
