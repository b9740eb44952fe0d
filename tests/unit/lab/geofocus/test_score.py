"""The scorer: what it counts, and what it says of lists that are bad."""

from __future__ import annotations

import gzip
import lzma
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from geoscout_lab.geofocus import score as scorer
from geoscout_lab.geofocus.score import ScoreError, interval, read_order, read_task, score
from tests.unit.lab.geofocus.tasks import URLS, write_task

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def task(tmp_path):
    return read_task(write_task(tmp_path / "small"))


def scored(task: scorer.Task, file: Path, lines: list[str]) -> dict:
    file.write_text("\n".join(lines))
    return score(task, file)


def test_figures_are_those_of_the_pages_that_were_spent(task, tmp_path):
    found = scored(task, tmp_path / "list", [URLS[1], URLS[0], URLS[5], URLS[2], URLS[3]])

    assert found["points"]["20%"] == {
        "harvest": 3 / 4, "recall": 3 / 4, "domains": 0.6667, "greedy": 7 / 10, "one_step": 7 / 10,
    }  # fmt: skip
    assert found["points"]["5%"]["recall"] == 1 / 4
    assert found["told"] == []  # what is beyond the last point does not count


def test_what_brings_nothing_is_spent_and_told(task, tmp_path):
    found = scored(task, tmp_path / "list", [URLS[1], URLS[1], "http://else.example/"])

    assert found["points"]["20%"]["harvest"] == 1 / 4
    assert found["points"]["20%"]["greedy"] == 4 / 10  # it keeps what it has
    assert found["told"] == [
        "1 URLs are not of this task, and count as spent",
        "1 URLs come again, and count as spent",
        "1 too few for 20% of the pages; it keeps what it has",
    ]


@pytest.mark.parametrize(("training", "counted", "found"), [(2, 2, 3 / 10), (999_999_999, 4, 0)])
def test_training_is_counted(task, tmp_path, training, counted, found):
    told = scored(task, tmp_path / "list", [f"# training {training}", URLS[1], URLS[2]])

    assert told["points"]["10%"]["recall"] == 0
    assert told["points"]["20%"]["greedy"] == found
    assert f"{counted} pages of training counted" in told["told"]


@pytest.mark.parametrize(
    "spelling",
    ["https://site1.example/1", "http://site1.example:8080/1", "http://SITE1.example/1#top", "1"],
)
def test_page_is_known_by_other_spellings(task, spelling):
    assert task.number(spelling) == 1


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress])
def test_list_may_be_packed(task, tmp_path, pack):
    file = tmp_path / ("list.gz" if pack is gzip.compress else "list.xz")
    file.write_bytes(pack(b"1\n2\n\n# a note\n3\n5\n"))

    assert read_order(file, task) == ([1, 2, 3, 5], 0)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "none of the first 0 lines is a page of small, which has such as http://site0"),
        (b"http://else.example/\n", "none of the first 1 lines is a page of small"),
        (b"1\n\xff\xfeh\x00t\x00t\x00p", "line 2: not UTF-8; save the list as UTF-8"),
        (b"h" * 10_000, "line 1: too long; a list has a URL a line"),
    ],
)
def test_what_is_no_list_is_refused(task, tmp_path, data, said):
    (tmp_path / "list").write_bytes(data)

    with pytest.raises(ScoreError, match=said):
        read_order(tmp_path / "list", task)


def test_damaged_and_missing_lists_are_refused(task, tmp_path):
    (tmp_path / "list.gz").write_bytes(b"1\n2\n")

    for name in ("list.gz", "nowhere"):
        with pytest.raises(ScoreError, match="cannot read the list"):
            read_order(tmp_path / name, task)


def test_of_gigabytes_only_the_beginning_is_read(task, tmp_path):
    with (tmp_path / "huge").open("wb") as file:
        file.write(b"1\n2\n3\n5\n7\n")
        file.truncate(10 << 30)  # a hole that takes no room

    assert read_order(tmp_path / "huge", task) == ([1, 2, 3, 5], 0)


def test_list_of_empty_lines_comes_to_an_end(task, tmp_path):
    (tmp_path / "list.gz").write_bytes(gzip.compress(b"\n" * 3_000_000))

    with pytest.raises(ScoreError, match="too long; a list has a URL a line"):
        read_order(tmp_path / "list.gz", task)


def test_task_without_its_oracles_or_with_another_truth_is_refused(tmp_path):
    folder = write_task(tmp_path / "small")
    about = (folder / "task.json").read_text()
    (folder / "task.json").write_text(about.replace('"oracles"', '"other"'))
    with pytest.raises(ScoreError, match="is no task: 'oracles'"):
        read_task(folder)
    (folder / "task.json").write_text(about)
    (folder / "truth.tsv.gz").write_bytes(gzip.compress(b"http://a.example/\t1\ta.example\n"))
    with pytest.raises(ScoreError, match="is not what task"):
        read_task(folder)


def test_interval_draws_webs_with_all_their_tasks():
    assert interval([[0.5, 0.7]]) == (0.6, 0.6)
    low, high = interval([[0.2], [0.4], [0.6], [0.8]])
    assert 0.2 < low < 0.5 < high < 0.8


def test_it_runs_alone_without_any_package(tmp_path):
    tasks = tmp_path / "tasks"
    for name in ("one", "two"):
        write_task(tasks / name, name, web=name)
        (tmp_path / "mine").mkdir(exist_ok=True)
        (tmp_path / f"mine/{name}.txt").write_text("1\n2\n3\n5\n")
    alone = tmp_path / "score.py"
    shutil.copyfile(scorer.__file__, alone)

    command = [sys.executable, "-I", "-S", str(alone), str(tasks), str(tmp_path / "mine")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)

    assert "| mine | 2 | 1.00/1.00/1.00 |" in done.stdout
    assert done.stdout.rstrip().endswith("| 1.00 to 1.00 | 1.00 |")


def test_row_needs_a_list_of_each_task(tmp_path, capsys):
    write_task(tmp_path / "tasks/small")
    (tmp_path / "mine").mkdir()

    statuses = [
        scorer.main([str(tmp_path / name), str(tmp_path / "mine")]) for name in ("tasks", "mine")
    ]

    said = capsys.readouterr().err
    assert statuses == [2, 2]
    assert "mine has no list small.txt; a row has one of each" in said
    assert "has neither a task.json nor folders with one" in said
