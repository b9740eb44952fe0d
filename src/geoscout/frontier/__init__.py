"""What to fetch next, and when: order and politeness are decided here and nowhere else.

`MemoryFrontier` is gone with the process; `SqliteFrontier` lies in the database of the crawl (its
tables are `TABLES`) and goes on where the last commit was. Both keep what `Frontier` promises.
`read_counts` looks into the database of a crawl that another process may be running.
"""

from geoscout.frontier.base import Counts, Frontier, HostCounts, Limits, Waiting
from geoscout.frontier.memory import MemoryFrontier
from geoscout.frontier.sqlite import TABLES, SqliteFrontier, read_counts

__all__ = [
    "TABLES",
    "Counts",
    "Frontier",
    "HostCounts",
    "Limits",
    "MemoryFrontier",
    "SqliteFrontier",
    "Waiting",
    "read_counts",
]
