"""Connects to the PostgreSQL database of a crawl, and says in one line what went wrong.

The address of a crawl is `postgresql://host:port/database/NAME`: a database, and the name of one
crawl in it, which has the schema `crawl_NAME`. One database can hold many crawls. Everything that
libpq knows can follow as a query (`?sslmode=verify-full`), and what is left out comes from the
environment, the service file and the password file as with `psql`.

Errors of the driver are translated here and nowhere else. No message contains a password, even
where the address does.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

import psycopg
from psycopg import errors, sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from geoscout_places.errors import DatabaseLostError, GeoscoutError, UsageError
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
    (("53100", "53200"), "", "the PostgreSQL server has no room left: make some, then resume"),
    (("25006",), "", "this server is a read-only copy: name the one that takes writes"),
    (("42P01", "42703", "3F000"), "", "this is not a whole crawl: a table or column is missing"),
)

Connection = psycopg.Connection[tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class CrawlAddress:
    """The address of a crawl in PostgreSQL, read."""

    database: str = field(repr=False)  # for libpq; it may contain a password
    name: str
    shown: str  # for messages, notes and logs: without passwords
    secrets: tuple[str, ...] = field(default=(), repr=False)

    @property
    def schema(self) -> str:
        """The schema of the crawl."""
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

    Raises:
        UsageError: it is not one of a crawl.
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

    Raises:
        UsageError: there is a crawl of that name already, or the user may not make one.
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
    """Refuse a crawl that is not there or has other tables.

    Raises:
        UsageError: there is none, another version of geoscout made it, or the user may not read it.
    """
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
        return UsageError(f"{address.shown}: {sentence}")
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
