"""Decides which country, region and district of the gazetteer an outline is.

The outlines come with GeoNames codes of their own, but of another level in France, Great Britain,
Italy or Spain, and of another year where divisions were reformed (Kenya, Norway, Vietnam). The
cities inside an outline tell it better: each carries the codes the gazetteer uses today. Outlines
that vote alike are joined, and a joined outline is kept only if it holds the right cities.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

# This many stray votes do not count against the code an outline brings along.
_STRAY_VOTES = 2
_FEW_CITIES = 5
_LEAST_AGREEMENT = 0.6
_LEAST_AGREEMENT_OF_FEW = 0.3


class Codes(NamedTuple):
    """Where something belongs: "DE", "DE.06", "DE.06.06412"; "" where unknown."""

    country: str
    region: str
    district: str


class Known(NamedTuple):
    """The codes the gazetteer has."""

    regions: frozenset[str]
    districts: frozenset[str]


def assign(own: Codes, inside: Sequence[Codes], known: Known) -> Codes:
    """Choose the codes of an outline from its own and from those of the cities inside."""
    own_region = own.region if own.region in known.regions else ""
    # Without a region of its country (French Guiana, Crimea, Christmas Island) it has no say.
    patience = _STRAY_VOTES if own_region.startswith(f"{own.country}.") else 0
    country = _elect((city.country for city in inside), own.country, patience)
    at_home = [city for city in inside if city.country == country]
    votes = (city.region for city in at_home if city.region in known.regions)
    region = _elect(votes, own_region, _STRAY_VOTES)
    if not region.startswith(f"{country}."):
        return Codes(country, "", "")
    votes = (c.district for c in at_home if c.region == region and c.district in known.districts)
    return Codes(country, region, _elect(votes, "", 0))


def _elect(votes: Iterable[str], own: str, patience: int) -> str:
    counts = Counter(votes)
    if not counts:
        return own
    winner, count = min(counts.items(), key=lambda item: (-item[1], item[0]))
    if own and count <= 2 * counts[own] + patience:
        return own
    return winner


class Tally(NamedTuple):
    """How the cities in an outline match those that the gazetteer puts there."""

    right: int  # in the outline, and rightly so
    inside: int  # in the outline
    expected: int  # of that code in the gazetteer

    @property
    def agreement(self) -> float:
        """The share of right ones among all that should or do lie inside."""
        return self.right / (self.inside + self.expected - self.right)


def is_convincing(tally: Tally) -> bool:
    """Tell whether an outline may stand for its code.

    One without any city is believed; with a handful, one misplaced village must not decide.
    """
    if not tally.expected and not tally.inside:
        return True
    few = max(tally.expected, tally.inside) < _FEW_CITIES
    return tally.agreement >= (_LEAST_AGREEMENT_OF_FEW if few else _LEAST_AGREEMENT)
