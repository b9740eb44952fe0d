"""Pages that have probably changed are asked again first."""

import math

import pytest

from geoscout.crawling.watching import change_rates, probably_changed
from geoscout.store.base import PageHistory

DAY = 86_400.0


def history(url: str, visits: int, changes: int, days: float, **more: object) -> PageHistory:
    """A page that was first seen at day 0 and last at day `days`."""
    return PageHistory(
        url, visits, changes, first_at=0.0, last_at=days * DAY, **{"relevant": True, **more}
    )


def chosen(*histories: PageHistory, now: float, most: int = 10) -> list[str]:
    return [one.url for one in probably_changed(lambda: histories, now * DAY, most)]


@pytest.mark.parametrize(
    ("first", "later"),
    [
        pytest.param((11, 9, 10), (11, 1, 10), id="changed more often"),
        pytest.param((3, 1, 5), (3, 1, 9), id="not asked for longer"),
    ],
)
def test_page_that_has_probably_changed_comes_first(first, later):
    """One that is not relevant comes last."""
    pages = [history(f"http://a.example/{n}", *of) for n, of in enumerate((later, first))]
    other = history("http://a.example/x", *first, relevant=False)

    order = chosen(other, *pages, now=11)

    assert order[0] == pages[1].url
    assert order.index(other.url) > 0


def test_page_of_a_lively_site_comes_before_one_of_a_quiet_site():
    lively = [history(f"http://news.example/{n}", 10, 8, 9) for n in range(5)]
    quiet = [history(f"http://old.example/{n}", 10, 0, 9) for n in range(5)]
    unknown = [history(f"http://{host}.example/x", 1, 0, 0) for host in ("old", "news")]

    order = chosen(*lively, *quiet, *unknown, now=1, most=20)

    assert order.index("http://news.example/x") < order.index("http://old.example/x")


def test_page_that_was_asked_just_now_is_left_out():
    assert chosen(history("http://a.example/", 2, 1, 5), now=5) == []


def test_no_more_pages_are_chosen_than_wanted():
    pages = [history(f"http://a.example/{n}", 2, 1, 1) for n in range(9)]

    assert len(chosen(*pages, now=3, most=4)) == 4


@pytest.mark.parametrize(("changes", "rate"), [(0, 0.0), (5, -math.log(5.5 / 10.5)), (10, 3.04)])
def test_rate_counts_changes_that_were_not_seen(changes, rate):
    """Ten intervals of a day: half of them with a change means more than half a change a day."""
    one = history("http://a.example/", 11, changes, 10)
    rates = change_rates([one])

    found = rates.of(one)

    site = rates.of_sites["a.example"]
    assert found == pytest.approx(10 / 11 * rate + site / 11, abs=0.01)


def test_without_any_history_every_page_is_taken_to_change_once_a_month():
    assert change_rates([]).of_all == pytest.approx(1 / 30)
