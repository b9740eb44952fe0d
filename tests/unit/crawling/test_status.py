"""How a crawl stands: the same figures for the command, the web, and whoever asks in Python."""

import pytest

from geoscout.cli.commands.status import status_figures
from geoscout.crawling.status import HarvestCurve, read_nodes, read_status, why_slow
from geoscout.frontier.base import Limits, WaitReason
from geoscout.state.base import Beginning, CrawlView, Writing, create_state, open_state
from geoscout.state.sqlite import SqliteState
from geoscout.store.base import Step, Topic
from geoscout.web.dashboard import status_json
from geoscout_places.model import Request
from tests.unit.store.visits import visit

A = "http://a.example/"


@pytest.fixture
def folder(tmp_path):
    """A crawl that has fetched one page of a host that may give no other."""
    state = SqliteState(tmp_path, Writing(limits=Limits(pages_per_host=1)))
    state.frontier.put([Request(A, 1.0), Request(f"{A}1", 0.5)])
    request = state.frontier.next(0.0)
    assert request is not None
    state.writer.add(visit(A))
    state.frontier.done(request, 0.0, 0.0)
    state.save()
    state.close()
    return tmp_path


def test_command_and_web_show_the_same_figures(folder):
    told = status_figures(folder)
    with open_state(folder) as crawl:
        shown = status_json(crawl, "name", HarvestCurve())

    same = {"strategy", "visits", "pages", "relevant", "harvest", "frontier", "hosts", "failures"}
    assert {key: told[key] for key in same} == {key: getattr(shown, key) for key in same}


def test_nodes_are_shown_with_what_waits_and_a_spent_host_is_a_cause(folder):
    with open_state(folder) as crawl:
        nodes, slow = read_nodes(crawl), why_slow(crawl)

    assert [(node.totals.node, node.totals.visits, node.waiting) for node in nodes] == [("", 1, 1)]
    assert slow.waiting_for == {WaitReason.BUDGET: 1}
    assert WaitReason.BUDGET in [cause.cause for cause in slow.causes]


def test_a_crawl_that_has_not_begun_has_a_status(tmp_path):
    create_state(tmp_path / "new", Beginning()).close()
    with open_state(tmp_path / "new") as crawl:
        assert read_status(crawl).totals.harvest == 0.0
        assert _causes(crawl) == ["empty frontier"]


def _causes(crawl: CrawlView) -> list[str]:
    return [cause.cause for cause in why_slow(crawl).causes]


def test_new_entities_are_counted_if_they_count(folder):
    assert "new entities" not in status_figures(folder)
    state = SqliteState(folder, Writing())
    state.writer.count_all(Topic.ENTITIES, {"0": 5, "1": 2})
    state.save()
    state.close()

    figures = status_figures(folder)

    assert (figures["new entities"], figures["entity curve"]) == (7, [(1, 5), (1, 7)])


class Growing:
    """A crawl whose every tenth page is relevant, and that is known in groups of visits."""

    def __init__(self, group: int = 1) -> None:
        self._group = group
        self._steps: list[Step] = []

    def visit(self, visits: int) -> None:
        for _ in range(visits // self._group):
            at = float((len(self._steps) + 1) * self._group)
            relevant = int(at // 10 - (at - self._group) // 10)
            self._steps.append(Step(self._group, self._group, relevant, at))

    def growth(self, after: str = "", limit: int = 1000) -> tuple[list[Step], str]:
        first = len(after)  # a cursor is what its store makes of it
        steps = self._steps[first : first + limit]
        return steps, "x" * (first + len(steps))


@pytest.mark.parametrize(("group", "visits", "relevant"), [(1, 10_000, 1000), (64, 64_000, 6400)])
def test_a_long_crawl_has_no_more_points_than_a_screen(group, visits, relevant):
    crawl = Growing(group)
    crawl.visit(visits)
    curve = HarvestCurve().read(crawl)

    assert len(curve.visits) <= 601
    assert (curve.visits[-1], curve.relevant[-1]) == (visits, relevant)


def test_a_curve_read_in_parts_is_the_same_as_one_read_at_once():
    crawl, growing = Growing(), HarvestCurve()
    for _ in range(7):
        crawl.visit(300)
        in_parts = growing.read(crawl)

    assert in_parts == HarvestCurve().read(crawl)


def test_a_crawl_that_has_not_begun_has_an_empty_curve():
    crawl = Growing()

    assert HarvestCurve().read(crawl).visits == []
    assert HarvestCurve().totals(crawl).visits == 0
