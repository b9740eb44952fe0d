"""The committed lists give the committed scores, on tasks that are made again."""

from __future__ import annotations

import json

import pytest

from geoscout_lab.geofocus.score import FIGURES, POINTS, read_task, row_of, score, table
from geoscout_lab.geofocus.task import make_task
from geoscout_lab.worlds.truth import SyntheticUnit
from tests.conftest import PROJECT

FOLDER = PROJECT / "docs/results/geofocus"
ROWS = {row["name"]: row for row in json.loads((FOLDER / "2026-11.json").read_text())["rows"]}
PAGES = 10_000


@pytest.mark.parametrize("profile", ["ahlers2009", "web2025"])
def test_lists_give_their_scores(profile, tmp_path, own_settings):
    name = f"{profile}-2001"
    make_task(SyntheticUnit(profile, PAGES, 2001), tmp_path / name, own_settings)
    task = read_task(tmp_path / name)

    scored = {
        folder.name: score(task, folder / f"{name}.txt.xz")
        for folder in (FOLDER / "lists").iterdir()
    }

    committed = {
        row: next(one for one in told["scores"] if one["task"] == name)
        for row, told in ROWS.items()
    }
    assert scored == committed


def test_rows_are_the_means_of_their_scores():
    for name, row in ROWS.items():
        again = row_of(name, row["scores"])

        assert again["tasks"] == 20
        for point in POINTS:
            for figure in FIGURES:
                assert again["figures"][point][figure] == pytest.approx(
                    row["figures"][point][figure], abs=1e-4
                )


def test_page_shows_the_committed_table():
    narrow = table(list(ROWS.values())).replace("| ", "|").replace(" |", "|")

    assert narrow in (PROJECT / "docs/geofocus.md").read_text()
