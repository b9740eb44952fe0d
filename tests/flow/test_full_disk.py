"""PostgreSQL on a disk that is really full: one line, nothing lost, and it goes on afterwards.

The disk is a small file system in memory, which only root can mount.
"""

import os
import subprocess
import tempfile
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest

from geoscout.cli.main import main
from geoscout.state.base import open_state
from geoscout_cluster.postgres.server import LocalServer
from tests.flow.test_postgres import PAGES, SEED, archive, url
from tests.postgres import DATABASE, QUICK, free_port

__all__ = ["archive"]  # a fixture
pytestmark = [pytest.mark.slow, pytest.mark.long]
_SIZE = "110m"  # a new server has some 60 MB, most of it log


@pytest.fixture
def disk():
    """A folder on a file system of its own."""
    folder = Path(tempfile.mkdtemp(prefix="geoscout-full-"))
    folder.chmod(0o755)
    mount = ["mount", "-t", "tmpfs", "-o", f"size={_SIZE},mode=0755", "tmpfs", str(folder)]
    if os.geteuid() or subprocess.run(mount, capture_output=True, check=False).returncode:
        folder.rmdir()
        pytest.skip("nothing can be mounted here")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)
    folder.rmdir()


@pytest.fixture
def server(disk):
    options = {**QUICK, "max_wal_size": "32MB", "min_wal_size": "32MB"}
    with LocalServer(disk / "server", port=free_port(), options=options) as running:
        yield running


def fill(disk: Path) -> Path:
    """Use all the room there is; returns the file that does."""
    ballast = disk / "ballast"
    with suppress(OSError), ballast.open("wb", buffering=0) as file:
        while file.write(b"x" * 4096):
            pass
    return ballast


def test_a_crawl_ends_with_one_line_and_goes_on_when_there_is_room(
    archive, tmp_path, disk, server, capsys
):
    where = server.address(DATABASE, "crawl")
    words = ["--region", "Oldenburg", "--seeds", SEED, "--replay", str(archive)]
    place = ["--on", where, "--archive", str(tmp_path / "segments"), "--strategy", "breadth"]
    main(["crawl", *words, *place, "--max-pages", "40"])
    capsys.readouterr()
    ballast = fill(disk)
    impatient = ["--set", "disk_megabytes=0"]  # else it waits for room
    full = main(["resume", where, "--max-pages", "1000", *impatient])
    said = capsys.readouterr().err
    ballast.unlink()
    again = main(["resume", where, "--max-pages", "1000"])
    with open_state(where) as crawl:
        visits = Counter(visit.url for visit in crawl.reader.visits())
        numbers = [visit.n for visit in crawl.reader.visits()]
        bodies = sum(bool(response.body) for _, response in crawl.reader.responses(numbers))

    lines = [line for line in said.splitlines() if "no room left" in line]
    assert (full, again) == (2, 0)
    assert len(lines) == 1
    assert "No space left on device" in lines[0]
    assert visits == dict.fromkeys((url(number) for number in range(PAGES)), 1)
    assert bodies == PAGES
