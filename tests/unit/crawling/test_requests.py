"""The one rule from scored links to what waits."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from geoscout.crawling.requests import Followed, requests_from
from geoscout.strategy import Scored


class Found(NamedTuple):
    target: str
    priority: float
    features: bytes
    depth: int
    distance: int
    parent: str


PAGE = Followed("home", depth=2, distance=3, relevant=False)


def test_link_is_one_step_on() -> None:
    found = requests_from(PAGE, ["a"], [Scored(0.5, b"noted")], Found)

    assert found == [Found("a", 0.5, b"noted", 3, 4, parent="home")]


def test_distance_starts_again_behind_a_relevant_page() -> None:
    (found,) = requests_from(PAGE._replace(relevant=True), ["a"], [Scored(0.5)], Found)

    assert (found.depth, found.distance) == (3, 1)


def test_dropped_links_are_left_out_and_the_others_keep_their_order() -> None:
    scores = [Scored(0.1), None, Scored(0.9)]

    found = requests_from(PAGE, ["a", "b", "c"], scores, Found)

    assert [one.target for one in found] == ["a", "c"]


def test_nothing_is_made_of_what_is_not_wanted() -> None:
    made: list[str] = []

    def make(target: str, *rest: object) -> str:
        made.append(target)
        return target

    scores = [Scored(0.1), Scored(0.9), None]
    found = requests_from(PAGE, ["a", "b", "c"], scores, make, lambda _, priority: priority > 0.5)

    assert found == made == ["b"]


def test_every_link_needs_its_score() -> None:
    with pytest.raises(ValueError, match="zip"):
        requests_from(PAGE, ["a", "b"], [Scored(0.1)], Found)
