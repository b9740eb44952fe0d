"""GeoNames' dump of places: `allCountries`, a country's file such as `DE`, or `cities500`.

Nineteen columns, no quoting. What is kept besides settlements is decided in `features`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import BinaryIO, ClassVar

from geoscout.gazetteer.imports import features
from geoscout.gazetteer.imports.base import ImportRow, ImportTask, Outcome, Sample, parse_each
from geoscout.gazetteer.imports.checks import (
    check_columns,
    check_coordinates,
    check_country,
    check_name,
    check_number,
    join_alternates,
)
from geoscout.gazetteer.imports.text import read_lines

_COLUMNS = 19


class GeonamesDump:
    """Places of a GeoNames dump; the option names feature classes to take in full."""

    name: ClassVar[str] = "geonames"
    table: ClassVar[str] = "places"
    expects: ClassVar[str] = (
        "19 tab-separated columns, as in allCountries.txt or DE.txt of GeoNames: "
        "id, name, ASCII name, alternate names, latitude, longitude, feature class …"
    )

    def recognises(self, sample: Sample) -> bool:
        return any(
            len(cells) == _COLUMNS and cells[0].isdigit() and cells[6] in {*features.CLASSES, ""}
            for cells in sample.lines
        )

    def read(self, stream: BinaryIO, task: ImportTask) -> Iterator[Outcome]:
        chosen = features.read_classes(task.option)
        return parse_each(read_lines(stream), lambda line: parse_place(line, chosen))


def parse_place(line: str, chosen: frozenset[str] = frozenset()) -> Sequence[ImportRow]:
    """The row of a line, or none when the feature is not wanted.

    `chosen` are the feature classes to take in full; when empty, `features` decides.

    Raises:
        MalformedLineError: the line is no line of a dump.
    """
    cells = line.split("\t")
    check_columns(cells, _COLUMNS, _COLUMNS)
    check_number(cells[0], "id")
    latitude, longitude = check_coordinates(cells[4], cells[5])
    if not _is_chosen(cells, chosen):
        return ()
    name = check_name(cells[1])
    row = (
        cells[0],
        name,
        latitude,
        longitude,
        check_country(cells[8]) if cells[8] else "",  # oceans are in no country
        cells[10],
        cells[11],
        check_number(cells[14] or "0", "population"),
        cells[17],
        cells[7],
        join_alternates(name, cells[3].split(",")),
    )
    return (row,)


def _is_chosen(cells: list[str], chosen: frozenset[str]) -> bool:
    if chosen:
        return cells[6] in chosen
    return features.is_wanted(cells[6], cells[7], has_alternates=bool(cells[3]))
