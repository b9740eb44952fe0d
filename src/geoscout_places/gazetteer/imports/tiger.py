"""Street names from the US Census Bureau's TIGER/Line files.

Users have them as zipped shapefiles, one for each county: an attribute table (.dbf) and the lines
of the roads (.shp); or as CSV exported from the table, without lines. ROADS and FEATNAMES know no
more than the county, which is in the file's name; EDGES and ADDRFEAT also have the ZIP codes and
the house numbers on both sides of the road.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import BinaryIO, ClassVar

from geoscout_places.errors import UsageError
from geoscout_places.gazetteer.imports.base import (
    ImportRow,
    ImportTask,
    MalformedLineError,
    Outcome,
    Sample,
    parse_each,
)
from geoscout_places.gazetteer.imports.dbf import read_column_names, read_dbf
from geoscout_places.gazetteer.imports.shp import read_polylines
from geoscout_places.gazetteer.imports.text import read_csv, read_header
from geoscout_places.gazetteer.names import block_of
from geoscout_places.model import Point

# State codes of FIPS 5-2, which TIGER uses, to those of the post, which GeoNames uses.
_STATE_CODES = """
    01:AL 02:AK 04:AZ 05:AR 06:CA 08:CO 09:CT 10:DE 11:DC 12:FL 13:GA 15:HI 16:ID 17:IL 18:IN 19:IA
    20:KS 21:KY 22:LA 23:ME 24:MD 25:MA 26:MI 27:MN 28:MS 29:MO 30:MT 31:NE 32:NV 33:NH 34:NJ 35:NM
    36:NY 37:NC 38:ND 39:OH 40:OK 41:OR 42:PA 44:RI 45:SC 46:SD 47:TN 48:TX 49:UT 50:VT 51:VA 53:WA
    54:WV 55:WI 56:WY 60:AS 66:GU 69:MP 72:PR 78:VI
"""
_STATES = dict(pair.split(":") for pair in _STATE_CODES.split())
_TERRITORIES = frozenset({"AS", "GU", "MP", "PR", "VI"})  # countries of their own in ISO 3166
_FILE_NAME = re.compile(r"(?:tl|fe)_(?:rd\d\d_)?\d{4}_(\d{2}(?:\d{3})?|us)_", re.IGNORECASE)
_OPTION = re.compile(r"\d{2}(?:\d{3})?")
_STREET = "fullname"
_KINDS_OF_FEATURE = ("mtfcc", "road_mtfcc")  # FEATNAMES and EDGES have rivers and railways too
_ROAD = "S"
_ZIP_COLUMNS = ("zipl", "zipr")
# House numbers where the line begins and where it ends, on both sides: ADDRFEAT, then EDGES.
_NUMBER_COLUMNS = (
    ("lfromhn", "rfromhn", "lfromadd", "rfromadd"),
    ("ltohn", "rtohn", "ltoadd", "rtoadd"),
)
_MOST_SPOTS = 200  # of one road
_STATE, _COUNTY = "statefp", "countyfp"
_WANTED = frozenset(
    {_STREET, _STATE, _COUNTY, *_KINDS_OF_FEATURE, *_ZIP_COLUMNS, *chain(*_NUMBER_COLUMNS)}
)

CensusArea = tuple[str, str, str]  # country, region and district, in the codes of GeoNames


class TigerLine:
    """Streets by county; the option is the FIPS code of state or county, such as 06037."""

    name: ClassVar[str] = "tiger"
    table: ClassVar[str] = "streets"
    expects: ClassVar[str] = (
        "a TIGER/Line table of roads (ROADS, FEATNAMES, EDGES or ADDRFEAT; .zip, .dbf or .csv) "
        "with a column FULLNAME, called as the Census Bureau calls it: tl_2023_06037_roads.zip"
    )

    def recognises(self, sample: Sample) -> bool:
        if sample.name.lower().endswith(".dbf"):
            return _STREET in read_column_names(sample.head)
        first_line = sample.head.decode("utf-8-sig", "replace").partition("\n")[0]
        columns = read_header(first_line)
        return _STREET in columns and bool({"mtfcc", "linearid", "tlid"}.intersection(columns))

    def read(self, stream: BinaryIO, task: ImportTask) -> Iterator[Outcome]:
        area = find_area(f"{task.file}/{task.member}", task.option)
        is_dbf = task.member.lower().endswith(".dbf")
        if not is_dbf:
            yield from parse_each(read_csv(stream), lambda record: parse_road(record, area))
            return
        with task.open_beside(".shp") as shapes:
            lines = _Lines(shapes)
            for number, record in read_dbf(stream, _WANTED):
                road = partial(parse_road, area=area, line=lines.of_record(number))
                yield from parse_each(((number, record),), road)


class _Lines:
    """The lines of a shapefile, which has one for each record of the table in the same order."""

    def __init__(self, stream: BinaryIO | None) -> None:
        self._lines = read_polylines(stream) if stream else iter(())
        self._read = 0

    def of_record(self, number: int) -> Sequence[Point]:
        """The line of a record; records are asked for in order, deleted ones are left out."""
        line: Sequence[Point] = ()
        while self._read < number:
            line = next(self._lines, ())
            self._read += 1
        return line


def find_area(path: str, option: str) -> CensusArea:
    """The state and county of a file, from the option or else from the names in its path.

    >>> find_area("tl_2023_06037_roads.zip/tl_2023_06037_roads.dbf", "")
    ('US', 'CA', '037')

    Raises:
        UsageError: the option is not a FIPS code.
    """
    if option and not (_OPTION.fullmatch(option) and option[:2] in _STATES):
        raise UsageError(f"{option!r} is not a FIPS code of a state or county, as in tiger:06037")
    found = _FILE_NAME.search(path)
    code = option or (found[1] if found else "")
    return _as_area(code[:2], code[2:])


def parse_road(
    record: Mapping[str, str], area: CensusArea, line: Sequence[Point] = ()
) -> Sequence[ImportRow]:
    """The rows of a record: for each ZIP code at the road, or for the county, and each spot of it.

    Columns STATEFP and COUNTYFP, where a table has them, win over the name of its file.

    Raises:
        MalformedLineError: the record has no column for names, or it cannot be told where it is.
    """
    if _STREET not in record:
        raise MalformedLineError("there is no column FULLNAME")
    kind = next((record[column] for column in _KINDS_OF_FEATURE if record.get(column)), _ROAD)
    street = " ".join(record[_STREET].split())
    if not street or not kind.startswith(_ROAD):
        return ()
    if record.get(_STATE):
        area = _as_area(record[_STATE], record.get(_COUNTY, ""))
    if not area[0]:
        raise MalformedLineError("the state is neither in the file's name nor in STATEFP")
    zips = dict.fromkeys(record.get(column, "") for column in _ZIP_COLUMNS)
    known = [code for code in zips if code] or [""]
    spots = _spots(record, line) or [("", "", "")]
    return [
        (*area, "", code, north, east, street, block)
        for code in known
        for north, east, block in spots
    ]


def _spots(record: Mapping[str, str], line: Sequence[Point]) -> list[tuple[str, str, str]]:
    """Latitude, longitude and block of house numbers at every hundred metres of a road.

    With house numbers those of its two ends, since a record is no longer than a block then.
    """
    if not line:
        return []
    ends = zip(_NUMBER_COLUMNS, (line[0], line[-1]), strict=True)
    blocks = [(block_of(record.get(name, "")), p) for names, p in ends for name in names]
    numbered = [(str(block), p) for block, p in blocks if block is not None]
    found = numbered or [("", p) for p in line]
    spots = ((f"{p.latitude:.3f}", f"{p.longitude:.3f}", block) for block, p in found)
    return list(dict.fromkeys(spots))[:_MOST_SPOTS]


def _as_area(state: str, county: str) -> CensusArea:
    if state.lower() == "us":
        return "US", "", ""
    region = _STATES.get(state, "")
    if region in _TERRITORIES:
        return region, "", ""
    return ("US", region, county) if region else ("", "", "")
