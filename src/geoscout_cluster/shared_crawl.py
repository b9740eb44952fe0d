"""A crawl for several workers, from outside: make one, look at it, change it before it goes on.

What every worker must have in common is noted with it, and checked when one joins (`workers.py`).
Pages that are to wait again go to their partitions by the exchange, so nobody need hold one. What
asks the server raises `DatabaseLostError` where it does not answer.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from msgspec.structs import replace
from psycopg import Cursor

from geoscout import __version__
from geoscout.crawling.assemble import Blueprint, draw_blueprint, writing_of
from geoscout.crawling.crawl_run import OpenCrawl
from geoscout.crawling.options import CrawlOptions, read_crawl_options
from geoscout.crawling.registrants import KINDS
from geoscout.crawling.steering import ask_to_stop, read_wishes, with_wishes
from geoscout.settings import Settings
from geoscout.state.base import Beginning
from geoscout.store.base import Overview
from geoscout.store.reader import CrawlReader
from geoscout_cluster.engine.base import MOST_PARTITIONS
from geoscout_cluster.engine.budget import set_budget
from geoscout_cluster.engine.exchange import send_from_outside
from geoscout_cluster.engine.roster import count_alive
from geoscout_cluster.postgres.database import (
    SCHEMES,
    CrawlAddress,
    Session,
    check_crawl,
    connect,
    read_address,
    server_addresses,
    set_note,
    translated,
)
from geoscout_cluster.postgres.engine import PostgresEngine, read_overview
from geoscout_cluster.postgres.own_state import mark, new_server, with_archive
from geoscout_cluster.postgres.server import MOST_PARTITIONS_HERE, find_programs
from geoscout_cluster.postgres.state import PostgresBackend, begin_crawl, count_partitions
from geoscout_cluster.routing import pack_requests, partition_of_url
from geoscout_places.errors import UsageError
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.model import Request

VERSION_NOTE = "version"
GAZETTEER_NOTE = "gazetteer"
_HARVEST = """
SELECT coalesce(sum(visits), 0)::bigint, coalesce(sum(relevant), 0)::bigint FROM harvest
"""
_USED = "SELECT partition, sum(visits)::bigint FROM harvest GROUP BY partition"


class SharedCrawl(OpenCrawl):
    """A crawl of several partitions, open to be changed; its workers run it."""

    def __init__(self, blueprint: Blueprint, address: CrawlAddress, where: Path | str) -> None:
        """Made by `open_shared`."""
        super().__init__(blueprint, where)
        self._address = address
        self._partitions = count_partitions(address)
        self._engine = PostgresEngine(address)
        self._reader = CrawlReader(self._engine)

    def close(self) -> None:
        self._engine.close()

    @property
    def reader(self) -> CrawlReader:
        return self._reader

    def put(self, requests: Iterable[Request]) -> int:
        """Let requests wait, in the partitions that they belong to; returns how many."""
        routed = ((partition_of_url(asked.url, self._partitions), asked) for asked in requests)
        with _opened(self._address) as cursor:
            return send_from_outside(cursor, routed, pack_requests)

    def narrow(self, include: Sequence[str] | None, exclude: Sequence[str] | None) -> None:
        """Other patterns for the runs to come.

        Raises:
            UsageError: one of them is not a pattern, or workers run, which go by those before.
        """
        with _opened(self._address) as cursor:
            if count_alive(cursor):
                raise UsageError(
                    f"workers of {self._address.shown} run, and keep to the patterns that they"
                    " began with: stop them first (geoscout cluster stop)"
                )
        super().narrow(include, exclude)

    def set_note(self, name: str, value: str) -> None:
        with _opened(self._address) as cursor:
            set_note(cursor, name, value)

    def addresses(self) -> Sequence[str]:
        with _opened(self._address) as cursor:
            return server_addresses(cursor.connection)


def open_shared(
    where: Path | str, address: str, settings: Settings, gazetteer: Gazetteer
) -> SharedCrawl:
    """The crawl of several partitions at an address, to be changed before workers go on with it.

    `where` is how people call it, which may be a folder, and `address` is that in PostgreSQL.
    """
    found = read_address(address)
    with ExitStack() as on_error, closing(CrawlReader(PostgresEngine(found))) as reader:
        options = asked_for(reader, found)
        options = with_wishes(options, read_wishes(where))
        crawl = SharedCrawl(draw_blueprint(options, settings, gazetteer), found, where)
        on_error.callback(crawl.close)
        on_error.pop_all()
    return crawl


def asked_for(reader: CrawlReader, address: CrawlAddress) -> CrawlOptions:
    """What a crawl was asked for."""
    options = read_crawl_options(reader)
    if options is None:
        raise UsageError(f"the crawl at {address.shown} does not say what it was asked for")
    return options


def limit_pages(cursor: Cursor[Any], max_pages: int | None) -> None:
    """Limit the responses of a crawl, over all of its partitions. The caller commits."""
    set_budget(cursor, max_pages, dict(cursor.execute(_USED).fetchall()))


def count_harvest(cursor: Cursor[Any]) -> tuple[int, int]:
    """The responses of a crawl so far, and the relevant pages among them."""
    return cursor.execute(_HARVEST).fetchone() or (0, 0)


def found_crawl(where: str, blueprint: Blueprint, beginning: Beginning, partitions: int) -> None:
    """Make a crawl of this many partitions; nobody works on it yet."""
    if not 1 <= partitions <= MOST_PARTITIONS:
        raise UsageError(f"a crawl has 1 to {MOST_PARTITIONS} partitions, not {partitions}")
    check_for_workers(blueprint.options)
    address, settings = read_address(where), blueprint.settings
    seeds: dict[int, list[Request]] = {number: [] for number in range(partitions)}
    for request in beginning.requests:
        seeds[partition_of_url(request.url, partitions)].append(request)
    notes = {**beginning.notes, **common_notes(blueprint.gazetteer)}
    begin_crawl(address, replace(beginning, notes=notes), seeds, writing_of(settings))


def found_in_folder(
    folder: Path, blueprint: Blueprint, beginning: Beginning, partitions: int
) -> None:
    """Make a crawl in a folder, with a PostgreSQL of its own; nobody works on it yet.

    Where this was killed before it had ended, it is done the second time.
    """
    address = new_server(folder)
    if not PostgresBackend().holds(address):
        found_crawl(address, blueprint, with_archive(beginning, folder), partitions)
    mark(folder)


def check_own_server(partitions: int) -> None:
    """Complain early about what would show only after a while otherwise."""
    find_programs()
    if partitions > MOST_PARTITIONS_HERE:
        most = MOST_PARTITIONS_HERE
        raise UsageError(f"a crawl in a folder has at most {most} partitions, not {partitions}")


def check_for_workers(options: CrawlOptions) -> None:
    """Refuse what several workers cannot do."""
    if options.registrations in KINDS:
        raise UsageError(
            "several workers do not ask registries: give registrations a table, or crawl with"
            " one process"
        )


def common_notes(gazetteer: Gazetteer) -> Mapping[str, str]:
    """What all workers of a crawl must have in common."""
    return {VERSION_NOTE: __version__, GAZETTEER_NOTE: gazetteer.identity}


def look_at(where: str) -> Overview:
    """How the crawl at an address stands, and who works on it."""
    with closing(Session(read_address(where))) as session:
        session.check()
        return read_overview(session)


def stop_all(where: str) -> int:
    """Have all workers that are there now finish and end; returns how many there are."""
    with _opened(read_address(where)) as cursor:
        count = count_alive(cursor)
    ask_to_stop(where)
    return count


def is_for_workers(where: str) -> bool:
    """Whether there is a crawl of several partitions at an address; False for other databases."""
    return urlsplit(where).scheme in SCHEMES and count_partitions(read_address(where)) > 1


@contextmanager
def _opened(address: CrawlAddress) -> Iterator[Cursor[Any]]:
    with translated(address), connect(address) as connection:
        check_crawl(connection, address)
        yield connection.cursor()
