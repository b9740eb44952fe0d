"""Hosts at rest: out of memory, in a scratch file, until they are needed.

A crawl meets a million hosts and asks a few thousand at a time. Those without requests, those that
have to wait for long, and the poorer ones of those that may be asked lie here, each as one row that
holds all there is to know. Three questions have an index: which is the best that may be asked
(`best`), whose time has come (`ring`), and who else is behind an address (`put_off`).

The file is gone with the process; the tables of the frontier are the truth, and the rows here are
made from them when a crawl is resumed. SQLite writes nothing to disk as long as they fit into its
cache of 8 MB.

What must stay true: `at` is 0 for a host that may be asked and has something to ask for, and
otherwise the time from which on it may be, infinity for never. `alarm` is the time at which the
row has to be looked at: `at`, or for a host that may be asked the time of its first request that
waits for one. `first` and `first_alarm` are the best entry of a node and the earliest alarm.
"""

import math
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypedDict
from weakref import finalize

import orjson
from msgspec import Struct

from geoscout.frontier.base import WaitReason
from geoscout.frontier.hosts import HeapEntry, Host

_MOST_READ = 500  # rows at a time
_LONG = 0.02  # seconds; what takes longer to count is not counted at each look
_SPARING = 50  # times as long as counting takes, until it is done again
_TABLE = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA locking_mode = EXCLUSIVE;
PRAGMA cache_size = -8000;
CREATE TABLE resting (
    number INTEGER PRIMARY KEY, name TEXT, node TEXT, address TEXT, free_at REAL, pause REAL,
    blocked_until REAL, reason TEXT, done INTEGER, failed INTEGER, turn INTEGER,
    rank REAL, request INTEGER, waiting INTEGER, later INTEGER, retry_at REAL,
    spent INTEGER, band REAL, at REAL, alarm REAL
);
"""
_INDEXES = (
    "CREATE INDEX resting_ready ON resting (node, band, turn) WHERE at = 0",
    "CREATE INDEX resting_alarm ON resting (alarm) WHERE alarm < 1e300",
    "CREATE INDEX resting_address ON resting (address) WHERE address != ''",
)
RestingRow = tuple[Any, ...]  # as in the table
_READY = (
    "SELECT band, turn, number FROM resting WHERE node = ? AND at = 0 ORDER BY band, turn LIMIT ?"
)
_REASONS = """
SELECT CASE WHEN spent THEN 'budget' WHEN rank IS NULL THEN 'held'
    WHEN blocked_until > :now THEN coalesce(nullif(reason, ''), 'blocked')
    WHEN free_at > :now THEN 'politeness' WHEN opens_at > :now THEN 'address' ELSE 'ready' END,
    sum(waiting + later * spent), sum(later * (NOT spent)),
    min(CASE WHEN spent OR rank IS NULL THEN 9e999 ELSE until END),
    min(CASE WHEN spent OR NOT later THEN 9e999 ELSE max(until, retry_at) END)
FROM (SELECT *, max(:now, free_at, blocked_until, coalesce(opens_at, 0)) AS until FROM resting
    LEFT JOIN (SELECT key AS gate, value AS opens_at FROM json_each(:closed)) ON gate = address)
WHERE waiting + later > 0 GROUP BY 1
"""
# All on the right is of the row as it was. A request that is not held, and better than the head, is
# the new head; a host that had none may then be asked as soon as its pause and its block are over.
_ADD_REQUEST = """
UPDATE resting SET waiting = waiting + 1, rank = coalesce(min(rank, :rank), rank, :rank),
    request = CASE WHEN :rank < coalesce(rank, 9e999) THEN :request ELSE request END,
    band = CASE WHEN :rank < coalesce(rank, 9e999) THEN :band ELSE band END,
    at = CASE WHEN rank IS NOT NULL OR :rank IS NULL OR spent THEN at
        WHEN max(free_at, blocked_until) > :now THEN max(free_at, blocked_until) ELSE 0 END,
    alarm = CASE WHEN rank IS NOT NULL OR :rank IS NULL OR spent THEN alarm
        WHEN max(free_at, blocked_until) > :now THEN max(free_at, blocked_until)
        ELSE retry_at END
WHERE number = :host
"""
_INSERT = f"INSERT INTO resting VALUES ({','.join('?' * 20)})"
_NEVER = 9e99  # in JSON, which has no infinity


class NewRequest(TypedDict):
    """A request for a host at rest; `rank` and `band` are None where it is held."""

    host: int
    rank: float | None
    request: int
    band: float | None
    now: float


class Resting(NamedTuple):
    host: Host
    band: float | None  # of its head; None where it has none
    at: float  # as in the table
    is_spent: bool


class RequestTotals(Struct):
    waiting: int = 0  # postponed ones too
    done: int = 0
    failed: int = 0

    def add(self, host: Host, sign: int) -> None:
        self.waiting += sign * (host.waiting + host.later)
        self.done += sign * host.done
        self.failed += sign * host.failed


class RestingHosts:
    """The hosts of a frontier that are not in memory."""

    def __init__(self) -> None:
        # A partition of a cluster is restored in another thread than the one that works on it.
        self._scratch = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        finalize(self, self._scratch.close)
        self._scratch.executescript(_TABLE)
        self._scratch.execute("BEGIN")  # for good: nothing here is ever committed
        self._make_indexes()
        self._first: dict[str, HeapEntry | None] = {}
        self.first_alarm = math.inf
        self.totals = RequestTotals()
        self._reasons: tuple[float, tuple[Counter[str], float]] = -math.inf, (Counter(), math.inf)

    def _make_indexes(self) -> None:
        for index in _INDEXES:
            self._scratch.execute(index)

    def close(self) -> None:
        """Drop the scratch file."""
        self._scratch.close()

    def fill(self, rows: Iterable[RestingRow]) -> None:
        """Take all hosts that an earlier process left; there are none yet."""
        for index in _INDEXES:  # it is quicker to make them afterwards
            self._scratch.execute(f"DROP INDEX {index.split()[2]}")
        self._scratch.executemany(_INSERT, rows)
        self._make_indexes()
        waiting, done, failed = self._scratch.execute(
            "SELECT total(waiting + later), total(done), total(failed) FROM resting"
        ).fetchone()
        self.totals = RequestTotals(int(waiting), int(done), int(failed))
        self.look_up_alarm()

    def put(self, hosts: Iterable[Resting]) -> None:
        """Take hosts that are not here yet."""
        rows = []
        for host, band, at, is_spent in hosts:
            self.totals.add(host, 1)
            alarm = at or host.retry_at
            self.first_alarm = min(self.first_alarm, alarm)
            if not at:
                self._note_entry(host.node, (band or 0.0, host.turn, host.number))
            rows.append((*_row(host), is_spent, band, at, alarm))
        self._scratch.executemany(_INSERT, rows)

    def add_requests(self, rows: Sequence[NewRequest]) -> None:
        """Let new requests wait at hosts that are here; they need not come back for that."""
        self._scratch.executemany(_ADD_REQUEST, rows)
        self.totals.waiting += len(rows)
        self._first.clear()
        self.look_up_alarm()

    def take(self, numbers: Sequence[int]) -> list[tuple[Host, str]]:
        """Give back those of these hosts that are here, each with its address, "" for none."""
        found = []
        for start in range(0, len(numbers), _MOST_READ):
            piece = numbers[start : start + _MOST_READ]
            marks = ",".join("?" * len(piece))
            where = f"WHERE number IN ({marks})"
            rows = self._scratch.execute(f"SELECT * FROM resting {where}", piece).fetchall()
            self._scratch.execute(f"DELETE FROM resting {where}", piece)
            found += [_host(row) for row in rows]
        for host, _ in found:
            self.totals.add(host, -1)
            first = self._first.get(host.node)
            if first is not None and first[2] == host.number:
                del self._first[host.node]  # it is looked up when somebody asks
        return found

    def first(self, node: str) -> HeapEntry | None:
        """The entry of the best host of a node that may be asked; None where there is none."""
        if node not in self._first:
            self._first[node] = self._scratch.execute(_READY, (node, 1)).fetchone()
        return self._first[node]

    def best(self, node: str, most: int, than: HeapEntry | None = None) -> list[int]:
        """The numbers of the best hosts of a node that may be asked; only better ones than this."""
        rows = self._scratch.execute(_READY, (node, most))
        return [entry[2] for entry in rows if than is None or entry < than]

    def ring(self, now: float, most: int) -> list[int]:
        """Let those be asked whose time has come; the numbers of those to be looked at.

        These have a request whose time has come. There may be more of them than are given.
        """
        self._scratch.execute(
            "UPDATE resting SET at = 0, alarm = retry_at"
            " WHERE alarm <= ? AND alarm < 1e300 AND retry_at > ? AND rank IS NOT NULL",
            (now, now),
        )
        self._first.clear()
        rows = self._scratch.execute(
            "SELECT number FROM resting WHERE alarm <= ? AND alarm < 1e300 LIMIT ?", (now, most)
        )
        return [number for (number,) in rows]

    def coming(self, now: float, soon: float, most: int) -> list[int]:
        """The numbers of those that must be left alone now, but not for longer than `soon`."""
        rows = self._scratch.execute(
            "SELECT number FROM resting WHERE alarm BETWEEN ? AND ? AND alarm < 1e300"
            " AND (free_at > ? OR blocked_until > ?) ORDER BY alarm LIMIT ?",
            (now, soon, now, now, most),
        )
        return [number for (number,) in rows]

    def look_up_alarm(self) -> None:
        """Find out when the first alarm is, after hosts were taken."""
        row = self._scratch.execute("SELECT min(alarm) FROM resting WHERE alarm < 1e300").fetchone()
        self.first_alarm = math.inf if row[0] is None else row[0]

    def put_off(self, address: str, until: float) -> None:
        """Ask none of those behind an address before then."""
        put_off = self._scratch.execute(
            "UPDATE resting SET at = ?, alarm = min(?, retry_at) WHERE address = ?"
            " AND address != '' AND at = 0",
            (until, until, address),
        )
        if put_off.rowcount:
            self._first.clear()
            self.first_alarm = min(self.first_alarm, until)

    def rest_all(self, now: float, least: Callable[[str], float]) -> Iterator[tuple[str, float]]:
        """Give all the pause of their last request, or their own; the last of each address."""
        self._scratch.create_function("least_pause", 1, least, deterministic=True)
        self._scratch.execute(
            "UPDATE resting SET free_at = max(free_at, ? + max(pause, least_pause(name)))", (now,)
        )
        self._scratch.execute(
            "UPDATE resting SET at = CASE WHEN rank IS NULL THEN max(free_at, blocked_until,"
            " retry_at) ELSE max(free_at, blocked_until) END WHERE at < 9e999"
        )
        self._scratch.execute("UPDATE resting SET alarm = at")
        self._first.clear()
        self.look_up_alarm()
        yield from self._scratch.execute(
            "SELECT address, max(free_at) FROM resting WHERE address != '' GROUP BY address"
        )

    def top(self, most: int) -> list[tuple[int, int, str, int, int]]:
        """Waiting requests, number, name, done and failed of those with the most waiting."""
        return self._scratch.execute(
            "SELECT waiting + later, number, name, done, failed FROM resting"
            " WHERE waiting + later > 0 ORDER BY 1 DESC, 2 LIMIT ?",
            (most,),
        ).fetchall()

    def reasons(self, now: float, closed: dict[str, float]) -> tuple[Counter[str], float]:
        """What requests wait for, and when the first may go.

        `closed`: the addresses that are not free, and when each will be; infinity: it is asked.
        In a crawl of very many hosts, where this takes long, the answer may be some seconds old.
        """
        if self._reasons[0] <= now:
            began = time.thread_time()
            found = self._count_reasons(now, closed)
            seconds = time.thread_time() - began
            keep = _SPARING * seconds if seconds > _LONG else -math.inf
            self._reasons = now + keep, found
        _, (reasons, first) = self._reasons
        return Counter(reasons), first

    def _count_reasons(self, now: float, closed: dict[str, float]) -> tuple[Counter[str], float]:
        times = {name: min(time, _NEVER) for name, time in closed.items()}
        rows = self._scratch.execute(_REASONS, {"now": now, "closed": orjson.dumps(times).decode()})
        found: Counter[str] = Counter()
        first = math.inf
        for reason, queued, postponed, free_at, retry_at in rows:
            found[reason] += queued
            found[WaitReason.RETRY] += postponed
            first = min(first, free_at, retry_at)
        return +found, first if first < _NEVER else math.inf

    def _note_entry(self, node: str, entry: HeapEntry) -> None:
        first = self._first.get(node)
        if node in self._first and (first is None or entry < first):
            self._first[node] = entry


def _row(host: Host) -> tuple[Any, ...]:
    rank, request = host.head or (None, None)
    return (
        host.number, host.name, host.node, host.address.name if host.address else "",
        host.free_at, host.pause, host.blocked_until, host.reason, host.done, host.failed,
        host.turn, rank, request, host.waiting, host.later, host.retry_at,
    )  # fmt: skip


def _host(row: Sequence[Any]) -> tuple[Host, str]:
    number, name, node, address, free_at, pause, blocked_until, reason, done, failed, *rest = row
    turn, rank, request, waiting, later, retry_at, *_ = rest
    host = Host(
        number, name, node, None if rank is None else (rank, request),
        waiting=waiting, later=later, retry_at=retry_at, done=done, failed=failed, turn=turn,
        free_at=free_at, pause=pause, blocked_until=blocked_until, reason=reason,
    )  # fmt: skip
    return host, address
