"""Bridges, tails and seed distances of crawls made by hand."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from geoscout_lab.measures.analysis import (
    SEED,
    analyse,
    bridge_distances,
    draw,
    histogram_rows,
    sparkline,
    tails,
)


@dataclass(frozen=True)
class FakeVisit:
    url: str
    parent: str
    depth: int
    relevant: bool


def path(letters: str) -> list[FakeVisit]:
    """A crawl along one path; R is a relevant page."""
    return [
        FakeVisit(str(n), str(n - 1) if n else "", n, letter == "R")
        for n, letter in enumerate(letters)
    ]


def test_bridges_and_tail_are_those_of_the_definitions():
    analysis = analyse(path("RnnRRn"))

    assert analysis.bridges == (1, 0, 1)  # distances 2 and 0
    assert analysis.tails == (0, 1)
    assert analysis.behind_bridges == 0.5
    assert analysis.seed_distances == (1, 0, 0, 1, 1)


def test_curve_is_the_harvest_after_each_visit():
    assert analyse(path("RnRn")).curve == ((1, 1.0), (2, 0.5), (3, pytest.approx(2 / 3)), (4, 0.5))


def test_long_curves_are_thinned_to_their_end():
    curve = analyse(path("n" * 999 + "R")).curve

    assert len(curve) == 60
    assert curve[-1] == (1000, 0.001)


def test_visit_whose_parent_is_unknown_is_a_seed():
    visits = [FakeVisit("a", "", 0, relevant=True), FakeVisit("b", "lost", 1, relevant=True)]

    assert analyse(visits).bridges == ()


def test_crawl_without_visits_has_nothing_to_show():
    analysis = analyse([])

    assert (analysis.visits, analysis.curve, analysis.tails) == (0, (), ())
    assert sparkline(analysis.curve) == ""
    assert histogram_rows(analysis.tails) == []


def test_far_ends_of_histograms_are_put_together():
    rows = histogram_rows(analyse(path("R" + "n" * 15)).tails)

    assert rows[-1][:2] == ("10+", "1")


def test_picture_is_drawn(tmp_path):
    draw(analyse(path("RnnRRn")), tmp_path / "a.png")

    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("parents", "relevant", "bridges", "after"),
    [
        ([SEED, 0, 1, 2, 3, 4], "RnnRRn", [2, 0], [1]),  # the published path
        ([SEED, 0], "nR", [], [0]),
        ([SEED, 0, 1], "nnn", [], []),
        ([SEED, 0], "RR", [0], [0]),
        ([SEED, 0, 0, 1, 2, 4], "RnnRnR", [1, 2], [0, 0]),  # branches are measured apart
    ],
)
def test_bridges_and_tails_of_trees(parents, relevant, bridges, after):
    flags = [letter == "R" for letter in relevant]

    assert bridge_distances(parents, flags) == bridges
    assert sorted(tails(parents, flags)) == after
