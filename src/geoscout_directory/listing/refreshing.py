"""One update of the entries: which differ, what they were before, and which are gone.

Only entries that differ are written. All of it is one transaction: readers see the old entries or
the new ones, and whoever is killed leaves the old ones. What differs is told in the history.
"""

import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any, NamedTuple, Protocol

from msgspec import Struct

from geoscout.store.base import StoredVisit, Totals
from geoscout_directory.listing.tables import ENTRY
from geoscout_directory.records import DirectoryEntry, contact_row
from geoscout_places.gazetteer.names import fold, fold_street
from geoscout_places.urls import domain_of

_BETWEEN = "; "


class HistoryKind(StrEnum):
    CHANGED = "changed"  # pages say something else of it
    RENAMED = "renamed"  # the same thing had another name or address before
    GONE = "gone"  # no page names it any more
    RETURNED = "returned"


class EntryChange(Struct, frozen=True, gc=False, kw_only=True):
    at: float  # when the page that says so was fetched; seconds since the epoch, UTC
    what: HistoryKind
    field: str = ""  # of those that `facts_of` gives
    before: str = ""
    after: str = ""


def facts_of(entry: DirectoryEntry) -> dict[str, str]:
    """What a history follows, as texts."""
    address = entry.address
    town = f"{address.postcode} {address.city}".strip() if address else ""
    contact = {
        name: _BETWEEN.join(sorted(value)) if isinstance(value, list) else str(value)
        for name, value in contact_row(entry).items()
    }
    where = ", ".join(filter(None, (entry.street_line, town)))
    return {"name": entry.name, "address": where, **contact}


def changes_between(
    before: DirectoryEntry, after: DirectoryEntry, at: float, what: HistoryKind
) -> Iterator[EntryChange]:
    """A line for each field that differs."""
    old, new = facts_of(before), facts_of(after)
    for field, value in new.items():
        if value != old[field]:
            yield EntryChange(at=at, what=what, field=field, before=old[field], after=value)


def is_successor(entry: DirectoryEntry, gone: DirectoryEntry) -> bool:
    """Whether an entry is what another has become: the same telephone number, or the same house.

    A house has many tenants, so two with different telephone numbers are two.
    """
    if entry.phones and gone.phones:
        return not set(entry.phones).isdisjoint(gone.phones)
    one, other = _house(entry), _house(gone)
    return bool(one) and one == other


def _house(entry: DirectoryEntry) -> str:
    address = entry.address
    if address is None or not address.street:
        return ""
    return fold(f"{address.street} {address.house_number} {address.postcode or address.city}")


LineageOf = Callable[[int], Sequence[int]]
_LOOKED_UP = 500  # pages at a time


class PageTimes(Protocol):
    """What of a crawl a listing needs: when pages were fetched. `CrawlReader` has it."""

    def last_visits(self, urls: Collection[str]) -> Mapping[str, StoredVisit]: ...

    def totals(self) -> Totals: ...


class DifferentEntry(NamedTuple):
    """An entry that is new, or not as it was."""

    id: str  # its own, also where two would have the same
    partition: str
    entry: DirectoryEntry
    packed: bytes
    old: tuple[int, bytes] | None  # its number and what was packed


class _PageRow(NamedTuple):
    number: int
    fetched_at: float
    answered_at: float


class Refresh:
    """One update, inside its transaction."""

    def __init__(
        self,
        database: sqlite3.Connection,
        crawl: PageTimes,
        lineage: LineageOf,
        *,
        keeps_history: bool,
    ) -> None:
        self._database = database
        self._crawl = crawl
        self._lineage = lineage
        self._keeps_history = keeps_history
        for table in ("seen (id TEXT PRIMARY KEY) WITHOUT ROWID", "fresh (n INTEGER PRIMARY KEY)"):
            database.execute(f"CREATE TEMP TABLE IF NOT EXISTS {table}")
            database.execute(f"DELETE FROM temp.{table.partition(' ')[0]}")  # noqa: S608 - our own
        self._towns = {place for (place,) in database.execute("SELECT DISTINCT place FROM town")}

    def look_again(self) -> None:
        """Take the new times of pages that were fetched again."""
        query = "SELECT url, number FROM page WHERE number IN (SELECT page FROM refetched)"
        numbers = dict(self._execute(query).fetchall())
        urls = list(numbers)
        for first in range(0, len(urls), _LOOKED_UP):
            for url, visit in self._crawl.last_visits(urls[first : first + _LOOKED_UP]).items():
                self._execute(
                    "UPDATE page SET visit = ?, fetched_at = ?, answered_at = ? WHERE number = ?",
                    (visit.n, visit.fetched_at, visit.answered_at, numbers[url]),
                )

    def different(self, entries: Iterable[tuple[str, DirectoryEntry]]) -> Iterator[DifferentEntry]:
        """The entries that are new or not as they were, each with its id and what it was."""
        for partition, entry in entries:
            id = self._own_id(entry.id)
            packed = ENTRY.encode(entry)
            row = self._row("SELECT n, packed FROM entry WHERE id = ?", (id,))
            if row is None or row[1] != packed:
                yield DifferentEntry(
                    id, partition, entry, packed, (row[0], row[1]) if row else None
                )
            else:
                self._execute("UPDATE entry SET partition = ? WHERE n = ?", (partition, row[0]))

    def _own_id(self, id: str) -> str:
        """An id that no other entry has: two of the same name may share a house.

        Those of partitions that are merged now are given again; others keep theirs.
        """
        taken = (
            "SELECT 1 FROM entry WHERE id = ? AND partition NOT IN (SELECT partition FROM dirty)"
        )
        own, number = id, 2
        while self._row(taken, (own,)) or not self._is_new(own):
            own, number = f"{id}-{number}", number + 1
        return own

    def _is_new(self, id: str) -> bool:
        return bool(self._execute("INSERT OR IGNORE INTO temp.seen VALUES (?)", (id,)).rowcount)

    def write(self, some: Sequence[DifferentEntry]) -> None:
        """Write entries that are new or differ."""
        pages = self._pages({said.url for different in some for said in different.entry.said})
        for id, partition, entry, packed, old in some:
            n, was = old or (self._insert(id), b"")
            rows = [pages[url] for url in {said.url for said in entry.said} if url in pages]
            last_seen = max((row.answered_at for row in rows), default=0.0)
            if old is None:
                self._date(n, id, rows)
            elif self._keeps_history and was:
                before = ENTRY.decode(was)
                self._tell(id, changes_between(before, entry, last_seen, HistoryKind.CHANGED))
            self._fill(n, entry, packed, last_seen)
            self._execute("UPDATE entry SET partition = ? WHERE n = ?", (partition, n))
            self._execute("DELETE FROM source WHERE n = ?", (n,))
            links = ((row.number, n) for row in rows)
            self._database.executemany("INSERT OR IGNORE INTO source VALUES (?, ?)", links)

    def _insert(self, id: str) -> int:
        cursor = self._execute(
            "INSERT INTO entry (id, partition, name, place, found_at, first_seen, last_seen,"
            " changed_at, sites, packed) VALUES (?, '', '', 0, 0, 0, 0, 0, 0, x'')",
            (id,),
        )
        n = int(cursor.lastrowid or 0)
        self._execute("INSERT INTO temp.fresh VALUES (?)", (n,))
        return n

    def _date(self, n: int, id: str, rows: Sequence[_PageRow]) -> None:
        """Say when a new entry was seen first: now, or before it was gone."""
        found_at = min((row.fetched_at for row in rows), default=0.0)
        first_seen = min((row.answered_at for row in rows), default=0.0)
        if before := self._row("SELECT first_seen FROM gone WHERE id = ?", (id,)):
            self._tell(id, [EntryChange(at=first_seen, what=HistoryKind.RETURNED)])
            self._execute("DELETE FROM gone WHERE id = ?", (id,))
            first_seen = min(first_seen, before[0])
        self._execute(
            "UPDATE entry SET found_at = ?, first_seen = ? WHERE n = ?", (found_at, first_seen, n)
        )

    def _fill(self, n: int, entry: DirectoryEntry, packed: bytes, at: float) -> None:
        point = entry.point
        where = (point.latitude, point.longitude) if point else (None, None)
        self._execute(
            "UPDATE entry SET name = ?1, place = ?2, lat = ?3, lon = ?4, packed = ?5,"
            " last_seen = ?6, changed_at = CASE WHEN ?7 OR changed_at = 0 THEN ?6 ELSE changed_at"
            " END, sites = ?9 WHERE n = ?8",
            (
                *(
                    _sort_key(entry.name),
                    entry.place_id,
                    *where,
                    packed,
                    at,
                    self._keeps_history,
                    n,
                ),
                len({domain_of(said.url) for said in entry.said}),
            ),
        )
        self._add_town(entry.place_id)
        self._execute("DELETE FROM category WHERE n = ?", (n,))
        tags = ((tag, n) for tag in entry.categories)
        self._database.executemany("INSERT OR IGNORE INTO category VALUES (?, ?)", tags)
        self._execute("DELETE FROM words WHERE rowid = ?", (n,))
        self._execute(
            "INSERT INTO words (rowid, name, other) VALUES (?, ?, ?)", (n, *_words_of(entry))
        )

    def _add_town(self, place: int) -> None:
        if place and place not in self._towns:
            self._towns.add(place)
            pairs = ((above, place) for above in self._lineage(place))
            self._database.executemany("INSERT OR IGNORE INTO town VALUES (?, ?)", pairs)

    def _pages(self, urls: Collection[str]) -> dict[str, _PageRow]:
        """The number of each page, when the crawl fetched it, and when it was answered."""
        found: dict[str, _PageRow] = {}
        query = "SELECT number, fetched_at, answered_at FROM page WHERE url = ?"
        for url in urls:
            if row := self._row(query, (url,)):
                found[url] = _PageRow(*row)
        visits = self._crawl.last_visits([url for url in sorted(urls) if url not in found])
        for url, visit in visits.items():
            cursor = self._execute(
                "INSERT INTO page (url, visit, fetched_at, answered_at) VALUES (?, ?, ?, ?)",
                (url, visit.n, visit.fetched_at, visit.answered_at),
            )
            number = int(cursor.lastrowid or 0)
            found[url] = _PageRow(number, visit.fetched_at, visit.answered_at)
        return found

    def remove_unseen(self) -> None:
        """Take out what is not among the entries any more, and keep it as gone."""
        unseen = self._execute(
            "SELECT n, id, first_seen, last_seen, packed FROM entry"
            " WHERE partition IN (SELECT partition FROM dirty)"
            " AND id NOT IN (SELECT id FROM temp.seen)"
        ).fetchall()
        for n, id, first_seen, last_seen, packed in unseen:
            if self._keeps_history and packed:
                gone = ENTRY.decode(packed)
                followed_by = self._follow(n, id, gone, first_seen)
                row = (id, first_seen, last_seen, followed_by, packed)
                self._execute("INSERT OR REPLACE INTO gone VALUES (?, ?, ?, ?, ?)", row)
                at = self._left_at(n) or last_seen
                self._tell(id, [EntryChange(at=at, what=HistoryKind.GONE)])
            for table, column in (
                ("entry", "n"), ("category", "n"), ("source", "n"), ("words", "rowid"),
            ):  # fmt: skip
                self._execute(f"DELETE FROM {table} WHERE {column} = ?", (n,))  # noqa: S608

    def _follow(self, n: int, id: str, gone: DirectoryEntry, first_seen: float) -> str:
        """The new entry of a page that named the one that is gone, if it is the same thing."""
        rows = self._execute(
            "SELECT entry.n, entry.id, entry.packed, entry.last_seen FROM source AS old"
            " JOIN source AS new ON new.page = old.page JOIN temp.fresh ON fresh.n = new.n"
            " JOIN entry ON entry.n = new.n WHERE old.n = ? ORDER BY entry.id LIMIT 50",
            (n,),
        ).fetchall()
        for other, other_id, packed, at in rows:
            entry = ENTRY.decode(packed)
            if is_successor(entry, gone):
                self._execute("UPDATE history SET id = ? WHERE id = ?", (other_id, id))
                self._tell(other_id, changes_between(gone, entry, at, HistoryKind.RENAMED))
                self._execute(
                    "UPDATE entry SET first_seen = min(first_seen, ?) WHERE n = ?",
                    (first_seen, other),
                )
                self._execute("DELETE FROM temp.fresh WHERE n = ?", (other,))  # one each
                return str(other_id)
        return ""

    def _left_at(self, n: int) -> float:
        """When a page that named an entry was fetched last."""
        row = self._row(
            "SELECT max(answered_at) FROM page WHERE number IN"
            " (SELECT page FROM source WHERE n = ?)",
            (n,),
        )
        return float(row[0] or 0.0) if row else 0.0

    def settle(self) -> None:
        """Move the dates of entries whose pages were fetched again; forget pages without one."""
        self._execute(
            "UPDATE entry SET last_seen = (SELECT max(answered_at) FROM page JOIN source"
            " ON source.page = page.number WHERE source.n = entry.n)"
            " WHERE n IN (SELECT n FROM source WHERE page IN (SELECT page FROM refetched))"
        )
        self._execute("DELETE FROM refetched")
        self._execute("DELETE FROM page WHERE number NOT IN (SELECT page FROM source)")

    def _tell(self, id: str, changes: Iterable[EntryChange]) -> None:
        self._database.executemany(
            "INSERT INTO history (id, at, what, field, before, after) VALUES (?, ?, ?, ?, ?, ?)",
            ((id, c.at, c.what, c.field, c.before, c.after) for c in changes),
        )

    def _execute(self, query: str, values: Sequence[object] = ()) -> sqlite3.Cursor:
        return self._database.execute(query, values)

    def _row(self, query: str, values: Sequence[object]) -> Sequence[Any] | None:
        row: Sequence[Any] | None = self._database.execute(query, values).fetchone()
        return row


def _sort_key(name: str) -> str:
    """A name to sort by: what begins with a digit or mark comes last.

    >>> sorted(["60's Look", "Zoo", "Ärzte"], key=_sort_key)
    ['Ärzte', 'Zoo', "60's Look"]
    """
    folded = fold(name)
    return folded if folded[:1].isalpha() else f"\U0010ffff{folded}"


def _words_of(entry: DirectoryEntry) -> tuple[str, str]:
    """The words by which an entry is found: of its name, and of everything else."""
    address = entry.address
    parts = ("street", "house_number", "postcode", "city")
    where = [getattr(address, part) for part in parts] if address else []
    if address and address.street:
        where.append(fold_street(address.street))
    texts = [*where, entry.website, *entry.mails, *entry.phones, *entry.categories]
    return fold(entry.name), " ".join(fold(text) for text in texts if text)
