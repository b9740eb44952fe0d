"""Counts equal addresses: a site has its address on every page, and others write it in other ways.

Two addresses are equal when house number, unit, postal code and town are, and the street is one
in the normal form of street names, so "Theaterstr. 5" and "Theaterstraße 5" are one. Where an
address has no street, its text decides. What is counted is kept in a temporary file, so that the
memory it takes does not grow with the crawl.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from urllib.parse import urlsplit

import msgspec

from geoscout.store.base import StoredAddress
from geoscout_places.gazetteer.names import fold_street
from geoscout_places.model import Address, Precision

_SURER = tuple(Precision)  # from the surest on
_TABLES = """
CREATE TABLE counted (
    id INTEGER PRIMARY KEY, key TEXT UNIQUE NOT NULL, first BLOB NOT NULL, rank INTEGER NOT NULL,
    pages INTEGER NOT NULL, last INTEGER NOT NULL, relevant INTEGER NOT NULL,
    of_site INTEGER NOT NULL
);
CREATE TABLE seen (counted INTEGER NOT NULL, host TEXT NOT NULL, PRIMARY KEY (counted, host))
    WITHOUT ROWID;
"""
# The addresses of a page follow each other. The one whose point is the most exact is kept.
_COUNT = """
INSERT INTO counted VALUES (NULL, :key, :packed, :rank, 1, :n, :relevant, :of_site)
ON CONFLICT (key) DO UPDATE SET
    pages = pages + (last <> excluded.last), last = excluded.last,
    relevant = max(relevant, excluded.relevant), of_site = min(of_site, excluded.of_site),
    first = iif(excluded.rank < rank, excluded.first, first), rank = min(rank, excluded.rank)
RETURNING id
"""
_COUNTED = """
SELECT first, pages, (SELECT count(*) FROM seen WHERE counted = id) AS sites, relevant, of_site
FROM counted ORDER BY sites DESC, pages DESC, id
"""


@dataclass(frozen=True, slots=True)
class CountedAddress:
    """An address and what has it."""

    first: StoredAddress  # as it stands where its point is known best
    pages: int
    sites: int  # hosts of these pages
    relevant: bool  # one of the pages is
    of_site: bool  # it stands only in what many pages of a site have


def count_addresses(addresses: Iterable[StoredAddress]) -> Iterator[CountedAddress]:
    """Every address once, those of the most sites first; the addresses of a page come together."""
    with closing(sqlite3.connect("", isolation_level=None)) as scratch:
        scratch.execute("PRAGMA journal_mode = OFF")
        scratch.executescript(_TABLES)
        scratch.execute("BEGIN")  # for good: nothing here is ever committed
        for stored in addresses:
            ((id,),) = scratch.execute(_COUNT, _values(stored)).fetchall()
            host = urlsplit(stored.url).hostname or ""
            scratch.execute("INSERT OR IGNORE INTO seen VALUES (?, ?)", (id, host))
        for packed, pages, sites, relevant, of_site in scratch.execute(_COUNTED):
            first = msgspec.msgpack.decode(packed, type=StoredAddress)
            yield CountedAddress(
                first, pages, sites, relevant=bool(relevant), of_site=bool(of_site)
            )


def address_key(stored: StoredAddress) -> str:
    """A text that equal addresses share."""
    address = stored.address
    if not address.street:
        return f"text {_folded(address.text)}"
    town = str(stored.place_id) if stored.place_id else _folded(address.city)
    parts = (address.house_number, address.unit, address.postcode, address.country)
    return "\n".join((fold_street(address.street), *map(_folded, parts), town))


def _values(stored: StoredAddress) -> dict[str, object]:
    return {
        "key": address_key(stored),
        "packed": msgspec.msgpack.encode(stored),
        "rank": _rank(stored.address),
        "n": stored.n,
        "relevant": stored.relevant,
        "of_site": stored.address.of_site,
    }


def _rank(address: Address) -> int:
    if address.point is None or address.precision is None:
        return len(_SURER)
    return _SURER.index(address.precision)


def _folded(text: str) -> str:
    return "".join(text.split()).casefold()
