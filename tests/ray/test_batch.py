"""`geoscout geoparse --warc … --ray` on a real cluster: a head and two machines, one is killed.

These tests need Ray (`make ray`) and are skipped without it.
"""

import subprocess
from pathlib import Path

import pytest

from tests.patience import status_of, wait_until
from tests.ray.conftest import BIN, manage
from tests.unit.batch.archives import HTML, packed, page

pytest.importorskip("ray")

FILES, PAGES = 6, 500
_SECONDS = 300  # for a run; on an idle machine it takes less than one minute
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def archives(tmp_path_factory):
    folder = tmp_path_factory.mktemp("archives")
    for file in range(FILES):
        pages = [page(f"http://a{file}.example/{n}", HTML * (1 + n % 3)) for n in range(PAGES)]
        (folder / f"a-{file}.warc.gz").write_bytes(packed(*pages))
    return folder


@pytest.fixture(scope="module")
def by_processes(archives, environment):
    out = archives.parent / "by-processes"
    assert status_of(started(environment, archives, out, "--workers", "2"), _SECONDS) == 0
    return contents(out)


def started(environment: dict[str, str], archives: Path, out: Path, *more: str) -> subprocess.Popen:
    given = ["geoparse", "--warc", str(archives), "--out", str(out), "--format", "jsonl", *more]
    with log_of(out).open("wb") as log:
        return subprocess.Popen([BIN / "geoscout", *given], env=environment, stderr=log)


def log_of(out: Path) -> Path:
    """Where a run tells what it does; a pipe that nobody reads would stop it."""
    return out.with_name(f"{out.name}.log")


def contents(out: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in out.glob("*.jsonl.gz")}


def test_cluster_of_this_machine_writes_the_same_files(archives, by_processes, environment):
    out = archives.parent / "local"

    run = started(environment, archives, out, "--ray", "local", "--workers", "2")

    assert status_of(run, _SECONDS) == 0
    assert contents(out) == by_processes
    assert len(by_processes) == FILES


def test_machine_that_is_killed_costs_no_file(archives, by_processes, cluster, environment):
    out = archives.parent / "killed"
    run = started(environment, archives, out, "--ray", cluster)
    wait_until(lambda: contents(out) or run.poll() is not None, _SECONDS)

    manage(environment, "kill", "1")

    assert status_of(run, _SECONDS) == 0
    assert contents(out) == by_processes


def test_wrong_token_is_refused(archives, cluster, environment):
    wrong = {**environment, "RAY_AUTH_TOKEN": "0" * 64}

    out = archives.parent / "wrong"

    run = started(wrong, archives, out, "--ray", cluster)

    assert status_of(run, _SECONDS) == 2
    assert f"cannot reach Ray at {cluster}" in log_of(out).read_text()
    assert not contents(out)
