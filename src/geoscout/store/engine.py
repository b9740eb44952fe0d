"""What a database and an archive must do to keep a crawl: the one place where they differ.

Everything that is asked of a crawl is written once over an `Engine` (`reader.py`,
`frontier/tables.py`), and everything that is written goes through `Rows` (`group.py`). A crawl in a
folder has `sqlite/engine.py`, one on a server `postgres/engine.py`; another database is one more
module like these.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from geoscout.sql import Dialect, Queries, Row, Table, Texts, Update
from geoscout.store.base import Cursor
from geoscout.warc import WarcRecord
from geoscout_places.errors import UsageError

if TYPE_CHECKING:
    from geoscout.store.group import VisitGroup

_ONE = re.compile(r"\d{1,18}", re.ASCII)
_MANY = re.compile(r"\d{1,4}:\d{1,18}(,\d{1,4}:\d{1,18})*", re.ASCII)

# What differs between the two ways of keeping a crawl in the queries of the facts.
TEXTS = Texts(
    alone={
        "file": "archive_file",
        "sequence": "sequence",
        "note": "crawl",
        "model": "SELECT value FROM state WHERE name = 'strategy'",
        "last_changes": "SELECT 0, max(sequence) FROM change",
        "as_kept": "rowid",
        # A visit that was lost has no row any more, but its page has to go from the index, too.
        "ever": "(SELECT n, url FROM visit UNION ALL SELECT visit, url FROM lost)",
        "steps": """(SELECT n AS groups, 1 AS visits, is_page AS pages, relevant,
            fetched_at AS first_at, fetched_at AS last_at, degree AS degrees FROM visit)""",
    },
    shared={
        "file": "segment",
        "sequence": "number",
        "note": "note",
        "model": "SELECT state FROM model ORDER BY visits DESC, partition LIMIT 1",
        "last_changes": """SELECT number, (SELECT max(change.number) FROM change
            WHERE change.partition = partition.number) FROM partition""",
        "as_kept": "visits, name",
        "ever": "visit",
        "steps": "harvest",
    },
)


class Log(NamedTuple):
    """Rows that are only ever added, and by one writer a partition."""

    table: str
    number: str  # the column that grows
    columns: str
    condition: str = "1 = 1"


class Engine(Queries, Protocol):
    """A database with a crawl, and its archive: these methods, and `rows` and `stream`."""

    def after(self, log: Log, positions: Mapping[int, int], limit: int) -> list[Row]:
        """The next rows of each partition behind a position: partition, number, columns.

        A partition that is far ahead does not keep the others waiting: all of them give their
        first row, then their second.
        """

    def write(self, group: VisitGroup) -> None:
        """Write a group, all of it in one transaction; the caller may have opened that."""

    def record(self, file: str | int, offset: int, length: int) -> WarcRecord:
        """The record that lies at a spot of the archive.

        Raises:
            DamagedDataError: it cannot be read.
        """

    def files(self) -> Iterator[tuple[str, Iterator[bytes]]]:
        """The files of the archive, each with its name and its bytes in pieces.

        Raises:
            DamagedDataError: it cannot be read.
        """

    def is_written(self) -> bool:
        """Whether somebody writes to the crawl right now."""

    def close(self) -> None:
        """Let go of the database and the archive."""


class Rows(Protocol):
    """Writes rows of tables, each in the order of its columns: what `write_group` needs."""

    @property
    def dialect(self) -> Dialect: ...

    def add(self, table: Table, rows: Sequence[Row]) -> None:
        """New rows."""

    def put(self, table: Table, rows: Sequence[Row], change: str = "") -> None:
        """Rows that may be there by their keys: those are changed like this, or left alone."""

    def update(self, update: Update, partition: int) -> None:
        """Change rows of a partition that are there."""

    def drop(self, table: Table, column: str, values: Collection[object]) -> None:
        """Delete the rows that have one of these values."""


def read_cursor(cursor: Cursor, *, shared: bool) -> dict[int, int]:
    """The last number of each partition that a cursor stands for.

    One number for all would not do: rows of two writers become visible in any order, and whoever
    remembers the highest number it saw would miss the ones that come late.

    >>> read_cursor("0:17,3:4", shared=True), read_cursor("17", shared=False)
    ({0: 17, 3: 4}, {0: 17})

    Raises:
        UsageError: it was not given out by this store.
    """
    if not cursor:
        return {}
    if not (_MANY if shared else _ONE).fullmatch(cursor):
        raise UsageError(f"{cursor!r} is not a position in this crawl")
    if not shared:
        return {0: int(cursor)}
    pairs = (pair.split(":") for pair in cursor.split(","))
    return {int(partition): int(number) for partition, number in pairs}


def write_cursor(positions: Mapping[int, int], *, shared: bool) -> Cursor:
    """The cursor for the last numbers of some partitions.

    >>> write_cursor({3: 4, 0: 17}, shared=True), write_cursor({0: 17}, shared=False)
    ('0:17,3:4', '17')
    """
    if not shared:
        return str(positions[0]) if positions else ""
    return ",".join(f"{partition}:{number}" for partition, number in sorted(positions.items()))
