"""Finds out what the columns of a street list are, by the names they usually have.

There is no standard for such files: OpenAddresses, exports of OpenStreetMap and the open data of
cities each have their own headers. The first name of each list below that a header has is taken.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

_STREET = (
    "street", "addr:street", "street_name", "streetname", "street name", "full_street_name",
    "road", "road_name", "fullname", "strasse", "straße", "strassenname", "straßenname",
    "strname", "voie", "nom_voie", "rue", "via", "calle", "rua", "ulica", "straat", "straatnaam",
)  # fmt: skip
_NUMBER = (
    "number",
    "addr:housenumber",
    "house_number",
    "housenumber",
    "hausnummer",
    "hausnr",
    "numero",
    "huisnummer",
)
_CITY = (
    "city", "addr:city", "town", "municipality", "locality", "place", "postal_city", "post_town",
    "stadt", "ort", "gemeinde", "ville", "commune", "nom_commune", "ciudad", "municipio", "comune",
    "cidade", "miasto", "woonplaats",
)  # fmt: skip
_POSTCODE = (
    "postcode", "addr:postcode", "postal_code", "postalcode", "zip", "zipcode", "zip_code", "plz",
    "code_postal", "cp", "cap",
)  # fmt: skip
_REGION = ("region", "state", "addr:state", "province", "addr:province", "bundesland")
_COUNTRY = ("country_code", "country", "addr:country", "land", "pays")
_LATITUDE = ("lat", "latitude", "@lat", "y")
_LONGITUDE = ("lon", "lng", "long", "longitude", "@lon", "x")
# In lists drawn from OpenStreetMap the street is the name of what has one of these.
_NAME = "name"
_HIGHWAY = "highway"
_CLASS = "class"


@dataclass(frozen=True, slots=True)
class StreetColumns:
    """The names of the columns that matter; "" where the header has none."""

    street: str
    city: str
    postcode: str
    region: str
    country: str
    latitude: str
    longitude: str
    number: str  # of the house
    marker: str  # the column that tells streets from other things by name

    def is_street(self, record: Mapping[str, str]) -> bool:
        """Whether the record is about a street at all."""
        if self.marker == _CLASS:
            return record.get(_CLASS) == _HIGHWAY
        return not self.marker or bool(record.get(self.marker))


def find_columns(header: Sequence[str]) -> StreetColumns:
    """What the columns of a header in lower case are.

    >>> find_columns(["@id", "@lat", "@lon", "name", "highway"]).street
    'name'
    """
    # OSMNames has a column for streets as well, which is empty for the streets themselves.
    is_osmnames = _NAME in header and _CLASS in header
    street = "" if is_osmnames else _first(_STREET, header)
    marker = "" if street else _first((_CLASS, _HIGHWAY), header)
    return StreetColumns(
        street=street or _first((_NAME,), header),
        city=_first(_CITY, header),
        postcode=_first(_POSTCODE, header),
        region=_first(_REGION, header),
        country=_first(_COUNTRY, header),
        latitude=_first(_LATITUDE, header),
        longitude=_first(_LONGITUDE, header),
        number=_first(_NUMBER, header),
        marker=marker,
    )


def is_street_list(header: Sequence[str]) -> bool:
    """Whether a header can only be one of a street list; "name" alone could be anything's."""
    found = find_columns(header)
    return bool(found.street) and (found.street != _NAME or bool(found.marker))


def _first(names: Sequence[str], header: Sequence[str]) -> str:
    return next((name for name in names if name in header), "")
