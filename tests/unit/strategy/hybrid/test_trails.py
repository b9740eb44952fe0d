"""The way on which each page was found."""

from __future__ import annotations

from geoscout.strategy.hybrid.trails import Trails


def chain(most: int = 10) -> Trails[int]:
    """Three pages in a row, the second of which is a redirect."""
    trails = Trails[int](most)
    trails.add("a", "", 1)
    trails.add("b", "a", None)
    trails.add("c", "b", 3)
    return trails


def test_way_leads_back_to_the_seed() -> None:
    assert list(chain().back_from("c", 9)) == [3, 1]


def test_redirect_is_a_step_that_earns_nothing() -> None:
    assert list(chain().back_from("c", 2)) == [3]


def test_unknown_page_has_no_way() -> None:
    assert list(chain().back_from("z", 9)) == []


def test_oldest_pages_are_forgotten() -> None:
    assert list(chain(most=2).back_from("c", 9)) == [3]
