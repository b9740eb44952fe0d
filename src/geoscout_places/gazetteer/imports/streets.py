"""Street lists: OpenAddresses, exports of OpenStreetMap, the open data of cities.

CSV with a header, or GeoJSON with one feature on a line, as OpenAddresses writes it now. A street
is tied to the narrowest thing its line knows: the city, else the postal code, else the spot.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import BinaryIO, ClassVar

from geoscout_places.errors import UsageError
from geoscout_places.gazetteer.imports.areas import AreaCodes
from geoscout_places.gazetteer.imports.base import (
    ImportRow,
    ImportTask,
    MalformedLineError,
    Outcome,
    Sample,
    parse_each,
)
from geoscout_places.gazetteer.imports.checks import check_coordinates, check_name, shorten
from geoscout_places.gazetteer.imports.columns import StreetColumns, find_columns, is_street_list
from geoscout_places.gazetteer.imports.text import read_csv, read_header, read_json_lines
from geoscout_places.gazetteer.names import block_of

_GEOJSON = (".geojson", ".geojsonl", ".ndjson", ".json")
_TWO_LETTERS = re.compile(r"[a-z]{2}")
_LETTER = re.compile(r"[^\W\d_]")

Home = tuple[str, str]  # country and region a file is about; "" where it does not say


class StreetList:
    """Streets by town; the option is the country, or country and region: DE, US.CA."""

    name: ClassVar[str] = "streets"
    table: ClassVar[str] = "streets"
    expects: ClassVar[str] = (
        "CSV with a header that has a column 'street' (or 'name' and 'highway') and others such "
        "as city, postcode, region, country; or the line-by-line GeoJSON of OpenAddresses"
    )

    def recognises(self, sample: Sample) -> bool:
        first_line = sample.head.decode("utf-8-sig", "replace").partition("\n")[0]
        if sample.name.lower().endswith(_GEOJSON):
            return first_line.startswith("{") and '"street"' in first_line
        return is_street_list(read_header(first_line))

    def read(self, stream: BinaryIO, task: ImportTask) -> Iterator[Outcome]:
        parse = _StreetParser(find_home(task.member, task.option, task.areas), task.areas).parse
        if task.member.lower().endswith(_GEOJSON):
            features = ((number, _flatten(found)) for number, found in read_json_lines(stream))
            return parse_each(features, parse)
        return parse_each(read_csv(stream), parse)


def find_home(member: str, option: str, areas: AreaCodes) -> Home:
    """Country and region of a file, from the option or its path among those of OpenAddresses.

    Raises:
        UsageError: the option names no country or region.
    """
    if option:
        country, _, region = option.partition(".")
        found = areas.country(country), areas.region(areas.country(country), region)
        if not found[0] or (region and not found[1]):
            raise UsageError(
                f"{option!r} is not a country or region, as in streets:DE or streets:US.CA"
            )
        return found
    parents = PurePosixPath(member).parts[:-1]
    folders = [part for part in parents if _TWO_LETTERS.fullmatch(part)]
    country = areas.country(folders[0]) if folders else ""
    return country, areas.region(country, folders[1]) if len(folders) > 1 else ""


class _StreetParser:
    """Parses the records of one file."""

    def __init__(self, home: Home, areas: AreaCodes) -> None:
        self._home = home
        self._areas = areas
        self._header: tuple[str, ...] = ()
        self._columns = find_columns(())

    def parse(self, record: Mapping[str, str]) -> Sequence[ImportRow]:
        """The row of a record, or none when it is about no street.

        Raises:
            MalformedLineError: it lacks a column, or says nonsense in one.
        """
        columns = self._columns_of(record)
        if not columns.street or columns.street not in record:
            raise MalformedLineError("there is no column with the street")
        street = " ".join(record[columns.street].split())
        if not columns.is_street(record) or not _LETTER.search(street):
            return ()
        country = self._find_country(record.get(columns.country, ""))
        region = self._areas.region(country, record.get(columns.region, "").strip())
        city = " ".join(record.get(columns.city, "").split())
        postcode = "" if city else " ".join(record.get(columns.postcode, "").split())
        spot = self._find_spot(record, is_needed=not (city or postcode))
        block = block_of(record.get(columns.number, "")) if spot[0] else None
        region = region or self._home[1]
        name = check_name(street, "street")
        numbers = "" if block is None else str(block)
        return ((country, region, "", city, postcode, *spot, name, numbers),)

    def _columns_of(self, record: Mapping[str, str]) -> StreetColumns:
        header = tuple(record)
        if header != self._header:  # the same for all rows of CSV; features may differ
            self._header, self._columns = header, find_columns(header)
        return self._columns

    def _find_country(self, text: str) -> str:
        country = self._areas.country(text.strip())
        if text.strip() and not country:
            raise MalformedLineError(f"country {shorten(text)!r} is unknown")
        if not (country or self._home[0]):
            raise MalformedLineError("the country is missing; give it as in --format streets:DE")
        return country or self._home[0]

    def _find_spot(self, record: Mapping[str, str], *, is_needed: bool) -> tuple[str, str]:
        """The place of a line to a thousandth of a degree: a spot for every hundred metres.

        Columns x and y often are metres on the map of a country. Where the line also has a town or
        a postal code, such a spot is left out.
        """
        latitude = record.get(self._columns.latitude, "")
        longitude = record.get(self._columns.longitude, "")
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
