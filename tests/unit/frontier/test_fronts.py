"""What is in memory of queues is what the table has, whatever changes."""

from __future__ import annotations

import random
from bisect import bisect_right, insort
from itertools import islice

import pytest

from geoscout.frontier import fronts
from geoscout.frontier.fronts import QueueFronts
from geoscout.frontier.hosts import Head


class Table:
    """The queues of some hosts, and how often they were read."""

    def __init__(self) -> None:
        self.queues: dict[int, list[Head]] = {}
        self.reads = 0

    def read(self, host: int, last: Head, size: int) -> list[Head]:
        self.reads += 1
        queue = self.queues.get(host, [])
        first = bisect_right(queue, last)
        return queue[first : first + size]


@pytest.mark.parametrize("seed", range(30))
def test_any_changes_leave_the_front_as_the_table(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fronts, "_LONGEST", 5)
    monkeypatch.setattr(fronts, "_MOST", 3)
    chance, table = random.Random(seed), Table()
    kept = QueueFronts(table.read)
    for number in range(1, 400):
        host = chance.randrange(5)
        queue = table.queues.get(host)
        if queue is None:
            queue = table.queues[host] = []
            kept.begin(host)
        if queue and chance.random() < 0.45:
            gone = chance.choice(queue[: chance.choice((1, 3, 50))])
            queue.remove(gone)
            kept.remove(host, gone)
        else:
            new = (chance.choice((-1.0, -0.5, chance.random())), number)
            insort(queue, new)
            kept.insert(host, new)
        if chance.random() < 0.05:
            kept.forget(host)
        asked = chance.randrange(5)
        size = chance.choice((1, 3, 100))
        assert list(islice(kept.heads(asked), size)) == table.queues.get(asked, [])[:size]


def test_the_table_of_a_new_host_is_not_read() -> None:
    table = Table()
    kept = QueueFronts(table.read)
    kept.begin(1)
    for number in range(10):
        kept.insert(1, (0.5, number))

    assert [number for _, number in kept.heads(1)] == list(range(10))
    assert table.reads == 0


def test_what_was_read_is_not_read_again() -> None:
    table = Table()
    table.queues[1] = [(0.5, number) for number in range(20)]
    kept = QueueFronts(table.read)
    for _ in range(3):
        assert next(kept.heads(1)) == (0.5, 0)

    assert table.reads == 1
