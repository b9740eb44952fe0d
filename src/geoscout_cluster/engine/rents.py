"""Things that several partitions use, such as a server: a partition rents one before it uses it.

The sites of a crawl have one partition each, so no other one asks them. Their servers have not: two
sites of two partitions can be on one server, and nobody knows before DNS has answered. So a
partition rents an address for some seconds, and again while it goes on asking. When another wants
it, it gives it back with the pause that the server is due, and has to wait for its next turn.

A loop never waits for PostgreSQL here: `wait_for` answers from memory, and what is not rented waits
its turn. `settle` talks to PostgreSQL, in a thread. One statement rents many things. Rows are
locked in the order of names, so that two owners which rent the same ones wait for each other and
never lock up.

What must stay true: what is rented in memory is rented in PostgreSQL for at least as long. So it is
noted after the commit; and what is given back is forgotten before.
"""

import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any

from psycopg import Cursor

from geoscout_cluster.engine.leases import Lease

RENT_SECONDS = 10.0
MARGIN_SECONDS = 1.0  # before the end, nothing more is begun
_PAUSE_SHARE = 0.3  # of a rent, that is kept for a pause; half of it has passed when it is renewed
_IDLE_SECONDS = 2.0  # without a request, an address is given back
_TRY_SECONDS = 0.2  # a request goes back to the frontier for this long at least
_ASK_AGAIN_SECONDS = 1.0  # after a refusal; it may be given back early
_TURN_SECONDS = 2.0  # in which another can rent what was given back for it

_RENT = """
INSERT INTO rent (name, partition, epoch, until)
SELECT name, %(partition)s, %(epoch)s, clock_timestamp() + make_interval(secs => %(seconds)s)
FROM unnest(%(names)s::text[]) AS name ORDER BY name
ON CONFLICT (name) DO UPDATE SET partition = excluded.partition, epoch = excluded.epoch,
    until = clock_timestamp() + make_interval(secs => %(seconds)s), wanted = false
WHERE rent.until <= clock_timestamp()
RETURNING name
"""
_WANT = """
UPDATE rent SET wanted = true WHERE name IN (
    SELECT name FROM rent WHERE name = ANY(%(names)s) ORDER BY name FOR UPDATE)
RETURNING name, extract(epoch FROM until - clock_timestamp())::float8
"""
_RENEW_RENTS = """
UPDATE rent SET until = clock_timestamp() + make_interval(secs => %(seconds)s)
WHERE name IN (
    SELECT name FROM rent WHERE name = ANY(%(names)s) ORDER BY name FOR UPDATE)
AND partition = %(partition)s AND epoch = %(epoch)s
RETURNING name, wanted
"""
# Before the statements of a transaction all of its rows are locked in the order of their names, so
# that two partitions never wait for each other: a joined UPDATE locks in an order of its own, and
# one statement after another would lock the same names twice around.
_LOCK = "SELECT name FROM rent WHERE name = ANY(%(names)s) ORDER BY name FOR UPDATE"
_END = """
UPDATE rent SET until = clock_timestamp() + make_interval(secs => rest.seconds)
FROM unnest(%(names)s::text[], %(rests)s::float8[]) AS rest (name, seconds)
WHERE rent.name = rest.name AND partition = %(partition)s AND epoch = %(epoch)s
"""


def rent(
    cursor: Cursor[Any], lease: Lease, names: Sequence[str], seconds: float = RENT_SECONDS
) -> set[str]:
    """Rent those of these addresses that nobody has; returns which."""
    asked = _values(lease, names) | {"seconds": seconds}
    return {name for (name,) in cursor.execute(_RENT, asked).fetchall()}


def want(cursor: Cursor[Any], names: Sequence[str]) -> Mapping[str, float]:
    """Let those who have these addresses know that another wants them; seconds until they end."""
    return dict(cursor.execute(_WANT, {"names": list(names)}).fetchall())


def renew_rents(
    cursor: Cursor[Any], lease: Lease, names: Sequence[str], seconds: float = RENT_SECONDS
) -> Mapping[str, bool]:
    """Go on renting; those that are still ours, and of each whether another wants it."""
    asked = _values(lease, names) | {"seconds": seconds}
    return dict(cursor.execute(_RENEW_RENTS, asked).fetchall())


def end_rents(cursor: Cursor[Any], lease: Lease, rests: Mapping[str, float]) -> None:
    """End rents, each after the seconds for which its server must still be left alone."""
    names = sorted(rests)
    asked = _values(lease, names) | {"rests": [rests[name] for name in names]}
    cursor.execute(_END, asked)


def lock_rents(cursor: Cursor[Any], names: Iterable[str]) -> None:
    """Wait until nobody else changes the rents of these addresses, for this transaction."""
    cursor.execute(_LOCK, {"names": list(names)})


def _values(lease: Lease, names: Sequence[str]) -> dict[str, Any]:  # Any: what psycopg takes
    return {"names": sorted(names), "partition": lease.partition, "epoch": lease.epoch}


@dataclass(slots=True)
class _Rent:
    """An address that is rented; times are of `time.monotonic`."""

    until: float
    in_flight: int = 0
    used_at: float = 0.0  # when a request last began or ended
    free_at: float = 0.0  # when the server may be asked again
    pause: float = math.inf  # that it was due last; not known before
    is_wanted: bool = False  # another partition waits: nothing more is begun

    def is_idle(self, now: float) -> bool:
        """Whether it can be given back."""
        return not self.in_flight and (self.is_wanted or now - self.used_at > _IDLE_SECONDS)


class Rents:
    """The addresses that a partition may ask now. A thread may settle while the loop asks."""

    def __init__(self, lease: Lease, seconds: float = RENT_SECONDS) -> None:
        self._lease = lease
        self._seconds = seconds
        self._lock = Lock()
        self._rents: dict[str, _Rent] = {}
        self._asked: dict[str, float] = {}  # those we want, and when it makes sense to ask again
        self.times_refused = 0

    def wait_for(self, address: str) -> float:
        """Seconds until it makes sense to try again; 0: a request may begin, and `begin` tells."""
        now = time.monotonic()
        with self._lock:
            rent = self._rents.get(address)
            if rent is not None and not rent.is_wanted and self._last_begin(rent) > now:
                rent.used_at = now  # `settle` must not give it back before `begin`
                return 0.0
            if rent is not None and not rent.is_wanted:
                return _TRY_SECONDS  # `settle` is about to renew it
            return max(self._asked.setdefault(address, now) - now, _TRY_SECONDS)

    def _last_begin(self, rent: _Rent) -> float:
        """Until when a request may begin: who rents next must not come before the pause is over.

        A long one is only kept in part, or a request could begin at no time.
        """
        return rent.until - MARGIN_SECONDS - min(rent.pause, _PAUSE_SHARE * self._seconds)

    def begin(self, address: str) -> None:
        """A request to a rented address begins."""
        with self._lock:
            rent = self._rents[address]
            rent.in_flight += 1
            rent.used_at = time.monotonic()

    def end(self, address: str, delay: float) -> None:
        """It has ended, and the server is due a pause of this many seconds."""
        now = time.monotonic()
        with self._lock:
            if rent := self._rents.get(address):
                rent.in_flight -= 1
                rent.used_at = now
                rent.free_at = max(rent.free_at, now + delay)
                rent.pause = delay

    def left(self, address: str) -> float:
        """Seconds until a request to this address must have ended."""
        with self._lock:
            rent = self._rents.get(address)
        return rent.until - time.monotonic() if rent else 0.0

    def is_due(self) -> bool:
        """Whether `settle` has something to do."""
        now = time.monotonic()
        half = now + self._seconds / 2
        with self._lock:
            return any(at <= now for at in self._asked.values()) or any(
                rent.until < half or rent.is_idle(now) for rent in self._rents.values()
            )

    def settle(self, cursor: Cursor[Any]) -> Callable[[], None]:
        """Rent, renew and give back what is due. Not in the loop.

        The caller commits at once, and then calls what is returned: nothing holds before.
        """
        asked_at = time.monotonic()
        returned, renewed, wanted = self._due(asked_at)
        lock_rents(cursor, [*returned, *renewed, *wanted])
        if returned:
            end_rents(cursor, self._lease, returned)
        ours = renew_rents(cursor, self._lease, renewed, self._seconds) if renewed else {}
        got = rent(cursor, self._lease, wanted, self._seconds) if wanted else set()
        refused = [name for name in wanted if name not in got]
        ends = want(cursor, refused) if refused else {}

        def note() -> None:
            with self._lock:
                self._note_renewed(renewed, ours, asked_at)
                self._note_rented(got, ends, asked_at)

        return note

    def leave(self, cursor: Cursor[Any]) -> None:
        """Give back everything. The caller commits.

        What is in flight was cancelled, and its server may be at work on it: it is left alone for
        as long as a rent lasts.
        """
        now = time.monotonic()
        with self._lock:
            rests = {
                name: max(rent.free_at - now, self._seconds if rent.in_flight else 0.0)
                for name, rent in self._rents.items()
            }
            self._rents.clear()
        if rests:
            lock_rents(cursor, rests)
            end_rents(cursor, self._lease, rests)

    def _due(self, now: float) -> tuple[dict[str, float], list[str], list[str]]:
        """What to give back, each with the pause of its server; what to renew; what to rent."""
        with self._lock:
            back = {
                name: max(rent.free_at - now, 0.0)
                for name, rent in self._rents.items()
                if rent.is_idle(now)
            }
            for name, rest in back.items():
                if self._rents.pop(name).is_wanted:
                    self._asked[name] = now + rest + _TURN_SECONDS
            half = now + self._seconds / 2
            renewed = [name for name, rent in self._rents.items() if rent.until < half]
            wanted = [name for name, at in self._asked.items() if at <= now]
        return back, renewed, [name for name in wanted if name not in self._rents]

    def _note_renewed(
        self, asked: Sequence[str], ours: Mapping[str, bool], asked_at: float
    ) -> None:
        for name in asked:
            rent = self._rents.get(name)
            if rent is not None and name in ours:
                rent.until = asked_at + self._seconds
                rent.is_wanted |= ours[name]
            else:  # it had ended, and another has it
                self._rents.pop(name, None)

    def _note_rented(self, got: set[str], refused: Mapping[str, float], asked_at: float) -> None:
        for name in got:
            self._asked.pop(name, None)
            self._rents[name] = _Rent(asked_at + self._seconds, used_at=asked_at)
        self.times_refused += len(refused)
        for name, seconds in refused.items():
            self._asked[name] = asked_at + min(max(seconds, _TRY_SECONDS), _ASK_AGAIN_SECONDS)
