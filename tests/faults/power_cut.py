"""Power failures at hundreds of moments of a crawl, each with several things that may be left.

    python -m tests.faults.power_cut [--points 200] [--seed 1]

A crawl that dies once and is resumed runs with `disk_log.c` in front of the C library, which writes
down every write, sync and change of a name. For each moment the folder is rebuilt as a disk may
have it then (`disk_model.py`). The crawl is then resumed, and must find every page it had
committed, fetch the others once, and end with exactly the pages of a crawl without faults.

A disk that lies about syncs, or is damaged, can lose what was committed. That is tried, too, and so
are power failures while the crawl mends the damage: then the lost pages must be fetched again.
"""

import argparse
import logging
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from geoscout.store.sqlite.database import open_database
from geoscout.warc import scan
from tests.archives import archive_bytes
from tests.conftest import PROJECT
from tests.faults.disk_model import Disk, Entry, Keeps, read_log
from tests.faults.made_up_crawl import DAMAGED, DIED, crawl_made_up_web, page_of
from tests.stores import open_folder

SHIM = Path(__file__).with_name("disk_log.c")
# What may be left of what was not synced. The third and fourth are the hardest for us: all rows and
# none of the bytes that they name, and the other way round.
LEFT = {
    "nothing": Keeps(),
    "everything": Keeps(1.0, 1.0, 1.0),
    "rows without bytes": Keeps(names=1.0, rows=1.0),
    "bytes without rows": Keeps(names=1.0, archive=1.0),
    "any half": Keeps(0.5, 0.5, 0.5),
    "first half": Keeps(0.5, 0.5, 0.5, in_order=True),
}
LIES = ("zeros at the end", "a short file", "a damaged sector")

NONE_SAFE = -1  # after damage


class NoCompilerError(Exception):
    """There is no C compiler here."""


@dataclass(frozen=True)
class Recording:
    """What a crawl did to the disk, and what it found."""

    entries: list[Entry]
    pages: dict[int, str]  # the URL of each visit


@dataclass(frozen=True)
class Cut:
    """One power failure."""

    at: int  # entries that were done
    left: str  # of what was not synced
    lie: str = ""  # what the disk lost besides


def record(folder: Path) -> Recording:
    """Run the crawl with everything written down.

    Raises:
        NoCompilerError: that is not possible here.
    """
    below, log, shim = folder / "disk", folder / "log", folder / "disk_log.so"
    below.mkdir()
    _compile(shim)
    kept = {"DISK_LOG": str(log), "DISK_LOG_BELOW": str(below), "LD_PRELOAD": str(shim)}
    command = [sys.executable, "-m", "tests.faults.made_up_crawl", below / "crawl", below / "marks"]
    pages: dict[int, str] = {}
    for how, status in (["50"], DIED), ([], 0), (["damage"], 0):
        done = subprocess.run(
            [*map(str, command), *how],
            cwd=PROJECT,
            env={**os.environ, **kept},
            capture_output=True,
            check=False,
        )
        assert done.returncode == status, done
        if not pages and not how:
            pages = _pages(below / "crawl", folder / "copy")
    entries = read_log(log, below)
    _check_recording(entries, below)
    return Recording(entries, pages)


def _pages(crawl: Path, copy: Path) -> dict[int, str]:
    """The visits of a crawl; of a copy, because SQLite may write when it reads."""
    shutil.copytree(crawl, copy)
    with open_folder(copy) as reader:
        return {visit.n: visit.url for visit in reader.visits()}


def _compile(shim: Path) -> None:
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        raise NoCompilerError
    command = [compiler, "-O1", "-shared", "-fPIC", "-o", shim, SHIM, "-ldl", "-lpthread"]
    subprocess.run(command, check=True)


def _check_recording(entries: list[Entry], below: Path) -> None:
    """Nothing was missed: what was written down makes the same files."""
    disk = Disk()
    for entry in entries:
        disk.apply(entry)
    files = [path for path in below.rglob("*") if path.is_file()]
    assert disk.files() == {str(path.relative_to(below)): path.read_bytes() for path in files}


def choose_cuts(recording: Recording, points: int, chance: random.Random) -> list[Cut]:
    """Moments all over the crawl: next to each sync first, then any."""
    entries = recording.entries
    begins = next(n for n, entry in enumerate(entries) if entry.name == "marks" and entry.data)
    syncs = [n + m for n, entry in enumerate(entries) if entry.kind == "s" for m in (0, 1)]
    moments = sorted({n for n in syncs if n > begins})
    others = [n for n in range(begins + 1, len(entries) + 1) if n not in set(moments)]
    chance.shuffle(others)
    moments += others[: max(points - len(moments), 0)]
    if points < len(moments):
        moments = chance.sample(moments, points)
    lefts = list(LEFT)
    cuts = [Cut(moment, lefts[n % len(lefts)]) for n, moment in enumerate(moments)]
    lies = [Cut(cut.at, "everything", LIES[n % len(LIES)]) for n, cut in enumerate(cuts[::5])]
    return sorted([*cuts, *lies], key=lambda cut: cut.at)


def try_cuts(recording: Recording, cuts: list[Cut], chance: random.Random) -> Counter[str]:
    """Cut the power at each of some moments; how often which was tried."""
    tried: Counter[str] = Counter()
    disk, done, safe = Disk(), 0, 0
    for cut in cuts:
        for entry in recording.entries[done : cut.at]:
            disk.apply(entry)
            if entry.name == "marks" and entry.kind == "w":
                safe = NONE_SAFE if NONE_SAFE in (safe, _safe(entry.data)) else _safe(entry.data)
        done = cut.at
        _try(recording, disk, cut, safe, chance)
        tried[cut.lie or f"{cut.left}{', while mending' * (safe == NONE_SAFE)}"] += 1
    return tried


def _safe(mark: bytes) -> int:
    return NONE_SAFE if mark == DAMAGED else int(mark)


def _try(recording: Recording, disk: Disk, cut: Cut, safe: int, chance: random.Random) -> None:
    in_memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    folder = Path(tempfile.mkdtemp(dir=in_memory))
    try:
        disk.rebuild(folder / "disk", LEFT[cut.left], chance)
        crawl = folder / "disk" / "crawl"
        if cut.lie:
            _lie(crawl, cut.lie, chance)
        elif safe != NONE_SAFE:
            _check_safe(crawl, recording, safe)
        lost = crawl_made_up_web(crawl)
        may_lose = cut.lie or safe == NONE_SAFE
        assert may_lose or not lost, f"{lost} committed responses are lost"
        _check_end(crawl, recording)
    except Exception as error:
        kept = Path(tempfile.mkdtemp(prefix="geoscout-power-cut-"))
        shutil.move(folder, kept)
        raise AssertionError(f"{cut}, folder kept in {kept}: {error}") from error
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _check_safe(crawl: Path, recording: Recording, safe: int) -> None:
    """What was committed is there, before anything is mended."""
    with open_folder(crawl) as reader:
        visits = list(reader.visits())
        assert len(visits) >= safe, f"{len(visits)} of {safe} committed visits"
        for visit in sorted(visits, key=lambda visit: visit.n)[:safe]:
            assert visit.url == recording.pages[visit.n]
            assert reader.response(visit.n).body == _body(visit.url)


def _lie(crawl: Path, lie: str, chance: random.Random) -> None:
    """Take bytes that were synced."""
    files = sorted((crawl / "archive").glob("*.warc.gz"))
    if not files:
        return
    path = files[-1]
    size = path.stat().st_size
    start = chance.randrange(size)
    with path.open("r+b") as file:
        if lie == "a short file":
            file.truncate(start)
            return
        file.seek(start)
        file.write(bytes(size - start if lie == "zeros at the end" else min(512, size - start)))


def _check_end(crawl: Path, recording: Recording) -> None:
    """Every page once, and each can be read; the archive has nothing else."""
    with closing(open_database(crawl)) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    with open_folder(crawl) as reader:
        visits = list(reader.visits())
        urls = Counter(visit.url for visit in visits)
        assert urls == Counter(recording.pages.values()), "other pages than without a power cut"
        for visit in visits:
            assert reader.response(visit.n).body == _body(visit.url)
        files = sorted((crawl / "archive").glob("*.warc.gz"))
        sizes = len(archive_bytes(reader))
    assert sizes == sum(path.stat().st_size for path in files)
    for path in files:
        _check_archive(path)


def _check_archive(path: Path) -> None:
    damage: list[tuple[int, str]] = []
    end = 0
    for found in scan(path, lambda offset, problem: damage.append((offset, problem))):
        assert found.offset == end
        end = found.offset + found.length
    assert not damage, f"{path.name}: {damage}"
    assert end == path.stat().st_size


def _body(url: str) -> bytes:
    return page_of(int(url.rpartition("/")[2]))


def cut_power(points: int, seed: int) -> Counter[str]:
    """Record a crawl and cut the power at so many moments; how often which was tried.

    Raises:
        AssertionError: a promise is broken.
        NoCompilerError: that is not possible here.
    """
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        recording = record(Path(folder).resolve())
    return try_cuts(recording, choose_cuts(recording, points, chance), chance)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--points", type=int, default=250)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    logging.disable(logging.WARNING)
    print(f"seed {options.seed}", flush=True)
    started = time.monotonic()
    tried = cut_power(options.points, options.seed)
    for what, times in tried.items():
        print(f"{times:5} {what}")
    print(f"{tried.total()} power cuts, nothing lost, {time.monotonic() - started:.0f} s")


if __name__ == "__main__":
    main()
