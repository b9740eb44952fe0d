"""What a crawler that knows everything could do: the limit to measure others against.

To find the most relevant pages in n fetches is NP-hard even with the whole web in view, so there
are two bounds. `upper_bound` is what no order can beat. `greedy_oracle` is an order that can be
had: again and again it fetches the shortest path to a relevant page, the Steiner heuristic of
Takahashi and Matsuyama. `one_step_oracle` knows less: which waiting pages are relevant, and nothing
behind them. It tells a poor judge of links from one that cannot see through bridges.
"""

import heapq
import random

import numpy as np
from numpy.typing import NDArray

from geoscout_lab.simulation.simulate import WaitingPage, WaitingPages
from geoscout_lab.worlds.truth import Truth

_FAR = 1 << 30
_ROOT = -1  # comes before the seeds
_DECAY = 0.5  # of the one-step oracle, for each link since the last relevant page
_RELEVANT = 2.0  # above every distance


def upper_bound(truth: Truth, budget: int) -> NDArray[np.int64]:
    """The most relevant pages any order can have after each of `budget` fetches.

    Targets that no relevant page and no seed links to need a page that is neither; one such page
    opens at most as many of them as it links to.
    """
    targets = truth.reachable_targets()
    hidden, widest = _hidden(truth, targets)
    known = np.arange(len(targets) + 1)
    bridges = -(-np.maximum(0, known - (len(targets) - hidden)) // max(widest, 1))
    costs = known + bridges  # the fewest fetches for each number of targets; never falls
    return np.searchsorted(costs, np.arange(1, budget + 1), side="right") - 1


def _hidden(truth: Truth, targets: NDArray[np.int64]) -> tuple[int, int]:
    """How many targets only a bridge can lead to, and how many of them one page has at most."""
    size = len(truth.graph)
    sources = np.repeat(np.arange(size), np.diff(truth.graph.starts))
    opens = truth.relevant.copy()
    opens[list(truth.seeds)] = True
    is_hidden = np.zeros(size, np.bool_)
    is_hidden[targets] = True
    is_hidden[truth.graph.targets[opens[sources]]] = False
    is_hidden[list(truth.seeds)] = False
    per_source = np.bincount(sources[is_hidden[truth.graph.targets]], minlength=1)
    return int(is_hidden.sum()), int(per_source.max())


def greedy_oracle(truth: Truth, budget: int) -> list[int]:
    """The pages in an order that finds relevant ones early; ends with the last that can be had."""
    return _Greedy(truth).run(budget)


class _Greedy:
    """One shortest-path search that goes on after every path that was fetched.

    `_distances` counts the pages still to be fetched to have a page, itself included. Fetching a
    path sets its pages to 0 and makes their targets nearer, so those are looked at again; nothing
    is ever farther than before, and pages farther than the next target are not looked at at all.
    """

    def __init__(self, truth: Truth) -> None:
        size = len(truth.graph)
        self._rows = truth.graph.rows()
        self._relevant: list[bool] = truth.relevant.tolist()
        self._distances = [_FAR] * size
        self._before = [_ROOT] * size
        self._open: list[list[int]] = [[]]  # by distance: pages whose links were not looked at
        self._targets: list[list[tuple[int, int]]] = [[]]  # by distance: heaps of -gain, page
        self._order: list[int] = []
        for seed in truth.seeds:
            self._come_nearer(seed, 1, _ROOT)

    def run(self, budget: int) -> list[int]:
        distance = 0
        while distance < len(self._open) and len(self._order) < budget:
            if self._targets[distance] and (target := self._best(distance)) is not None:
                self._fetch(target)
                distance = 0
            elif self._open[distance]:
                self._look_on(self._open[distance].pop(), distance)
            else:
                distance += 1
        return self._order[:budget]

    def _come_nearer(self, page: int, distance: int, before: int) -> None:
        self._distances[page] = distance
        self._before[page] = before
        while len(self._open) <= distance:
            self._open.append([])
            self._targets.append([])
        self._open[distance].append(page)
        if self._relevant[page] and distance:
            heapq.heappush(self._targets[distance], (-self._gain(page), page))

    def _look_on(self, page: int, distance: int) -> None:
        """Let a page's targets be as near as the page makes them."""
        if self._distances[page] != distance:
            return
        for target in self._rows[page]:
            if self._distances[target] > distance + 1:
                self._come_nearer(target, distance + 1, page)

    def _best(self, distance: int) -> int | None:
        """The target at this distance whose path opens most others; None when none is left.

        What a path opens only shrinks while others are fetched, so a target whose mark is out of
        date goes back with the right one, and the first that is right is the best.
        """
        heap = self._targets[distance]
        while heap:
            mark, page = heapq.heappop(heap)
            if self._distances[page] != distance:
                continue
            gain = self._gain(page)
            if gain == -mark:
                return page
            heapq.heappush(heap, (-gain, page))
        return None

    def _gain(self, page: int) -> int:
        """Relevant pages not yet fetched that the path to a page links to."""
        gain = 0
        while page != _ROOT and self._distances[page]:
            gain += sum(self._relevant[t] and self._distances[t] > 0 for t in self._rows[page])
            page = self._before[page]
        return gain

    def _fetch(self, target: int) -> None:
        path = []
        page = target
        while page != _ROOT and self._distances[page]:
            path.append(page)
            page = self._before[page]
        for page in reversed(path):
            self._order.append(page)
            self._come_nearer(page, 0, self._before[page])


def one_step_oracle(truth: Truth, budget: int, chance: random.Random) -> list[int]:
    """The pages in the order fetched; `chance` decides between equals.

    Pages that are not relevant wait by link distance, the best order that needs no knowledge.
    """
    waiting = WaitingPages(len(truth.graph), chance)
    order: list[int] = []
    for seed in truth.seeds:
        waiting.put(WaitingPage(seed, 1.0))
    while len(order) < budget and (entry := waiting.take()) is not None:
        distance = 1 if truth.relevant[entry.page] else entry.distance + 1
        order.append(entry.page)
        for target in truth.graph.of(entry.page).tolist():
            priority = _RELEVANT if truth.relevant[target] else _DECAY**distance
            if waiting.wants(target, priority):
                waiting.put(WaitingPage(target, priority, distance=distance))
    return order
