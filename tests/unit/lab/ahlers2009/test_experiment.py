"""The verdicts on what Ahlers and Boll published, on runs made up by hand."""

from typing import Any

import pytest

from geoscout_lab.ahlers2009.experiment import NO, PARTLY, YES, published_table, rises_again
from geoscout_lab.experiments import Cell, load_experiment, published

PAPER = published("ahlers2009")
PRINTED = "adaptive:depth={}:training_pages=30000:counted=no:smoothing=laplace"
OURS = "adaptive:depth={}:training_pages=30000:counted=no"
BUDGET = 1000


def run(strategy: str, harvest: float, web: int = 1, **more: Any) -> dict[str, Any]:
    unit = {"strategy": strategy, "web": f"web-{web}", "region": "Berlin", "budget": BUDGET}
    return {**unit, "harvest": harvest, "random_seed": 0, **more}


def as_published(web: int) -> list[dict[str, Any]]:
    """The paper's own numbers as if they were runs of ours; no two webs differ alike."""
    other = 1 + web / 1000
    adaptive = {
        "behind_bridges": 0.6,
        "tails": [3, 4, 2, 0, 0, 0, 0, 0, 0, 0, 0],
        "harvest_at": {"5%": 0.3, "100%": 0.12},
        "curve": {"visits": [0, 50, 200, 1000], "found": [0, 40, 60, 400]},
        "seed_distances": [0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0],
    }
    return [
        run("breadth", 0.04, web),
        run("distance", 0.055, web),
        run("distance:cutoff=2", 0.05, web, visits=300),
        run(PRINTED.format(1), 0.09 * other, web),
        run(PRINTED.format(2), 0.10 * other, web),
        run(PRINTED.format(3), 0.12, web, **adaptive),
        run(PRINTED.format(3).replace("30000", "60000"), 0.12, web),
    ]


def rows_of(runs: list[dict[str, Any]]) -> dict[Cell, tuple[Cell, ...]]:
    return {row[0]: row[1:] for row in published_table(runs, PAPER).rows}


def test_the_papers_own_numbers_are_reproduced():
    rows = rows_of([one for web in range(6) for one in as_published(web)])

    verdicts = {what: row[-1] for what, row in rows.items()}
    assert verdicts.pop("links from the seed, in the mean") == "no number to compare with"
    assert set(verdicts.values()) == {YES}
    assert len(verdicts) == 14


def test_depths_that_differ_by_chance_are_not_significantly_better():
    runs = [one for web in range(6) for one in as_published(web)]
    equal = [{**one, "harvest": 0.12} if "depth" in one["strategy"] else one for one in runs]

    assert rows_of(equal)["harvest at depths 1, 2, 3"][-1] == NO
    as_two = [{**one, "harvest": 0.12} if "depth=2" in one["strategy"] else one for one in runs]
    assert rows_of(as_two)["harvest at depths 1, 2, 3"][-1] == PARTLY
    worse = [{**one, "harvest": 0.2} if "depth=1" in one["strategy"] else one for one in runs]
    assert rows_of(worse)["harvest at depths 1, 2, 3"][-1] == NO


def test_of_few_webs_nothing_is_said_that_needs_a_test():
    rows = rows_of([*as_published(1), *as_published(2)])

    assert rows["harvest at depths 1, 2, 3"][-1] == "too few webs"
    assert rows["harvest by training pages"][-1] == "too few webs"


def test_more_training_that_helps_contradicts_the_paper():
    runs = [one for web in range(6) for one in as_published(web)]
    for number, one in enumerate(runs):
        if "60000" in one["strategy"]:
            one["harvest"] = 0.15 + number / 1000

    row = rows_of(runs)["harvest by training pages"]

    assert row[-1] == NO
    assert str(row[1]).startswith("60,000 over 30,000: × 1.")


def test_our_default_is_shown_beside_the_printed_method_and_does_not_decide():
    runs = [*as_published(1), run(OURS.format(3), 0.5)]

    row = rows_of(runs)["harvest of adaptive"]

    assert row == (0.12, 0.12, 0.5, YES)


def test_order_says_on_how_many_webs_it_holds():
    runs = [*as_published(1), *as_published(2)]
    runs[0]["harvest"] = 0.06  # breadth on the first web

    assert rows_of(runs)["webs with breadth < distance < adaptive"][1:] == ("1 of 2", None, PARTLY)


@pytest.mark.parametrize(
    ("found", "rises"), [([0, 40, 44, 140], True), ([0, 40, 60, 120], False), ([0, 0, 0, 0], False)]
)
def test_crawl_rises_again_if_it_climbs_above_an_earlier_low(found, rises):
    curve = {"visits": [0, 100, 400, 1000], "found": found}

    assert rises_again({"budget": BUDGET, "curve": curve}) == rises


def test_the_experiment_runs_both_readings_with_five_random_seeds():
    experiment = load_experiment("ahlers2009")

    assert experiment.repeats == 5
    for depth in (1, 2, 3):
        assert PRINTED.format(depth) in experiment.strategies
        assert OURS.format(depth) in experiment.strategies
