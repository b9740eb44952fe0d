"""Workers and partitions of a cluster in the terminal: as tables, and as JSON."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from typing import Any

from geoscout.cli.show.terminal import print_table
from geoscout.store.base import Overview, PartitionRow, short_name


def overview_as_json(found: Overview) -> dict[str, Any]:
    """A cluster as `cluster status --json` prints it.

    `name` and `owner` tell a worker from every other; `short_name` and `worker` are what people
    see in the table.
    """
    return {
        "ended": found.has_ended,
        "workers": [asdict(row) | {"short_name": short_name(row.name)} for row in found.workers],
        "partitions": [
            asdict(row) | {"worker": short_name(row.owner) if row.is_held else ""}
            for row in found.partitions
        ],
    }


def show_overview(found: Overview) -> None:
    """Print the workers and the partitions of a cluster as tables."""
    names = {row.name: short_name(row.name) for row in found.workers}
    held = Counter(row.owner for row in found.partitions if row.seconds_left > 0)
    print_table(
        "workers",
        ("worker", "version", "here for>", "partitions>", "state"),
        [
            (
                names[row.name],
                row.version,
                f"{row.seconds_here:,.0f} s",
                str(held[row.name]),
                "alive" if row.seconds_left > 0 else f"not heard of for {-row.seconds_left:,.0f} s",
            )
            for row in found.workers
        ],
    )
    print_table(
        "partitions",
        ("number>", "worker", "waiting>", "done>", "failed>", "hosts>", "sent to it>", "state"),
        [
            (
                str(row.number),
                names.get(row.owner, "") if row.seconds_left > 0 else "",
                *(f"{n:,}" for n in (row.waiting, row.done, row.failed, row.hosts, row.parcels)),
                _state(row),
            )
            for row in found.partitions
        ],
    )
    if found.has_ended:
        print("\nthe crawl has ended")


def _state(row: PartitionRow) -> str:
    if not row.is_held:
        return "nobody works on it"
    return {"": "works", "empty": "nothing to do", "spent": "--max-pages is used up"}[row.rest]
