"""A crawl pauses before the disk is full, and ends before its memory is more than allowed."""

from __future__ import annotations

import logging
import shutil
from functools import lru_cache
from pathlib import Path
from types import SimpleNamespace

import pytest

from geoscout.crawling import machine_watch
from geoscout.crawling.machine_watch import MachineLimits, MachineWatch
from geoscout_places.caches import BoundedCache, forget_all


class Machine:
    """A disk and a clock, handed to the watch."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now, self.free, self.used = 1000.0, 1e9, 1e8
        usage = SimpleNamespace(disk_usage=lambda _: SimpleNamespace(free=self.free))
        monkeypatch.setattr(machine_watch, "shutil", usage)
        monkeypatch.setattr(machine_watch, "time", SimpleNamespace(monotonic=lambda: self.now))
        monkeypatch.setattr(machine_watch, "memory_of", lambda _: self.used)
        monkeypatch.setattr(machine_watch, "forget_all", lambda: None)

    def later(self, seconds: float = 5.0, **changes: float) -> None:
        self.now += seconds
        vars(self).update(changes)


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(monkeypatch)


def test_crawl_pauses_while_the_disk_is_nearly_full(
    machine: Machine, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
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


def test_crawl_ends_when_nobody_makes_room(machine: Machine, tmp_path: Path) -> None:
    machine.free = 1e6
    watch = MachineWatch(MachineLimits(disk_bytes=1e7, disk_wait_seconds=60), tmp_path)
    watch.may_start()
    machine.later(50)
    still = watch.may_start(), watch.stop_reason
    machine.later(50)

    assert still == (False, "")
    assert not watch.may_start()
    assert "nobody has made room" in watch.stop_reason


def test_caches_are_emptied_before_a_crawl_ends(machine: Machine) -> None:
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


def test_crawl_that_can_forget_enough_goes_on(machine: Machine) -> None:
    def renew() -> None:
        machine.used = 0.5e9

    watch = MachineWatch(MachineLimits(memory_bytes=1e9), renew=renew)
    machine.later(used=1.5e9)

    assert watch.may_start()
    assert not watch.stop_reason


def test_all_caches_with_a_limit_are_emptied() -> None:
    bounded, small = BoundedCache(len, most=10), lru_cache(maxsize=1)(len)
    large = lru_cache(maxsize=5000)(len)
    _ = bounded["word"], small("word"), large("word")

    forget_all()

    assert len(bounded) == 0
    assert (small.cache_info().currsize, large.cache_info().currsize) == (1, 0)


def test_real_disk_is_asked(tmp_path: Path) -> None:
    much = 2.0 * shutil.disk_usage(tmp_path).total

    assert not MachineWatch(MachineLimits(disk_bytes=much), tmp_path).may_start()
    assert MachineWatch(MachineLimits(disk_bytes=1.0), tmp_path).may_start()
