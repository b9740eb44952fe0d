"""The experiment gao2006 with its nodes in real processes, next to the simulation of them."""

from collections import Counter

import pytest

from geoscout.collaborate import CollaborationAim, create_collaboration
from geoscout.collaborate.partition import shipped_partition
from geoscout.settings import Settings
from geoscout.strategy import StrategyAim
from geoscout_lab.experiments import ExperimentTask
from geoscout_lab.gao2006 import experiment, on_cluster
from geoscout_lab.gao2006.on_cluster import NodesPlan, agreement, crawl_by_workers
from geoscout_lab.simulation.collaborative import CollaborativePlan, crawl_together
from geoscout_lab.simulation.simulate import SimulationPlan
from geoscout_lab.worlds.synthetic import SyntheticWeb, WebPlan, make_web
from geoscout_places.errors import UsageError
from geoscout_places.gazetteer import SqliteGazetteer
from geoscout_places.parse import parse_html

RESPONSES = 80


@pytest.fixture(scope="module")
def web(gazetteer):
    return make_web(WebPlan("gao2006", 1, 2000), gazetteer, parse_html)


@pytest.mark.slow
@pytest.mark.long
def test_workers_fetch_what_the_simulation_fetches_at_the_same_nodes(web, gazetteer, settings):
    aim = CollaborationAim(shipped_partition("gao2006", gazetteer), gazetteer)
    everything = crawl_together(web, create_collaboration("hash", aim), CollaborativePlan(100_000))
    plan = NodesPlan("hash", workers=2, responses=RESPONSES)
    figures, fetched = crawl_by_workers(web, plan, settings, gazetteer)
    same = agreement(everything, web, fetched)

    assert 0 < fetched.total() <= RESPONSES
    assert figures["downloads"] == fetched.total()
    assert same["pages_in_both"] == same["pages_by_workers"] > 0.8 * fetched.total()
    assert (same["stored_twice"], figures["overlap"]) == (0, 0.0)
    assert len({node for node, _ in fetched}) == len(aim.partition.names)
    assert figures["communication"] > 1.0


def run(
    web: SyntheticWeb, gazetteer: SqliteGazetteer, settings: Settings, assignment: str
) -> dict[str, object]:
    plan, aim = SimulationPlan(50), StrategyAim(None, gazetteer)
    return dict(experiment.run(ExperimentTask(web, assignment, plan, aim, settings)))


def test_an_assignment_with_workers_is_compared_with_its_simulation(
    web, gazetteer, settings, monkeypatch
):
    plans: list[NodesPlan] = []

    def crawl(_: object, plan: NodesPlan, *_rest: object) -> tuple[dict[str, object], object]:
        plans.append(plan)
        return {"downloads": 1}, Counter({("Cn0", "http://elsewhere.example/"): 1})

    monkeypatch.setattr(on_cluster, "crawl_by_workers", crawl)
    figures = run(web, gazetteer, settings, "classifier:training=1:workers=3")

    (plan,) = plans
    assert (plan.assignment, plan.workers) == ("classifier", 3)
    assert plan.responses >= 50
    assert plan.model is not None
    assert (figures["collaboration"], figures["downloads"], figures["pages_in_both"]) == (
        "classifier:training=1:workers=3", 1, 0,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("assignment", "words"),
    [
        ("ip:workers=2", "workers=N is not for ip"),
        ("hash:workers=0", "workers is 1 to 32, not 0"),
        ("hash:workers=many", "workers is 1 to 32, not many"),
    ],
)
def test_what_workers_cannot_do_is_said(web, gazetteer, settings, assignment, words):
    with pytest.raises(UsageError, match=words):
        run(web, gazetteer, settings, assignment)
