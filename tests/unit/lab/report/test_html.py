"""The report is one page that needs nothing else and says how to run it again."""

import re
from dataclasses import replace
from html.parser import HTMLParser
from importlib.resources import files

import pytest

from geoscout.strategy import StrategyAim, create_strategy
from geoscout_lab.experiments import Experiment, load_experiment
from geoscout_lab.measures.analysis import graph_of
from geoscout_lab.report.drawing import PALETTE, charts_of, crawls_of
from geoscout_lab.report.html import draw_figures, render
from geoscout_lab.simulation.simulate import SimulationPlan, simulate
from geoscout_lab.study.figures import measure, measure_oracles, with_ratios
from geoscout_lab.study.study import Results, Study, results_of
from geoscout_lab.worlds.truth import SyntheticUnit, facts_of
from geoscout_places.model import Point
from tests.unit.lab.small_worlds import hub

BUDGET = 30
STUDY = Study((SyntheticUnit("ahlers2009", 10, 1),), ("breadth", "distance"), str(BUDGET))


def made_results() -> Results:
    world = hub()
    facts = facts_of(world)
    traces = {
        n: simulate(world, create_strategy(n, StrategyAim()), SimulationPlan(BUDGET))
        for n in STUDY.strategies
    }
    runs = [{"strategy": n, **measure(facts, trace, BUDGET)} for n, trace in traces.items()]
    unit = {"web": "<hub>", "region": "Austin & more", "budget": BUDGET, "random_seed": 0,
            "reachable": facts.reachable, "reachable_relevant": 10}  # fmt: skip
    runs = with_ratios([*runs, *measure_oracles(facts, BUDGET, 0)], "breadth")
    return results_of(STUDY, [{**unit, **run} for run in runs], {})


def page_of(results: Results, experiment: Experiment | None, command: list[str]) -> str:
    return render(results, experiment, command, draw_figures(results, experiment))


class Balance(HTMLParser):
    """Counts what is opened and closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.add(tag)
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: object) -> None:
        self.tags.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_page_is_whole_and_well_formed_and_needs_nothing_but_itself():
    page, parser = page_of(made_results(), None, ["geoscout", "compare"]), Balance()

    parser.feed(page)

    assert parser.open == []
    assert {"svg", "table", "h1"} <= parser.tags
    assert "script" not in parser.tags
    assert not re.search(r'(?:src|href)="(?!#)|url\((?!#)|@import', page)


def test_geospatial_graph_of_any_comparison_is_shown():
    results = made_results()
    graph = graph_of({0: [1], 1: []}, {0: Point(0, 0), 1: Point(1, 0)}, {1}, [])
    runs = [
        {**run, "graph": graph} if run["strategy"] == "breadth" else run for run in results.runs
    ]

    assert "pages one link apart" in page_of(replace(results, runs=runs), None, [])
    assert "pages one link apart" not in page_of(results, None, [])


def test_names_from_outside_are_escaped_and_the_command_can_be_pasted():
    page = page_of(made_results(), None, ["geoscout", "compare", "--region", "Austin, TX", "<b>"])

    assert "<hub>" not in page
    assert "&lt;hub&gt;" in page
    assert "Austin &amp; more" in page
    assert "geoscout compare --region &#x27;Austin, TX&#x27; &#x27;&lt;b&gt;&#x27;" in page


def test_published_numbers_stand_beside_ours():
    page = page_of(made_results(), load_experiment("ahlers2009"), ["geoscout"])

    assert "Dirk Ahlers and Susanne Boll" in page
    assert "<td>0.0550</td>" in page or "<td>0.055</td>" in page


def test_there_are_three_charts_with_every_strategy_in_one_colour():
    charts = charts_of(made_results().runs, "breadth")
    colours = {line.colour for chart in charts for line in chart.lines if line.name == "distance"}

    assert [chart.title for chart in charts] == ["Harvest", "Harvest against breadth", "Recall"]
    assert [line.name for line in charts[0].lines] == [
        "breadth",
        "distance",
        "oracle",
        "upper bound",
        "one-step-oracle",
    ]
    assert len(colours) == 1


def test_one_strategy_is_not_drawn_against_itself():
    runs = [run for run in made_results().runs if run["strategy"] != "distance"]

    assert [chart.title for chart in charts_of(runs, "breadth")] == ["Harvest", "Recall"]


def test_single_crawls_are_drawn_with_their_mean():
    results = made_results()
    again = [{**run, "random_seed": 1} for run in results.runs]
    twice = replace(results, runs=[*results.runs, *again])

    crawls = {group.name: group for group in crawls_of(twice.runs)}
    page = page_of(twice, None, ["geoscout"])

    assert set(crawls) == {"breadth", "distance"}  # not the oracles
    assert crawls["breadth"].singles.shape[0] == 2
    assert crawls["breadth"].mean[-1] == pytest.approx(results.runs[0]["harvest"])
    assert "Single crawls" in page
    assert "Single crawls" not in page_of(results, None, ["geoscout"])  # one crawl is its own mean


def test_training_that_takes_the_whole_budget_is_not_drawn_as_a_strategy():
    run = {**made_results().runs[1], "training_pages": BUDGET}
    run["curve_counted"] = run["curve"]

    drawn = [[line.name for line in charts_of([made], "")[0].lines]
             for made in (run, {**run, "training_pages": 5})]  # fmt: skip

    assert drawn == [["distance"], ["distance", "distance, training counted"]]


def test_drawings_take_the_colours_of_the_page():
    page = page_of(made_results(), None, ["geoscout"])

    assert "var(--c1)" in page
    assert not any(colour in page.partition("</style>")[2] for colour in PALETTE)


def test_pictures_have_the_colours_of_the_page():
    styles = files("geoscout_lab.report").joinpath("report.css").read_text()
    light = styles.partition("@media")[0]

    assert dict(enumerate(PALETTE)) == {int(n): c for n, c in re.findall(r"--c(\d): (#\w+)", light)}
