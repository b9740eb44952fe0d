"""Workers on a Ray cluster in the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from geoscout.cli.show.terminal import print_table
from geoscout_cluster.ray_launch import RayWorker
from geoscout_places.errors import UsageError


def show_ray_workers(workers: Sequence[RayWorker]) -> int:
    """Print how they are doing; returns 1 if some cannot work.

    Raises:
        UsageError: none of them can work.
    """
    if all(worker.cannot_work for worker in workers):
        raise UsageError(_state(workers[0]))
    print_table(
        "workers on Ray",
        ("worker", "machine", "process>", "state"),
        [
            (
                worker.name.rpartition("/")[2],
                worker.state.machine if worker.state else "",
                str(worker.state.process) if worker.state else "",
                _state(worker),
            )
            for worker in workers
        ],
    )
    return 1 if any(worker.cannot_work for worker in workers) else 0


def _state(worker: RayWorker) -> str:
    state = worker.state
    if state is None:
        return worker.problem or "waits for a machine with a free processor"
    if worker.cannot_work:
        return f"a worker on {state.machine} cannot work: {state.said}"
    if state.is_done:
        return "has ended"
    return "works" if state.status is None else f"starts again after: {state.said}"
