"""Who works on a crawl that several processes share, as values: workers, and partitions of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class Rest(StrEnum):
    """Why a lane has nothing to do."""

    NONE = ""  # it works
    EMPTY = "empty"  # no request waits, or none that time alone would bring
    SPENT = "spent"  # requests wait, and the budget of the crawl is used up


@dataclass(frozen=True, slots=True)
class WorkerRow:
    """A worker that is alive, or was lately."""

    name: str
    machine: str
    version: str
    seconds_left: float  # until it counts as dead; below 0: it does
    seconds_here: float


@dataclass(frozen=True, slots=True)
class PartitionRow:
    """A partition and who holds it."""

    number: int
    owner: str  # the last; "" when it was given back
    epoch: int
    seconds_left: float  # of its lease
    rest: str  # a `Rest`
    waiting: int
    done: int
    failed: int
    hosts: int
    parcels: int  # rows that others have sent and it has not taken

    @property
    def is_held(self) -> bool:
        """Whether somebody works on it, or could."""
        return self.seconds_left > 0


@dataclass(frozen=True, slots=True)
class Overview:
    """A crawl and those who work on it."""

    has_ended: bool
    workers: Sequence[WorkerRow]
    partitions: Sequence[PartitionRow]

    def orphans(self, seconds: float) -> int:
        """Partitions on which nobody has worked for this long, though the crawl has not ended."""
        if self.has_ended:
            return 0
        return sum(row.seconds_left < -seconds for row in self.partitions)


def short_name(name: str) -> str:
    """The name of a worker as people can tell it from others: the machine, and the process.

    What else is in a name (the last start of the machine, for one) is nobody's business.

    >>> short_name("crawler-3:0c1f-77/4711/829301"), short_name("")
    ('crawler-3/4711', '')
    """
    machine, _, rest = name.partition("/")
    process = rest.partition("/")[0]
    return "/".join(part for part in (machine.partition(":")[0], process) if part)
