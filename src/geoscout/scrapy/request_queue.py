"""The queue of Scrapy's scheduler, in the order of a strategy.

Scrapy's own queues keep one file for each priority, which must be a whole number and never changes.
Here every request has a score, and the strategy may give the best ones other scores. Of the hosts
that may be asked now, the one with the best request comes first; requests for a host that has its
connections wait here and not in the downloader, where a better one could no longer overtake them.

With JOBDIR requests are kept in an SQLite file in the folder of the queue, as MessagePack: no code
is in them. A request that cannot be kept so stays in memory, as with Scrapy's queues.
"""

import heapq
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

import msgspec
from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.utils.request import request_from_dict

from geoscout.scrapy.focus import Focus, LinkNote
from geoscout_places import model
from geoscout_places.urls import normalise

# Negated priority of Scrapy, negated score, number: lower comes first.
Rank = tuple[int, float, int]

_TABLE = """
CREATE TABLE IF NOT EXISTS waiting (
    n INTEGER PRIMARY KEY, slot TEXT NOT NULL, priority INTEGER NOT NULL, score REAL NOT NULL,
    request BLOB NOT NULL
)
"""


class StrategyQueue:
    """What Scrapy's scheduler takes as SCHEDULER_PRIORITY_QUEUE."""

    @classmethod
    def from_crawler(
        cls, crawler: Crawler, downstream_queue_cls: Any, key: str, *_: Any, **__: Any
    ) -> Self:
        """A queue in memory, or in the folder `key`; queues of Scrapy below it are not needed."""
        del downstream_queue_cls
        return cls(crawler, _DiskShelf(Path(key), crawler) if key else _MemoryShelf())

    def __init__(self, crawler: Crawler, shelf: "_MemoryShelf | _DiskShelf") -> None:
        self._crawler, self._shelf = crawler, shelf
        self._most = max(crawler.settings.getint("CONCURRENT_REQUESTS"), 1)
        self._heaps: dict[str, list[Rank]] = {}  # by slot of the downloader; may have stale ranks
        self._ranks: dict[int, tuple[Rank, str]] = {}  # the valid ones
        self._last = 0
        for n, slot, priority, score in shelf.rows():
            self._file((-priority, -score, n), slot)
            self._last = max(self._last, n)
        focus = Focus.of(crawler)
        focus.rescored.append(self.rescore)
        self._share = focus.strategy.traits.least_share

    def __len__(self) -> int:
        return len(self._ranks)

    def push(self, request: Request) -> None:
        """Let a request wait.

        Raises:
            ValueError: it cannot be kept on disk; the scheduler then keeps it in memory.
        """
        slot = self._crawler.engine.downloader.get_slot_key(request)
        rank = (-request.priority, -LinkNote.of(request).score, self._last + 1)
        self._shelf.add(rank[2], slot, rank, request)
        self._last += 1
        self._file(rank, slot)

    def pop(self) -> Request | None:
        """The best request of a slot that has room; None where none has any."""
        if self._is_behind():
            return None
        best, free = None, None
        for slot in list(self._heaps):
            head = self._head(slot)
            if head is None:
                del self._heaps[slot]
                continue
            best = head if best is None else min(best, head)
            if (free is None or head < free) and self._has_room(slot):
                free = head
        if free is None or best is None or self._waits_for(best, free):
            return None
        del self._ranks[free[2]]
        return self._shelf.take(free[2])

    def peek(self) -> Request | None:
        heads = [head for slot in self._heaps if (head := self._head(slot))]
        return self._shelf.get(min(heads)[2]) if heads else None

    def rescore(self, most: int, rescore: Callable[[list[model.Request]], Iterable[float]]) -> None:
        """Give the best waiting requests the scores that the strategy has for them now."""
        chosen = heapq.nsmallest(most, self._ranks.values())
        waiting = [self._waiting(rank) for rank, _ in chosen]
        for (rank, slot), score in zip(chosen, rescore(waiting), strict=True):
            if -rank[1] != score:
                self._shelf.rescore(rank[2], score)
                self._file((rank[0], -score, rank[2]), slot)

    def close(self) -> list[int]:
        """Close the file; what the scheduler is to remember besides is nothing."""
        self._shelf.close()
        return []

    def _file(self, rank: Rank, slot: str) -> None:
        self._ranks[rank[2]] = rank, slot
        heapq.heappush(self._heaps.setdefault(slot, []), rank)

    def _head(self, slot: str) -> Rank | None:
        heap = self._heaps[slot]
        while heap and self._ranks.get(heap[0][2], (None, ""))[0] != heap[0]:
            heapq.heappop(heap)
        return heap[0] if heap else None

    def _has_room(self, slot: str) -> bool:
        known = self._crawler.engine.downloader.slots.get(slot)
        return known is None or len(known.active) < known.concurrency

    def _is_behind(self) -> bool:
        """Whether as many pages are being read as may be fetched: their links may be better."""
        scraper = self._crawler.engine.scraper.slot
        return scraper is not None and len(scraper.active) >= self._most

    def _waits_for(self, best: Rank, free: Rank) -> bool:
        """Whether a request is so much worse than the best that it waits for the host of that."""
        return best[0] == free[0] and best[1] < 0 and free[1] > best[1] * self._share

    def _waiting(self, rank: Rank) -> model.Request:
        request = self._shelf.get(rank[2])
        note = msgspec.structs.replace(LinkNote.of(request), score=-rank[1])
        return note.waiting(normalise(request.url) or request.url)


class _MemoryShelf:
    def __init__(self) -> None:
        self._requests: dict[int, Request] = {}

    def add(self, n: int, slot: str, rank: Rank, request: Request) -> None:  # noqa: ARG002
        self._requests[n] = request

    def get(self, n: int) -> Request:
        return self._requests[n]

    def take(self, n: int) -> Request:
        return self._requests.pop(n)

    def rescore(self, n: int, score: float) -> None:
        """The queue remembers it."""

    def rows(self) -> Iterator[tuple[int, str, int, float]]:
        return iter(())

    def close(self) -> None:
        self._requests.clear()


class _DiskShelf:
    def __init__(self, folder: Path, crawler: Crawler) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._crawler = crawler
        self._database = sqlite3.connect(folder / "geoscout.sqlite", isolation_level=None)
        # As Scrapy's own queues, it does not wait for the disk.
        for statement in ("PRAGMA journal_mode = WAL", "PRAGMA synchronous = OFF", _TABLE):
            self._database.execute(statement)

    def add(self, n: int, slot: str, rank: Rank, request: Request) -> None:
        fields = request.to_dict(spider=self._crawler.spider)
        try:
            packed = msgspec.msgpack.encode(fields)
        except (TypeError, OverflowError) as error:
            raise ValueError(f"the request cannot be kept: {error}") from error
        row = (n, slot, -rank[0], -rank[1], packed)
        self._database.execute("INSERT INTO waiting VALUES (?, ?, ?, ?, ?)", row)

    def get(self, n: int) -> Request:
        row = self._database.execute("SELECT request FROM waiting WHERE n = ?", (n,)).fetchone()
        fields = msgspec.msgpack.decode(row[0])
        return request_from_dict(fields, spider=self._crawler.spider)

    def take(self, n: int) -> Request:
        request = self.get(n)
        self._database.execute("DELETE FROM waiting WHERE n = ?", (n,))
        return request

    def rescore(self, n: int, score: float) -> None:
        self._database.execute("UPDATE waiting SET score = ? WHERE n = ?", (score, n))

    def rows(self) -> Iterator[tuple[int, str, int, float]]:
        yield from self._database.execute("SELECT n, slot, priority, score FROM waiting")

    def close(self) -> None:
        with suppress(sqlite3.Error):
            self._database.close()
