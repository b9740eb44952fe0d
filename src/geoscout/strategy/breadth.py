"""Breadth first: the fewer links from a seed, the earlier. The baseline of every comparison."""

from __future__ import annotations

from collections.abc import Sequence

from geoscout.model import Link
from geoscout.strategy.base import Aim, Scored, Source, Strategy
from geoscout.strategy.options import Options, read_options


def create(aim: Aim) -> Strategy:
    """The strategy that knows nothing."""
    read_options("breadth", Options, aim.options)
    return Breadth()


class Breadth(Strategy):
    """Minus the depth of the link."""

    reads_links = False
    ties_in_order = True

    def score(self, source: Source, links: Sequence[Link]) -> Sequence[Scored]:
        """The same for every link of the page."""
        return [Scored(-float(source.request.depth + 1))] * len(links)
