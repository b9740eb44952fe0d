"""SQL that is written once for every database that can keep a crawl.

Tables are lists of columns, and a `Dialect` makes them. Queries have marks, which it replaces:
`:p` is a parameter, and `:any` the test that a value is in a list.

A crawl is kept in one of two ways. It has one writer and an archive in files that grow (`alone`),
or partitions with a writer each and an archive in segments (`shared`). Columns and tables that only
one of them needs are marked with `@`.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from string import Template
from typing import Any, NamedTuple, Protocol

import orjson

Row = tuple[Any, ...]

_MARKS = re.compile(r":(p|any)\b")
_ALONE, _SHARED = "@alone", "@shared"


class Column(NamedTuple):
    """A column of a table. The types have the names that PostgreSQL's COPY knows."""

    name: str
    type: str
    null: bool = False
    default: str = ""
    only: str = ""  # the way of keeping a crawl that needs it; "": both
    is_key: bool = False


class Table:
    """A table as both ways of keeping a crawl have it."""

    def __init__(self, name: str, columns: str, *marks: str, room: int = 0) -> None:
        """Read a table: a line is a column, with its type and perhaps what follows.

        That is `key` or `null`, a default as `=0`, the way of keeping that needs it, and behind
        `--` what it is. The table has marks, too: the way of keeping that needs it; "ordered" where
        the order of writing is kept, alone; "plain" where no text has the character 0.
        `room`: per cent of a page that are filled first, where rows change often.
        """
        self.name, self.room = name, room
        self.only = next((mark for mark in marks if mark.startswith("@")), "")
        self.ordered, self.plain = "ordered" in marks, "plain" in marks
        lines = (line.partition("--")[0].split() for line in columns.splitlines())
        self._columns = [_column(words) for words in lines if words]

    def columns(self, *, shared: bool) -> list[Column]:
        """Its columns in one way of keeping a crawl."""
        absent = _ALONE if shared else _SHARED
        return [column for column in self._columns if column.only != absent]

    def key(self, *, shared: bool) -> list[Column]:
        return [column for column in self.columns(shared=shared) if column.is_key]


def _column(words: Sequence[str]) -> Column:
    name, type, *rest = words
    default = next((word[1:] for word in rest if word.startswith("=")), "")
    only = next((word for word in rest if word.startswith("@")), "")
    return Column(
        name=name,
        type=type,
        null="null" in rest,
        default=default,
        only=only,
        is_key="key" in rest,
    )


class Update(NamedTuple):
    """Rows of a table that are there already, and what changes about them."""

    table: Table
    names: Sequence[str]  # of the columns in `rows`; the first is the key within a partition
    rows: Sequence[Row]
    change: str = ""  # by the columns of `old` and `new`; "": all the others are new


class Dialect:
    """What one database says differently."""

    def __init__(
        self,
        marks: Mapping[str, str],
        *,
        shared: bool,
        types: Mapping[str, str] | None = None,
        ending: Callable[[Table, Sequence[Column]], str] = lambda _table, _key: "",
    ) -> None:
        """`marks` has what `p` and `any` become, and `types` its names where they differ.

        `ending`: what is said of a table behind its columns, by the columns of its key.
        """
        self.shared = shared
        self._marks, self._types, self._ending = marks, types or {}, ending
        self._known: dict[str, str] = {}

    def text(self, query: str) -> str:
        """A query as this database wants it."""
        known = self._known.get(query)
        if known is None:
            known = self._known[query] = _MARKS.sub(lambda mark: self._marks[mark[1]], query)
        return known

    def names(self, table: Table) -> list[str]:
        """The columns of a table here."""
        return [column.name for column in table.columns(shared=self.shared)]

    def key(self, table: Table) -> list[str]:
        return [column.name for column in table.key(shared=self.shared)]

    def create(self, tables: Iterable[Table]) -> str:
        """What makes those of these tables that this way of keeping a crawl has."""
        absent = _ALONE if self.shared else _SHARED
        return "".join(self._create(table) for table in tables if table.only != absent)

    def _create(self, table: Table) -> str:
        columns, key = table.columns(shared=self.shared), table.key(shared=self.shared)
        lines = [self._define(column) for column in columns]
        if key:
            lines.append(f"PRIMARY KEY ({', '.join(column.name for column in key)})")
        ending = self._ending(table, key)
        return f"CREATE TABLE IF NOT EXISTS {table.name} ({', '.join(lines)}){ending};\n"

    def _define(self, column: Column) -> str:
        null = "" if column.null else " NOT NULL"
        default = f" DEFAULT {column.default}" if column.default else ""
        return f'"{column.name}" {self._types.get(column.type, column.type)}{null}{default}'


def _without_rowid(table: Table, key: Sequence[Column]) -> str:
    """SQLite numbers the rows of other tables by their key, or in the order of writing."""
    is_number = len(key) == 1 and key[0].type.startswith("int")
    return "" if not key or is_number or table.ordered else " WITHOUT ROWID"


def _with_room(table: Table, _key: Sequence[Column]) -> str:
    """A new version of a row lies next to the old one where there is room, and no index changes."""
    return f" WITH (fillfactor = {table.room})" if table.room else ""


SQLITE = Dialect(
    {"p": "?", "any": "IN (SELECT value FROM json_each(?))"},
    shared=False,
    types={
        "int2": "INTEGER", "int4": "INTEGER", "int8": "INTEGER", "bool": "INTEGER",
        "float8": "REAL", "text": "TEXT", "bytea": "BLOB",
    },
    ending=_without_rowid,
)  # fmt: skip
POSTGRESQL = Dialect({"p": "%s", "any": "= ANY(%s)"}, shared=True, ending=_with_room)


class Texts:
    """Parts of queries that differ between the two ways of keeping a crawl, as `$name` in them."""

    def __init__(self, *, alone: Mapping[str, str], shared: Mapping[str, str]) -> None:
        self._texts = {False: alone, True: shared}
        self._known: dict[tuple[str, bool], str] = {}

    def fill(self, query: str, *, shared: bool) -> str:
        """A query with these parts."""
        known = self._known.get((query, shared))
        if known is None:
            known = Template(query).substitute(self._texts[shared])
            self._known[query, shared] = known
        return known


class Queries(Protocol):
    """Answers queries with marks; a list among the parameters is for `:any`."""

    @property
    def dialect(self) -> Dialect: ...

    def rows(self, query: str, *parameters: object) -> list[Row]:
        """All rows of a small answer."""
        ...

    def stream(self, query: str, *parameters: object) -> Iterator[Row]:
        """The rows of an answer of any size."""
        ...


class SqliteQueries:
    """Queries over a connection to SQLite; implements `Queries`."""

    dialect = SQLITE

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def rows(self, query: str, *parameters: object) -> list[Row]:
        return self._execute(query, parameters).fetchall()

    def stream(self, query: str, *parameters: object) -> Iterator[Row]:
        yield from self._execute(query, parameters)

    def _execute(self, query: str, parameters: Iterable[object]) -> sqlite3.Cursor:
        values = [json_list(value) if isinstance(value, list) else value for value in parameters]
        return self.connection.execute(self.dialect.text(query), values)


def json_list(values: list[object]) -> str:
    return orjson.dumps(values).decode()
