"""CSV in UTF-8, with the names of the columns in line one, and no lists: one value in each cell.

A page has many places. Its main place has columns of its own, and the names of all of them are one
text; those who need more of each take JSON lines or Parquet.

Texts come from pages, and a spreadsheet runs a cell that begins like a formula, with what the
owner of the machine may do. Such a text gets an apostrophe in front, which spreadsheets hide.

Where the decimal sign is a comma, a spreadsheet divides the same file at semicolons, and quotes in
the middle of such a line count for nothing. So what would begin a cell there, after a semicolon,
tab or line end inside a text, gets an apostrophe too.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from geoscout.store.export import ExportFormat, ExportSource
from geoscout.store.export_rows import Row

_SIGNS = "=+@＝＋＠－-"  # wide forms count as well in some; the hyphen is last, as in any class
_FORMULA = re.compile(rf"(^[ \"]*|[;\t\r\n][ \"]*)(?=[{_SIGNS}])|^(?=[\t\r\n])")
# What stands for the places of a page: these of its main place, then two about all of them.
_OF_MAIN = {
    "place": "name",
    "place_path": "path",
    "place_kind": "kind",
    "place_country": "country",
    "place_id": "id",
    "place_geonameid": "geonameid",
    "place_score": "score",
}
_OF_ALL = ("place_count", "place_names")
_BETWEEN_NAMES, _BELOW = " | ", " > "


def create() -> ExportFormat:
    """The format `csv`."""
    return ExportFormat("text/csv; charset=utf-8", "csv", write)


def write(source: ExportSource, stream: BinaryIO) -> None:
    """Write the header, also where there are no rows, and one line for each row."""
    text = io.TextIOWrapper(stream, encoding="utf-8", newline="")
    writer = csv.writer(text)
    writer.writerow(_columns(source.columns))
    for row in source.rows():
        writer.writerow(map(_cell, _values(row)))
    text.detach()


def _columns(columns: Iterable[str]) -> Iterator[str]:
    for name in columns:
        yield from (*_OF_MAIN, *_OF_ALL) if name == "places" else (name,)


def _values(row: Row) -> Iterator[object]:
    for name, value in row.items():
        yield from _flat(value) if name == "places" else (value,)


def _flat(places: list[Row]) -> Iterator[object]:
    main = places[0] if places and places[0]["score"] else {}
    yield from map(main.get, _OF_MAIN.values())
    yield len(places)
    yield _BETWEEN_NAMES.join(place["name"] for place in places)


def _cell(value: object) -> object:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        value = _BELOW.join(map(str, value))
    return _FORMULA.sub(r"\1'", value) if isinstance(value, str) else value
