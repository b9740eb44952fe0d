"""How a process becomes a worker of a crawl: it checks that it fits, and builds its parts."""

import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import replace
from functools import partial
from typing import Any

from psycopg import Cursor

from geoscout import __version__
from geoscout.crawling.assemble import (
    Blueprint,
    check_options,
    draw_blueprint,
    learned_strategy,
    make_fetcher,
    make_reader,
    make_watch,
)
from geoscout.crawling.ending import ENDING
from geoscout.crawling.options import CrawlOptions, Notes
from geoscout.crawling.steering import (
    LEFT_ALONE_NOTE,
    Wishes,
    hosts_left_alone,
    read_wishes,
    with_wishes,
)
from geoscout.fetch.base import Fetcher
from geoscout.settings import Settings
from geoscout.store.reader import CrawlReader
from geoscout_cluster.engine.base import WorkerSession
from geoscout_cluster.engine.leases import this_process
from geoscout_cluster.engine.roster import Identity, wake_all
from geoscout_cluster.lane import Workshop
from geoscout_cluster.postgres.database import (
    CrawlAddress,
    read_address,
    server_addresses,
    set_note,
)
from geoscout_cluster.postgres.engine import PostgresEngine
from geoscout_cluster.postgres.state import count_partitions, local_archive
from geoscout_cluster.shared_crawl import (
    GAZETTEER_NOTE,
    VERSION_NOTE,
    asked_for,
    check_for_workers,
    common_notes,
    limit_pages,
)
from geoscout_cluster.worker import Worker, WorkerTerms
from geoscout_places.errors import UsageError
from geoscout_places.gazetteer.base import Gazetteer

_PARTITIONS_OF_WORKER = 4  # as docs/cluster.md plans them: the memory of sites is divided by it
_REMEDIES = {
    VERSION_NOTE: "install the same version of geoscout on all machines",
    GAZETTEER_NOTE: "install the same data packages and imports on all machines",
}


@asynccontextmanager
async def joined(
    where: str,
    settings: Settings,
    gazetteer: Gazetteer,
    terms: WorkerTerms,
    fetcher: Fetcher | None = None,
) -> AsyncIterator[Worker]:
    """A worker of the crawl at an address, ready to run.

    A `fetcher` of your own takes the place of ours, and is yours to close.
    """
    address = read_address(where)
    partitions = count_partitions(address)
    wishes = read_wishes(where)
    blueprint, model = _blueprint(address, settings, gazetteer, wishes)
    async with AsyncExitStack() as stack:
        reader = make_reader(blueprint)
        stack.callback(reader.close)
        session = WorkerSession(address)
        stack.callback(session.close)
        fetcher = fetcher or await _own_fetcher(blueprint, session, stack)
        await session.ask(partial(_begin, options=blueprint.options, wishes=wishes))
        identity = Identity(this_process(), socket.gethostname(), __version__)
        strategy = learned_strategy(blueprint, model)
        shop = Workshop(
            worker=identity.name,
            where=where,
            address=address,
            blueprint=blueprint,
            partitions=partitions,
            fetcher=fetcher,
            read=reader,
            strategy=strategy,
            has_learned=bool(model),
            session=session,
            watch=make_watch(blueprint, local_archive(address), reader),
        )
        yield Worker(shop, identity, terms, wishes)


def _begin(cursor: Cursor[Any], options: CrawlOptions, wishes: Wishes) -> None:
    """What the first worker of a run does, and every other one again."""
    limit_pages(cursor, options.max_pages)
    set_note(cursor, ENDING, "")
    notes = cursor.execute("SELECT value FROM note WHERE starts_with(name, %s)", (LEFT_ALONE_NOTE,))
    if hosts_left_alone(value for (value,) in notes) - set(wishes.left_alone):
        wake_all(cursor)  # some hosts may be asked again, also in a crawl that ended


async def _own_fetcher(
    blueprint: Blueprint, session: WorkerSession, stack: AsyncExitStack
) -> Fetcher:
    own = await session.ask(lambda cursor: server_addresses(cursor.connection))
    fetcher = make_fetcher(blueprint, own)
    stack.push_async_callback(fetcher.close)
    return fetcher


def _blueprint(
    address: CrawlAddress, settings: Settings, gazetteer: Gazetteer, wishes: Wishes
) -> tuple[Blueprint, bytes]:
    """What the crawl is built from, and what its strategy has learned so far."""
    with closing(CrawlReader(PostgresEngine(address))) as reader:
        check_common_notes(reader, gazetteer)
        options, model = with_wishes(asked_for(reader, address), wishes), reader.model()
    check_options(options, settings)
    check_for_workers(options)
    settings = replace(
        settings, sites_remembered=settings.sites_remembered // _PARTITIONS_OF_WORKER
    )
    return draw_blueprint(options, settings, gazetteer), model


def check_common_notes(notes: Notes, gazetteer: Gazetteer) -> None:
    """Complain about what this process has and the crawl was not begun with."""
    for name, ours in common_notes(gazetteer).items():
        theirs = notes.note(name)
        if theirs is not None and theirs != ours:
            raise UsageError(
                f"this worker has the {name} {ours}, and the crawl was begun with {theirs}:"
                f" {_REMEDIES[name]}"
            )
