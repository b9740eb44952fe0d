"""Pages that are fetched again: each partition lets its own wait, whoever holds it.

Somebody asks for it once, and that is noted with every partition: pages that were last asked for
until then wait again. The owner of a partition reads them and puts them into its frontier, and the
note goes with the group that has the last of them. After a takeover in between the next owner does
it again; what has been fetched by then is no longer among the pages, and what waits already stays
as it is. While the note is there the crawl has not ended (`store/postgres/crew.py`).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from functools import partial
from itertools import islice
from typing import Any

from psycopg import Cursor

from geoscout_cluster.budget import has_budget, set_budget
from geoscout_cluster.postgres.database import CrawlAddress, Session
from geoscout_cluster.postgres.frontier import Send
from geoscout_places.background import tell_failure
from geoscout_places.errors import DatabaseLostError, UsageError
from geoscout_places.model import Request, RequestKind

_log = logging.getLogger(__name__)

_DAY = 24 * 3600.0
_MOST_PUT_BACK = 1000  # pages at a time, some 10 ms

# All visits of a URL are in the partition of its site.
_PAGES = """
SELECT url, priority, depth, distance, parent, node FROM (
    SELECT DISTINCT ON (url) url, priority, depth, distance, parent, node, is_page
    FROM visit WHERE partition = %s AND status <> 304 ORDER BY url, fetched_at DESC, n DESC
) AS last JOIN (
    SELECT url, max(fetched_at) AS asked_at FROM visit WHERE partition = %s GROUP BY url
) AS asked USING (url) WHERE is_page AND asked_at <= %s
"""
_COUNT = """
SELECT count(*) FROM page JOIN (
    SELECT url, max(fetched_at) AS asked_at FROM visit GROUP BY url
) AS asked USING (url) WHERE asked_at <= %s
"""
_ASK = "UPDATE partition SET revisit = greatest(revisit, %s)"
_DONE = "UPDATE partition SET revisit = NULL WHERE number = %s AND revisit = %s"


def ask_for_revisits(cursor: Cursor[Any], days: float) -> int:
    """Have pages fetched again that were last asked for that long ago; returns how many.

    A limit of pages is set so that all of them can be fetched. The caller commits.

    Raises:
        UsageError: it is below 0.
    """
    if not days >= 0:
        raise UsageError(f"--revisit-days is at least 0, not {days:g}")
    now = "SELECT extract(epoch FROM clock_timestamp())::float8 - %s"
    (until,) = cursor.execute(now, (days * _DAY,)).fetchone() or (0.0,)
    (pages,) = cursor.execute(_COUNT, (until,)).fetchone() or (0,)
    cursor.execute(_ASK, (until,))
    if has_budget(cursor):
        query = "SELECT coalesce(sum(visits), 0)::bigint FROM harvest"
        (visits,) = cursor.execute(query).fetchone() or (0,)
        set_budget(cursor, visits + pages)
    return int(pages)


def revisits_of(address: CrawlAddress, partition: int, until: float) -> Iterator[Request]:
    """The requests of a partition's pages that were last asked for until then.

    Raises:
        DatabaseLostError: the server does not answer.
    """
    with closing(Session(address)) as session:
        for row in session.stream(_PAGES, partition, partition, until):
            url, priority, depth, distance, parent, node = row
            kind = RequestKind.REVISIT
            yield Request(url, priority, depth, distance, parent, node=node, kind=kind)


class Revisits:
    """Puts the pages of one partition back, while its owner works on."""

    def __init__(
        self, address: CrawlAddress, partition: int, put: Callable[[Sequence[Request]], None]
    ) -> None:
        """`put` takes some of them at a time, perhaps none."""
        self._address, self._partition, self._put = address, partition, put
        self._task: asyncio.Task[None] | None = None
        self._until = 0.0  # which pages were put back last
        self._is_to_be_noted = False

    def begin(self, until: float) -> None:
        """Put pages back that were last asked for until then.

        To be called again until the note is gone; what was done once is not done twice.
        """
        if until != self._until and (self._task is None or self._task.done()):
            self._task = asyncio.create_task(self._work(until))
            tell_failure(self._task, "pages to revisit were not put back", _log)

    def stop(self) -> None:
        """Leave the rest to the next owner."""
        if self._task is not None:
            self._task.cancel()

    def cut(self) -> Send:
        """What takes the note back when all pages wait, in the transaction of a group; a value."""
        until = self._until if self._is_to_be_noted else None
        self._is_to_be_noted = False
        return partial(_note_done, partition=self._partition, until=until)

    async def _work(self, until: float) -> None:
        found = revisits_of(self._address, self._partition, until)
        with suppress(DatabaseLostError):  # `begin` is called again
            while piece := await asyncio.to_thread(_some, found):
                self._put(piece)
            self._until, self._is_to_be_noted = until, True
            self._put(())  # a lane that has none of them writes that down, too


def _some(found: Iterator[Request]) -> list[Request]:
    return list(islice(found, _MOST_PUT_BACK))


def _note_done(cursor: Cursor[Any], partition: int, until: float | None) -> None:
    if until is not None:
        cursor.execute(_DONE, (partition, until))
