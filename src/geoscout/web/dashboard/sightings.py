"""Pages as they appear on the map: the surest point of each page, in the order of fetching."""

from __future__ import annotations

import sqlite3

from typing_extensions import TypedDict

from geoscout.web.outward import LONGEST_TITLE

# An address first, then coordinates in the markup, then the town the page is mainly about.
_QUERY = """
SELECT n, url, title, relevant,
    (SELECT coalesce(address.latitude, place.latitude) || ','
        || coalesce(address.longitude, place.longitude)
        FROM address LEFT JOIN place ON place.id = address.place WHERE visit = n
        AND coalesce(address.latitude, place.latitude) IS NOT NULL ORDER BY position LIMIT 1),
    (SELECT latitude || ',' || longitude FROM point WHERE visit = n ORDER BY position LIMIT 1),
    (SELECT latitude || ',' || longitude FROM visit_place JOIN place ON place.id = visit_place.place
        WHERE visit = n AND score > 0 AND kind IN ('city', 'neighbourhood', 'landmark')
        ORDER BY score DESC LIMIT 1)
FROM visit WHERE n > ? AND is_page ORDER BY n LIMIT ?
"""


class SightingJson(TypedDict):
    """A page on the map."""

    n: int
    url: str
    title: str
    relevant: bool
    lat: float
    lon: float


class SightingsJson(TypedDict):
    """The pages on the map after some visit."""

    last: int  # the visit to ask after next
    more: bool
    pages: list[SightingJson]


def read_sightings(connection: sqlite3.Connection, after: int, limit: int) -> SightingsJson:
    """The pages with a point among the next `limit` pages fetched after a visit."""
    rows = connection.execute(_QUERY, (after, limit)).fetchall()
    found: list[SightingJson] = []
    for n, url, title, relevant, *points in rows:
        point = next((text for text in points if text), None)
        if point is not None:
            latitude, longitude = map(float, point.split(","))
            sighting: SightingJson = {
                "n": n,
                "url": url,
                "title": title[:LONGEST_TITLE],
                "relevant": bool(relevant),
                "lat": latitude,
                "lon": longitude,
            }
            found.append(sighting)
    last = rows[-1][0] if rows else after
    return {"last": last, "more": len(rows) == limit, "pages": found}
