"""What only Linux has makes things better and is never needed.

It is hidden in processes of their own, and in all that they start: there `/proc` cannot be read,
the functions that only Linux has are gone, and so is uvloop.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from geoscout.crawl_folder import sync_folder
from geoscout.machine import memory_of, processor_seconds
from tests.conftest import PROJECT
from tests.unit.cluster.small_web import SEED, write_web

HIDE = """
import os, signal, sys
for module, names in (
    (os, "pidfd_open sched_getaffinity sched_setscheduler SCHED_IDLE fdatasync"),
    (signal, "pidfd_send_signal"),
):
    for name in names.split():
        if hasattr(module, name):
            delattr(module, name)
sys.modules["uvloop"] = None
def look_away(path):
    if str(path).startswith("/proc"):
        raise FileNotFoundError(2, "it is hidden", str(path))
def stat(path, *words, look=os.stat, **more):
    look_away(path)
    return look(path, *words, **more)
os.stat = stat
opened = ("open", "os.listdir", "os.scandir")
sys.addaudithook(lambda event, words: look_away(words[0]) if event in opened else None)
"""
ENDLESS = """
import asyncio, os
from contextlib import closing
from geoscout.crawling.processes import OverLimitError, Processes, ReplyLimits
from geoscout.machine import run_on_loop
def prepare():
    def answer(question):
        while question == b"hang":
            pass
        return b"%d" % os.getpid()
    return answer
async def ask():
    with closing(Processes(prepare, 1, ReplyLimits(seconds=0.5, memory=10**9))) as processes:
        pid = int(await processes.ask(b"ask"))
        try:
            await processes.ask(b"hang")
        except OverLimitError as error:
            print(error.what)
        print(pid != int(await processes.ask(b"ask")))
        for _ in range(200):
            try:
                os.kill(pid, 0)
            except ProcessLookupError:
                print("ended")
                break
            await asyncio.sleep(0.05)
    print(type(asyncio.get_running_loop()).__module__.partition(".")[0])
if __name__ == "__main__":
    run_on_loop(ask())
"""


def python(folder: Path, *words: str, hidden: bool = True) -> str:
    """What a process says, with all of this hidden or not."""
    (folder / "sitecustomize.py").write_text(HIDE if hidden else "")
    environment = os.environ | {"PYTHONPATH": f"{folder}:{PROJECT}"}
    done = subprocess.run(
        [sys.executable, *words],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_crawl_is_the_same(tmp_path, settings):
    archive = write_web(tmp_path / "web.warc.gz")

    def pages(name: str, *, hidden: bool) -> list[str]:
        out = str(tmp_path / name)
        home = ["--home", settings.home]
        words = ["crawl", "--region", "Lisbon", "--seeds", SEED, "--replay", str(archive)]
        python(tmp_path, "-m", "geoscout", *words, *home, "--out", out, hidden=hidden)
        rows = python(
            tmp_path, "-m", "geoscout", "export", out, *home, "--format", "jsonl", hidden=hidden
        )
        return sorted(json.loads(row)["url"] for row in rows.splitlines())

    found = pages("there", hidden=False)
    assert len(found) > 3
    assert pages("hidden", hidden=True) == found


def test_a_page_that_hangs_is_given_up_and_its_process_ended(tmp_path):
    (tmp_path / "endless.py").write_text(ENDLESS)

    said = python(tmp_path, str(tmp_path / "endless.py")).split()

    assert said == ["time", "True", "ended", "asyncio"]


def test_nobody_is_taken_for_dead_where_nobody_can_tell(tmp_path):
    code = (
        "from geoscout_cluster.engine.leases import is_dead, this_process;"
        "mine = this_process(); print(mine.count('/'), is_dead(mine), is_dead('x:unknown/1/'))"
    )

    assert python(tmp_path, "-c", code) == "2 False False\n"


def test_processors_and_files_are_counted(tmp_path):
    code = (
        "from geoscout.machine import processor_count, requests_possible;"
        "print(processor_count(), requests_possible(1))"
    )

    assert python(tmp_path, "-c", code) == f"{os.cpu_count()} 1\n"


@pytest.mark.skipif(shutil.which("ps") is None, reason="the program ps is not installed")
def test_memory_is_asked_from_ps_without_proc(tmp_path):
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        there = memory_of(process.pid)
        hidden = memory_of(process.pid, tmp_path / "none")

    assert 0 < there * 0.5 < hidden < there * 4 + 200e6  # what is shared counts in full
    assert memory_of(2**22 + 1, tmp_path / "none") == 0


@pytest.mark.skipif(shutil.which("ps") is None, reason="the program ps is not installed")
def test_processor_time_is_asked_from_ps_without_proc(tmp_path):
    there = processor_seconds(os.getpid())
    hidden = processor_seconds(os.getpid(), tmp_path / "none")

    assert there - 1.5 < hidden < there + 30
    assert processor_seconds(2**22 + 1, tmp_path / "none") == 0.0


def test_a_folder_that_cannot_be_synced_is_no_failure():
    sync_folder(Path("/dev/null"))  # says the same as a folder of a share


def test_windows_is_refused_in_one_line():
    code = "import sys; sys.platform = 'win32'; import geoscout.cli.main"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert done.returncode == 2
    assert done.stderr == "geoscout: it needs Linux or macOS; on Windows run it in WSL\n"
