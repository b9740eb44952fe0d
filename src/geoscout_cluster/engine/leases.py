"""Who may write to a partition: its owner, for as long as its lease lasts.

A partition has one writer at a time. To become it, a process claims the partition for a few
seconds; every group that it commits, and a tick when there is none, makes the lease longer. When
it dies, the lease ends by itself and another process claims the partition. The epoch of the claim
is checked by every commit, so an owner that was replaced writes nothing more, however late it
wakes up.

PostgreSQL's clock decides when a lease ends. The owner counts on its own clock from before it
asked, and stops `MARGIN_SECONDS` earlier; so it has stopped before anybody else can begin.
"""

import os
import socket
import time
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from psycopg import Cursor

LEASE_SECONDS = 10.0
MARGIN_SECONDS = 1.0  # before the end, nothing more is begun

_CLAIM = """
UPDATE partition SET owner = %(owner)s, epoch = epoch + 1, clean = false,
    until = clock_timestamp() + make_interval(secs => %(seconds)s)
WHERE number = (
    SELECT number FROM partition WHERE until <= clock_timestamp()
    AND (%(number)s::smallint IS NULL OR number = %(number)s)
    ORDER BY until, number LIMIT 1 FOR UPDATE SKIP LOCKED)
RETURNING number, epoch, groups, {clean}
"""
# RETURNING gives the new row; what `clean` was before comes from a copy of the old one.
_WAS_CLEAN = "(SELECT old.clean FROM partition AS old WHERE old.number = partition.number)"
_TAKE_FROM_THE_DEAD = """
UPDATE partition SET until = 'epoch' WHERE number = %s AND epoch = %s AND owner = %s
"""
_RENEW = """
UPDATE partition SET until = clock_timestamp() + make_interval(secs => %s)
WHERE number = %s AND epoch = %s
"""
_RELEASE = """
UPDATE partition SET owner = '', until = 'epoch', clean = %s WHERE number = %s AND epoch = %s
"""


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to write to a partition, as it was claimed."""

    partition: int
    epoch: int
    groups: int  # the number of the last group that was committed
    was_clean: bool  # False: the owner before did not tell what it fetched last
    seconds: float = LEASE_SECONDS


@dataclass(frozen=True, slots=True)
class Holder:
    """Who holds a partition, as its row says."""

    owner: str
    epoch: int
    until: datetime  # the end of its lease


class LeaseClock:
    """How long a lease still lasts, on the clock of this process. Several threads may ask."""

    def __init__(self, lease: Lease, asked_at: float) -> None:
        """Count from before the claim was sent, a time of `time.monotonic`."""
        self.lease = lease
        self._ends_at = asked_at + lease.seconds
        self._failure: Exception | None = None

    def extend(self, asked_at: float) -> None:
        """It was made longer by what was sent at this time."""
        self._ends_at = max(self._ends_at, asked_at + self.lease.seconds)

    def end(self, failure: Exception) -> None:
        """It is over for good, and this is why."""
        self._failure = self._failure or failure

    def check(self) -> None:
        """Raise why it is over, if it is.

        Raises:
            FencedError: the partition has another owner.
            DatabaseLostError: the server has not answered for longer than we wait.
            UsageError: what was to be written cannot be.
        """
        if self._failure is not None:
            raise self._failure

    def left(self) -> float:
        """Seconds in which something may still be begun; 0 or less: nothing may."""
        return self._ends_at - MARGIN_SECONDS - time.monotonic()

    def is_due(self) -> bool:
        """Whether it is time to make it longer: a third of it has passed."""
        return self._ends_at - time.monotonic() < self.lease.seconds * 2 / 3


def claim(
    cursor: Cursor[Any], owner: str, number: int | None = None, seconds: float = LEASE_SECONDS
) -> Lease | None:
    """Take a partition that nobody holds, this one or any; None when there is none.

    The caller commits.
    """
    asked = {"owner": owner, "number": number, "seconds": seconds}
    query = _CLAIM.format(clean=_WAS_CLEAN)
    row = cursor.execute(query.encode(), asked).fetchone()
    if row is None:
        return None
    partition, epoch, groups, was_clean = row
    return Lease(partition, epoch, groups, was_clean, seconds)


def renew(cursor: Cursor[Any], lease: Lease) -> bool:
    """Make a lease longer, from now; False when the partition has another owner."""
    cursor.execute(_RENEW, (lease.seconds, lease.partition, lease.epoch))
    return cursor.rowcount == 1


def release(cursor: Cursor[Any], lease: Lease, *, clean: bool) -> None:
    """Give a partition free; `clean` when all that was fetched has been committed."""
    cursor.execute(_RELEASE, (clean, lease.partition, lease.epoch))


def holder_of(cursor: Cursor[Any], number: int) -> Holder | None:
    """Who holds a partition or held it last; None when there is no such partition."""
    query = "SELECT owner, epoch, until FROM partition WHERE number = %s"
    row = cursor.execute(query, (number,)).fetchone()
    return None if row is None else Holder(*row)


def end_lease_of_the_dead(cursor: Cursor[Any], number: int, holder: Holder) -> bool:
    """End the lease of an owner that has died on this machine; False when that is not known."""
    if not is_dead(holder.owner):
        return False
    cursor.execute(_TAKE_FROM_THE_DEAD, (number, holder.epoch, holder.owner))
    return True


def this_process() -> str:
    """The name of this process as an owner: no other process, here or elsewhere, has it."""
    return f"{_machine()}/{os.getpid()}/{_started_at(os.getpid())}"


def is_dead(owner: str) -> bool:
    """Whether an owner was a process of this machine that is gone.

    False for all others: nobody can tell whether they are.
    """
    number, _, started_at = owner.partition("/")[2].partition("/")
    return is_here(owner) and number.isdecimal() and _started_at(int(number)) != started_at


def is_here(owner: str) -> bool:
    """Whether an owner is or was a process of this machine."""
    return owner.partition("/")[0] == _machine()


def _machine() -> str:
    """The name of this machine since its last start; each container on it has its own.

    Containers can share the name of their machine, but the number of a process only says something
    among those that count processes together: their namespace is part of the name.
    """
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        processes = Path("/proc/self/ns/pid").stat().st_ino
    except OSError:
        return f"{socket.gethostname()}:unknown"
    return f"{socket.gethostname()}:{boot}:{processes}"


def _started_at(process: int) -> str:
    """When a process was started, in the system's own unit; "" when it is gone."""
    try:
        stat = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    fields = stat.rpartition(")")[2].split()  # the name before it may contain anything
    return "" if fields[0] == "Z" else fields[19]
