"""Atom (RFC 4287) with GeoRSS points: what is new, for feed readers and for other programs."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import BinaryIO
from xml.sax.saxutils import escape, quoteattr

from geoscout.store.export import ExportFormat, ExportSource
from geoscout.store.export_rows import Row
from geoscout_places.errors import UsageError

_HEAD = (
    '<?xml version="1.0" encoding="utf-8"?>\n'
    '<feed xmlns="http://www.w3.org/2005/Atom" xmlns:georss="http://www.georss.org/georss">\n'
)
# What XML cannot hold, however it is written.
_FORBIDDEN = dict.fromkeys(
    [*range(9), 11, 12, *range(14, 32), *range(0xD800, 0xE000), 0xFFFE, 0xFFFF]
)


def create() -> ExportFormat:
    """The format `atom`."""
    return ExportFormat("application/atom+xml", "atom", write)


def write(source: ExportSource, stream: BinaryIO) -> None:
    """Write an entry for each row that has an address on the web; of pages the relevant ones.

    Raises:
        UsageError: these rows have neither title nor name.
    """
    if "title" not in source.columns and "name" not in source.columns:
        raise UsageError(f"{source.what} have no titles: use jsonl or csv")
    now = datetime.now(UTC).isoformat(timespec="seconds")
    head = f"<title>geoscout: {source.what}</title>\n<id>urn:geoscout:{source.what}</id>\n"
    stream.write(f"{_HEAD}{head}<updated>{now}</updated>\n".encode())
    for row in source.rows():
        if row.get("relevant", True) and (link := _link(row)):
            stream.write(_entry(row, link, now).encode())
    stream.write(b"</feed>\n")


def _link(row: Row) -> str:
    found = row.get("url") or row.get("website") or row.get("source") or ""
    return str(found)


def _entry(row: Row, link: str, now: str) -> str:
    title = _text(row.get("title") or row.get("name") or link)
    id = _text(f"urn:geoscout:{row['entry']}" if "entry" in row else link)
    updated = _text(row.get("fetched_at") or now)
    lines = [
        f"<entry><title>{title}</title><id>{id}</id><updated>{updated}</updated>",
        f"<link href={quoteattr(_clean(link))}/>",
    ]
    if row.get("lat") is not None:
        lines.append(f"<georss:point>{row['lat']} {row['lon']}</georss:point>")
    if summary := _summary(row):
        lines.append(f"<summary>{_text(summary)}</summary>")
    return "".join(lines) + "</entry>\n"


def _summary(row: Row) -> str:
    """The address of an entry, or the place a page is about."""
    street = " ".join(str(row[part]) for part in ("street", "house_number") if row.get(part))
    town = " ".join(str(row[part]) for part in ("postcode", "city") if row.get(part))
    places = row.get("places") or []
    path = places[0]["path"] if places and isinstance(places[0], dict) else []
    return ", ".join(filter(None, (street, town))) or ", ".join(reversed(path))


def _clean(text: object) -> str:
    return str(text).translate(_FORBIDDEN)


def _text(text: object) -> str:
    return escape(_clean(text))
