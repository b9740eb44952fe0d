"""The bulk format of OpenSearch and Elasticsearch: a line that says what to do, a line of values.

Points are `geo_point`s and the places of a page are nested objects, as the mappings say
(`opensearch_mapping.py`), which an index must have before it gets the lines. A page has its URL as
its id, so that a later export replaces it.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import BinaryIO

import orjson

from geoscout.shards.page_texts import rows_with_pages
from geoscout.store.export import ExportFormat, ExportSource
from geoscout.store.export_rows import Row

_LONGEST_ID = 512  # bytes that an id may have
_LIST_OF_PLACES = "places"


def create() -> ExportFormat:
    """The format `opensearch`."""
    return ExportFormat("application/x-ndjson", "ndjson", write)


def write(source: ExportSource, stream: BinaryIO) -> None:
    """Write two lines for each row; pages with their text."""
    for row in _rows(source):
        lines = ({"index": _id_of(source.what, row)}, _document(row))
        stream.writelines(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE) for line in lines)


def _rows(source: ExportSource) -> Iterator[Row]:
    if source.what != "pages":
        yield from source.rows()
        return
    for row, _, page in rows_with_pages(source):
        yield {**row, "text": page.text}


def _id_of(what: str, row: Row) -> dict[str, str]:
    """The id of a row that is one thing; others get one from the server."""
    if what == "places":
        return {"_id": str(row["id"])}
    if what != "pages":
        return {}
    url = row["url"]
    is_short = len(url.encode()) <= _LONGEST_ID
    return {"_id": url if is_short else f"sha256:{sha256(url.encode()).hexdigest()}"}


def _document(row: Row) -> Row:
    """A row with its point, and those of its places, as the server reads them; without nulls."""
    found = {name: value for name, value in row.items() if value is not None}
    latitude, longitude = found.pop("lat", None), found.pop("lon", None)
    if latitude is not None and longitude is not None:
        found["location"] = {"lat": latitude, "lon": longitude}
    if _LIST_OF_PLACES in found:
        found[_LIST_OF_PLACES] = [_document(place) for place in found[_LIST_OF_PLACES]]
    return found
