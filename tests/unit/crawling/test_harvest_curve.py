from __future__ import annotations

from geoscout.crawling.harvest_curve import HarvestCurve
from geoscout.store.base import Growth, Step


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

    def growth(self, after: str = "", limit: int = 1000) -> Growth:
        first = len(after)  # a cursor is what its store makes of it
        steps = self._steps[first : first + limit]
        return Growth(steps, "x" * (first + len(steps)))


def test_a_long_crawl_has_no_more_points_than_a_screen() -> None:
    crawl = Growing()
    crawl.visit(10_000)

    curve = HarvestCurve().read(crawl)

    assert len(curve.visits) <= 601
    assert (curve.visits[-1], curve.relevant[-1]) == (10_000, 1000)


def test_a_curve_read_in_parts_is_the_same_as_one_read_at_once() -> None:
    crawl, growing = Growing(), HarvestCurve()
    for _ in range(7):
        crawl.visit(300)
        in_parts = growing.read(crawl)

    assert in_parts == HarvestCurve().read(crawl)


def test_a_crawl_known_in_groups_ends_with_the_same_totals() -> None:
    crawl = Growing(group=64)
    crawl.visit(64_000)

    curve = HarvestCurve().read(crawl)

    assert len(curve.visits) <= 601
    assert (curve.visits[-1], curve.relevant[-1]) == (64_000, 6400)


def test_a_crawl_that_has_not_begun_has_an_empty_curve() -> None:
    crawl = Growing()

    assert HarvestCurve().read(crawl).visits == []
    assert HarvestCurve().totals(crawl).visits == 0
