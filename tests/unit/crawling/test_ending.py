"""How a run ended is kept, and told to people.

A crawl pauses before the disk is full, and ends before its memory is more than allowed.
"""

import logging
import shutil
from functools import lru_cache
from types import SimpleNamespace

import pytest

from geoscout.crawling import ending
from geoscout.crawling.ending import (
    BEFORE_THE_FIRST,
    LEAST,
    BarrenWatch,
    End,
    MachineLimits,
    MachineWatch,
    Stretch,
    barren_text,
    ending_of,
    pack_ending,
    pack_stretch,
    state_text,
    unpack_ending,
    unpack_stretch,
)
from geoscout_places.caches import BoundedCache, forget_all
from geoscout_places.model import Reading, RelevanceRule


@pytest.mark.parametrize(
    ("machine", "is_stopped", "is_full", "end"),
    [
        ("", False, False, End.NOTHING_LEFT),
        ("", True, False, End.USER),
        ("", True, True, End.LIMIT),
        ("no room", True, False, End.MACHINE),
    ],
)
def test_ending_is_kept(machine, is_stopped, is_full, end):
    ending = ending_of(machine=machine, is_stopped=is_stopped, is_full=is_full)

    assert ending.end is end
    assert ending.detail == machine
    assert unpack_ending(pack_ending(ending)) == ending


@pytest.mark.parametrize("note", [None, "", "{}", "gibberish", '{"end": "eaten", "at": 1}'])
def test_note_of_no_ending_is_none(note):
    assert unpack_ending(note) is None


def test_state_is_told():
    full = ending_of(machine="no room", is_stopped=False, is_full=False)

    assert state_text(full, is_running=True, has_visits=True) == "running"
    assert state_text(full, is_running=False, has_visits=True).endswith(": no room")
    assert state_text(None, is_running=False, has_visits=True) == "interrupted"
    assert state_text(None, is_running=False, has_visits=False) == "not begun"


READ = Reading((), (), (), ())


def told_at(flags: str, watch: BarrenWatch) -> list[int]:
    """After how many responses something is told; `x` is a relevant page."""
    return [n for n, flag in enumerate(flags, 1) if watch.see(READ, relevant=flag == "x")]


def test_rich_crawl_that_finds_nothing_more_is_barren_once():
    watch = BarrenWatch()

    assert told_at("x." * 100 + "." * 3000, watch) == [199 + LEAST]
    assert watch.stretch == Stretch(199)


def test_crawl_that_finds_little_is_given_more_time():
    gap = "." * 99 + "x"

    assert told_at(gap * 10 + "." * 4999, BarrenWatch()) == []
    assert told_at(gap * 10 + "." * 5001, BarrenWatch()) == [6000]


def test_crawl_that_crossed_a_desert_may_cross_another():
    flags = "x" * 500 + "." * 900 + "x" * 500

    assert told_at(flags + "." * 3599, BarrenWatch()) == []
    assert told_at(flags + "." * 3600, BarrenWatch()) == [len(flags) + 3600]


def test_first_relevant_page_is_waited_for_longer():
    assert told_at("." * (BEFORE_THE_FIRST + 100), BarrenWatch()) == [BEFORE_THE_FIRST]


def test_relevant_page_ends_the_stretch():
    watch = BarrenWatch(after=10)

    assert told_at("." * 15 + "x" + "." * 12, watch) == [10, 16, 26]


def test_pages_of_earlier_runs_count_for_the_mean_but_not_for_the_stretch():
    watch = BarrenWatch(visits=100_000, relevant=1000)

    assert told_at("." * 5001, watch) == [5000]
    assert watch.stretch == Stretch(100_000)


@pytest.mark.parametrize(
    ("rule", "near", "words"),
    [
        (RelevanceRule.ADDRESS, True, "12 of them are about the region without an address there"),
        (
            RelevanceRule.ABOUT,
            True,
            "12 of them are about the region; try a new crawl with --set",
        ),
        (RelevanceRule.EITHER, True, "responses; try more seeds, or another region"),
        (RelevanceRule.ADDRESS, False, "responses; try more seeds, or another region"),
    ],
)
def test_advice_fits_what_was_seen(rule, near, words):
    watch = BarrenWatch(after=12, rule=rule, is_near=lambda _: near)

    told_at("." * 12, watch)

    assert words in watch.text()


def test_note_comes_back():
    stretch = Stretch(7, near=2, rule="address")

    assert unpack_stretch(pack_stretch(stretch)) == stretch
    assert unpack_stretch(pack_stretch(None)) is None
    assert unpack_stretch("of another version") is None
    assert "the last 3 responses" in barren_text(stretch, 10)


class Machine:
    """A disk and a clock, handed to the watch."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now, self.free, self.used = 1000.0, 1e9, 1e8
        usage = SimpleNamespace(disk_usage=lambda _: SimpleNamespace(free=self.free))
        monkeypatch.setattr(ending, "shutil", usage)
        monkeypatch.setattr(ending, "time", SimpleNamespace(monotonic=lambda: self.now))
        monkeypatch.setattr(ending, "memory_of", lambda _: self.used)
        monkeypatch.setattr(ending, "forget_all", lambda: None)

    def later(self, seconds: float = 5.0, **changes: float) -> None:
        self.now += seconds
        vars(self).update(changes)


@pytest.fixture
def machine(monkeypatch):
    return Machine(monkeypatch)


def test_crawl_pauses_while_the_disk_is_nearly_full(machine, tmp_path, caplog):
    caplog.set_level(logging.INFO)
    watch = MachineWatch(MachineLimits(disk_bytes=1e7), tmp_path)
    before = watch.may_start()
    machine.later(free=1e6)
    full = [watch.may_start(), watch.may_start()]
    machine.later()
    full.append(watch.may_start())
    machine.later(free=1e8)

    assert (before, full, watch.may_start()) == (True, [False] * 3, True)
    assert [record.getMessage().split(":")[-1] for record in caplog.records] == [
        " the crawl pauses until there is room",
        " the crawl goes on",
    ]


def test_crawl_ends_when_nobody_makes_room(machine, tmp_path):
    machine.free = 1e6
    watch = MachineWatch(MachineLimits(disk_bytes=1e7, disk_wait_seconds=60), tmp_path)
    watch.may_start()
    machine.later(50)
    still = watch.may_start(), watch.stop_reason
    machine.later(50)

    assert still == (False, "")
    assert not watch.may_start()
    assert "nobody has made room" in watch.stop_reason


def test_caches_are_emptied_before_a_crawl_ends(machine):
    renewed: list[float] = []

    def renew() -> None:
        renewed.append(machine.now)
        machine.used = 0.7e9

    watch = MachineWatch(MachineLimits(memory_bytes=1e9), renew=renew)
    machine.later(used=0.95e9)
    went_on = watch.may_start()
    machine.later(used=1.1e9)

    assert went_on
    assert not watch.may_start()
    assert len(renewed) == 1
    assert "1,100 MB, more than the 1,000 MB of max_memory" in watch.stop_reason


def test_crawl_that_can_forget_enough_goes_on(machine):
    def renew() -> None:
        machine.used = 0.5e9

    watch = MachineWatch(MachineLimits(memory_bytes=1e9), renew=renew)
    machine.later(used=1.5e9)

    assert watch.may_start()
    assert not watch.stop_reason


def test_all_caches_with_a_limit_are_emptied():
    bounded, small = BoundedCache(len, most=10), lru_cache(maxsize=1)(len)
    large = lru_cache(maxsize=5000)(len)
    _ = bounded["word"], small("word"), large("word")

    forget_all()

    assert len(bounded) == 0
    assert (small.cache_info().currsize, large.cache_info().currsize) == (1, 0)


def test_real_disk_is_asked(tmp_path):
    much = 2.0 * shutil.disk_usage(tmp_path).total

    assert not MachineWatch(MachineLimits(disk_bytes=much), tmp_path).may_start()
    assert MachineWatch(MachineLimits(disk_bytes=1.0), tmp_path).may_start()
