"""The three kinds of files that GeoNames offers: places, alternate names and postal codes.

- The dump of places (`allCountries`, a country's file such as `DE`, `cities500`) has nineteen
  columns without quoting. A dump of the world holds millions of features, a large part of them
  streams, hills, farms, schools and the like. A name that nobody uses costs twice: it takes memory,
  and it makes other names ambiguous. The dump has no measure of importance, but a feature that
  people write about mostly has an alternate name; that is the test for what is not a settlement.
- The alternate names (`alternateNamesV2`, or the older table without dates) say their language and
  whether they are preferred, short, colloquial or historic. Links, codes and historic names are
  left out: nobody finds a page of today by them.
- The postal codes have twelve columns, with one line for each place a code serves. The first-level
  divisions in them are not those of the dump (Lower Saxony is NI here and 06 there), so they are
  looked up by name.
"""

from collections.abc import Sequence
from functools import partial
from typing import BinaryIO

from geoscout_places.errors import UsageError
from geoscout_places.gazetteer.imports.files import Member, Sample, read_lines
from geoscout_places.gazetteer.imports.formats import (
    ImportFormat,
    ImportRow,
    ImportRows,
    check_columns,
    check_coordinates,
    check_country,
    check_name,
    check_number,
    is_alternate,
    join_alternates,
    parse_each,
    region_code,
)

_PLACE_COLUMNS = 19
CLASSES = frozenset("AHLPRSTUV")
EVERYTHING = "all"
# Gone: historical, abandoned or destroyed.
_GONE_SETTLEMENTS = frozenset({"PPLCH", "PPLH", "PPLQ", "PPLW"})
# Third and lower divisions mostly repeat the name of the town they are around.
_DIVISIONS = frozenset({"ADM1", "ADM2", "PCL", "PCLD", "PCLF", "PCLI", "PCLIX", "PCLS", "TERR"})
_ALWAYS = frozenset({"CONT", "OCN", "SEA", "GULF", "RGN", "RGNE"})
_NOTABLE = frozenset(
    """
    BAY CHN CNL ESTY FJD FLLS GLCR HBR LGN LK LKS RF RSV STM STRT WTRH
    AREA CST PRK RESN RESW RGNH RGNL
    ATOL CAPE CNYN DLTA DSRT HLLS ISL ISLS ISTH MESA MT MTS PASS PEN PK PKS PLAT PLN UPLD VAL VLC
    AIRP AMTH ANS BDG CSTL CTHD DAM FT LTHSE MNMT MUS OBS OPRA PAL PYR RUIN SQR STDM THTR TOWR
    UNIV ZOO FRST
    """.split()
)

_FEWEST_COLUMNS, _MOST_COLUMNS = 8, 10
# GeoNames' pseudo-languages of what is not a name: links, postal and airport codes, phonetics, the
# French names of the revolution.
_NOT_NAMES = frozenset(
    {"link", "wkdt", "post", "iata", "icao", "faac", "tcid", "unlc", "phon", "fr_1793"}
)
_ABBREVIATION = "abbr"
_FLAGS = {4: "p", 5: "s", 6: "c"}  # column and flag: preferred, short, colloquial
_HISTORIC_COLUMN = 7

_POSTAL_COLUMNS = 12


def _is_dump(sample: Sample) -> bool:
    return any(
        len(cells) == _PLACE_COLUMNS and cells[0].isdigit() and cells[6] in {*CLASSES, ""}
        for cells in sample.lines
    )


def _read_dump(stream: BinaryIO, _member: Member, option: str) -> ImportRows:
    return parse_each(read_lines(stream), partial(parse_place, chosen=read_classes(option)))


def read_classes(option: str) -> frozenset[str]:
    """The feature classes an option asks for in full; none for the usual choice."""
    if option == EVERYTHING:
        return CLASSES
    classes = frozenset(option.upper())
    if unknown := classes - CLASSES:
        letters = "".join(sorted(CLASSES))
        raise UsageError(
            f"{''.join(sorted(unknown))!r} is not a feature class of GeoNames; "
            f"take some of {letters} (as in geonames:PH) or {EVERYTHING!r}"
        )
    return classes


def parse_place(line: str, chosen: frozenset[str] = frozenset()) -> Sequence[ImportRow]:
    """The row of a line, or none when the feature is not wanted.

    `chosen` are the feature classes to take in full; when empty, `is_wanted` decides.

    Raises:
        MalformedLineError: the line is not one of a dump.
    """
    cells = line.split("\t")
    check_columns(cells, _PLACE_COLUMNS, _PLACE_COLUMNS)
    check_number(cells[0], "id")
    latitude, longitude = check_coordinates(cells[4], cells[5])
    usual = is_wanted(cells[6], cells[7], has_alternates=bool(cells[3]))
    if not (cells[6] in chosen if chosen else usual):
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


def is_wanted(feature_class: str, feature: str, *, has_alternates: bool) -> bool:
    """Whether a feature is imported when the user did not choose classes.

    >>> is_wanted("H", "STM", has_alternates=True), is_wanted("H", "STM", has_alternates=False)
    (True, False)
    """
    if feature_class == "P":
        return feature not in _GONE_SETTLEMENTS
    if feature_class == "A":
        return feature in _DIVISIONS
    return feature in _ALWAYS or (has_alternates and feature in _NOTABLE)


def _are_names(sample: Sample) -> bool:
    return any(
        _FEWEST_COLUMNS <= len(cells) <= _MOST_COLUMNS and cells[0].isdigit() and cells[1].isdigit()
        for cells in sample.lines
    )


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


def _are_postal_codes(sample: Sample) -> bool:
    return any(
        len(cells) == _POSTAL_COLUMNS and len(cells[0]) == 2 and cells[0].isupper()
        for cells in sample.lines
    )


def parse_postal_code(line: str) -> Sequence[ImportRow]:
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
    region = region_code(country, cells[3]) or region_code(country, cells[4])
    return ((country, code, place, region, latitude, longitude, ""),)


DUMP = ImportFormat(
    name="geonames",
    table="places",
    expects=(
        "19 tab-separated columns, as in allCountries.txt or DE.txt of GeoNames: "
        "id, name, ASCII name, alternate names, latitude, longitude, feature class …"
    ),
    recognises=_is_dump,
    read=_read_dump,
)
ALTERNATE_NAMES = ImportFormat(
    name="geonames-names",
    table="names",
    expects=(
        "8 to 10 tab-separated columns, as in alternateNamesV2.txt of GeoNames: "
        "id of the name, id of the place, language, name, four flags …"
    ),
    recognises=_are_names,
    read=lambda stream, _member, _option: parse_each(read_lines(stream), parse_name),
)
POSTAL_CODES = ImportFormat(
    name="geonames-postcodes",
    table="postcodes",
    expects=(
        "12 tab-separated columns, as in the postal-code files of GeoNames: "
        "country, code, place, three divisions with their codes, latitude, longitude, accuracy"
    ),
    recognises=_are_postal_codes,
    read=lambda stream, _member, _option: parse_each(read_lines(stream), parse_postal_code),
)
