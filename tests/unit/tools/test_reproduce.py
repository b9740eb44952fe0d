"""Runs are compared figure by figure, and the pages have the tables of the committed runs."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from tools.experiment_tables import PAGES, renewed
from tools.reproduce import PARTS, RAW, Part, differences_of, pack, plain, repeat, unpack

from geoscout.settings import Settings
from geoscout_lab.study.study import Study
from geoscout_lab.worlds.truth import SyntheticUnit

RUN: dict[str, Any] = {"web": "w-1", "region": "", "strategy": "url", "random_seed": 0}
SETTINGS = replace(Settings(), workers=1)
MOST_BYTES = 1_000_000  # of all runs together


@pytest.mark.parametrize("page", sorted(PAGES.glob("*.md")), ids=lambda page: page.stem)
def test_tables_of_a_page_are_those_of_the_committed_runs(page):
    text = page.read_text(encoding="utf-8")

    assert renewed(text) == text


def test_every_component_of_the_papers_has_its_row():
    text = (PAGES / "fidelity.md").read_text(encoding="utf-8")
    tables = [part for part in text.split("\n## ")[1:] if "component" in part]
    rows = [re.findall(r"^\| (\d+)(?:–(\d+))? \|", table, re.MULTILINE) for table in tables]
    numbers = [[n for a, b in pairs for n in range(int(a), int(b or a) + 1)] for pairs in rows]

    assert numbers == [list(range(1, count + 1)) for count in (69, 40, 40)]


@pytest.mark.parametrize("paper", ["ahlers2009", "gao2006", "kozanidis2009"])
def test_page_of_a_paper_is_short(paper):
    assert len((PAGES / f"{paper}.md").read_text(encoding="utf-8").split()) <= 2000


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.name)
def test_committed_runs_are_those_of_the_plan(part):
    file = RAW / f"{part.name}.json.xz"
    if not file.exists():
        assert not part.short  # the short size has something to compare with
        return
    committed = unpack(file)
    found = {(run["web"], run["strategy"]) for run in committed["runs"] if not run.get("oracle")}

    assert _runs(part, part.short) <= found <= _runs(part, part.webs)
    assert len(committed["made"]["commit"]) == 40


def _runs(part: Part, webs: int) -> set[tuple[str, str]]:
    study = part.study(webs)
    return {(unit.web, name) for unit in study.units for name in study.strategies}


def test_committed_runs_are_small():
    assert sum(file.stat().st_size for file in RAW.iterdir()) < MOST_BYTES


def test_equal_runs_do_not_differ():
    run = {**RUN, "overlap": 0.1 + 0.2, "curve": {"found": [1, 2]}, "finished_at": 5}

    assert list(differences_of([plain(run)], [plain({**run, "overlap": 0.3})])) == []


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"overlap": 0.31}, "overlap was 0.3, is 0.31"),
        ({"curve": {"found": [1, 3]}}, "curve was"),
        ({"new": 1}, "new was None, is 1"),
    ],
)
def test_difference_is_named(changed, told):
    committed = {**RUN, "overlap": 0.3, "curve": {"found": [1, 2]}}

    (line,) = differences_of([{**committed, **changed}], [committed])

    assert told in line


def test_figures_of_the_machine_and_what_is_no_number_are_left_out():
    assert plain({"cpu_seconds": 1.0, "area": 1 / 3, "ratio": float("nan")}) == {
        "area": 0.333333333333,
        "ratio": None,
    }


@pytest.mark.slow
def test_study_that_is_repeated_is_equal_and_a_changed_figure_is_told(tmp_path, capsys):
    study = Study((SyntheticUnit("ahlers2009", 2000, 1),), ("breadth", "distance"), "60")
    file = tmp_path / "part.json.xz"

    none = repeat(study, tmp_path / "first", SETTINGS, tmp_path / "none", accept=False)
    counted = capsys.readouterr().out
    first = repeat(study, tmp_path / "first", SETTINGS, file, accept=True)
    again = repeat(study, tmp_path / "again", SETTINGS, file, accept=False)
    spent = float((tmp_path / "again/processor_seconds").read_text(encoding="utf-8"))
    committed = unpack(file)
    committed["runs"][0]["harvest"] = 2.0
    pack(file, committed)
    changed = repeat(study, tmp_path / "again", SETTINGS, file, accept=False)

    assert none == first == again == []
    assert "4 of the runs are not committed" in counted
    assert float((tmp_path / "again/processor_seconds").read_text(encoding="utf-8")) > spent > 0
    assert len(changed) == 1
    assert "harvest was 2.0" in changed[0]
    assert json.dumps(committed["made"]["versions"])


@pytest.mark.slow
def test_webs_that_are_skipped_stay_as_they_were_committed(tmp_path):
    units = [SyntheticUnit("ahlers2009", 2000, seed) for seed in (1, 2)]
    first, second = (Study((unit,), ("breadth", "distance"), "60") for unit in units)
    file = tmp_path / "part.json.xz"

    repeat(first, tmp_path / "one", SETTINGS, file, accept=True)
    repeat(second, tmp_path / "two", SETTINGS, file, accept=True, skipped=True)
    content = unpack(file)

    assert {run["web"] for run in content["runs"]} == {"ahlers2009-1", "ahlers2009-2"}
    assert content["made"]["earlier"]["webs"] == ["ahlers2009-1"]


def test_empty_tables_of_a_page_are_each_filled():
    page = "<!-- made gao2006 -->\n<!-- end -->\n\ntext\n\n<!-- made gao2006 -->\n<!-- end -->\n"

    assert renewed(page).count("`gao2006`: ") == 2
    assert "\n\ntext\n\n" in renewed(page)
    assert renewed(renewed(page)) == renewed(page)
