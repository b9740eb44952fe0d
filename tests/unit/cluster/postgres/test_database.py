"""Addresses of crawls in PostgreSQL, and one clear line for everything that can go wrong.

Connections that are used again by the next who looks at a crawl.
"""

from contextlib import closing

import psycopg
import pytest

from geoscout_cluster.postgres.database import (
    MOST_IDLE,
    VERSION,
    Connection,
    CrawlAddress,
    IdleConnections,
    Session,
    as_ours,
    check_crawl,
    connect,
    create_tables,
    read_address,
    server_addresses,
    translated,
)
from geoscout_places.errors import DatabaseLostError, GeoscoutError, UsageError
from tests.postgres import DATABASE, free_port

SECRET = "hush-hush"


def make(where: str, *tables: str) -> None:
    with connect(where) as connection:
        create_tables(connection, read_address(where), tables)


def do(connection: Connection, address: CrawlAddress, script: str) -> None:
    with translated(address):
        connection.execute(script.encode())


@pytest.mark.parametrize(
    ("where", "shown"),
    [
        ("postgresql://host/data/lisbon", "postgresql://host/data/lisbon"),
        ("postgres://host/data/lisbon", "postgresql://host/data/lisbon"),
        (f"postgresql://ann:{SECRET}@host/data/lisbon", "postgresql://ann@host/data/lisbon"),
        (
            f"postgresql://a,b:5433/data/lisbon?sslmode=require&password={SECRET}",
            "postgresql://a,b:5433/data/lisbon?sslmode=require",
        ),
    ],
)
def test_an_address_is_shown_without_its_passwords(where, shown):
    address = read_address(where)

    assert (address.shown, address.name, address.schema) == (shown, "lisbon", "crawl_lisbon")
    assert SECRET not in repr(address)


@pytest.mark.parametrize(
    "where",
    [
        "postgresql://host", "postgresql://host/data", "postgresql://host/data/",
        "postgresql://host/data/a/b", "postgresql://host/data/Lisbon", "mysql://host/data/lisbon",
        "postgresql://host/data/" + 60 * "x", f"postgresql://ann:{SECRET}@host/data",
    ],
)  # fmt: skip
def test_an_address_that_names_no_crawl_is_refused(where):
    with pytest.raises(UsageError) as raised:
        read_address(where)

    assert SECRET not in str(raised.value)


def test_the_schema_of_the_crawl_is_found_first(postgres_address):
    make(postgres_address, "CREATE TABLE note (name text)")

    with connect(postgres_address) as connection:
        connection.execute("INSERT INTO note VALUES ('here')")
        check_crawl(connection, read_address(postgres_address))
        schema = read_address(postgres_address).schema
        row = connection.execute(f'SELECT name FROM "{schema}".note').fetchone()

    assert row == ("here",)


def test_a_crawl_is_made_once_and_one_that_is_not_there_is_told(postgres_address):
    with connect(postgres_address) as connection, pytest.raises(UsageError, match="no crawl at"):
        check_crawl(connection, read_address(postgres_address))
    make(postgres_address)
    with pytest.raises(UsageError, match="already contains a crawl"):
        make(postgres_address)


def test_tables_of_another_version_are_refused(postgres_address):
    make(postgres_address)
    with connect(postgres_address) as connection:
        connection.execute("UPDATE version SET number = 99")

    with (
        connect(postgres_address) as connection,
        pytest.raises(UsageError, match=f"version 99, ours of {VERSION}"),
    ):
        check_crawl(connection, read_address(postgres_address))


def test_a_server_that_is_not_there_does_not_answer():
    with pytest.raises(DatabaseLostError, match=r"does not answer: .*Connection refused"):
        connect(f"postgresql://ann:{SECRET}@127.0.0.1:{free_port()}/data/lisbon")


def test_a_database_that_is_not_there_is_told(postgres):
    with pytest.raises(UsageError, match="no such database"):
        connect(postgres.address("nowhere", "lisbon"))


def test_an_unknown_user_is_refused(postgres):
    where = postgres.address(DATABASE, "lisbon").replace("postgres@", f"stranger:{SECRET}@")

    with pytest.raises(UsageError, match="refuses this user") as raised:
        connect(where)
    assert SECRET not in str(raised.value)


@pytest.mark.parametrize("where", ["127.0.0.1:port/data/x", "a:%zz@h/data/x", "h/data/x?wrong=1"])
def test_an_address_that_libpq_cannot_read_is_one_line(where):
    with pytest.raises(GeoscoutError) as raised:
        connect(f"postgresql://{where}")

    assert "\n" not in str(raised.value)
    assert "%zz" not in str(raised.value)


def test_a_missing_right_is_told(postgres_address):
    make(postgres_address, "CREATE TABLE note (name text)")
    address = read_address(postgres_address)
    with connect(postgres_address) as connection:
        connection.execute("DROP ROLE IF EXISTS guest")
        connection.execute("CREATE ROLE guest LOGIN")
    as_guest = postgres_address.replace("postgres@", "guest@")

    with connect(as_guest) as connection:
        with pytest.raises(UsageError, match="lacks a right"), translated(address):
            check_crawl(connection, address)
        connection.rollback()
        with pytest.raises(UsageError, match="lacks a right"), translated(address):
            create_tables(connection, read_address(as_guest + "2"), ())


def test_a_full_disk_is_told(postgres_address):
    """PostgreSQL reports it with the code 53100, whichever file could not grow."""
    address = read_address(postgres_address)
    full = "DO $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$"

    with connect(address) as connection, pytest.raises(UsageError, match="no room left"):
        do(connection, address, full)


def test_a_defect_of_ours_is_not_hidden(postgres_address):
    address = read_address(postgres_address)

    with connect(address) as connection, pytest.raises(psycopg.errors.SyntaxError):
        do(connection, address, "SELEKT 1")


def test_a_server_that_goes_away_does_not_answer(postgres_address):
    address = read_address(postgres_address)
    with connect(address) as connection, connect(address) as other:
        (process,) = connection.execute("SELECT pg_backend_pid()").fetchone() or ()
        other.execute("SELECT pg_terminate_backend(%s)", (process,))
        with pytest.raises(DatabaseLostError), translated(address):
            connection.execute("SELECT 1")


def test_a_server_without_tls_is_told_and_not_waited_for(postgres_address):
    with pytest.raises(UsageError, match=r"no secure connection; see sslmode .*SSL"):
        connect(f"{postgres_address}?sslmode=verify-full&sslrootcert=system")


def test_a_certificate_of_somebody_else_is_told():
    error = psycopg.OperationalError(
        'connection failed: server certificate for "a.example" does not match host name "b.example"'
    )

    ours = as_ours(error, read_address("postgresql://b.example/data/lisbon"))

    assert isinstance(ours, UsageError)
    lost = as_ours(
        psycopg.OperationalError("SSL SYSCALL error: EOF detected"),
        read_address("postgresql://host/data/lisbon"),
    )
    assert isinstance(lost, DatabaseLostError)


def test_the_addresses_of_the_server_are_known(postgres_address):
    with closing(connect(postgres_address)) as connection:
        assert server_addresses(connection) == ("127.0.0.1",)


@pytest.fixture
def idle():
    connections = IdleConnections()
    yield connections
    connections.close()


@pytest.fixture
def where(postgres_address):
    with connect(postgres_address) as connection:
        create_tables(connection, read_address(postgres_address), ())
    return postgres_address


def process_of(session: Session) -> int:
    """The server's process behind a session."""
    ((number,),) = session.rows("SELECT pg_backend_pid()")
    return int(number)


def look(where: str, idle: IdleConnections) -> int:
    with closing(Session(read_address(where), idle)) as session:
        session.check()
        return process_of(session)


def test_a_connection_is_used_again(where, idle):
    assert look(where, idle) == look(where, idle)


def test_two_who_look_at_once_have_a_connection_each(where, idle):
    sessions = [Session(read_address(where), idle) for _ in range(MOST_IDLE + 2)]
    for session in sessions:
        session.check()
    processes = {process_of(session) for session in sessions}
    for session in sessions:
        session.close()

    assert len(processes) == len(sessions)
    assert len(idle._kept) == MOST_IDLE


def test_a_connection_that_broke_meanwhile_is_replaced(where, idle):
    broken = look(where, idle)
    with connect(where) as connection:
        connection.execute("SELECT pg_terminate_backend(%s)", (broken,))

    assert look(where, idle) != broken


def test_another_crawl_has_its_own_and_one_that_was_deleted_is_missed(where, idle):
    look(where, idle)
    with pytest.raises(UsageError, match="no crawl at"):
        look(f"{where}-other", idle)
    with connect(where) as connection:
        connection.execute("DROP TABLE version")

    with pytest.raises(UsageError, match="no crawl at"):
        look(where, idle)
