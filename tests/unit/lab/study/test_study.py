"""Budgets, and the names of finished runs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from geoscout_lab.study.figures import ONE_STEP, ORACLE
from geoscout_lab.study.study import Job, Study, read_budget
from geoscout_lab.worlds.truth import ArchiveUnit, SyntheticUnit
from geoscout_places.errors import UsageError

WEB = SyntheticUnit("ahlers2009", 1000, 1)
STUDY = Study((WEB,), ("breadth", "distance"), "100", repeats=2)


@pytest.mark.parametrize(
    ("text", "visits"), [("300", 300), ("20_000", 20_000), ("10%", 500), ("0.5%", 25)]
)
def test_budget_is_visits_or_a_share(text: str, visits: int) -> None:
    assert read_budget(text, 5000) == visits


@pytest.mark.parametrize("text", ["", "0", "many", "-5", "2.5", "10 pages"])
def test_other_budgets_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match="share such as 10%"):
        read_budget(text, 5000)


def test_oracles_run_once_whatever_the_repeats() -> None:
    names = [job.strategy for job in STUDY.jobs()]

    assert names == ["breadth", "distance"] * 2 + [ORACLE, ONE_STEP]


def test_breadth_is_the_baseline_wherever_it_stands() -> None:
    assert replace(STUDY, strategies=("distance", "breadth")).baseline == "breadth"
    assert replace(STUDY, strategies=("distance", "adaptive")).baseline == "distance"


def test_run_is_another_when_anything_it_depends_on_is() -> None:
    job, folder = Job(WEB, "breadth", 0), Path("results")
    others = [
        STUDY.file(replace(job, repeat=1), folder),
        STUDY.file(replace(job, strategy="distance"), folder),
        STUDY.file(replace(job, unit=replace(WEB, random_seed=2)), folder),
        replace(STUDY, budget="200").file(job, folder),
        replace(STUDY, first_come=True).file(job, folder),
        replace(STUDY, code="changed").file(job, folder),
    ]

    assert len({STUDY.file(job, folder), *others}) == 7


def test_run_is_the_same_when_strategies_are_added() -> None:
    job, folder = Job(WEB, "breadth", 0), Path("results")
    more = replace(STUDY, strategies=("breadth", "distance", "adaptive"), repeats=5)

    assert more.file(job, folder) == STUDY.file(job, folder)


def test_archive_is_called_after_its_files() -> None:
    files = ("munich/munich-00.warc.gz", "munich/munich-01.warc.gz", "philde/philde-00.warc.gz")

    assert ArchiveUnit(files, (), ()).web == "munich+philde"
