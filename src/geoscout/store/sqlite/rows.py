"""What the reader asks of the tables, and the records that the rows become."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from geoscout.model import Address, Point
from geoscout.store.base import StoredAddress, StoredVisit

_VISIT_FIELDS = tuple(field.name for field in fields(StoredVisit))  # the columns have these names
ADDRESS = """start, end, text, house_number, street, unit, city, region, postcode, country,
    latitude, longitude, place, source"""
# Whatever is asked of several is one query: `?` is a JSON list of URLs or of numbers of visits.
LAST = """SELECT {columns} FROM visit WHERE url IN (SELECT value FROM json_each(?))
    ORDER BY fetched_at, n"""
PLACES = """SELECT visit, place, mentions, confidence, score, {main} AS main FROM visit_place
    WHERE visit IN (SELECT value FROM json_each(?))
    ORDER BY visit, main DESC, score DESC, mentions DESC, confidence DESC, place"""
ADDRESSES = f"""SELECT n, url, relevant, {ADDRESS} FROM visit JOIN address ON visit = n
    WHERE visit IN (SELECT value FROM json_each(?)) ORDER BY visit, position"""  # noqa: S608
POINTS = """SELECT visit, latitude, longitude, source FROM point
    WHERE visit IN (SELECT value FROM json_each(?)) ORDER BY visit, position"""


def visit_columns(degree: str) -> str:
    """The columns of a `StoredVisit`; `degree` is the one that has the degree of relevance.

    Crawls of earlier versions have none, and `relevant` stands for it.
    """
    return ", ".join(degree if name == "degree" else name for name in _VISIT_FIELDS)


def as_visit(row: Sequence[Any]) -> StoredVisit:
    """The record of a row with the columns of `visit_columns`."""
    values = dict(zip(_VISIT_FIELDS, row, strict=True))
    values["simhash"] %= 1 << 64  # SQLite's integers are signed
    for flag in ("relevant", "is_page", "noindex"):
        values[flag] = bool(values[flag])
    return StoredVisit(**values)


def as_address(row: Sequence[Any]) -> StoredAddress:
    """The record of a row with number, URL and relevance of the visit and the columns `ADDRESS`."""
    n, url, relevant, start, end, text, house_number, street, unit, city, region, postcode = row[
        :12
    ]
    country, latitude, longitude, place_id, source = row[12:]
    address = Address(
        start, end, text, house_number, street,
        unit=unit, city=city, region=region, postcode=postcode, country=country,
        point=None if latitude is None else Point(latitude, longitude), place=None, source=source,
    )  # fmt: skip
    return StoredAddress(n, url, bool(relevant), address, place_id)
