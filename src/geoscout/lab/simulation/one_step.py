"""The one-step oracle: it knows which waiting pages are relevant, and nothing behind them.

It tells a poor judge of links from one that cannot see through bridges. Pages that are not
relevant wait by link distance, the best order that needs no knowledge.
"""

from __future__ import annotations

import random

from geoscout.lab.simulation.oracles import Truth
from geoscout.lab.simulation.waiting import Entry, WaitingPages

_DECAY = 0.5
_RELEVANT = 2.0  # above every distance


def one_step_oracle(truth: Truth, budget: int, chance: random.Random) -> list[int]:
    """The pages in the order fetched; `chance` decides between equals."""
    waiting = WaitingPages(len(truth.graph), chance)
    order: list[int] = []
    for seed in truth.seeds:
        waiting.put(Entry(seed, 1.0, 0, 0, -1))
    while len(order) < budget and (entry := waiting.take()) is not None:
        distance = 1 if truth.relevant[entry.page] else entry.distance + 1
        depth, number = entry.depth + 1, len(order)
        order.append(entry.page)
        for target in truth.graph.of(entry.page).tolist():
            priority = _RELEVANT if truth.relevant[target] else _DECAY**distance
            waiting.put(Entry(target, priority, depth, distance, number))
    return order
