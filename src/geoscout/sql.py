"""SQL that is written once for every database that can keep a crawl.

Tables are lists of columns, and a `Dialect` makes them. Queries have marks, which it replaces:
`:p` is a parameter, and `:any` the test that a value is in a list.

A crawl is kept in one of two ways. It has one writer and an archive in files that grow (`alone`),
or partitions with a writer each and an archive in segments (`shared`). Columns and tables that only
one of them needs are marked with `@`.
"""

import re
import sqlite3
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from functools import lru_cache
from pathlib import Path
from string import Template
from typing import Any, NamedTuple, Protocol

import orjson

from geoscout_places.errors import DamagedDataError

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
        name=name, type=type, null="null" in rest, default=default, only=only, is_key="key" in rest
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

    def stream(self, query: str, *parameters: object) -> Iterator[Row]:
        """The rows of an answer of any size."""


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


LARGEST_VALUE = 256 * 1024 * 1024  # bytes
_STEPS = 200_000  # of SQLite's machine between two looks, some milliseconds
_PRAGMAS = """PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0;
PRAGMA foreign_keys = OFF;"""
# SQLite goes by the text of a row of its schema alone; so do we, and not by its column `type`.
# Columns with words behind them, keys, and nothing that has an expression: those have brackets, or
# WHERE before them.
_NAME = r'(?:\w+|"\w+")'
_NAMES = rf"\( ?{_NAME}(?: (?:asc|desc))?(?: ?, ?{_NAME}(?: (?:asc|desc))?)* ?\)"
_PART = rf"(?:(?:primary key|unique) ?{_NAMES}|{_NAME}(?: (?:[\w.+-]+|'[^']*'))*)"
_HOLDS_ROWS = re.compile(
    rf"create (?:table (?:if not exists )?{_NAME} ?\( ?{_PART}(?: ?, ?{_PART})* ?\)"
    rf"(?: ?without rowid)?|(?:unique )?index (?:if not exists )?{_NAME} on {_NAME} ?{_NAMES})"
)
# What is quoted stays as it is: it may look like a comment, and hide what comes behind it.
_SPACE = re.compile(r"""('(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\])|(?:--[^\n]*|\s)+""")
_MOST_STATEMENTS = 1000  # of a schema; ours have fifty
_longest: float | None = None  # seconds of one query


def limit_queries(seconds: float | None) -> None:
    """End queries of this process that take longer from now on; None: none."""
    global _longest  # noqa: PLW0603 - a server asks for it once
    _longest = seconds


class GuardedConnection(sqlite3.Connection):
    """A connection whose queries hear signals, and end after a time: damaged files surprise."""

    _began = 0.0

    def watch(self) -> None:
        self.set_progress_handler(self._is_over, _STEPS)

    def close(self) -> None:
        with suppress(sqlite3.ProgrammingError):  # it is closed
            self.set_progress_handler(None, 0)  # which holds the connection
        super().close()

    def execute(self, *query: object) -> sqlite3.Cursor:
        self._began = time.monotonic()
        return super().execute(*query)  # type: ignore[arg-type]

    def _is_over(self) -> bool:
        """Python runs the handlers of signals before this, and ends the query if one raises."""
        return _longest is not None and time.monotonic() - self._began > _longest


def guard(connection: sqlite3.Connection, file: Path, *scripts: str) -> None:
    """Refuse what in a file could run, unless one of these scripts of ours makes the same.

    Somebody else may have made it. A view, a trigger or a virtual table in it would have our
    queries run what its maker wrote: without an end, or with functions of SQLite that read and
    write. So whatever of this kind is not ours is refused by its name before anything else is
    asked. The rest is as SQLite advises for files that are not trusted: no schema is trusted, pages
    are looked at before they are used, no value is larger than ours can be, and (from Python 3.12
    on) SQLite's own tables cannot be written to.

    Raises:
        DamagedDataError: there is something.
    """
    if isinstance(connection, GuardedConnection):
        connection.watch()
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LARGEST_VALUE)
    if sys.version_info >= (3, 12):
        connection.setconfig(sqlite3.SQLITE_DBCONFIG_DEFENSIVE, True)  # noqa: FBT003 - its own way
    connection.executescript(_PRAGMAS)
    query = "SELECT name, sql FROM sqlite_master"
    for number, (name, text) in enumerate(connection.execute(query)):
        if number == _MOST_STATEMENTS:
            raise DamagedDataError(f"{file} has more tables than ours: more than {number}")
        if not _is_harmless(text, scripts):
            what = ascii(" ".join(str(text).split()[:3]))
            raise DamagedDataError(f"{file} has something that is not ours, {name!a}: {what} …")


@lru_cache(maxsize=512)  # the same few in every crawl
def _is_harmless(text: object, ours: tuple[str, ...]) -> bool:
    """Whether a statement only holds rows, or is one of ours; None is an index without one."""
    plain = _plain(text)
    return text is None or plain in _made_by(ours) or bool(_HOLDS_ROWS.fullmatch(plain))


def _plain(text: object) -> str:
    """A statement without its spaces and comments, which differ between versions."""
    return _SPACE.sub(lambda found: found[1] or " ", str(text)).strip().casefold()


@lru_cache
def _made_by(scripts: tuple[str, ...]) -> frozenset[str]:
    """The statements of what our own scripts make, as SQLite keeps them."""
    made: set[str] = set()
    for script in scripts:
        with closing(sqlite3.connect("")) as scratch:
            scratch.executescript(script)
            rows = scratch.execute("SELECT sql FROM sqlite_master")
            made.update(_plain(text) for (text,) in rows)
    return frozenset(made)


# What no value of ours is, by the type of its column: times end with the year 9999, cells of H3 and
# fingerprints have 64 bits. And by its name.
_ODD = {
    "INTEGER": "typeof({0}) <> 'integer' OR {0} NOT BETWEEN -(1 << 62) AND 1 << 62",
    "REAL": "typeof({0}) NOT IN ('real', 'integer') OR {0} NOT BETWEEN -253e9 AND 253e9",
    "TEXT": "typeof({0}) <> 'text' OR instr({0}, char(0)) OR length({0}) > 1000000",
    "BLOB": "typeof({0}) <> 'blob'",
    "simhash": "typeof({0}) <> 'integer'",
    **dict.fromkeys(("mentions", "site_mentions"), "{0} NOT BETWEEN 0 AND 1 << 31"),
    "url": "typeof({0}) <> 'text' OR {0} NOT LIKE '%://_%'",
    **dict.fromkeys(
        ("kind", "precision"),
        "typeof({0}) <> 'text' OR {0} <> '' AND {0} NOT GLOB '[a-z]*' OR length({0}) > 40",
    ),
    **dict.fromkeys(("latitude", "lat"), "typeof({0}) = 'text' OR {0} NOT BETWEEN -90 AND 90"),
    **dict.fromkeys(("longitude", "lon"), "typeof({0}) = 'text' OR {0} NOT BETWEEN -180 AND 180"),
}


def odd_column(file: Path) -> str:
    """A column of a database that holds what geoscout does not write; "" where none is seen."""
    with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as connection:
        tables = "SELECT name FROM sqlite_master WHERE type = 'table'"
        for (table,) in connection.execute(tables).fetchall():
            rows = connection.execute("SELECT * FROM pragma_table_info(?)", (table,)).fetchall()
            tests = [_odd_test(name, *rest) for _, name, *rest in rows]
            odd = f"CASE {' '.join(tests)} END"
            query = f'SELECT {odd} FROM "{table}" WHERE {odd} IS NOT NULL LIMIT 1'  # noqa: S608
            if tests and (found := connection.execute(query).fetchone()):
                return f"{table}.{found[0]}"
    return ""


def _odd_test(name: str, type: str, is_needed: int, *_: object) -> str:
    test = _ODD.get(name, _ODD.get(type, "0")).format(f'"{name}"')
    null = "" if is_needed else f'"{name}" IS NOT NULL AND '
    return f"WHEN {null}coalesce({test}, 1) THEN '{name}'"
