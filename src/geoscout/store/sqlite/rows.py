"""What the reader asks of the tables."""

from __future__ import annotations

from collections.abc import Mapping

from geoscout.store.rows import VISIT_FIELDS

# Columns and a table that crawls of earlier versions lack: the first version that has it, and what
# stands for it before. Queries name them in braces.
_LATER_COLUMNS = {
    "is_main": (3, "NULL"),
    "degree": (4, "relevant"),
    "of_site": (5, "0"),
    "precision": (5, "''"),
    "site_mentions": (5, "0"),
    "captured_at": (6, "NULL"),
    "changed_at": (6, "NULL"),
    "site": (5, "(SELECT 0 AS rowid, '' AS name, '' AS packed WHERE 0)"),
}
ADDRESS = """start, end, text, house_number, street, unit, city, region, postcode, country,
    latitude, longitude, place, source, {of_site}, {precision}"""
# Whatever is asked of several is one query: `?` is a JSON list of URLs or of numbers of visits.
LAST = """SELECT {columns} FROM visit WHERE url IN (SELECT value FROM json_each(?))
    ORDER BY fetched_at, n"""
VISITS = """SELECT {columns} FROM visit WHERE n IN (SELECT value FROM json_each(?))
    ORDER BY fetched_at, n"""
ADDRESSES_IN_TIME = f"""SELECT n, url, relevant, {ADDRESS} FROM visit JOIN address ON visit = n
    WHERE n IN (SELECT value FROM json_each(?)) ORDER BY fetched_at, n, position"""  # noqa: S608
LINKS_IN_TIME = """SELECT n, url, packed FROM visit JOIN links ON visit = n
    WHERE n IN (SELECT value FROM json_each(?)) ORDER BY fetched_at, n"""
# In crawls of earlier versions all names that no gazetteer has are one place, with the id 0.
PLACES = """SELECT visit, place, mentions, confidence, score, {is_main} AS main, {site_mentions}
    FROM visit_place
    WHERE visit IN (SELECT value FROM json_each(?)) AND place != 0
    ORDER BY visit, main DESC, score DESC, mentions DESC, confidence DESC, place"""
ADDRESSES = f"""SELECT n, url, relevant, {ADDRESS} FROM visit JOIN address ON visit = n
    WHERE visit IN (SELECT value FROM json_each(?)) ORDER BY visit, position"""  # noqa: S608
# A visit with status 304 found the same text as the one before.
HISTORIES = """SELECT url, count(*), sum(changed), min(fetched_at), max(fetched_at),
        (SELECT relevant FROM visit AS last WHERE last.url = seen.url AND last.status <> 304
            ORDER BY last.fetched_at DESC, last.n DESC LIMIT 1)
    FROM (SELECT url, fetched_at, status <> 304 AND simhash <> lag(simhash) OVER (
            PARTITION BY url, status = 304 ORDER BY fetched_at, n) AS changed FROM visit) AS seen
    WHERE url IN (SELECT url FROM page) GROUP BY url ORDER BY url"""
POINTS = """SELECT visit, latitude, longitude, source FROM point
    WHERE visit IN (SELECT value FROM json_each(?)) ORDER BY visit, position"""
ENTRIES = """SELECT visit, packed FROM page_entries
    WHERE visit IN (SELECT value FROM json_each(?))"""
# Visits that were stored or read again since a time.
CHANGED_SINCE = """n IN (SELECT change.visit FROM change JOIN visit AS changed
    ON changed.n = change.visit WHERE coalesce({changed_at}, changed.fetched_at) >= ?)"""
ALL_PLACES = """SELECT place, sum(mentions > 0), sum(score > 0), coalesce(sum({is_main}), 0),
    sum(mentions) FROM visit_place JOIN page ON visit = n
    WHERE place <> 0 AND (mentions > 0 OR score > 0) AND {condition}
    GROUP BY place ORDER BY 3 DESC, 4 DESC, 2 DESC, 1"""
# A visit that was lost has no row any more, but its page is gone from the index, too.
CHANGES = """SELECT sequence, change.visit, coalesce(visit.url, lost.url) FROM change
    LEFT JOIN visit ON n = change.visit LEFT JOIN lost ON lost.visit = change.visit
    WHERE sequence > ? AND (n IS NOT NULL OR lost.visit IS NOT NULL) ORDER BY sequence LIMIT ?"""
CHANGES_OF_OLD = """SELECT sequence, n, url FROM change JOIN visit ON n = visit
    WHERE sequence > ? ORDER BY sequence LIMIT ?"""


def columns_of(version: int) -> dict[str, str]:
    """What stands in queries for the later columns, in tables of a version."""
    return {
        name: name if version >= first else before
        for name, (first, before) in _LATER_COLUMNS.items()
    }


def visit_columns(columns: Mapping[str, str]) -> str:
    """The columns of a `StoredVisit`; `columns` has what stands for the later ones."""
    return ", ".join(columns.get(name, name) for name in VISIT_FIELDS)
