"""The ten minutes of docs/geofocus.md, run as a newcomer would, and what users can do wrong."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import PROJECT
from tests.unit.lab.archives import PAGES, write_archive

PAGE = (PROJECT / "docs/geofocus.md").read_text()
ROW = re.compile(r"^\| (\S+) \| 2 \| ", re.MULTILINE)


def test_newcomer_gets_a_row(in_folder):
    shutil.copytree(PROJECT / "examples/geofocus", in_folder / "examples/geofocus")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    first, second = re.findall(r"```sh\n(.*?)```", PAGE.split("## A list")[0], re.DOTALL)

    for commands in (first, second):
        done = subprocess.run(
            ["sh", "-e", "-c", commands],
            env={**os.environ, "PATH": path},
            capture_output=True,
            text=True,
            check=True,
        )
        if commands == first:
            assert ROW.findall(done.stdout) == ["hybrid", "breadth"]

    rows = json.loads((in_folder / "2026-11.json").read_text())["rows"]
    assert {row["name"] for row in rows} == {"breadth", "hybrid", "tag_paths"}
    assert {row["tasks"] for row in rows} == {2}
    page = (in_folder / "site/index.html").read_text()
    assert page.index("<h2>2026-11</h2>") < page.index("<td>hybrid<td>2<td>")
    assert len(ROW.findall((in_folder / "site/table.md").read_text())) == 3


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["run", ".", "--out", "lists"], "has no tasks; geoscout geofocus make makes some"),
        (["score", ".", "list"], "has neither a task.json"),
        (["report", "seeds.txt", "--out", "site"], "is not what `geofocus score --json` printed"),
        (["make", "seeds.txt", "--replay", "x.warc"], "archives need both --replay and --seeds"),
    ],
)
def test_what_cannot_be_done_is_said(in_folder, typed, words, said):
    (in_folder / "seeds.txt").touch()

    done = typed("geofocus", *words)

    assert (done.status, said in done.err) == (2, True)


def test_task_with_too_few_relevant_pages_is_refused(in_folder, typed):
    archive = write_archive(in_folder / "pages.warc.gz", PAGES)
    given = ["--replay", archive, "--seeds", "http://a.example/", "--region", "Oldenburg"]

    done = typed("geofocus", "make", "tasks", *given)

    assert done.status == 2
    assert "1 of 4 pages are relevant; a task has 20 at least" in done.err
    assert not any((in_folder / "tasks").iterdir())


def test_task_is_made_once_and_strategies_are_looked_for(in_folder, typed):
    make = ["geofocus", "make", "tasks", "--pages", "2000", "--webs", "1"]
    assert typed(*make).status == 0
    again = typed(*make)
    assert (again.status, "ahlers2009-1 is there already" in again.err) == (2, True)
    for given, said in (("nowhere.py", "there is no file nowhere.py"), ("nothing", "nothing")):
        done = typed("geofocus", "run", "tasks", "--strategies", given, "--out", "lists")
        assert (done.status, said in done.err) == (2, True)
