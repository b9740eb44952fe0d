"""Workers of a crawl on the machines of a Ray cluster.

Each worker has a keeper (`keeper.py`), a detached actor: it stays when the command that started it
ends, and Ray starts it again on another machine when it has lost one. Nothing else of a crawl uses
Ray: the workers are the same processes as everywhere, and meet in PostgreSQL.

Ray keeps what an actor was started with, and shows it to everybody on the cluster. So an address
with a password is refused.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import count, islice
from typing import Any
from urllib.parse import urlsplit

from geoscout.ray_cluster import LOCAL, connected_to_ray
from geoscout.state.base import public_address
from geoscout_cluster.keeper import USAGE, KeeperState, WorkerKeeper
from geoscout_places.errors import UsageError, last_line
from geoscout_places.urls import has_password

_NAMESPACE = "geoscout"  # of the actors' names
# Half of what a worker can use: if all of a cluster were taken, the keepers of a lost machine
# would wait for another one to come.
_PROCESSORS = 0.5
_CALLS = 4  # at a time: one can ask how a worker is doing while it is stopped
_ROOM_SECONDS = 30.0  # for Ray to find room for a keeper and start it
_TRIAL_SECONDS = 5.0  # in which a worker that does not fit has said so
_ANSWER_SECONDS = 5.0  # for a keeper that runs to say so
_LOOK_SECONDS = 0.5
_STOP_SECONDS = 70.0  # longer than a keeper waits for its worker


@dataclass(frozen=True, slots=True)
class RayWorker:
    """A worker on a Ray cluster."""

    name: str
    state: KeeperState | None = None  # None: its keeper does not run
    problem: str = ""  # why not; "": Ray has found no room for it yet

    @property
    def cannot_work(self) -> bool:
        return bool(self.problem) or (self.state is not None and self.state.status == USAGE)


def start_on_ray(
    address: str, where: str, workers: int | None, arguments: Sequence[str]
) -> Sequence[RayWorker]:
    """Have this many workers for the crawl at `where` on the cluster at `address`.

    Those that are there already count, so a second call only adds what is missing. None: as many
    as the cluster has processors. `arguments` follow `geoscout cluster`.

    Raises:
        UsageError: Ray is missing or cannot be reached, or the address contains a password.
    """
    _check(address, where, workers)
    with connected_to_ray(address, namespace=_NAMESPACE, log_to_driver=False) as ray:
        fleet = _Fleet(ray, where)
        fleet.grow(workers or _processors(ray, address), arguments)
        return fleet.watch()


def stop_on_ray(address: str, where: str) -> int:
    """End the workers of a crawl on a cluster, and those that wait for room; returns how many.

    Raises:
        UsageError: Ray is missing or cannot be reached.
    """
    with connected_to_ray(address, namespace=_NAMESPACE, log_to_driver=False) as ray:
        return _Fleet(ray, where).stop()


def _check(address: str, where: str, workers: int | None) -> None:
    if workers is not None and workers < 1:
        raise UsageError(f"--workers is at least 1, not {workers}")
    if address == LOCAL:
        raise UsageError("--ray local would end with this command: leave --ray out on one machine")
    if has_password(where):
        raise UsageError(
            "Ray would show the password of the address to everybody on the cluster: leave it out,"
            " and keep it in the file that PGPASSFILE names on every machine"
        )


def _processors(ray: Any, address: str) -> int:
    found = int(ray.cluster_resources().get("CPU", 0))
    if not found:
        raise UsageError(f"no machine of the Ray cluster at {address} has a processor")
    return found


def leave_ray() -> None:
    """End the actor in which this is called, for good; a mere exit would start it again."""
    ray = import_module("ray")
    ray.kill(ray.get_runtime_context().current_actor)


class _Fleet:
    """The keepers of one crawl."""

    def __init__(self, ray: Any, where: str) -> None:
        self._ray = ray
        self._where = where
        parts = urlsplit(public_address(where))
        self._prefix = f"{parts.netloc.rpartition('@')[2]}{parts.path}/"
        self._keepers: dict[str, Any] = {}
        for name in ray.util.list_named_actors():
            if name.startswith(self._prefix):
                self._keepers[name] = ray.get_actor(name)

    def grow(self, workers: int, arguments: Sequence[str]) -> None:
        """Start what is missing."""
        self._forget_ended()
        create = self._ray.remote(num_cpus=_PROCESSORS, max_restarts=-1)(WorkerKeeper)
        names = (f"{self._prefix}{number}" for number in count(1))
        free = (name for name in names if name not in self._keepers)
        for name in list(islice(free, max(0, workers - len(self._keepers)))):
            self._keepers[name] = create.options(
                name=name, lifetime="detached", get_if_exists=True, max_concurrency=_CALLS,
                scheduling_strategy="SPREAD",
            ).remote(self._where, list(arguments), leave_ray)  # fmt: skip

    def watch(self) -> Sequence[RayWorker]:
        """How all of them are doing, once those that do not fit have had time to say so."""
        found = self._ask(_ROOM_SECONDS)
        until = time.monotonic() + _TRIAL_SECONDS
        while time.monotonic() < until and not all(worker.cannot_work for worker in found.values()):
            time.sleep(_LOOK_SECONDS)
            found |= self._ask(_LOOK_SECONDS)
        return list(found.values())

    def stop(self) -> int:
        """End all of them."""
        found = self._ask(_ANSWER_SECONDS)
        running = [self._keepers[name] for name, worker in found.items() if worker.state]
        calls = [keeper.stop.remote() for keeper in running]
        if calls:
            self._ray.wait(calls, num_returns=len(calls), timeout=_STOP_SECONDS)
        for keeper in self._keepers.values():
            self._ray.kill(keeper)
        return len(found)

    def _forget_ended(self) -> None:
        for name, worker in self._ask(_ANSWER_SECONDS).items():
            if worker.problem or (worker.state is not None and worker.state.is_done):
                self._ray.kill(self._keepers.pop(name))

    def _ask(self, seconds: float) -> dict[str, RayWorker]:
        calls = {keeper.state.remote(): name for name, keeper in self._keepers.items()}
        if not calls:
            return {}
        done, _ = self._ray.wait(list(calls), num_returns=len(calls), timeout=seconds)
        answered = {calls[call]: self._answer(calls[call], call) for call in done}
        return {name: answered.get(name, RayWorker(name)) for name in self._keepers}

    def _answer(self, name: str, call: Any) -> RayWorker:
        try:
            return RayWorker(name, self._ray.get(call))
        except self._ray.exceptions.ActorUnavailableError:
            return RayWorker(name)  # its machine was lost: Ray is starting it again
        except self._ray.exceptions.RayError as error:
            return RayWorker(name, problem=last_line(error))
