from __future__ import annotations

import pytest

from geoscout.strategy.rank.focus import focus_in
from geoscout.strategy.rank.structure import Context, StructuralParser
from geoscout.strategy.toponyms import ToponymReader
from tests.unit.strategy.american_places import GAZETTEER, make_link


def context(anchor: str, before: str = "", after: str = "") -> Context:
    parser = StructuralParser(ToponymReader(GAZETTEER), GAZETTEER)
    return parser.read_links([make_link(anchor=anchor, before=before, after=after)])[0]


def test_focus_is_the_share_of_places_in_the_anchor() -> None:
    link = context("Hotels in Boston Massachusetts", before="Mesa")

    assert focus_in(link, "anchor-or-window", "entities") == 0.5


def test_empty_anchor_has_no_focus() -> None:
    assert focus_in(context(""), "anchor-or-window", "entities") == 0.0
    assert focus_in(context("", before="in Boston"), "anchor", "entities") == 0.0


def test_window_stands_for_an_empty_anchor() -> None:
    assert focus_in(context("»", before="in Boston"), "anchor-or-window", "entities") == 0.5


def test_window_counts_anchor_and_surroundings() -> None:
    link = context("Boston", before="see also", after="and more")

    assert focus_in(link, "window", "entities") == 0.2


@pytest.mark.parametrize(("count", "expected"), [("entities", 1 / 3), ("tokens", 2 / 3)])
def test_new_york_is_one_entity_or_two_tokens(count: str, expected: float) -> None:
    assert focus_in(context("New York hotels"), "anchor", count) == pytest.approx(expected)
