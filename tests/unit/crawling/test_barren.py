from __future__ import annotations

import pytest

from geoscout.crawling.barren import (
    BEFORE_THE_FIRST,
    LEAST,
    BarrenWatch,
    Stretch,
    barren_text,
    pack_stretch,
    unpack_stretch,
)
from geoscout_places.model import Reading, RelevanceRule

READ = Reading((), (), (), ())


def told_at(flags: str, watch: BarrenWatch) -> list[int]:
    """After how many responses something is told; `x` is a relevant page."""
    return [n for n, flag in enumerate(flags, 1) if watch.see(READ, relevant=flag == "x")]


def test_rich_crawl_that_finds_nothing_more_is_barren_once() -> None:
    watch = BarrenWatch()

    assert told_at("x." * 100 + "." * 3000, watch) == [199 + LEAST]
    assert watch.stretch == Stretch(199)


def test_crawl_that_finds_little_is_given_more_time() -> None:
    gap = "." * 99 + "x"

    assert told_at(gap * 10 + "." * 4999, BarrenWatch()) == []
    assert told_at(gap * 10 + "." * 5001, BarrenWatch()) == [6000]


def test_crawl_that_crossed_a_desert_may_cross_another() -> None:
    flags = "x" * 500 + "." * 900 + "x" * 500

    assert told_at(flags + "." * 3599, BarrenWatch()) == []
    assert told_at(flags + "." * 3600, BarrenWatch()) == [len(flags) + 3600]


def test_first_relevant_page_is_waited_for_longer() -> None:
    assert told_at("." * (BEFORE_THE_FIRST + 100), BarrenWatch()) == [BEFORE_THE_FIRST]


def test_relevant_page_ends_the_stretch() -> None:
    watch = BarrenWatch(after=10)

    assert told_at("." * 15 + "x" + "." * 12, watch) == [10, 16, 26]


def test_pages_of_earlier_runs_count_for_the_mean_but_not_for_the_stretch() -> None:
    watch = BarrenWatch(visits=100_000, relevant=1000)

    assert told_at("." * 5001, watch) == [5000]
    assert watch.stretch == Stretch(100_000)


@pytest.mark.parametrize(
    ("rule", "near", "words"),
    [
        (RelevanceRule.ADDRESS, True, "12 of them are about the region without an address there"),
        (RelevanceRule.ABOUT, True, "12 of them are about the region; try a new crawl with --rel"),
        (RelevanceRule.EITHER, True, "responses; try more seeds, or another region"),
        (RelevanceRule.ADDRESS, False, "responses; try more seeds, or another region"),
    ],
)
def test_advice_fits_what_was_seen(rule: RelevanceRule, near: bool, words: str) -> None:
    watch = BarrenWatch(after=12, rule=rule, is_near=lambda _: near)

    told_at("." * 12, watch)

    assert words in watch.text()


def test_note_comes_back() -> None:
    stretch = Stretch(7, near=2, rule="address")

    assert unpack_stretch(pack_stretch(stretch)) == stretch
    assert unpack_stretch(pack_stretch(None)) is None
    assert unpack_stretch("of another version") is None
    assert "the last 3 responses" in barren_text(stretch, 10)
