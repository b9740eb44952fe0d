"""Sorts lines and drops repeated ones in bounded memory.

A list of addresses names a street once for each house, in no order to rely on, and a country has
more streets than one wants to hold in memory. So lines are collected in a set, written out sorted
whenever the set is full, and merged. A set that is simply emptied when full would be shorter, but
its output would depend on the order of the input. The files in between have no name: nothing of
them is left when the process is killed.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from heapq import merge
from pathlib import Path
from typing import IO

MOST_LINES = 500_000  # about 80 MB of street names


def distinct(lines: Iterable[str], folder: Path, most: int = MOST_LINES) -> Iterator[str]:
    """Each of the lines once, sorted; at most `most` of them in memory.

    A line must not contain a line break. `folder` is where the disk has room.
    """
    with ExitStack() as stack:
        runs: list[IO[str]] = []
        held: set[str] = set()
        for line in lines:
            held.add(line)
            if len(held) >= most:
                runs.append(stack.enter_context(_write_run(held, folder)))
                held.clear()
        previous = None
        for line in merge(sorted(held), *(_read_run(run) for run in runs)):
            if line != previous:
                yield line
            previous = line


def _write_run(lines: set[str], folder: Path) -> IO[str]:
    run = tempfile.TemporaryFile(  # noqa: SIM115 - closed by the caller, after reading
        "w+", encoding="utf-8", newline="\n", dir=folder
    )
    run.writelines(f"{line}\n" for line in sorted(lines))
    run.seek(0)
    return run


def _read_run(run: IO[str]) -> Iterator[str]:
    return (line[:-1] for line in run)
