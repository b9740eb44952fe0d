"""What to fetch next, and when: order and politeness are decided here and nowhere else.

`MemoryFrontier` is gone with the process; the one in `sqlite.py` lies in the database of the crawl
and goes on where the last commit was, and the one in `postgres.py` sends what changes to a server.
All keep what `Frontier` promises. `FrontierView` is what others see of a frontier, also of one that
another process is running.
"""

from geoscout.frontier.base import (
    Counts,
    FrontierView,
    HostCounts,
    Limits,
    Waiting,
    WaitReason,
)
from geoscout.frontier.frontier import Frontier
from geoscout.frontier.memory import MemoryFrontier

__all__ = [
    "Counts",
    "Frontier",
    "FrontierView",
    "HostCounts",
    "Limits",
    "MemoryFrontier",
    "WaitReason",
    "Waiting",
]
