"""Predict what a cluster of a size does: pages a second, memory, disk, and what gives out first."""

from __future__ import annotations

import argparse
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, TypeVar

from geoscout.cli.command import Command
from geoscout.errors import UsageError
from geoscout.settings import Settings

if TYPE_CHECKING:
    from geoscout.lab.scale.predict import Prediction
    from geoscout.lab.scale.sizes import ClusterSize

EXAMPLE = (
    "  geoscout scale --workers 1,10,100 --urls 100M\n"
    "  geoscout scale --workers 100 --urls 1G --servers 4 --cores 4 --page-ms 12"
)
_UNITS = {"k": 1_000, "M": 1_000_000, "G": 1_000_000_000}
_COLUMNS = (
    "workers", "pages/s", "idle", "PostgreSQL", "log MB/s", "sent/s", "takeover s",
    "RAM GB", "URLs GB", "rows GB/day", "WARC GB/day", "focus", "limit",
)  # fmt: skip


def create() -> Command:
    """The command `scale`."""
    return Command(
        summary="predict what a cluster of a size does",
        description=__doc__ or "",
        example=EXAMPLE,
        add_arguments=add_arguments,
        run=run,
        listed_before="classifier",
    )


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    # Names of their own: settings of the same names describe a crawl of this machine.
    add(
        "--workers", dest="sizes", default="1,10,100,1000", metavar="N,…", help="numbers of workers"
    )
    add("--urls", default="100M", metavar="N", help="known URLs, as 10M or 1G (default: 100M)")
    add("--cores", type=int, default=2, metavar="N", help="cores of a worker (default: 2)")
    add("--ram-gb", type=float, default=4.0, metavar="GB", help="memory of a worker (default: 4)")
    add("--connections", dest="in_flight", type=int, default=50, metavar="N", help="of a worker")
    add("--servers", type=int, default=1, metavar="N", help="PostgreSQL servers (default: 1)")
    add("--server-cores", type=int, default=8, metavar="N", help="cores of each (default: 8)")
    add("--log-mb", type=float, default=100.0, metavar="MB", help="MB a second of its disk")
    add("--delay", type=float, default=1.0, metavar="S", help="seconds between requests to a host")
    add(
        "--urls-per-host",
        type=float,
        default=100.0,
        metavar="N",
        help="URLs of a host (default: 100)",
    )
    add("--page-ms", type=float, default=0.0, metavar="MS", help="CPU of a page in a worker")
    add("--json", action="store_true", help="print a JSON array")


def run(arguments: argparse.Namespace, settings: Settings) -> int:  # noqa: ARG001 - as every command
    from geoscout.cli.show.terminal import print_json  # noqa: PLC0415 - slow, as what follows
    from geoscout.lab.scale.predict import predict  # noqa: PLC0415

    sizes = [_size(arguments, count) for count in arguments.sizes.split(",")]
    found = [(size, predict(size)) for size in sizes]
    if arguments.json:
        print_json([{"workers": a.workers, "urls": a.urls, **asdict(b)} for a, b in found])
    else:
        _print_table([_COLUMNS, *((f"{a.workers:,}", *_cells(b)) for a, b in found)])
    return 0


def _size(arguments: argparse.Namespace, workers: str) -> ClusterSize:
    from geoscout.lab.scale.sizes import ClusterSize, HostPopulation, Machine, Server  # noqa: PLC0415

    size = ClusterSize(
        read_count(workers),
        read_count(arguments.urls),
        machine=Machine(
            _positive(arguments.cores),
            _positive(arguments.in_flight),
            memory_bytes=_positive(arguments.ram_gb) * 1e9,
        ),
        server=Server(
            servers=_positive(arguments.servers),
            cores=_positive(arguments.server_cores),
            log_bytes_per_second=_positive(arguments.log_mb) * 1e6,
        ),
        hosts=HostPopulation(
            urls_per_host=_positive(arguments.urls_per_host), delay_seconds=arguments.delay
        ),
    )
    if not arguments.page_ms:
        return size
    return replace(size, page=replace(size.page, worker_cpu=_positive(arguments.page_ms) / 1000))


def read_count(text: str) -> int:
    """A number as people write large ones.

    >>> read_count("1.5M"), read_count("64")
    (1500000, 64)

    Raises:
        UsageError: it is not a number of at least 1.
    """
    unit = _UNITS.get(text[-1:], 0)
    try:
        count = round(float(text[:-1] if unit else text) * (unit or 1))
    except (ValueError, OverflowError):
        count = 0
    if count < 1:
        raise UsageError(f"{text!r} is not a number such as 64, 10M or 1G")
    return count


_Number = TypeVar("_Number", int, float)


def _positive(value: _Number) -> _Number:
    if not value > 0:
        raise UsageError(f"{value} is not above 0")
    return value


def _cells(found: Prediction) -> tuple[str, ...]:
    return (
        f"{found.pages_per_second:,.0f}",
        f"{found.idle:.0%}",
        f"{found.server_busy:.0%}",
        f"{found.log_bytes_per_second / 1e6:,.1f}",
        f"{found.exchanged_per_second:,.0f}",
        f"{found.takeover_seconds:,.0f}",
        f"{found.memory_bytes / 1e9:,.2f}",
        f"{found.server_bytes / 1e9:,.1f}",
        f"{found.rows_per_day / 1e9:,.0f}",
        f"{found.archive_per_day / 1e9:,.0f}",
        f"{found.focus:.2f}",
        found.limit,
    )


def _print_table(rows: list[tuple[str, ...]]) -> None:
    widths = [max(len(row[column]) for row in rows) for column in range(len(_COLUMNS))]
    for row in rows:
        cells = [cell.rjust(width) for cell, width in zip(row[:-1], widths, strict=False)]
        print("  ".join([*cells, row[-1]]))
