"""Connects to the PostgreSQL database of a crawl, and says in one line what went wrong.

The address of a crawl is `postgresql://host:port/database/NAME`: a database, and the name of one
crawl in it, which has the schema `crawl_NAME`. One database can hold many crawls. Everything that
libpq knows can follow as a query (`?sslmode=verify-full`), and what is left out comes from the
environment, the service file and the password file as with `psql`.

Whoever reads has a `Session`: a connection that is opened when it is needed, and again after a
loss. Errors of the driver are translated here and nowhere else. No message contains a password,
even where the address does.
"""

import atexit
import itertools
import re
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

import psycopg
from psycopg import Cursor, errors, sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.pq import TransactionStatus

from geoscout.sql import POSTGRESQL, Row
from geoscout_places.errors import DatabaseLostError, GeoscoutError, NoRoomError, UsageError
from geoscout_places.urls import PASSWORDS, without_passwords

VERSION = 6  # of all tables together; one more whenever a stage changes its own
SCHEMES = ("postgresql", "postgres")
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,49}")  # a name in PostgreSQL has at most 63 bytes
# What libpq does by itself: wait for minutes on a cable that was cut. With these it knows after
# three seconds. An address can set each of them in its query.
_PATIENCE = {
    "connect_timeout": "5",  # seconds
    "keepalives_idle": "2",  # seconds
    "keepalives_interval": "1",  # seconds
    "keepalives_count": "3",
    "tcp_user_timeout": "3000",  # milliseconds
    "application_name": "geoscout",
}
# Each query is small or reads in the order of a key; compiling it takes longer than running it.
_READY = "SELECT set_config('search_path', %s, false), set_config('jit', 'off', false)"
# Codes of PostgreSQL that mean "not now": the server starts, stops, has no room for another
# connection, or ended one of two transactions that waited for each other. 08 is everything about
# the connection itself.
_NOT_NOW = ("08", "53300", "57P01", "57P02", "57P03", "57P05")

_NO_ROOM = ("53100", "53200")

# Codes, words of a refused connection, and what to tell the user.
_ABOUT = (
    (
        ("28P01", "28000"),
        "authentication failed|no password supplied|pg_hba.conf|role .* does not exist",
        "the server refuses this user or password; see PGPASSFILE in docs/install.md",
    ),
    (
        (),
        "does not support SSL|certificate",
        "no secure connection; see sslmode and PGSSLROOTCERT in docs/cluster.md",
    ),
    (("3D000",), "database .* does not exist", "there is no such database on this server"),
    (("42501",), "permission denied", "this user lacks a right in the database"),
    (_NO_ROOM, "", "the PostgreSQL server has no room left: make some, then resume"),
    (("25006",), "", "this server is a read-only copy: name the one that takes writes"),
    (("42P01", "42703", "3F000"), "", "this is not a whole crawl: a table or column is missing"),
)

STEERING_NOTE = "steering"
_SET_NOTE = """
INSERT INTO note VALUES (%s, %s) ON CONFLICT (name) DO UPDATE SET value = excluded.value
"""

Connection = psycopg.Connection[tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class CrawlAddress:
    database: str = field(repr=False)  # for libpq; it may contain a password
    name: str
    shown: str  # for messages, notes and logs: without passwords
    secrets: tuple[str, ...] = field(default=(), repr=False)

    @property
    def schema(self) -> str:
        return f"crawl_{self.name}"

    def mask(self, text: str) -> str:
        """A text of somebody else without the passwords of this address."""
        for secret in self.secrets:
            text = text.replace(secret, "***")
        return text


def read_address(where: str) -> CrawlAddress:
    """The parts of an address.

    >>> read_address("postgresql://ann:secret@host:5433/data/lisbon").shown
    'postgresql://ann@host:5433/data/lisbon'
    """
    parts = urlsplit(where)
    public = without_passwords(parts._replace(scheme=SCHEMES[0]).geturl())
    database, _, name = parts.path.strip("/").partition("/")
    if parts.scheme not in SCHEMES or not database or not name:
        raise UsageError(f"{public} should be postgresql://host:port/database/name-of-the-crawl")
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"{name!r} cannot be the name of a crawl: it has up to 50 lower-case letters, digits,"
            " - and _, and begins with a letter or digit"
        )
    password = parts.netloc.rpartition("@")[0].partition(":")[2]
    pairs = parse_qsl(parts.query)
    given = [password, unquote(password), *(value for key, value in pairs if key in PASSWORDS)]
    secrets = tuple(dict.fromkeys(text for text in given if text))
    of_database = parts._replace(scheme=SCHEMES[0], path=f"/{database}").geturl()
    return CrawlAddress(of_database, name, public, secrets)


def connect(where: str | CrawlAddress) -> Connection:
    """A connection to the database of a crawl, whose schema need not be there yet.

    Statements open a transaction by themselves, and `commit()` ends it.

    Raises:
        UsageError: the address is wrong, or the server refuses it.
        DatabaseLostError: the server does not answer now.
    """
    address = where if isinstance(where, CrawlAddress) else read_address(where)
    with translated(address), ExitStack() as on_error:
        given = {**_PATIENCE, **conninfo_to_dict(address.database)}
        connection: Connection = psycopg.connect(make_conninfo("", **given))
        on_error.callback(connection.close)
        connection.execute(_READY, (sql.Identifier(address.schema).as_string(),))
        connection.commit()
        on_error.pop_all()
    return connection


def server_addresses(connection: Connection) -> tuple[str, ...]:
    """The IP addresses of the server, as far as they are known here; none for a socket."""
    found, host = {connection.info.hostaddr}, connection.info.host
    with suppress(OSError):
        if host and not host.startswith("/"):
            found |= {str(row[4][0]) for row in socket.getaddrinfo(host, None)}
    return tuple(sorted(found - {""}))


def create_tables(connection: Connection, address: CrawlAddress, tables: Iterable[str]) -> None:
    """Make the schema of a new crawl with these tables; the caller commits.

    Each of `tables` is a script, as a stage hands it in: a stage must not know another one.
    """
    schema = sql.Identifier(address.schema)
    try:
        connection.execute(sql.SQL("CREATE SCHEMA {}").format(schema))
    except errors.DuplicateSchema:
        raise UsageError(
            f"{address.shown} already contains a crawl: resume it or use another name"
        ) from None
    for script in (*tables, "CREATE TABLE version (number integer NOT NULL)"):
        connection.execute(script.encode())
    connection.execute("INSERT INTO version VALUES (%s)", (VERSION,))


def check_crawl(connection: Connection, address: CrawlAddress) -> None:
    """Refuse a crawl that is not there or has other tables."""
    # By the name of the schema: one that the user may not use is not in the path either.
    query = sql.SQL("SELECT number FROM {}").format(sql.Identifier(address.schema, "version"))
    try:
        row = connection.execute(query).fetchone()
    except (errors.UndefinedTable, errors.InvalidSchemaName):
        raise UsageError(f"there is no crawl at {address.shown}") from None
    if row != (VERSION,):
        found = row[0] if row else "none"
        raise UsageError(
            f"the crawl at {address.shown} was made by another version of geoscout (its tables are"
            f" of version {found}, ours of {VERSION}): start a new one under another name"
        )


@contextmanager
def translated(address: CrawlAddress) -> Iterator[None]:
    """Turn the errors of the driver into ours, each a line that says what can be done."""
    try:
        yield
    except psycopg.Error as error:
        ours = as_ours(error, address)
        if ours is None:
            raise
        raise ours from None  # the driver's own text may contain a part of the address


def as_ours(error: psycopg.Error, address: CrawlAddress) -> GeoscoutError | None:
    """What an error of the driver means; None for a defect of ours."""
    code, line = error.sqlstate or "", address.mask(_one_line(error))
    if sentence := _sentence(code, line):
        kind = NoRoomError if code in _NO_ROOM else UsageError
        return kind(f"{address.shown}: {sentence}")
    if code.startswith("40"):  # a deadlock, or a transaction that the server gave up
        return DatabaseLostError(f"{address.shown} gave up a transaction: {line}")
    if code.startswith(_NOT_NOW) or (not code and isinstance(error, psycopg.OperationalError)):
        return DatabaseLostError(f"{address.shown} does not answer: {line}")
    if not code and isinstance(error, psycopg.ProgrammingError):
        return UsageError(f"{address.shown} is not an address that PostgreSQL can read: {line}")
    return None


def _sentence(code: str, line: str) -> str:
    """What the user can do about an error; "" where there is nothing to be done or known."""
    for codes, words, sentence in _ABOUT:
        # A refused connection has no code, only a text.
        if code in codes or (not code and words and re.search(words, line)):
            return f"{sentence} ({line})"
    return ""


def _one_line(error: psycopg.Error) -> str:
    """The text of an error without its hints, which follow on lines of their own."""
    text = str(error).strip().partition("\n")[0]
    return re.sub(r"^connection failed: |FATAL:\s+", "", text)


MOST_IDLE = 8  # of all crawls together; a server has room for a hundred
_SECONDS = 60.0  # after which a connection is not trusted to be alive


class IdleConnections:
    """The last connections that were given back; several threads may share it.

    A web page asks for a crawl several times a second, and opening a connection takes ten times as
    long as most queries (docs/why/postgres.md).
    """

    def __init__(self) -> None:
        self._kept: deque[tuple[CrawlAddress, Connection, float]] = deque()
        self._lock = threading.Lock()
        atexit.register(self.close)

    def take(self, address: CrawlAddress) -> Connection | None:
        """A connection to a crawl; None when none is kept."""
        with self._lock:
            found = [entry for entry in self._kept if entry[0] == address]
            if not found:
                return None
            self._kept.remove(found[-1])
        _, connection, since = found[-1]
        if time.monotonic() - since < _SECONDS:
            return connection
        connection.close()
        return None

    def give(self, address: CrawlAddress, connection: Connection) -> None:
        """Keep a connection that is not used any more, or close it."""
        if connection.info.transaction_status != TransactionStatus.IDLE:
            connection.close()
            return
        with self._lock:
            self._kept.append((address, connection, time.monotonic()))
            oldest = self._kept.popleft() if len(self._kept) > MOST_IDLE else None
        if oldest is not None:
            oldest[1].close()

    def close(self) -> None:
        while self._kept:
            self._kept.popleft()[1].close()


_PIECE = 1000  # rows fetched at a time


class Session:
    """Queries on a crawl, each of which sees what was committed before it; implements `Queries`."""

    dialect = POSTGRESQL

    def __init__(self, address: CrawlAddress, idle: IdleConnections | None = None) -> None:
        """Ask a crawl, through a connection of `idle` where there is one."""
        self.address = address
        self._idle = idle
        self._connection: Connection | None = None
        self._cursors = itertools.count(1)

    def rows(self, query: str, *parameters: object) -> list[Row]:
        """All rows of a small answer; asked again once when the server was restarted meanwhile.

        Raises:
            DatabaseLostError: the server does not answer.
        """
        was_open = self._connection is not None
        try:
            return self._rows(query, parameters)
        except DatabaseLostError:
            self._drop()
            if not was_open:
                raise
            return self._rows(query, parameters)

    def stream(self, query: str, *parameters: object) -> Iterator[Row]:
        """The rows of an answer of any size, a piece at a time.

        The server keeps the whole answer, so that no transaction stays open for as long as
        somebody reads: that would keep it from clearing away old rows.
        """
        with translated(self.address):
            name = f"stream_{next(self._cursors)}"
            with closing(self.connection().cursor(name, withhold=True)) as cursor:
                cursor.itersize = _PIECE
                cursor.execute(POSTGRESQL.text(query).encode(), parameters)
                yield from cursor

    def connection(self) -> Connection:
        """The connection, on which each statement is a transaction of its own."""
        if self._connection is None or self._connection.closed:
            self._connection = connect(self.address)
            self._connection.set_autocommit(True)
        return self._connection

    def check(self) -> None:
        """Refuse a crawl that is not there or has other tables.

        Raises:
            UsageError: it is one of these, or the user may not read it.
            DatabaseLostError: the server does not answer.
        """
        if self._idle is not None and self._connection is None:
            self._connection = self._idle.take(self.address)
            if self._connection is not None:
                with suppress(DatabaseLostError), translated(self.address):
                    check_crawl(self._connection, self.address)
                    return
                self._drop()  # the server was restarted meanwhile
        with translated(self.address):
            check_crawl(self.connection(), self.address)

    def close(self) -> None:
        """Give the connection back or close it; the next query opens another one."""
        if self._connection is not None and self._idle is not None:
            self._idle.give(self.address, self._connection)
            self._connection = None
        self._drop()

    def _drop(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _rows(self, query: str, parameters: tuple[object, ...]) -> list[Row]:
        with translated(self.address):
            text = POSTGRESQL.text(query).encode()
            return self.connection().execute(text, parameters).fetchall()


def set_note(cursor: Cursor[Any], name: str, value: str) -> None:
    """Keep a note with the crawl. The caller commits."""
    cursor.execute(_SET_NOTE, (name, value))


def read_note(cursor: Cursor[Any], name: str) -> str:
    row = cursor.execute("SELECT value FROM note WHERE name = %s", (name,)).fetchone()
    return str(row[0]) if row else ""


class NoteSlot:
    """The note of a crawl that says what is asked of it; implements `Slot`."""

    def __init__(self, address: CrawlAddress, idle: IdleConnections) -> None:
        self._address, self._idle = address, idle

    def read(self) -> bytes:
        with closing(Session(self._address, self._idle)) as session:
            session.check()
            rows = session.rows("SELECT value FROM note WHERE name = :p", STEERING_NOTE)
        return rows[0][0].encode() if rows else b""

    def change(self, change: Callable[[bytes], bytes]) -> None:
        with translated(self._address), connect(self._address) as connection:
            check_crawl(connection, self._address)
            connection.execute("LOCK TABLE note IN SHARE ROW EXCLUSIVE MODE")
            cursor = connection.cursor()
            value = change(read_note(cursor, STEERING_NOTE).encode()).decode()
            set_note(cursor, STEERING_NOTE, value)
