"""What the reader asks of the tables."""

from __future__ import annotations

from geoscout.store.rows import VISIT_FIELDS

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
    return ", ".join(degree if name == "degree" else name for name in VISIT_FIELDS)
