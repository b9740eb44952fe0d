"""The one door to Ray, an extra: batches of archives, and workers of a crawl, on its machines.

A batch has a task for each archive. Nothing moves between archives, so there is nothing to shuffle
or to stream: Ray Data would carry the same paths through a dataset, and its writer names files by
block, so a batch could not be continued archive by archive. Ray starts a task again on another
machine when one is lost, and a second one does no harm: it writes a draft of its own. Every machine
must see the archives and the folder of results under the same paths.

A worker of a crawl has a keeper, a detached actor: it stays when the command that started it ends,
and Ray starts it again on another machine when it has lost one. Keepers for which there is no room
wait, and Ray's autoscaler adds machines for them. Nothing else of a crawl uses Ray: the workers are
the same processes as everywhere, and meet in PostgreSQL.

Ray runs whatever code reaches its ports, and shows to everybody on the cluster what an actor was
started with. So token authentication is on unless the user has set `RAY_AUTH_MODE`, dashboard and
usage statistics are off, and an address with a password is refused.
"""

from __future__ import annotations

import logging
import os
import re
import secrets
import socket
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from itertools import count, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from geoscout.state.base import public_address
from geoscout_places.errors import GeoscoutError, UsageError, last_line
from geoscout_places.extras import import_extra
from geoscout_places.urls import has_password

if TYPE_CHECKING:  # most commands that can do with Ray do without, and without batches
    from geoscout.batch.folder import FileReport
    from geoscout.batch.run import Batch, OnFile

LOCAL = "local"  # the address for a cluster of this machine alone, which ends with the connection
_LOOPBACK = "127.0.0.2"  # in place of 127.0.0.1 Ray takes an address that others can reach
_CONNECT_SECONDS = 10.0
_STORE_BYTES = 100_000_000  # of shared memory in a local cluster; only small values are sent
_MOST_TASKS = 1000  # that Ray has at a time, waiting ones too
_RETRIES = 3  # of an archive whose machine or process was lost
# Makes the actor that keeps a worker: of the address, the arguments, and what ends it.
_Keeper = Callable[[str, Sequence[str], Callable[[], None]], object]
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
USAGE = 2  # the exit status of a process that cannot work, however often it is started


@dataclass(frozen=True, slots=True)
class KeeperState:
    machine: str
    process: int = 0  # its number; 0 before the first start
    starts: int = 0
    status: int | None = None  # with which the last process ended; None while it runs
    is_done: bool = False  # it is not started again
    said: str = ""  # its last line of errors


@contextmanager
def connected_to_ray(address: str, processors: int = 1, **more: Any) -> Iterator[Any]:
    """The module `ray`, connected to a cluster.

    `address` is as Ray has it: `host:port`, "auto" for the cluster of this machine, or "local" for
    one that is started here with this many `processors`. `more` goes to `ray.init`.
    """
    _prepare_environment(address)
    ray = import_extra("a Ray cluster", "ray", "ray")
    if address == LOCAL:
        more |= {"num_cpus": processors, "object_store_memory": _STORE_BYTES}
        more |= {"include_dashboard": False, "_node_ip_address": _LOOPBACK}
    try:
        _knock(address)
        with _quiet():
            ray.init(address=address, logging_level=logging.WARNING, **more)
    except (OSError, ValueError, RuntimeError, ray.exceptions.RayError) as error:
        raise UsageError(
            f"cannot reach Ray at {address}: {last_line(error)}; its token belongs into the file"
            " that RAY_AUTH_TOKEN_PATH names"
        ) from error
    try:
        yield ray
    finally:
        ray.shutdown()


def _knock(address: str) -> None:
    """Fail at once where nobody listens: Ray itself would try for longer than ten minutes."""
    if found := re.fullmatch(r"\[?([^/]+?)\]?:(\d+)", address):
        socket.create_connection((found[1], int(found[2])), _CONNECT_SECONDS).close()


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep what Ray's native part prints off the terminal: a line for each failed attempt.

    No setting of Ray's is early enough for these lines. Our own error says what they say.
    """
    terminal = os.dup(2)
    try:
        with tempfile.TemporaryFile() as file:
            os.dup2(file.fileno(), 2)
            yield
    finally:
        os.dup2(terminal, 2)
        os.close(terminal)


def _prepare_environment(address: str) -> None:
    """Ray reads its settings from the environment, when it is imported."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # or it warns of what will be
    os.environ.setdefault("RAY_AUTH_MODE", "token")
    if address == LOCAL:  # a secret for this cluster alone; Ray would keep one in the user's home
        os.environ["RAY_AUTH_TOKEN"] = secrets.token_hex(32)


def run_batch_on_ray(batch: Batch, address: str, workers: int, on_file: OnFile) -> None:
    """Geoparse the archives that are not done, on a cluster as `connected_to_ray` takes it.

    Raises:
        UsageError: Ray cannot be reached, or a machine has another gazetteer.
        OSError: the folder cannot be written to.
    """
    with connected_to_ray(address, workers) as ray:
        from geoscout.batch.run import convert_here  # noqa: PLC0415 - most do without batches

        convert = ray.remote(num_cpus=1, max_retries=_RETRIES)(convert_here)
        where = batch.folder.path.absolute()
        tasks = (
            (convert.remote(path.absolute(), where, batch.options, batch.settings), path)
            for path in batch.waiting()
        )
        running = dict(islice(tasks, _MOST_TASKS))
        while running:
            (done,), _ = ray.wait(list(running), num_returns=1)
            on_file(_report(ray, done, running.pop(done)))
            running.update(islice(tasks, 1))


def _report(ray: Any, task: Any, archive: Path) -> FileReport:
    """What a task gave back; a task that Ray has given up is a failure of its archive."""
    from geoscout.batch.folder import FileReport  # noqa: PLC0415

    try:
        report: FileReport = ray.get(task)
    except ray.exceptions.RayTaskError as error:
        if isinstance(error.cause, GeoscoutError | OSError):
            raise error.cause from error
        return FileReport(file=str(archive), error=last_line(error))
    except ray.exceptions.RayError as error:
        return FileReport(file=str(archive), error=last_line(error))
    return report


@dataclass(frozen=True, slots=True)
class RayWorker:
    name: str
    state: KeeperState | None = None  # None: its keeper does not run
    problem: str = ""  # why not; "": Ray has found no room for it yet

    @property
    def cannot_work(self) -> bool:
        return bool(self.problem) or (self.state is not None and self.state.status == USAGE)


def start_on_ray(
    keeper: _Keeper, address: str, where: str, workers: int | None, arguments: Sequence[str]
) -> Sequence[RayWorker]:
    """Have this many workers for the crawl at `where` on the cluster at `address`.

    Those that are there already count, so a second call only adds what is missing. None: as many
    as the cluster has processors now. `arguments` follow `geoscout cluster`.
    """
    _check(address, where, workers)
    with connected_to_ray(address, namespace=_NAMESPACE, log_to_driver=False) as ray:
        workers = workers or int(ray.cluster_resources().get("CPU", 0))
        if not workers:
            raise UsageError(f"no machine of the Ray cluster at {address} has a processor")
        fleet = _Fleet(ray, where)
        fleet.grow(keeper, workers, arguments)
        return fleet.watch()


def stop_on_ray(address: str, where: str) -> int:
    """End the workers of a crawl on a cluster, and those that wait for room; returns how many."""
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

    def grow(self, keeper: _Keeper, workers: int, arguments: Sequence[str]) -> None:
        """Start what is missing."""
        self._forget_ended()
        create = self._ray.remote(num_cpus=_PROCESSORS, max_restarts=-1)(keeper)
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
