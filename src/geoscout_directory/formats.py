"""Entries for other programs: JSON of the API, rows for tables, JSON lines, JSON-LD and vCard 4.

Rows are flat, or whole with all that was said. CSV, GeoJSON and Parquet are written of them by the
exporters of the store.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, BinaryIO, TypedDict, cast

import orjson
from msgspec import structs, to_builtins

from geoscout.entries import EntryFactsJson, EntryJson
from geoscout.store.export import ExportSource, Row, load_format, typed
from geoscout.store.records import date_text
from geoscout_directory.brands import brand_of
from geoscout_directory.contacts import shown_phone
from geoscout_directory.listing.finding import EntryStory, ListedEntry, SourcePage
from geoscout_directory.records import (
    DirectoryEntry,
    MapChange,
    MergeReason,
    PageEntry,
    contact_row,
    where_row,
)
from geoscout_places.urls import domain_of

_COLUMNS = typed(
    "entry name street house_number postcode city region country lat:float64 lon:float64 precision"
    " phones mails opening_hours categories website brand brand_wikidata nsi_id"
    " pages:int64 sites:int64 source"
)
_MAP_COLUMNS = typed("osm_id osm_status osm_changes osm_lacks osm_located_by osm_why")
_BETWEEN = "; "


def entries_source(
    entries: Callable[[], Iterable[DirectoryEntry]], *, joined: bool = False
) -> ExportSource:
    """Entries to be exported, one row each; lists are one text. `joined` adds what the map says."""
    columns = {**_COLUMNS, **_MAP_COLUMNS} if joined else _COLUMNS
    return ExportSource("entries", columns, partial(_flat_rows, entries))


def _flat_rows(entries: Callable[[], Iterable[DirectoryEntry]]) -> Iterator[Row]:
    for entry in entries():
        row = {"entry": entry.id, "name": entry.name, **where_row(entry), **contact_row(entry)}
        for name in ("phones", "mails", "categories"):
            row[name] = _BETWEEN.join(row[name])
        brand = brand_of(entry)
        row["brand"], row["brand_wikidata"] = (brand.name, brand.wikidata) if brand else ("", "")
        row["nsi_id"] = brand.id if brand else ""
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
        "merged": _merged(entry.reasons),
        "contradictions": _contradictions(entry),
        **_whole_map(entry),
    }


def _merged(reasons: Sequence[MergeReason]) -> list[MergeJson]:
    return cast("list[MergeJson]", list(map(structs.asdict, reasons)))


def _contradictions(entry: DirectoryEntry) -> dict[str, list[SaidValueJson]]:
    return {
        found.field: [{"value": value, "url": url} for value, url in found.values]
        for found in entry.contradictions
    }


def _whole_map(entry: DirectoryEntry) -> Row:
    match = entry.map
    if match is None:
        return {}
    changes = [
        {"field": found.field, "map": found.in_map, "pages": found.on_pages}
        for found in match.changes
    ]
    return {"osm": {**to_builtins(match), "changes": changes}}


Entries = Callable[[], Iterable[DirectoryEntry]]
_OF_STORE = ("atom", "csv", "geojson", "parquet")
_FOLD = 75  # bytes of a line of a vCard
_BUSINESS = "LocalBusiness"


def write_entries(entries: Entries, format: str, stream: BinaryIO, *, joined: bool = False) -> None:
    """Write entries in a format of `ENTRY_FORMATS`; `joined` if they were joined to a map."""
    if format in _OF_STORE:
        load_format(format).write(entries_source(entries, joined=joined), stream)
    else:
        stream.writelines(_WRITERS[format](entries()))


def _lines(entries: Iterable[DirectoryEntry]) -> Iterator[bytes]:
    for entry in entries:
        yield orjson.dumps(whole_row(entry), option=orjson.OPT_APPEND_NEWLINE)


def _json_ld(entries: Iterable[DirectoryEntry]) -> Iterator[bytes]:
    yield b'{"@context":"https://schema.org","@graph":['
    separator = b"\n"
    for entry in entries:
        yield separator + orjson.dumps(as_schema_org(entry))
        separator = b",\n"
    yield b"\n]}\n"


def as_schema_org(entry: DirectoryEntry) -> dict[str, Any]:
    """An entry in the words of schema.org; what is unknown is left out."""
    address, point = entry.address, entry.point
    stated: dict[str, object] = {
        "@type": _BUSINESS,
        "@id": f"urn:geoscout:entry:{entry.id}",
        "name": entry.name,
        "telephone": list(entry.phones),
        "email": list(entry.mails),
        "openingHours": [r for r in entry.hours.split("; ") if r and not r.endswith(" off")],
        "url": entry.website,
        "keywords": list(entry.categories),
        "sameAs": _map_url(entry),
        "subjectOf": list(dict.fromkeys(said.url for said in entry.said)),
    }
    if address is not None:
        parts = {
            "streetAddress": entry.street_line,
            "postalCode": address.postcode,
            "addressLocality": address.city,
            "addressRegion": address.region,
            "addressCountry": address.country,
        }
        stated["address"] = {"@type": "PostalAddress", **{k: v for k, v in parts.items() if v}}
    if point is not None:
        stated["geo"] = {
            "@type": "GeoCoordinates",
            "latitude": point.latitude,
            "longitude": point.longitude,
        }
    return {name: value for name, value in stated.items() if value}


def _map_url(entry: DirectoryEntry) -> str:
    """The page of the object of the map that an entry is; "" without one."""
    found = entry.map.osm_id if entry.map else ""
    return f"https://www.openstreetmap.org/{found}" if found else ""


def _cards(entries: Iterable[DirectoryEntry]) -> Iterator[bytes]:
    for entry in entries:
        yield b"".join(_folded(line) for line in as_card(entry))


def as_card(entry: DirectoryEntry) -> list[str]:
    """An entry as the lines of a vCard (RFC 6350), not yet folded."""
    address, point = entry.address, entry.point
    lines = ["BEGIN:VCARD", "VERSION:4.0", f"UID:urn:geoscout:entry:{entry.id}", "KIND:org"]
    lines += [f"FN:{_escaped(entry.name)}", f"ORG:{_escaped(entry.name)}"]
    if address is not None:
        town = (entry.street_line, address.city, address.region, address.postcode, address.country)
        parts = ("", address.unit, *town)
        lines.append(f"ADR:{';'.join(map(_escaped, parts))}")
    lines += [f"TEL;VALUE=uri:tel:{phone}" for phone in entry.phones]
    lines += [f"EMAIL:{_escaped(mail)}" for mail in entry.mails]
    if entry.website:
        lines.append(f"URL:{entry.website}")
    if point is not None:
        lines.append(f"GEO:geo:{point.latitude:.6f},{point.longitude:.6f}")
    if entry.categories:
        lines.append(f"CATEGORIES:{','.join(map(_escaped, entry.categories))}")
    if entry.hours:
        lines.append(f"NOTE:{_escaped(f'opening_hours: {entry.hours}')}")
    if entry.map is not None:
        lines.append(f"X-OSM-STATUS:{entry.map.status}")
    if found := _map_url(entry):
        lines.append(f"X-OSM-OBJECT;VALUE=uri:{found}")
    return [*lines, f"SOURCE:{entry.said[0].url}", "END:VCARD"]


def _escaped(text: str) -> str:
    r"""A text as a value of a vCard.

    >>> _escaped("Inn; Bar, Grill\nEast")
    'Inn\\; Bar\\, Grill\\nEast'
    """
    return re.sub(r"([\\;,])", r"\\\1", text).replace("\r", "").replace("\n", r"\n")


def _folded(line: str) -> bytes:
    """A line in pieces of at most 75 bytes; no letter is cut."""
    pieces, piece = [], b""
    for letter in line.replace("\n", " ").replace("\r", " "):
        encoded = letter.encode("utf-8", "replace")
        if len(piece) + len(encoded) > _FOLD:
            pieces.append(piece)
            piece = b" "
        piece += encoded
    return b"\r\n".join([*pieces, piece]) + b"\r\n"


_WRITERS = {"jsonl": _lines, "jsonld": _json_ld, "vcard": _cards}
ENTRY_FORMATS = (*_OF_STORE, *_WRITERS)


LONGEST_NAME = 300  # letters; a hostile page may give one of megabytes


class StatementJson(EntryFactsJson):
    """What one page says of an entry."""

    url: str
    n: int | None  # of the visit
    fetched_at: str | None
    evidence: str  # where the name stands: a kind of markup, line, heading, title or site
    own_site: bool  # the page is part of the entry's website


class MergeJson(TypedDict):
    """Why what two pages say is about the same thing."""

    one: str
    other: str
    why: str


class SaidValueJson(TypedDict):
    """A value, and the first page that says it."""

    value: str
    url: str


class EntryChangeJson(TypedDict):
    """A line of the history of an entry."""

    at: str
    what: str  # changed, renamed, gone or returned
    field: str
    before: str
    after: str


class EntryStoryJson(EntryJson):
    """An entry with what each page says of it, and its history."""

    crawl: str
    said: list[StatementJson]
    merged: list[MergeJson]
    contradictions: dict[str, list[SaidValueJson]]  # by field; the chosen value first
    history: list[EntryChangeJson]
    gone: bool  # no page names it any more
    followed_by: str  # id of the entry that pages name in its place; "" for none


def entry_json(listed: ListedEntry) -> EntryJson:
    entry = listed.entry
    return {
        "id": listed.id,
        **_facts(entry),
        "shown_phones": [shown_phone(phone) for phone in entry.phones],
        "pages": len({said.url for said in entry.said}),
        "sites": len({domain_of(said.url) for said in entry.said}),
        "price": entry.price,
        "source": entry.said[0].url,
        "first_seen": date_text(listed.first_seen),
        "last_seen": date_text(listed.last_seen),
        "disagreements": len(entry.contradictions),
    }


def _facts(entry: DirectoryEntry | PageEntry) -> EntryFactsJson:
    return {"name": entry.name[:LONGEST_NAME], **where_row(entry), **contact_row(entry)}  # type: ignore[typeddict-item]


def story_json(story: EntryStory, crawl: str, most: int) -> EntryStoryJson:
    """An entry with everything known of it; of what pages say, the first `most`."""
    entry = story.listed.entry
    return {
        **entry_json(story.listed),
        "crawl": crawl,
        "said": [_statement(said, story.pages.get(said.url)) for said in entry.said[:most]],
        "merged": _merged(entry.reasons[:most]),
        "contradictions": _contradictions(entry),
        "history": [
            cast("EntryChangeJson", {**structs.asdict(change), "at": date_text(change.at)})
            for change in story.history
        ],
        "gone": story.is_gone,
        "followed_by": story.followed_by,
    }


def _statement(said: PageEntry, page: SourcePage | None) -> StatementJson:
    return {
        **_facts(said),
        "url": said.url,
        "n": page.visit if page else None,
        "fetched_at": date_text(page.answered_at) if page else None,
        "evidence": said.evidence,
        "own_site": said.is_own,
    }
