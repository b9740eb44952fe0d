"""Positions in the logs of a crawl with several writers: how far each partition was read.

One number for all would not do: rows of two writers become visible in any order, and whoever
remembers the highest number it saw would miss the ones that come late. Within a partition there is
one writer, so there the last number is enough.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from geoscout.errors import UsageError
from geoscout.store.figures import Cursor

_CURSOR = re.compile(r"\d{1,4}:\d{1,18}(,\d{1,4}:\d{1,18})*", re.ASCII)


def read_positions(cursor: Cursor) -> dict[int, int]:
    """The last number of each partition that a cursor stands for.

    >>> read_positions("0:17,3:4"), read_positions("")
    ({0: 17, 3: 4}, {})

    Raises:
        UsageError: it was not given out by this store.
    """
    if not cursor:
        return {}
    if not _CURSOR.fullmatch(cursor):
        raise UsageError(f"{cursor!r} is not a position in this crawl")
    pairs = (pair.split(":") for pair in cursor.split(","))
    return {int(partition): int(number) for partition, number in pairs}


def write_positions(positions: Mapping[int, int]) -> Cursor:
    """The cursor for the last numbers of some partitions.

    >>> write_positions({3: 4, 0: 17})
    '0:17,3:4'
    """
    return ",".join(f"{partition}:{number}" for partition, number in sorted(positions.items()))
