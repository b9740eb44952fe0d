"""By the full text of the page: all its links go to the node of the city it is about.

The score is equation 3 of Gao, Lee and Miao (2006): mentions of "City, State" count `alpha`, bare
mentions of the city the rest, spread over the states that have a city of that name by population
and by the states the page mentions. It is no probability; only the order matters under policy A.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from geoscout.collaborate.base import Aim, Claim, Claims, Collaboration, Origin, best_place
from geoscout.collaborate.mentions import MentionFinder
from geoscout.collaborate.names import Names
from geoscout.collaborate.options import Options, read_options
from geoscout.collaborate.policy import Policy
from geoscout.model import Link
from geoscout.settings import setting


@dataclass(frozen=True, slots=True)
class ContentOptions(Options):
    """The constants of the score, and its readings."""

    alpha: float = setting(0.7, "weight of a city with its state; the rest is for bare names")
    beta: float = setting(0.5, "weight of population over the states mentioned in the page")
    scope: str = setting("all", "population is compared with all places of the name, or `owned`")
    renormalise: bool = setting(
        default=False, reason="make the shares of the states sum to 1 over the places of a name"
    )
    capitals: bool = setting(default=True, reason="names are written with a capital")


@dataclass(slots=True)
class Counts:
    """The mentions of a page."""

    pairs: Counter[tuple[str, int]]  # name and region
    bare: Counter[str]
    regions: Counter[int]  # outside pairs


def create(aim: Aim) -> Collaboration:
    """The collaboration that reads pages."""
    return ByContent(aim, read_options("content", ContentOptions, aim.options))


class ByContent(Collaboration):
    """The city a page is about."""

    reads_pages = True

    def __init__(self, aim: Aim, options: ContentOptions) -> None:
        super().__init__(aim.partition, Policy(aim.partition, options))
        self._names = Names(aim.partition.targets, aim.gazetteer)
        self._finder = MentionFinder(self._names, capitals=options.capitals)
        self._options = options

    def claims(self, origin: Origin, links: Sequence[Link]) -> Sequence[Claims]:
        return [self._claims(origin.page.text)] * len(links)

    def label(self, origin: Origin) -> int:
        return best_place(self._claims(origin.page.text))

    def scores(self, text: str) -> Mapping[int, float]:
        """The score of every owned city that is mentioned."""
        counts = self._count(text)
        scores: dict[int, float] = {}
        for (name, region), number in counts.pairs.items():
            if place := self._names.meaning(name, region):
                scores[place] = scores.get(place, 0.0) + self._options.alpha * number
        for name, number in counts.bare.items():
            for place, share in self._shares(name, counts.regions).items():
                bare = (1 - self._options.alpha) * share * number
                scores[place] = scores.get(place, 0.0) + bare
        return scores

    def _claims(self, text: str) -> Claims:
        names = self._names
        claims = [Claim(place, score) for place, score in self.scores(text).items() if score > 0]
        return sorted(claims, key=lambda c: (-c.weight, -names.population(c.place), c.place))

    def _count(self, text: str) -> Counts:
        counts = Counts(Counter(), Counter(), Counter())
        for found in self._finder.find(text):
            if not found.name:
                counts.regions[found.region] += 1
            elif found.region:
                counts.pairs[found.name, found.region] += 1
            else:
                counts.bare[found.name] += 1
        return counts

    def _shares(self, name: str, regions: Counter[int]) -> Mapping[int, float]:
        """How likely a bare name means each owned city (eq. 2)."""
        beta, mentioned = self._options.beta, regions.total()
        owned_only = self._options.scope == "owned"
        shares: dict[int, tuple[int, float]] = {}
        for bearer in self._names.bearers(name):
            by_people = self._names.share(bearer.place, name, owned_only=owned_only)
            by_page = regions[bearer.region] / mentioned if mentioned else 0.0
            shares[bearer.place] = bearer.region, beta * by_people + (1 - beta) * by_page
        total = sum(share for _, share in shares.values()) if self._options.renormalise else 1.0
        return {
            place: share / total
            for place, (region, share) in shares.items()
            if total and self._names.meaning(name, region) == place
        }
