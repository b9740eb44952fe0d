"""GeoNames' postal codes: `allCountries` or a country's file from its postal download.

Twelve columns; one line for each place a code serves. The first-level divisions in it are not those
of the dump (Lower Saxony is NI here and 06 there), so they are looked up by name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import BinaryIO, ClassVar

from geoscout.gazetteer.imports.areas import AreaCodes
from geoscout.gazetteer.imports.base import ImportRow, ImportTask, Outcome, Sample, parse_each
from geoscout.gazetteer.imports.checks import (
    check_columns,
    check_coordinates,
    check_country,
    check_name,
)
from geoscout.gazetteer.imports.text import read_lines

_COLUMNS = 12


class GeonamesPostalCodes:
    """Postal codes with the place they serve and its coordinates."""

    name: ClassVar[str] = "geonames-postcodes"
    table: ClassVar[str] = "postcodes"
    expects: ClassVar[str] = (
        "12 tab-separated columns, as in the postal-code files of GeoNames: "
        "country, code, place, three divisions with their codes, latitude, longitude, accuracy"
    )

    def recognises(self, sample: Sample) -> bool:
        return any(
            len(cells) == _COLUMNS and len(cells[0]) == 2 and cells[0].isupper()
            for cells in sample.lines
        )

    def read(self, stream: BinaryIO, task: ImportTask) -> Iterator[Outcome]:
        return parse_each(read_lines(stream), lambda line: parse_postal_code(line, task.areas))


def parse_postal_code(line: str, areas: AreaCodes) -> Sequence[ImportRow]:
    """The row of a line.

    A line without coordinates is kept: the builder takes those of the place.

    Raises:
        MalformedLineError: the line is no line of a postal-code file.
    """
    cells = line.split("\t")
    check_columns(cells, _COLUMNS, _COLUMNS)
    country = check_country(cells[0])
    code = check_name(cells[1], "postal code")
    place = check_name(cells[2], "place")
    latitude, longitude = cells[9], cells[10]
    if latitude or longitude:
        latitude, longitude = check_coordinates(latitude, longitude)
    region = areas.region(country, cells[3]) or areas.region(country, cells[4])
    return ((country, code, place, region, latitude, longitude, ""),)
