"""Answers from a listing: entries by words, category, place, box, date and page, one by its id.

A `ListingQuestion` has the filters of a list, which somebody sets. What it finds is kept as numbers
of rows, in order, for as long as the listing is the same. So the second page of an answer costs no
more than reading its entries, and totals are exact.

`EntryWanted` is what a search was understood as: some of its words must be in the name, others name
a category, and the best come first.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from array import array
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from math import cos, radians
from pathlib import Path
from typing import Any, NamedTuple

from msgspec.structs import replace

from geoscout_directory.listing.refreshing import EntryChange, HistoryKind
from geoscout_directory.listing.tables import (
    ENTRY,
    LISTING_FILE,
    damaged,
    note_of,
    open_to_read,
    shape,
)
from geoscout_directory.records import DirectoryEntry
from geoscout_places.gazetteer.areas.region import Region
from geoscout_places.gazetteer.base import View
from geoscout_places.model import Place, Point

_KM_PER_DEGREE = 111.2


@dataclass(frozen=True, slots=True)
class CategoryWord:
    """A word that names a sort of thing: entries are of it, or have the word in their names."""

    forms: tuple[str, ...]  # of the word
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EntryWanted:
    """What entries must have to answer a search."""

    names: tuple[tuple[str, ...], ...] = ()  # one form of each is in the name; "pizz*" begins one
    sorts: tuple[CategoryWord, ...] = ()  # with `names` they only count for the order
    place: int = 0  # they are in this place; 0 anywhere
    near: Point | None = None
    radius_km: float = 0.0  # around `near`; 0 only for the order
    address: str = ""  # a street, as `fold_street` writes it, or a postal code
    region: Region | None = None  # they are inside
    needs_both: bool = False  # they are of the `sorts`, too


def wanted_query(wanted: EntryWanted) -> tuple[str, list[object]]:
    """The query for numbers, points and towns, the best first."""
    parts: list[str] = []
    values: list[object] = []
    if wanted.names:
        parts.append("n IN (SELECT rowid FROM words WHERE words MATCH ?)")
        values.append(" AND ".join(map(_in_name, wanted.names)))
    if wanted.needs_both or not wanted.names:
        for sort in wanted.sorts:
            parts.append(
                f"(n IN (SELECT n FROM category WHERE tag IN ({_marks(sort.tags)}))"  # noqa: S608
                " OR n IN (SELECT rowid FROM words WHERE words MATCH ?))"
            )
            values += [*sort.tags, _in_name(sort.forms)]
    _add_where(wanted, parts, values)
    tags = [tag for sort in wanted.sorts for tag in sort.tags]
    of_sort = f"n IN (SELECT n FROM category WHERE tag IN ({_marks(tags)})) DESC,"  # noqa: S608
    order = f"{of_sort if tags else ''} sites DESC, name, id"
    where = " AND ".join(parts) or "1"
    query = f"SELECT n, lat, lon, place FROM entry WHERE {where} ORDER BY {order}"  # noqa: S608
    return query, [*values, *tags]


def _add_where(wanted: EntryWanted, parts: list[str], values: list[object]) -> None:
    if wanted.place:
        parts.append("place IN (SELECT place FROM town WHERE above = ?)")
        values.append(wanted.place)
    if wanted.address:
        parts.append("n IN (SELECT rowid FROM words WHERE words MATCH ?)")
        values.append(f'other : "{wanted.address}"')
    if wanted.near and wanted.radius_km:
        reach = wanted.radius_km / _KM_PER_DEGREE
        aside = reach / max(cos(radians(wanted.near.latitude)), 0.01)
        parts.append("lat BETWEEN ? AND ? AND lon BETWEEN ? AND ?")
        latitude, longitude = wanted.near.latitude, wanted.near.longitude
        values += [latitude - reach, latitude + reach, longitude - aside, longitude + aside]


def _marks(values: Sequence[str]) -> str:
    return ",".join("?" * len(values))


def _in_name(forms: Sequence[str]) -> str:
    """A query of FTS5 for a name that has one of these forms."""
    return f"name : ({' OR '.join(map(_form, forms))})"


def _form(form: str) -> str:
    """A form as FTS5 takes it: a whole word, or the beginning of one ("pizz*")."""
    plain = form.rstrip("*").replace('"', "")
    return f'"{plain}" *' if form.endswith("*") else f'"{plain}"'


@dataclass(frozen=True, slots=True)
class ListingQuestion:
    """What entries must have; nothing asked for is had by all."""

    words: tuple[str, ...] = ()  # folded; each begins a word of the entry
    categories: frozenset[str] = frozenset()  # one of these tags
    within: str = ""  # what `region` was read from: two regions are compared by it
    region: Region | None = field(default=None, compare=False)
    box: View | None = None
    since: float = 0.0  # new or changed since; seconds since the epoch
    newest_first: bool = False  # by the last change; else by name


def match_text(words: Iterable[str]) -> str:
    """A query of FTS5 for all of these beginnings of words."""
    return " AND ".join('"{}" *'.format(word.replace('"', '""')) for word in words)


def conditions_of(question: ListingQuestion) -> tuple[str, list[object]]:
    parts: list[str] = []
    values: list[object] = []
    if question.words:
        parts.append("n IN (SELECT rowid FROM words WHERE words MATCH ?)")
        values.append(match_text(question.words))
    if question.categories:
        marks = ",".join("?" * len(question.categories))
        parts.append(f"n IN (SELECT n FROM category WHERE tag IN ({marks}))")  # noqa: S608
        values += sorted(question.categories)
    if question.box:
        west, south, east, north = question.box
        between = "lon >= ? AND lon <= ?" if west <= east else "(lon >= ? OR lon <= ?)"
        parts.append(f"lat >= ? AND lat <= ? AND {between}")
        values += [south, north, west, east]
    if question.since:
        parts.append("changed_at >= ?")
        values.append(question.since)
    return (f"WHERE {' AND '.join(parts)}" if parts else ""), values


def those_inside(
    rows: Iterable[tuple[Any, ...]], region: Region, place_of: Callable[[int], Place | None]
) -> Iterator[tuple[Any, ...]]:
    """Those whose point or town is in a region."""
    towns: dict[int, bool] = {0: False}
    for row in rows:
        _, latitude, longitude, town = row
        if town not in towns:
            place = place_of(town)
            towns[town] = place is not None and region.contains_place(place)
        if towns[town] or (
            latitude is not None and region.contains_point(Point(latitude, longitude))
        ):
            yield row


_ANSWERS = 16  # of questions that are kept; one of a million entries takes 24 MB
_IDLE = 4  # connections that are kept open
_READ_AT_ONCE = 500
_LOOKED_SECONDS = 1.0  # that searches trust what was last seen of the file


@dataclass(frozen=True, slots=True)
class ListedEntry:
    """An entry, and when pages were fetched that name it; seconds since the epoch."""

    id: str
    entry: DirectoryEntry
    first_seen: float
    last_seen: float


@dataclass(frozen=True, slots=True)
class SourcePage:
    """When a page was last fetched that says something of an entry."""

    visit: int
    answered_at: float


@dataclass(frozen=True, slots=True)
class EntryStory:
    """An entry with everything that is known of it."""

    listed: ListedEntry
    pages: dict[str, SourcePage]  # by URL
    history: Sequence[EntryChange]  # the first change first
    is_gone: bool = False  # no page names it any more
    followed_by: str = ""  # id of the entry that pages name in its place


@dataclass(frozen=True, slots=True)
class ListingState:
    """What a listing is made of."""

    entries: int
    pages: int  # of the crawl that were looked at
    naming_pages: int  # of them that name an entry
    cursor: str  # up to which the crawl is in it
    update_seconds: float  # that the last update took


class Listing:
    """The listing in a folder, for several threads; it may come, change and go at any time."""

    def __init__(self, folder: Path, place_of: Callable[[int], Place | None]) -> None:
        self._path = folder / LISTING_FILE
        self._place_of = place_of
        self._idle: list[tuple[int, sqlite3.Connection]] = []
        self._changing = threading.Lock()
        self._found = lru_cache(_ANSWERS)(self._find)
        self._looked_at, self._has_entries = -_LOOKED_SECONDS, False

    def close(self) -> None:
        with self._changing:
            idle, self._idle = self._idle, []
        for _, connection in idle:
            connection.close()

    @property
    def edition(self) -> Hashable:
        """What an answer depends on; None where there is no listing."""
        try:
            file = self._path.stat().st_ino
            with self._opened() as database:
                is_ours = note_of(database, "shape") == shape()
                return (file, note_of(database, "edition")) if is_ours else None
        except (FileNotFoundError, NotADirectoryError):
            return None

    def state(self) -> ListingState | None:
        """What the listing is made of; None where there is none."""
        if self.edition is None:
            return None
        with self._opened() as database:
            (entries,) = database.execute("SELECT count(*) FROM entry").fetchone()
            (naming,) = database.execute("SELECT count(*) FROM page").fetchone()
            return ListingState(
                entries,
                int(note_of(database, "pages")),
                naming,
                note_of(database, "merged"),
                float(note_of(database, "seconds") or 0.0),
            )

    def find(self, question: ListingQuestion) -> Sequence[int]:
        """The numbers of the entries that fit, in order; `read` gives the entries."""
        edition = self.edition
        return self._found(edition, question).numbers if edition is not None else ()

    def points(self, question: ListingQuestion) -> tuple[array[float], array[float]]:
        """The latitudes and longitudes of the entries that fit; those without one are left out."""
        edition = self.edition
        if edition is None:
            return array("d"), array("d")
        found = self._found(edition, question)
        return found.latitudes, found.longitudes

    def _find(self, _edition: Hashable, question: ListingQuestion) -> _Found:
        conditions, values = conditions_of(question)
        order = "changed_at DESC, name, id" if question.newest_first else "name, id"
        query = f"SELECT n, lat, lon, place FROM entry {conditions} ORDER BY {order}"  # noqa: S608
        found = _Found(array("q"), array("d"), array("d"))
        with self._opened() as database:
            rows: Iterable[tuple[Any, ...]] = database.execute(query, values)
            if question.region:
                rows = those_inside(rows, question.region, self._place_of)
            for n, latitude, longitude, _ in rows:
                found.numbers.append(n)
                if latitude is not None and longitude is not None:
                    found.latitudes.append(latitude)
                    found.longitudes.append(longitude)
        return found

    def match(self, wanted: EntryWanted) -> Sequence[int]:
        """The numbers of the entries that answer a search, the best first.

        Every search asks, and few crawls have a listing: whether there is anything to find is
        asked of the file once a second, since that takes longer than most answers.
        """
        try:
            return self._matching(wanted) if self._is_worth_asking() else ()
        except (FileNotFoundError, NotADirectoryError):  # it has gone since
            return ()

    def _is_worth_asking(self) -> bool:
        now = time.monotonic()
        if now - self._looked_at >= _LOOKED_SECONDS:
            state = self.state()
            self._has_entries = state is not None and state.entries > 0
            self._looked_at = now
        return self._has_entries

    def _matching(self, wanted: EntryWanted) -> Sequence[int]:
        query, values = wanted_query(wanted)
        with self._opened() as database:
            rows: Iterable[tuple[Any, ...]] = database.execute(query, values)
            if wanted.region:
                rows = those_inside(rows, wanted.region, self._place_of)
            return [row[0] for row in rows]

    def read(self, numbers: Sequence[int]) -> Iterator[ListedEntry]:
        """Entries by their numbers, in that order; without those that have gone since."""
        for first in range(0, len(numbers), _READ_AT_ONCE):
            some = list(numbers[first : first + _READ_AT_ONCE])
            marks = ",".join("?" * len(some))
            query = f"SELECT n, {_LISTED} FROM entry WHERE n IN ({marks})"  # noqa: S608
            with self._opened() as database:
                rows = database.execute(query, some).fetchall()
            found = {n: row for n, *row in rows if row[1]}
            yield from (_listed(found[n]) for n in some if n in found)

    def of_page(self, url: str, most: int) -> list[ListedEntry]:
        """The first entries that a page names, in the order of names."""
        if self.edition is None:
            return []
        query = (
            f"SELECT {_LISTED} FROM entry WHERE n IN (SELECT n FROM source JOIN page"  # noqa: S608
            " ON page.number = source.page WHERE page.url = ?) AND packed <> x''"
            " ORDER BY name, id LIMIT ?"
        )
        with self._opened() as database:
            return [_listed(row) for row in database.execute(query, (url, most))]

    def story(self, id: str) -> EntryStory | None:
        """Everything known of an entry, also of one that is gone; None for an unknown id."""
        if self.edition is None:
            return None
        with self._opened() as database:
            row = database.execute(f"SELECT {_LISTED} FROM entry WHERE id = ?", (id,)).fetchone()  # noqa: S608
            history = _history(database, id)
            if row is not None and row[1]:
                return EntryStory(_listed(row), _pages(database, id), history)
            gone = "SELECT id, packed, first_seen, last_seen, followed_by FROM gone WHERE id = ?"
            row = database.execute(gone, (id,)).fetchone()
            if row is None:
                return None
            return EntryStory(_listed(row[:4]), {}, history, is_gone=True, followed_by=row[4])

    def pages_of(self, id: str) -> dict[str, SourcePage]:
        """When the pages were fetched that say something of an entry, by URL."""
        with self._opened() as database:
            return _pages(database, id)

    def categories(self) -> dict[str, int]:
        """How many entries each category has, the most first."""
        if self.edition is None:
            return {}
        query = (
            "SELECT tag, count(*) AS number FROM category GROUP BY tag ORDER BY number DESC, tag"
        )
        with self._opened() as database:
            return dict(database.execute(query).fetchall())

    def found_at(self) -> array[float]:
        """When the crawl fetched the first page of each entry, in order."""
        if self.edition is None:
            return array("d")
        with self._opened() as database:
            rows = database.execute("SELECT found_at FROM entry ORDER BY found_at")
            return array("d", (row[0] for row in rows))

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        """A connection to the file that is there now; those of one that was deleted are closed."""
        file = self._path.stat().st_ino
        with self._changing:
            made_for, connection = self._idle.pop() if self._idle else (0, None)
        if connection is not None and made_for != file:
            connection.close()
            connection = None
        connection = connection or open_to_read(self._path.parent)
        try:
            yield connection
        except sqlite3.DatabaseError as error:
            connection.close()
            raise damaged(self._path, error) from error
        except BaseException:
            connection.close()
            raise
        with self._changing:
            if len(self._idle) < _IDLE:
                self._idle.append((file, connection))
                return
        connection.close()


class _Found(NamedTuple):
    """What a question finds: numbers of entries, and the points of those that have one."""

    numbers: array[int]
    latitudes: array[float]
    longitudes: array[float]


_LISTED = "id, packed, first_seen, last_seen"


def _listed(row: Sequence[Any]) -> ListedEntry:
    id, packed, first_seen, last_seen = row
    entry = ENTRY.decode(packed)
    return ListedEntry(
        id, entry if entry.id == id else replace(entry, id=id), first_seen, last_seen
    )


def _history(database: sqlite3.Connection, id: str) -> list[EntryChange]:
    query = "SELECT at, what, field, before, after FROM history WHERE id = ? ORDER BY at, number"
    with closing(database.execute(query, (id,))) as rows:
        return [
            EntryChange(at=at, what=HistoryKind(what), field=field, before=before, after=after)
            for at, what, field, before, after in rows
        ]


def _pages(database: sqlite3.Connection, id: str) -> dict[str, SourcePage]:
    query = (
        "SELECT url, visit, answered_at FROM page JOIN source ON source.page = page.number"
        " JOIN entry ON entry.n = source.n WHERE entry.id = ?"
    )
    rows = database.execute(query, (id,))
    return {url: SourcePage(visit, answered_at) for url, visit, answered_at in rows}
