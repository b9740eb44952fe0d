"""Streets: TIGER/Line of the US Census Bureau, and lists of streets or addresses of any country.

A TIGER file is a zipped shapefile, one for each county: a table of attributes (.dbf) and the lines
of the roads (.shp); or CSV exported from the table, without lines. ROADS and FEATNAMES know no more
than the county, which is in the file's name; EDGES and ADDRFEAT also have the ZIP codes and the
house numbers on both sides of the road.

Other lists are CSV with a header, or GeoJSON with one feature on a line, as OpenAddresses writes it
now. A street is tied to the narrowest thing its line knows: the city, else the postal code, else
the spot.
"""

import re
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from itertools import chain
from pathlib import PurePosixPath
from typing import BinaryIO

from geoscout_places.errors import UsageError
from geoscout_places.gazetteer.imports.files import (
    MalformedLineError,
    Member,
    Numbered,
    Sample,
    ShapeRecord,
    read_csv,
    read_header,
    read_json_lines,
    read_shapes,
    table_columns,
)
from geoscout_places.gazetteer.imports.formats import (
    ImportFormat,
    ImportRow,
    ImportRows,
    check_coordinates,
    check_name,
    country_code,
    parse_each,
    region_code,
    shorten,
)
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


def _is_tiger(sample: Sample) -> bool:
    if sample.name.lower().endswith(".dbf"):
        return _STREET in table_columns(sample.head)
    columns = read_header(sample.header)
    return _STREET in columns and bool({"mtfcc", "linearid", "tlid"}.intersection(columns))


def _read_tiger(stream: BinaryIO, member: Member, option: str) -> ImportRows:
    area = find_area(f"{member.file.name}/{member.name}", option)
    if member.name.lower().endswith(".dbf"):
        return parse_each(
            _read_with_lines(stream, member), lambda road: parse_road(*road, area=area)
        )
    return parse_each(read_csv(stream), lambda row: parse_road(row, (), area))


def _read_with_lines(stream: BinaryIO, member: Member) -> Numbered[ShapeRecord]:
    shapes = member.beside(".shp")
    with shapes.open() if shapes else nullcontext() as opened:
        yield from read_shapes(stream, opened.stream if opened else None, _WANTED)


def find_area(path: str, option: str) -> CensusArea:
    """The state and county of a file, from the option or else from the names in its path.

    >>> find_area("tl_2023_06037_roads.zip/tl_2023_06037_roads.dbf", "")
    ('US', 'CA', '037')
    """
    if option and not (_OPTION.fullmatch(option) and option[:2] in _STATES):
        raise UsageError(f"{option!r} is not a FIPS code of a state or county, as in tiger:06037")
    found = _FILE_NAME.search(path)
    code = option or (found[1] if found else "")
    return _as_area(code[:2], code[2:])


def parse_road(
    record: Mapping[str, str], line: Sequence[Point], area: CensusArea
) -> Sequence[ImportRow]:
    """The rows of a record: for each ZIP code at the road, or for the county, and each spot of it.

    Columns STATEFP and COUNTYFP, where a table has them, win over the name of its file.

    Raises:
        MalformedLineError: it has no name, or it cannot be told where it is.
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


TIGER = ImportFormat(
    name="tiger",
    table="streets",
    expects=(
        "a TIGER/Line table of roads (ROADS, FEATNAMES, EDGES or ADDRFEAT; .zip, .dbf or .csv) "
        "with a column FULLNAME, called as the Census Bureau calls it: tl_2023_06037_roads.zip"
    ),
    recognises=_is_tiger,
    read=_read_tiger,
)

_GEOJSON = (".geojson", ".geojsonl", ".ndjson", ".json")
_TWO_LETTERS = re.compile(r"[a-z]{2}")
_LETTER = re.compile(r"[^\W\d_]")
# The names that columns usually have; there is no standard for such files: OpenAddresses, exports
# of OpenStreetMap and the open data of cities each have their own. The first that a header has is
# taken.
_COLUMN_NAMES = {
    "street": (
        "street|addr:street|street_name|streetname|street name|full_street_name|road|road_name"
        "|fullname|strasse|straße|strassenname|straßenname|strname|voie|nom_voie|rue|via|calle|rua"
        "|ulica|straat|straatnaam"
    ),
    "number": (
        "number|addr:housenumber|house_number|housenumber|hausnummer|hausnr|numero|huisnummer"
    ),
    "city": (
        "city|addr:city|town|municipality|locality|place|postal_city|post_town|stadt|ort|gemeinde"
        "|ville|commune|nom_commune|ciudad|municipio|comune|cidade|miasto|woonplaats"
    ),
    "postcode": (
        "postcode|addr:postcode|postal_code|postalcode|zip|zipcode|zip_code|plz|code_postal|cp|cap"
    ),
    "region": "region|state|addr:state|province|addr:province|bundesland",
    "country": "country_code|country|addr:country|land|pays",
    "latitude": "lat|latitude|@lat|y",
    "longitude": "lon|lng|long|longitude|@lon|x",
    # In lists drawn from OpenStreetMap the street is the name of what has one of these.
    "marker": "class|highway",
}
_NAME, _CLASS, _HIGHWAY = "name", "class", "highway"

AreaOfFile = tuple[str, str]  # country and region a file is about; "" where it does not say


def find_columns(header: Sequence[str]) -> dict[str, str]:
    """What the columns of a header in lower case are; only what it has.

    >>> find_columns(["@id", "@lat", "name", "highway"])
    {'latitude': '@lat', 'marker': 'highway', 'street': 'name'}
    """
    found = {}
    for what, names in _COLUMN_NAMES.items():
        if known := [name for name in names.split("|") if name in header]:
            found[what] = known[0]
    # OSMNames has a column for streets as well, which is empty for the streets themselves.
    if _NAME in header and _CLASS in header:
        found.pop("street", None)
    if "street" in found:
        found.pop("marker", None)
    elif _NAME in header:
        found["street"] = _NAME
    return found


def is_street(columns: Mapping[str, str], record: Mapping[str, str]) -> bool:
    """Whether the record is about a street at all."""
    marker = columns.get("marker")
    if marker == _CLASS:
        return record.get(_CLASS) == _HIGHWAY
    return marker is None or bool(record.get(marker))


def _is_street_list(sample: Sample) -> bool:
    if sample.name.lower().endswith(_GEOJSON):
        return sample.header.startswith("{") and '"street"' in sample.header
    found = find_columns(read_header(sample.header))
    # A name alone could be anything's.
    return "street" in found and (found["street"] != _NAME or "marker" in found)


def _read_street_list(stream: BinaryIO, member: Member, option: str) -> ImportRows:
    parse = _StreetParser(area_of_file(member.name, option)).parse
    if member.name.lower().endswith(_GEOJSON):
        features = ((number, _flatten(found)) for number, found in read_json_lines(stream))
        return parse_each(features, parse)
    return parse_each(read_csv(stream), parse)


def area_of_file(member: str, option: str) -> AreaOfFile:
    """Country and region of a file, from the option or its path among those of OpenAddresses."""
    if option:
        country, _, region = option.partition(".")
        found = country_code(country), region_code(country_code(country), region)
        if not found[0] or (region and not found[1]):
            raise UsageError(
                f"{option!r} is not a country or region, as in streets:DE or streets:US.CA"
            )
        return found
    parents = PurePosixPath(member).parts[:-1]
    folders = [part for part in parents if _TWO_LETTERS.fullmatch(part)]
    country = country_code(folders[0]) if folders else ""
    return country, region_code(country, folders[1]) if len(folders) > 1 else ""


class _StreetParser:
    """Parses the records of one file."""

    def __init__(self, area: AreaOfFile) -> None:
        self._country, self._region = area
        self._header: tuple[str, ...] = ()
        self._columns: dict[str, str] = {}

    def parse(self, record: Mapping[str, str]) -> Sequence[ImportRow]:
        """The row of a record, or none when it is about no street.

        Raises:
            MalformedLineError: it lacks a column, or says nonsense in one.
        """
        header = tuple(record)
        if header != self._header:  # the same for all rows of CSV; features may differ
            self._header, self._columns = header, find_columns(header)
        if "street" not in self._columns:
            raise MalformedLineError("there is no column with the street")
        cells = {what: " ".join(record[name].split()) for what, name in self._columns.items()}
        if not is_street(self._columns, record) or not _LETTER.search(cells["street"]):
            return ()
        country = self._find_country(cells.get("country", ""))
        region = region_code(country, cells.get("region", "")) or self._region
        city = cells.get("city", "")
        postcode = "" if city else cells.get("postcode", "")
        spot = _find_spot(cells, is_needed=not (city or postcode))
        block = block_of(cells.get("number", "")) if spot[0] else None
        name = check_name(cells["street"], "street")
        numbers = "" if block is None else str(block)
        return ((country, region, "", city, postcode, *spot, name, numbers),)

    def _find_country(self, text: str) -> str:
        country = country_code(text)
        if text and not country:
            raise MalformedLineError(f"country {shorten(text)!r} is unknown")
        if not (country or self._country):
            raise MalformedLineError("the country is missing; give it as in --format streets:DE")
        return country or self._country


def _find_spot(cells: Mapping[str, str], *, is_needed: bool) -> tuple[str, str]:
    """The place of a line to a thousandth of a degree: a spot for every hundred metres.

    Columns x and y often are metres on the map of a country. Where the line also has a town or
    a postal code, such a spot is left out.
    """
    latitude, longitude = cells.get("latitude"), cells.get("longitude")
    if not (latitude and longitude):
        return "", ""
    try:
        north, east = check_coordinates(latitude, longitude)
    except MalformedLineError:
        if is_needed:
            raise
        return "", ""
    return f"{float(north):.3f}", f"{float(east):.3f}"


def _flatten(
    feature: Mapping[str, object] | MalformedLineError,
) -> Mapping[str, str] | MalformedLineError:
    """The properties of a GeoJSON feature with its point, as a row of CSV would have them."""
    if isinstance(feature, MalformedLineError):
        return feature
    properties, geometry = feature.get("properties"), feature.get("geometry")
    if not isinstance(properties, dict):
        return MalformedLineError("not a GeoJSON feature")
    flat = {key.lower(): str(value) for key, value in properties.items() if value is not None}
    point = geometry.get("coordinates") if isinstance(geometry, dict) else None
    if isinstance(point, list) and len(point) >= 2:
        flat |= {"lon": str(point[0]), "lat": str(point[1])}
    return flat


STREET_LIST = ImportFormat(
    name="streets",
    table="streets",
    expects=(
        "CSV with a header that has a column 'street' (or 'name' and 'highway') and others such "
        "as city, postcode, region, country; or the line-by-line GeoJSON of OpenAddresses"
    ),
    recognises=_is_street_list,
    read=_read_street_list,
)
