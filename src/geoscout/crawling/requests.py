"""From scored links to what waits: the one rule for crawls and for simulations.

A crawl keeps links as requests with URLs, a simulation as numbers of pages, and a million of them a
minute. So the rule is a pure function over any kind of target: who calls says what a target is, and
how what waits is made of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Generic, NamedTuple, TypeVar

from geoscout.strategy import Scores

SEED_PRIORITY = 1.0  # seeds are not scored

Parent = TypeVar("Parent")
Target = TypeVar("Target")
Made = TypeVar("Made")
# Of a target, its priority, what the strategy noted of it, its depth, distance and parent.
Make = Callable[[Target, float, bytes, int, int, Parent], Made]


class Followed(NamedTuple, Generic[Parent]):
    """A page whose links are followed."""

    name: Parent  # what its links will have as their parent: its URL, or its number
    depth: int  # links since a seed
    distance: int  # links since the last relevant page before it, or the seed
    relevant: bool


def requests_from(
    page: Followed[Parent],
    targets: Iterable[Target],
    scores: Scores,
    make: Make[Target, Parent, Made],
    wanted: Callable[[Target, float], bool] | None = None,
) -> list[Made]:
    """What a page leads to: one for each link that was not dropped, in the order of the links.

    `targets` and `scores` have one for each link. `wanted` leaves out those that would change
    nothing, before anything is made of them; None: all are wanted.

    >>> from geoscout.strategy import Scored
    >>> page = Followed("home", depth=2, distance=5, relevant=False)
    >>> requests_from(page, ["a", "b"], [Scored(0.5), None], lambda *found: found)
    [('a', 0.5, b'', 3, 6, 'home')]
    """
    parent, depth, distance, relevant = page
    depth, distance = depth + 1, 1 if relevant else distance + 1
    found = zip(targets, scores, strict=True)
    if wanted is None:
        return [
            make(target, scored[0], scored[1], depth, distance, parent)
            for target, scored in found
            if scored is not None
        ]
    return [
        make(target, scored[0], scored[1], depth, distance, parent)
        for target, scored in found
        if scored is not None and wanted(target, scored[0])
    ]
