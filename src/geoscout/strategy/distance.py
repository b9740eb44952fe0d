"""Link distance: the fewer links since the last relevant page, the earlier (Ahlers, Boll 2009).

Relevant pages stand near others, so each link away from one halves what is hoped for. The crawl
goes deep where it finds something and gives up slowly where it does not. With `cutoff` it gives
up for good after that many links, which is the older form of the method and dies out early.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from geoscout.strategy.base import (
    Reason,
    Scored,
    Scores,
    Source,
    Strategy,
    StrategyAim,
    StrategyTraits,
)
from geoscout_places.errors import UsageError
from geoscout_places.model import Link
from geoscout_places.plugins import PluginOptions, read_options, setting


@dataclass(frozen=True, slots=True)
class DistanceOptions(PluginOptions):
    """How hope fades."""

    decay: float = setting(0.5, "the share of the score that is left after one more link")
    cutoff: int = setting(0, "links further than this from a relevant page are dropped; 0: none")


def create(aim: StrategyAim) -> Strategy:
    """The strategy that knows how far the last relevant page is, and nothing else.

    Raises:
        UsageError: an option is out of its range.
    """
    options = read_options("distance", DistanceOptions, aim.options)
    check_share("decay", options.decay)
    return Distance(options)


def check_share(name: str, value: float) -> None:
    """Refuse a value that is not a share."""
    if not 0.0 <= value <= 1.0:
        raise UsageError(f"{name} is a share between 0 and 1, not {value}")


def link_distance(source: Source) -> int:
    """Links since the last relevant page, or the seed, for the links of a page."""
    return 1 if source.relevant else source.request.distance + 1


class Distance:
    """The decay to the power of the distance: 1/2, 1/4, 1/8 and so on."""

    traits = StrategyTraits(reads_links=False)

    def __init__(self, options: DistanceOptions) -> None:
        self._options = options

    def score(self, source: Source, links: Sequence[Link]) -> Scores:
        """The same for every link of the page."""
        distance = link_distance(source)
        if self._is_dropped(distance):
            return [None] * len(links)
        return [Scored(self._options.decay**distance)] * len(links)

    def explain(self, source: Source, link: Link) -> Reason:  # noqa: ARG002
        """The distance and its score."""
        distance = link_distance(source)
        detail = distance_detail(distance)
        if self._is_dropped(distance):
            return Reason("priority", 0.0, f"{detail}: dropped")
        return Reason("priority", self._options.decay**distance, detail)

    def _is_dropped(self, distance: int) -> bool:
        return 0 < self._options.cutoff < distance


def distance_detail(distance: int) -> str:
    """A distance in words."""
    links = "link" if distance == 1 else "links"
    return f"{distance} {links} from the last relevant page or seed"
