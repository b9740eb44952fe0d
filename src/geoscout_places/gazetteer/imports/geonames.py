"""The three kinds of files that GeoNames offers: places, alternate names and postal codes.

- The dump of places (`allCountries`, a country's file such as `DE`, `cities500`) has nineteen
  columns without quoting. What is kept besides settlements is decided in `features`.
- The alternate names (`alternateNamesV2`, or the older table without dates) say their language and
  whether they are preferred, short, colloquial or historic. Links, codes and historic names are
  left out: nobody finds a page of today by them.
- The postal codes have twelve columns, with one line for each place a code serves. The first-level
  divisions in them are not those of the dump (Lower Saxony is NI here and 06 there), so they are
  looked up by name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import BinaryIO, ClassVar

from geoscout_places.gazetteer.imports import features
from geoscout_places.gazetteer.imports.areas import AreaCodes
from geoscout_places.gazetteer.imports.base import (
    ImportRow,
    ImportTask,
    Outcome,
    Sample,
    parse_each,
)
from geoscout_places.gazetteer.imports.checks import (
    check_columns,
    check_coordinates,
    check_country,
    check_name,
    check_number,
    is_alternate,
    join_alternates,
)
from geoscout_places.gazetteer.imports.text import read_lines

_PLACE_COLUMNS = 19


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
            len(cells) == _PLACE_COLUMNS
            and cells[0].isdigit()
            and cells[6] in {*features.CLASSES, ""}
            for cells in sample.lines
        )

    def read(self, stream: BinaryIO, task: ImportTask) -> Iterator[Outcome]:
        chosen = features.read_classes(task.option)
        return parse_each(read_lines(stream), lambda line: parse_place(line, chosen))


def parse_place(line: str, chosen: frozenset[str] = frozenset()) -> Sequence[ImportRow]:
    """The row of a line, or none when the feature is not wanted.

    `chosen` are the feature classes to take in full; when empty, `features` decides.

    Raises:
        MalformedLineError: the line is not one of a dump.
    """
    cells = line.split("\t")
    check_columns(cells, _PLACE_COLUMNS, _PLACE_COLUMNS)
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


_FEWEST_COLUMNS, _MOST_COLUMNS = 8, 10
# GeoNames' pseudo-languages of what is not a name: links, postal and airport codes, phonetics, the
# French names of the revolution.
_NOT_NAMES = frozenset(
    {"link", "wkdt", "post", "iata", "icao", "faac", "tcid", "unlc", "phon", "fr_1793"}
)
_ABBREVIATION = "abbr"
_FLAGS = {4: "p", 5: "s", 6: "c"}  # column and flag: preferred, short, colloquial
_HISTORIC_COLUMN = 7


class AlternateNames:
    """Further names of places, by GeoNames id."""

    name: ClassVar[str] = "geonames-names"
    table: ClassVar[str] = "names"
    expects: ClassVar[str] = (
        "8 to 10 tab-separated columns, as in alternateNamesV2.txt of GeoNames: "
        "id of the name, id of the place, language, name, four flags …"
    )

    def recognises(self, sample: Sample) -> bool:
        return any(
            _FEWEST_COLUMNS <= len(cells) <= _MOST_COLUMNS
            and cells[0].isdigit()
            and cells[1].isdigit()
            for cells in sample.lines
        )

    def read(self, stream: BinaryIO, task: ImportTask) -> Iterator[Outcome]:  # noqa: ARG002 - no options
        return parse_each(read_lines(stream), parse_name)


def parse_name(line: str) -> Sequence[ImportRow]:
    """The row of a line, or none when it is not a name in use today.

    Raises:
        MalformedLineError: the line is not one of an alternate-names table.
    """
    cells = line.split("\t")
    check_columns(cells, _FEWEST_COLUMNS, _MOST_COLUMNS)
    check_number(cells[0], "id of the name")
    place = check_number(cells[1], "id of the place")
    language = cells[2]
    if language in _NOT_NAMES or cells[_HISTORIC_COLUMN] == "1":
        return ()
    name = check_name(cells[3], "alternate name")
    if language == _ABBREVIATION:
        return ((place, "", name, "a"),)
    if not is_alternate(name):
        return ()
    flags = "".join(flag for column, flag in _FLAGS.items() if cells[column] == "1")
    return ((place, language, name, flags),)


_POSTAL_COLUMNS = 12


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
            len(cells) == _POSTAL_COLUMNS and len(cells[0]) == 2 and cells[0].isupper()
            for cells in sample.lines
        )

    def read(self, stream: BinaryIO, task: ImportTask) -> Iterator[Outcome]:
        return parse_each(read_lines(stream), lambda line: parse_postal_code(line, task.areas))


def parse_postal_code(line: str, areas: AreaCodes) -> Sequence[ImportRow]:
    """The row of a line.

    A line without coordinates is kept: the builder takes those of the place.

    Raises:
        MalformedLineError: the line is not one of a postal-code file.
    """
    cells = line.split("\t")
    check_columns(cells, _POSTAL_COLUMNS, _POSTAL_COLUMNS)
    country = check_country(cells[0])
    code = check_name(cells[1], "postal code")
    place = check_name(cells[2], "place")
    latitude, longitude = cells[9], cells[10]
    if latitude or longitude:
        latitude, longitude = check_coordinates(latitude, longitude)
    region = areas.region(country, cells[3]) or areas.region(country, cells[4])
    return ((country, code, place, region, latitude, longitude, ""),)
