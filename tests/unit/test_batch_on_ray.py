"""The engine on Ray, over a stand-in for Ray that runs every task at once (`make ray` has Ray)."""

import os
import socket
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import msgspec
import pytest

from geoscout.batch.folder import BatchFolder, FileReport
from geoscout.batch.rows import batch_options
from geoscout.batch.run import Batch, convert_here
from geoscout.on_ray import run_batch_on_ray
from geoscout_places.errors import UsageError
from geoscout_places.model import RelevanceRule


class RayError(Exception):
    """As in Ray: a task was given up, because of its machine or otherwise."""


class RayTaskError(RayError):
    """As in Ray: the function of a task failed."""

    def __init__(self, cause: Exception) -> None:
        super().__init__(f"a traceback\n{cause}")
        self.cause = cause


class StandInForRay(ModuleType):
    """Runs `function` in place of what is made remote."""

    def __init__(self, function) -> None:
        super().__init__("ray")
        self.exceptions = SimpleNamespace(RayError=RayError, RayTaskError=RayTaskError)
        self.given = {}
        self.ended = False
        self.function = function

    def init(self, **given) -> None:
        if given["address"] == "auto":
            raise ConnectionError("no such cluster")
        self.given = given

    def shutdown(self) -> None:
        self.ended = True

    def remote(self, **options):
        return lambda _function: SimpleNamespace(remote=lambda path, *_: str(path))

    def wait(self, tasks, num_returns):
        return tasks[-1:], tasks[:-1]

    def get(self, task: str) -> FileReport:
        return self.function(Path(task))


@pytest.fixture(autouse=True)
def _environment(monkeypatch):
    """What the engine sets for Ray is taken back."""
    for name in (
        "USAGE_STATS_ENABLED",
        "ACCEL_ENV_VAR_OVERRIDE_ON_ZERO",
        "AUTH_MODE",
        "AUTH_TOKEN",
    ):
        monkeypatch.setenv(f"RAY_{name}", "")
        monkeypatch.delenv(f"RAY_{name}")


@pytest.fixture
def batch(settings, tmp_path):
    options = batch_options(settings, format="jsonl", region=(), relevance=RelevanceRule.ABOUT)
    archives = [tmp_path / f"{n}.warc" for n in range(3)]
    for archive in archives:
        archive.touch()
    return Batch(archives, BatchFolder(tmp_path / "out", "jsonl"), options, settings)


def run(batch, monkeypatch, function, address="local"):
    ray = StandInForRay(function)
    monkeypatch.setitem(sys.modules, "ray", ray)
    reports = []
    try:
        run_batch_on_ray(batch, address, 2, reports.append)
    finally:
        assert ray.ended or not ray.given
    return reports, ray


def test_every_archive_is_a_task_and_its_report_is_told(batch, monkeypatch):
    """With a token, and without a dashboard and statistics."""
    reports, ray = run(batch, monkeypatch, lambda path: FileReport(file=path.name, pages=1))

    assert sorted(report.file for report in reports) == ["0.warc", "1.warc", "2.warc"]
    assert ray.given["num_cpus"] == 2
    assert ray.given["include_dashboard"] is False
    assert (os.environ["RAY_AUTH_MODE"], os.environ["RAY_USAGE_STATS_ENABLED"]) == ("token", "0")
    assert len(os.environ["RAY_AUTH_TOKEN"]) == 64


def test_cluster_keeps_its_own_token_and_its_own_size(batch, monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as head:
        address = f"127.0.0.1:{head.getsockname()[1]}"
        _, ray = run(batch, monkeypatch, lambda path: FileReport(file=path.name), address)

    assert "RAY_AUTH_TOKEN" not in os.environ
    assert "num_cpus" not in ray.given


def test_archive_that_ray_gives_up_has_failed_and_the_others_have_not(batch, monkeypatch):
    def convert(path):
        if path.name == "0.warc":
            raise RayError("the worker\nran out of memory")
        if path.name == "1.warc":
            raise RayTaskError(ValueError("no good"))
        return FileReport(file=path.name)

    reports, _ = run(batch, monkeypatch, convert)

    assert {Path(r.file).name: r.error for r in reports} == {
        "0.warc": "ran out of memory",
        "1.warc": "no good",
        "2.warc": "",
    }


@pytest.mark.parametrize("cause", [UsageError("another gazetteer"), OSError("disk full")])
def test_what_every_archive_would_meet_ends_the_batch(batch, monkeypatch, cause):
    def convert(path):
        raise RayTaskError(cause)

    with pytest.raises(type(cause), match=str(cause)):
        run(batch, monkeypatch, convert)


def test_cluster_that_cannot_be_reached_is_an_error(batch, monkeypatch):
    with pytest.raises(UsageError, match=r"cannot reach Ray at auto: no such cluster"):
        run(batch, monkeypatch, None, "auto")


def test_address_where_nobody_listens_is_an_error_before_ray_tries(batch, monkeypatch):
    ray = StandInForRay(None)
    monkeypatch.setitem(sys.modules, "ray", ray)
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))  # and does not listen
        address = f"127.0.0.1:{listener.getsockname()[1]}"
        with pytest.raises(UsageError, match=f"cannot reach Ray at {address}.*refused"):
            run_batch_on_ray(batch, address, 1, print)

    assert ray.given == {}


def test_missing_ray_is_an_error_that_says_what_to_install(batch, monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)

    with pytest.raises(UsageError, match=r"/\[ray\]"):
        run_batch_on_ray(batch, "auto", 1, print)


@pytest.mark.parametrize("field", ["gazetteer", "version"])
def test_machine_with_another_gazetteer_or_version_refuses(batch, field):
    options = msgspec.structs.replace(batch.options, **{field: "another"})

    with pytest.raises(UsageError, match="another"):
        convert_here(batch.archives[0], batch.folder.path, options, batch.settings)
