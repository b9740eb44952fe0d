"""Breadth first: the fewer links from a seed, the earlier. The baseline of every comparison."""

from collections.abc import Sequence

from geoscout.strategy.base import Scored, Source, Strategy, StrategyAim, StrategyTraits
from geoscout_places.model import Link
from geoscout_places.plugins import PluginOptions, read_options


def create(aim: StrategyAim) -> Strategy:
    """The strategy that knows nothing."""
    read_options("breadth", PluginOptions, aim.options)
    return Breadth()


class Breadth:
    """Minus the depth of the link."""

    traits = StrategyTraits(reads_links=False, ties_in_order=True)

    def score(self, source: Source, links: Sequence[Link]) -> Sequence[Scored]:
        """The same for every link of the page."""
        return [Scored(-float(source.request.depth + 1))] * len(links)
