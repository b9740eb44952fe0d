"""Budgets, the names of finished runs, and means and comparisons over units."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from geoscout_lab.study.figures import ONE_STEP, ORACLE
from geoscout_lab.study.study import (
    Job,
    Study,
    by_unit,
    read_budget,
    results_of,
    summarise,
    write_results,
)
from geoscout_lab.worlds.truth import ArchiveUnit, SyntheticUnit
from geoscout_places.errors import UsageError

WEB = SyntheticUnit("ahlers2009", 1000, 1)
STUDY = Study((WEB,), ("breadth", "distance"), "100", repeats=2)


@pytest.mark.parametrize(
    ("text", "visits"), [("300", 300), ("20_000", 20_000), ("10%", 500), ("0.5%", 25)]
)
def test_budget_is_visits_or_a_share(text, visits):
    assert read_budget(text, 5000) == visits


@pytest.mark.parametrize("text", ["", "0", "many", "-5", "2.5", "10 pages"])
def test_other_budgets_are_refused(text):
    with pytest.raises(UsageError, match="share such as 10%"):
        read_budget(text, 5000)


def test_oracles_run_once_whatever_the_repeats():
    names = [job.strategy for job in STUDY.jobs()]

    assert names == ["breadth", "distance"] * 2 + [ORACLE, ONE_STEP]


def test_run_is_another_when_anything_it_depends_on_is():
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


def test_run_is_the_same_when_strategies_are_added():
    job, folder = Job(WEB, "breadth", 0), Path("results")
    more = replace(STUDY, strategies=("breadth", "distance", "adaptive"), repeats=5)

    assert more.file(job, folder) == STUDY.file(job, folder)


def test_archive_is_called_after_its_files():
    files = ("munich/munich-00.warc.gz", "munich/munich-01.warc.gz", "philde/philde-00.warc.gz")

    assert ArchiveUnit(files, (), ()).web == "munich+philde"


def run_of(strategy: str, web: str, harvest: float, seed: int = 0) -> dict[str, object]:
    return {"strategy": strategy, "web": web, "region": "Austin", "budget": 100,
            "random_seed": seed, "harvest": harvest}  # fmt: skip


def study_of(*strategies: str) -> Study:
    return Study((SyntheticUnit("ahlers2009", 10, 1),), strategies, "100")


def test_repeats_are_averaged_before_units_are_and_so_are_figures_of_an_experiment():
    runs = [run_of("a", "1", 0.1), run_of("a", "1", 0.3, 1), run_of("a", "2", 0.6)]
    figured = [{**run, "overlap": 2 * float(str(run["harvest"]))} for run in runs]

    assert summarise(runs)[0]["harvest"] == pytest.approx(0.4)
    assert by_unit(runs, "harvest")[("1", "Austin")] == pytest.approx(0.2)
    assert summarise(figured, ["overlap"])[0]["overlap"] == pytest.approx(0.8)
    assert "overlap" not in summarise(figured)[0]


def test_strategies_are_compared_with_the_baseline_in_pairs():
    breadth = [run_of("breadth", str(web), 0.1 * web) for web in (1, 2, 3)]
    twice = [run_of("b", str(web), 0.2 * web) for web in (1, 2, 3)]
    nothing = [run_of("c", str(web), 0.0) for web in (1, 2, 3)]

    study = study_of("breadth", "b", "c", "never run")
    found = results_of(study, [*breadth, *twice, *nothing], {}).comparisons["harvest"]

    assert [(c.strategy, c.wins) for c in found] == [("b", 3), ("c", 0)]
    assert found[0].ratio == pytest.approx(2)
    assert found[1].ratio < 0.05  # half a page of a hundred


def test_file_has_what_the_design_promises_and_no_nan(tmp_path):
    runs = [run_of("breadth", "1", 0.1), run_of("b", "1", 0.2)]
    results = results_of(study_of("breadth", "b"), runs, {})

    document = json.loads(write_results(results, tmp_path).read_text())

    assert set(document) == {"settings", "runs", "summary", "comparisons"}
    assert document["comparisons"]["harvest"][0]["p"] is None
    assert document["settings"]["budget"] == "100"
