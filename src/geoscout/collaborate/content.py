"""By the full text of the page: all its links go to the node of the city it is about.

The score is equation 3 of Gao, Lee and Miao (2006): mentions of "City, State" count `alpha`, bare
mentions of the city the rest, spread over the states that have a city of that name by population
and by the states the page mentions. It is not a probability; only the order matters under policy A.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from geoscout.collaborate.base import (
    ClaimingCollaboration,
    Collaboration,
    CollaborationAim,
    CollaborationTraits,
    Origin,
)
from geoscout.collaborate.owned_names import OwnedMentionFinder, OwnedNames
from geoscout.collaborate.policy import Claim, Claims, CollaborationOptions, Policy, best_place
from geoscout_places.model import Link
from geoscout_places.plugins import read_options, setting

_REMEMBERED = 16  # texts: a page is asked about for its links and again for its label


@dataclass(frozen=True, slots=True)
class ContentOptions(CollaborationOptions):
    """The constants of the score, and its readings."""

    alpha: float = setting(0.7, "weight of a city with its state; the rest is for bare names")
    beta: float = setting(0.5, "weight of population over the states mentioned in the page")
    scope: str = setting("all", "population is compared with all places of the name, or `owned`")
    renormalise: bool = setting(
        default=False, reason="make the shares of the states sum to 1 over the places of a name"
    )
    capitals: bool = setting(default=True, reason="names are written with a capital")


@dataclass(slots=True)
class MentionCounts:
    """The mentions of a page."""

    pairs: Counter[tuple[str, int]]  # name and region
    bare: Counter[str]
    regions: Counter[int]  # outside pairs


def create(aim: CollaborationAim) -> Collaboration:
    """The collaboration that reads pages."""
    return ByContent(aim, read_options("content", ContentOptions, aim.options))


class ByContent(ClaimingCollaboration):
    """The city a page is about."""

    traits = CollaborationTraits(reads_links=False)

    def __init__(self, aim: CollaborationAim, options: ContentOptions) -> None:
        super().__init__(aim.partition, Policy(aim.partition, options))
        self._names = OwnedNames(aim.partition.targets, aim.gazetteer)
        self._finder = OwnedMentionFinder(self._names, capitals=options.capitals)
        self._options = options
        self._owned = aim.partition.targets
        self._bearers = {name: self._all_bearers(name) for name in self._names.names}
        self._claims = lru_cache(_REMEMBERED)(self._claim)

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

    def _claim(self, text: str) -> Claims:
        names = self._names
        claims = [Claim(place, score) for place, score in self.scores(text).items() if score > 0]
        return sorted(claims, key=lambda c: (-c.weight, -names.population(c.place), c.place))

    def _count(self, text: str) -> MentionCounts:
        counts = MentionCounts(Counter(), Counter(), Counter())
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
        beta, mentioned = self._options.beta, regions.total() or 1
        shares = {
            place: beta * by_people + (1 - beta) * regions[region] / mentioned
            for place, region, by_people in self._bearers[name]
        }
        if self._options.renormalise and (total := sum(shares.values())):
            shares = {place: share / total for place, share in shares.items()}
        return {place: share for place, share in shares.items() if place in self._owned}

    def _all_bearers(self, name: str) -> list[tuple[int, int, float]]:
        """Who may be meant by a name: place, region and share of the people.

        Only owned ones get a score, so the others are needed for nothing but their sum.
        """
        owned_only = self._options.scope == "owned"
        return [
            (
                bearer.place,
                bearer.region,
                self._names.share(bearer.place, name, owned_only=owned_only),
            )
            for bearer in self._names.bearers(name)
            if self._options.renormalise or bearer.place in self._owned
        ]
