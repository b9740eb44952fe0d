import random
import shutil
from pathlib import Path

import pytest

from tests.faults.disk_model import Disk, Entry, Keeps
from tests.faults.power_cut import LEFT, LIES, cut_power

needs_compiler = pytest.mark.skipif(not shutil.which("cc"), reason="there is no C compiler")


@needs_compiler
@pytest.mark.slow
def test_a_power_cut_costs_no_committed_page():
    tried = cut_power(points=15, seed=4)

    assert tried.total() == 18
    assert set(LIES) < set(tried)


@needs_compiler
@pytest.mark.long
def test_power_cuts_at_hundreds_of_moments_cost_no_committed_page():
    tried = cut_power(points=250, seed=5)

    assert tried.total() == 300
    assert set(LIES) | set(LEFT) < set(tried)


def written(name: str, data: bytes, offset: int = 0) -> Entry:
    return Entry("w", name, "", offset, data)


def left(disk: Disk, folder: Path, keeps: Keeps | None = None) -> dict[str, bytes]:
    disk.rebuild(folder / "left", keeps or Keeps(), random.Random(1))
    return {path.name: path.read_bytes() for path in (folder / "left").rglob("*")}


def test_what_was_not_synced_is_not_on_the_disk(tmp_path):
    disk = Disk()
    for entry in (
        Entry("c", "a", "", 0, b""),
        written("a", b"sure"),
        Entry("s", "a", "", 0, b""),
        Entry("s", "", "", 0, b""),
        written("a", b"not", 4),
        Entry("c", "b", "", 0, b""),
        written("b", b"no name"),
        Entry("s", "b", "", 0, b""),
    ):
        disk.apply(entry)

    assert left(disk, tmp_path) == {"a": b"sure"}
    assert left(disk, tmp_path / "all", Keeps(1.0, 1.0, 1.0)) == disk.files()
    assert disk.files() == {"a": b"surenot", "b": b"no name"}


def test_a_new_name_is_on_the_disk_after_a_sync_of_its_folder(tmp_path):
    disk = Disk()
    for entry in (
        Entry("c", "a", "", 0, b""),
        written("a", b"bytes"),
        Entry("s", "a", "", 0, b""),
        Entry("s", "", "", 0, b""),
        Entry("r", "a", "b", 0, b""),
    ):
        disk.apply(entry)

    assert left(disk, tmp_path / "before") == {"a": b"bytes"}
    disk.apply(Entry("s", "", "", 0, b""))
    assert left(disk, tmp_path / "after") == {"b": b"bytes"}
