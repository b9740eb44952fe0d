"""Connections that are used again by the next who looks at a crawl."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from geoscout_cluster.postgres.database import (
    MOST_IDLE,
    IdleConnections,
    Session,
    connect,
    create_tables,
    read_address,
)
from geoscout_places.errors import UsageError


@pytest.fixture
def idle() -> Iterator[IdleConnections]:
    connections = IdleConnections()
    yield connections
    connections.close()


@pytest.fixture
def where(postgres_address: str) -> str:
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


def test_a_connection_is_used_again(where: str, idle: IdleConnections) -> None:
    assert look(where, idle) == look(where, idle)


def test_two_who_look_at_once_have_a_connection_each(where: str, idle: IdleConnections) -> None:
    sessions = [Session(read_address(where), idle) for _ in range(MOST_IDLE + 2)]
    for session in sessions:
        session.check()
    processes = {process_of(session) for session in sessions}
    for session in sessions:
        session.close()

    assert len(processes) == len(sessions)
    assert len(idle._kept) == MOST_IDLE


def test_a_connection_that_broke_meanwhile_is_replaced(where: str, idle: IdleConnections) -> None:
    broken = look(where, idle)
    with connect(where) as connection:
        connection.execute("SELECT pg_terminate_backend(%s)", (broken,))

    assert look(where, idle) != broken


def test_another_crawl_has_its_own(where: str, idle: IdleConnections) -> None:
    look(where, idle)

    with pytest.raises(UsageError, match="no crawl at"):
        look(f"{where}-other", idle)


def test_a_crawl_that_was_deleted_is_missed(where: str, idle: IdleConnections) -> None:
    look(where, idle)
    with connect(where) as connection:
        connection.execute("DROP TABLE version")

    with pytest.raises(UsageError, match="no crawl at"):
        look(where, idle)
