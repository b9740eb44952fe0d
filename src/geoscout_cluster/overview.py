"""A cluster from outside: who works on what, and a way to have all of them stop."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any
from urllib.parse import urlsplit

from psycopg import Cursor

from geoscout.store.base import Overview
from geoscout_cluster.budget import ensure_budget, set_budget
from geoscout_cluster.postgres.crew import read_overview
from geoscout_cluster.postgres.database import (
    SCHEMES,
    Session,
    check_crawl,
    connect,
    read_address,
    translated,
)
from geoscout_cluster.postgres.state import count_partitions
from geoscout_cluster.revisits import ask_for_revisits
from geoscout_cluster.roster import ask_all_to_stop
from geoscout_places.errors import UsageError


def look_at(where: str) -> Overview:
    """How the crawl at an address stands.

    Raises:
        UsageError: there is none, or it is of another version.
        DatabaseLostError: the server does not answer.
    """
    with closing(Session(read_address(where))) as session:
        session.check()
        return read_overview(session)


def stop_all(where: str) -> int:
    """Have all workers that are there now finish and end; returns how many there are.

    Raises:
        UsageError: there is no such crawl, or it is of another version.
        DatabaseLostError: the server does not answer.
    """
    with _opened(where) as cursor:
        return ask_all_to_stop(cursor)


def is_for_workers(where: str) -> bool:
    """Whether there is a crawl of several partitions at an address; False for other databases.

    Raises:
        UsageError: there is no crawl, or it is of another version.
        DatabaseLostError: the server does not answer.
    """
    return urlsplit(where).scheme in SCHEMES and count_partitions(read_address(where)) > 1


def set_limit(where: str, max_pages: int) -> None:
    """Another limit for a crawl, counted from its beginning; workers that run keep to it.

    Raises:
        UsageError: it is below 1.
        DatabaseLostError: the server does not answer.
    """
    if max_pages < 1:
        raise UsageError(f"max_pages is at least 1, not {max_pages}")
    with _opened(where) as cursor:
        ensure_budget(cursor, max_pages)
        set_budget(cursor, max_pages)


def revisit_pages(where: str, days: float, max_pages: int | None = None) -> int:
    """Have the workers of a crawl fetch pages again that were last asked for that long ago.

    Returns how many. Without another limit there is one that leaves room for all of them.

    Raises:
        UsageError: a number is too small.
        DatabaseLostError: the server does not answer.
    """
    with _opened(where) as cursor:
        pages = ask_for_revisits(cursor, days)
    if max_pages is not None:
        set_limit(where, max_pages)
    return pages


@contextmanager
def _opened(where: str) -> Iterator[Cursor[Any]]:
    address = read_address(where)
    with translated(address), connect(address) as connection:
        check_crawl(connection, address)
        yield connection.cursor()
