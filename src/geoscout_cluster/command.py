"""Crawl with several processes, on one machine or many.

On one machine, `start --out DIR` does everything: it makes the crawl in a folder that has a
PostgreSQL server of its own (the extra `postgres-server`), runs the workers, and ends with the
crawl. The same command continues a crawl that was stopped. All other commands take DIR.

On several machines the crawl is in a PostgreSQL that all of them reach: make it with `geoscout
crawl --on URL --name NAME --partitions 16 --no-work`. `start --ray ADDRESS --workers 4..32` has Ray
place the workers, start them again and ask its autoscaler for room; Kubernetes does the same with
`work` as its command. By hand, start as many `work` as you like, anywhere, and stop them when you
like. `status` exits with status 1 if somebody is missing.

--on names the database, and --name the crawl in it; an address with both does as well. Without --on
it is taken from the environment: GEOSCOUT_ON. Keep passwords in a file (PGPASSFILE): everybody can
read command lines.
"""

import argparse
import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from geoscout.cli.command import Command, add_option, add_shared, given_settings
from geoscout.cli.commands import SUMMARIES
from geoscout.cli.crawl_arguments import (
    add_aim,
    add_changes,
    add_limits_by_set,
    add_private,
    add_ways,
    change,
    crawl_options,
)
from geoscout.cli.show.terminal import gazetteer_for, print_json, print_table
from geoscout.machine import processor_count
from geoscout.on_ray import RayWorker, start_on_ray, stop_on_ray
from geoscout.settings import Settings
from geoscout.state.base import OWN_POSTGRES, backend_name, is_url, with_name
from geoscout.store.base import Overview, PartitionRow, short_name
from geoscout_cluster.postgres.own_state import direct_address
from geoscout_cluster.routing import DEFAULT_PARTITIONS
from geoscout_cluster.shared_crawl import look_at, stop_all
from geoscout_cluster.supervise import ADDRESS, Supervisor, WorkerKeeper
from geoscout_places.errors import Mistakes, UsageError

EXAMPLE = (
    "  geoscout cluster start --out lisbon --workers 4 --region Lisbon --seeds seeds.txt"
    " --contact you@example.org\n"
    "  geoscout cluster status --out lisbon\n"
    "  geoscout cluster start --on postgresql://db.example.org/crawls --name lisbon --workers 4\n"
    "  geoscout cluster status --on postgresql://db.example.org/crawls --name lisbon"
)
_SHARED = ("home", "settings")  # arguments of every command
_OF_WORKERS = ("partitions_at_most", "lease_seconds")  # given by --set
_SHORTEST_LEASE = 3.0  # seconds; one of them is the margin, and a busy machine needs the rest
_ORPHAN_SECONDS = 60.0  # without an owner; then somebody should look at the partition


def create() -> Command:
    return Command(__doc__ or "", EXAMPLE, add_arguments, run, summary=SUMMARIES["cluster"])


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="work|start|status|stop")
    work = actions.add_parser("work", help="be one worker of a crawl")
    start = actions.add_parser("start", help="run several workers on this machine")
    status = actions.add_parser("status", help="show workers and partitions")
    stop = actions.add_parser("stop", help="have all workers finish and end")
    for action in (work, start, status, stop):
        place = action.add_mutually_exclusive_group()
        place.add_argument("--out", metavar="DIR", help="the folder of a crawl on this machine")
        place.add_argument("--on", metavar="URL", help="the database, postgresql://host/database")
        action.add_argument("--name", default="", help="the crawl in that database")
    start.add_argument(
        "--workers",
        dest="worker_processes",
        type=_read_workers,
        metavar="N",
        help="worker processes (default: one for each processor); with --ray also 4..32: as many"
        " as there is room for, which its autoscaler makes",
    )
    for action in (start, stop):
        action.add_argument(
            "--ray", metavar="ADDRESS", help="on a Ray cluster: host:port of its head, or auto"
        )
    add_changes(start)
    _add_new_crawl(start)
    work.add_argument("--until-done", action="store_true", help="end with the crawl")
    for action in (work, start):
        add_option(action, "partitions_at_most", int, "of one worker (default: its share)")
        about = "until the others take over from a dead worker (default: 10)"
        add_option(action, "lease_seconds", float, about, default=10.0)
        action.add_argument(
            "--contact", help="web or mail address where server owners can reach you"
        )
    status.add_argument("--json", action="store_true", help="print one JSON object")
    for action in (work, start, status, stop):
        add_shared(action, is_part=True)


def _add_new_crawl(start: argparse.ArgumentParser) -> None:
    """For a crawl that is begun by `start --out`."""
    new = start.add_argument_group("a new crawl, with --out")
    add_aim(new, required=False)
    new.add_argument(
        "--partitions",
        type=int,
        metavar="N",
        default=DEFAULT_PARTITIONS,
        help=f"into how many parts the work is divided (default: {DEFAULT_PARTITIONS})",
    )
    add_ways(new)
    add_private(new)
    add_limits_by_set(new)
    new.add_argument("--json", action="store_true", help="print the status as JSON at the end")
    start.set_defaults(archive="")


def run(arguments: argparse.Namespace, settings: Settings) -> int:
    on = arguments.out or arguments.on or os.environ.get(ADDRESS, "")
    if not on:
        raise UsageError("--out DIR or --on postgresql://host/database is missing")
    where = with_name(on, arguments.name) if is_url(on) else on
    if arguments.action == "start":
        return _start(arguments, where, settings)
    action = {"work": _work, "status": _status, "stop": _stop}[arguments.action]
    return action(arguments, direct_address(where), settings)


def _work(arguments: argparse.Namespace, where: str, settings: Settings) -> int:
    from geoscout_cluster.worker import WorkerTerms  # noqa: PLC0415
    from geoscout_cluster.workers import work  # noqa: PLC0415 - the others need no crawl

    _check(arguments)
    terms = WorkerTerms(arguments.until_done, arguments.partitions_at_most, arguments.lease_seconds)
    return 1 if work(where, settings, terms).stop_reason else 0


def _start(arguments: argparse.Namespace, where: str, settings: Settings) -> int:
    from geoscout_cluster.workers import supervise  # noqa: PLC0415

    _check(arguments)
    if not is_url(where):
        return _start_in_folder(arguments, Path(where), settings)
    if arguments.region or arguments.seeds:
        raise UsageError(
            "--region and --seeds make a crawl in a folder, with --out; in a database"
            " `geoscout crawl --on … --no-work` does"
        )
    _change(arguments, where, settings)
    if arguments.ray:
        return _start_on_ray(arguments, where)
    supervise(_supervisor(arguments, where, settings))
    return 0


def _start_on_ray(arguments: argparse.Namespace, where: str) -> int:
    if "metrics_port" in given_settings(arguments):
        raise UsageError("metrics_port is not for --ray, where workers share machines")
    look_at(where)  # complains about a wrong address here, and not on every machine
    least, most = arguments.worker_processes or (0, None)
    passed_on = _passed_on(arguments)
    started = start_on_ray(WorkerKeeper, arguments.ray, where, most, passed_on)
    return show_ray_workers(started, least if least != most else 0)


def _start_in_folder(arguments: argparse.Namespace, folder: Path, settings: Settings) -> int:
    from geoscout_cluster.workers import begin_in_folder, run_in_folder  # noqa: PLC0415

    if arguments.ray:
        raise UsageError("--ray needs a database that all machines reach, with --on")
    supervisor = _supervisor(arguments, str(folder.absolute()), settings)
    if backend_name(folder) != OWN_POSTGRES:
        if not arguments.region or not arguments.seeds:
            raise UsageError(f"there is no crawl in {folder} yet: --region and --seeds are missing")
        mistakes = Mistakes()
        options = crawl_options(arguments, settings, mistakes)
        mistakes.complain()
        begin_in_folder(folder, options, arguments.seeds, settings, arguments.partitions)
    else:
        _change(arguments, str(folder), settings)
    run_in_folder(folder, supervisor, as_json=arguments.json)
    return 0


def _change(arguments: argparse.Namespace, where: str, settings: Settings) -> None:
    """What is asked of a crawl that was begun before, if anything."""
    from geoscout_cluster.shared_crawl import open_shared  # noqa: PLC0415

    asked = (arguments.max_pages, arguments.include, arguments.exclude, arguments.revisit_days)
    if any(value is not None for value in asked):
        gazetteer = gazetteer_for(settings)
        with open_shared(where, direct_address(where), settings, gazetteer) as crawl:
            change(crawl, arguments)


def _supervisor(arguments: argparse.Namespace, where: str, settings: Settings) -> Supervisor:
    least, count = arguments.worker_processes or (0, processor_count())
    if least not in (0, count):
        raise UsageError("--workers takes one number here; a range is for --ray")
    return Supervisor(where, count, _passed_on(arguments), settings.metrics_port)


def _passed_on(arguments: argparse.Namespace) -> list[str]:
    """What the workers are told of what this command was told."""
    paths = {name: getattr(arguments, name) for name in _SHARED}
    shared = [
        f"--{name}={Path(path).expanduser().absolute()}" for name, path in paths.items() if path
    ]
    contact = [f"--contact={arguments.contact}"] if arguments.contact is not None else []
    options = {name: getattr(arguments, name) for name in _OF_WORKERS}
    # The supervisor says which port each of them has.
    more = {n: v for n, v in given_settings(arguments).items() if n != "metrics_port"}
    settings = [
        f"--set={name}={value}" for name, value in (options | more).items() if value is not None
    ]
    return [*shared, "work", "--until-done", *contact, *settings]


def _read_workers(text: str) -> tuple[int, int]:
    """The least and the most workers.

    >>> _read_workers("4"), _read_workers("4..32")
    ((4, 4), (4, 32))
    """
    least, _, most = text.partition("..")
    try:
        return int(least), int(most or least)
    except ValueError:
        problem = f"is a number, or a range such as 4..32, not {text!r}"
        raise argparse.ArgumentTypeError(problem) from None


def _check(arguments: argparse.Namespace) -> None:
    if arguments.lease_seconds < _SHORTEST_LEASE:
        given = f"{arguments.lease_seconds:g}"
        raise UsageError(f"lease_seconds is at least {_SHORTEST_LEASE:g}, not {given}")
    if arguments.partitions_at_most is not None and arguments.partitions_at_most < 1:
        raise UsageError(f"partitions_at_most is at least 1, not {arguments.partitions_at_most}")


def _status(arguments: argparse.Namespace, where: str, settings: Settings) -> int:  # noqa: ARG001
    found = look_at(where)
    if arguments.json:
        print_json(overview_as_json(found))
    else:
        show_overview(found)
    return 1 if found.orphans(_ORPHAN_SECONDS) else 0


def _stop(arguments: argparse.Namespace, where: str, settings: Settings) -> int:  # noqa: ARG001
    if arguments.ray:
        print(f"{stop_on_ray(arguments.ray, where)} workers on Ray were stopped")
        return 0
    print(f"{stop_all(where)} workers were asked to stop")
    return 0


def show_ray_workers(workers: Sequence[RayWorker], least: int = 0) -> int:
    """Print how they are doing; returns 1 if some cannot work, or fewer than `least` have room.

    Raises:
        UsageError: none of them can work.
    """
    if all(worker.cannot_work for worker in workers):
        raise UsageError(_state_on_ray(workers[0]))
    print_table(
        "workers on Ray",
        ("worker", "machine", "process>", "state"),
        [
            (
                worker.name.rpartition("/")[2],
                worker.state.machine if worker.state else "",
                str(worker.state.process) if worker.state else "",
                _state_on_ray(worker),
            )
            for worker in workers
        ],
    )
    running = sum(worker.state is not None for worker in workers)
    return 1 if running < least or any(worker.cannot_work for worker in workers) else 0


def _state_on_ray(worker: RayWorker) -> str:
    state = worker.state
    if state is None:
        return worker.problem or "waits for a machine with a free processor"
    if worker.cannot_work:
        return f"a worker on {state.machine} cannot work: {state.said}"
    if state.is_done:
        return "has ended"
    return "works" if state.status is None else f"starts again after: {state.said}"


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
                _state_of_row(row),
            )
            for row in found.partitions
        ],
    )
    if found.has_ended:
        print("\nthe crawl has ended")


def _state_of_row(row: PartitionRow) -> str:
    if not row.is_held:
        return "nobody works on it"
    return {"": "works", "empty": "nothing to do", "spent": "--max-pages is used up"}[row.rest]
