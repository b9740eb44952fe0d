"""Chooses, for each name of a page, the place it means.

A linear score over a few facts of each option: how important the place is, whether the text says
what it lies in ("Athens, Alabama"), and how much of the page's other places lie in the same
country, region or neighbourhood. What the sure names of the page, and the other pages of its site,
say of these areas is the evidence. One name has one sense on a page.
"""

from collections.abc import Iterable
from math import exp, log
from typing import NamedTuple

from geoscout_places.geo.mentions.binding import NO_KINDS, KindsBeside
from geoscout_places.geo.mentions.knowledge import NameKnowledge
from geoscout_places.geo.mentions.linear_models import PAGE_FEATURES
from geoscout_places.geo.mentions.senses import NameFacts, Senses
from geoscout_places.model import Kind, Place, SiteKnowledge

_ENOUGH = 0.4  # weight from which an area is one the page is about
_ENOUGH_WITH_OWN = 1.2  # the same for a name that is part of the evidence
# What the site says counts as this many names of the page. On local news 2 to 8 do equally well.
_SITE_NAMES = 4.0


class Weights:
    """What speaks for which area."""

    __slots__ = ("countries", "regions", "squares")

    def __init__(self) -> None:
        self.countries: dict[str, float] = {}
        self.regions: dict[int, float] = {}
        self.squares: dict[int, float] = {}

    def add(self, senses: Senses, sign: float) -> None:
        """Count what a name may mean for the areas that lies in, or take it out again."""
        countries, regions, squares = self.countries, self.regions, self.squares
        for number, share in senses.shares:
            gain = sign * share
            if country := senses.countries[number]:
                countries[country] = countries.get(country, 0.0) + gain
            if region := senses.regions[number]:
                regions[region] = regions.get(region, 0.0) + gain
            first, second = senses.squares[2 * number], senses.squares[2 * number + 1]
            if first:
                squares[first] = squares.get(first, 0.0) + gain
                squares[second] = squares.get(second, 0.0) + gain

    def add_site(self, site: SiteKnowledge) -> None:
        """Count what the other pages of the site name."""
        for country, share in site.countries:
            self.countries[country] = self.countries.get(country, 0.0) + _SITE_NAMES * share
        for region, share in site.regions:
            self.regions[region] = self.regions.get(region, 0.0) + _SITE_NAMES * share
        for square, share in site.squares:
            self.squares[square] = self.squares.get(square, 0.0) + _SITE_NAMES * share


class Areas(NamedTuple):
    """Those areas that have enough weight to count as what the page is about."""

    countries: frozenset[str]
    regions: frozenset[int]
    squares: frozenset[int]


class PageEvidence:
    """The weights of a page; each name counts once, shared out over its likeliest senses."""

    def __init__(
        self,
        names: Iterable[tuple[str, NameFacts]],
        country_hint: str = "",
        site: SiteKnowledge | None = None,
    ) -> None:
        names = list(names)
        self.sources = (names, country_hint, site)  # what the same evidence can be made of
        self.weights = Weights()
        self.total = 0.0
        self._own: dict[str, Senses] = {}
        self._districts: frozenset[int] | None = None
        self._surroundings: frozenset[int] | None = None
        if country_hint:
            self.weights.countries[country_hint] = self.total = 1.0
        for name, facts in names:
            self.total += 1.0
            senses = self._own[name] = facts.senses()
            self.weights.add(senses, 1.0)
        # Not in the total: names that the page itself has do not count less for it.
        if site is not None:
            self.weights.add_site(site)
        self.areas = self._areas(_ENOUGH)
        self.areas_with_own = self._areas(_ENOUGH_WITH_OWN)

    def districts(self) -> frozenset[int]:
        """Ids of all districts that the names may mean."""
        if self._districts is None:
            self._districts = frozenset().union(
                *[senses.districts for senses in self._own.values()]
            )
        return self._districts

    def surroundings(self) -> frozenset[int]:
        """Ids of all countries, regions and districts that the names may lie in."""
        if self._surroundings is None:
            self._surroundings = frozenset().union(
                *[senses.around for senses in self._own.values()]
            )
        return self._surroundings

    def _areas(self, least: float) -> Areas:
        weights = self.weights
        return Areas(
            frozenset([country for country, weight in weights.countries.items() if weight > least]),
            frozenset([region for region, weight in weights.regions.items() if weight > least]),
            frozenset([square for square, weight in weights.squares.items() if weight > least]),
        )

    def has(self, name: str) -> bool:
        """Whether the name is part of the evidence."""
        return name in self._own

    def mute(self, name: str) -> None:
        """Leave out what a name has put in, so that it does not speak for itself."""
        if name in self._own:
            self.weights.add(self._own[name], -1.0)

    def unmute(self, name: str) -> None:
        """Take up again what a name has put in."""
        if name in self._own:
            self.weights.add(self._own[name], 1.0)


_SMOOTHING = 0.5
_NONE = 1e-6  # weights come back to zero only nearly when a name is muted
_NEGLIGIBLE = 7.0  # an option this much behind the best does not change how sure the best is


class Chooser:
    """Chooses for one name after the other of one page."""

    def __init__(self, evidence: PageEvidence, knowledge: NameKnowledge) -> None:
        self._evidence = evidence
        self._weights = knowledge.sense.page
        # A list of towns says of one state again and again that it is a state.
        self._inside: dict[tuple[str, frozenset[int]], Place] = {}
        self._of: dict[tuple[str, frozenset[int]], Place] = {}

    def choose(
        self, name: str, facts: NameFacts, areas: frozenset[int], kinds: KindsBeside = NO_KINDS
    ) -> tuple[Place, float]:
        """The place a name means, and how sure that is (0 to 1)."""
        senses = facts.senses()
        if len(senses.ids) == 1:
            return senses.candidates[0].place, 1.0
        scores = self._scores(name, senses, areas)
        if kinds is not NO_KINDS:
            self._add_kinds(scores, senses, kinds)
        best = max(scores)
        chosen = scores.index(best)
        region, least = senses.regions[chosen], best - _NEGLIGIBLE
        # A city and the province named after it are not two opinions about where that is.
        others = 0.0  # added one by one: `sum` of later Pythons corrects what it loses
        for score, other in zip(scores, senses.regions, strict=True):
            if score > least and (other != region or not region):
                others += exp(score - best)
        return senses.candidates[chosen].place, 1.0 / (1.0 + others - (0.0 if region else 1.0))

    def choose_inside(self, name: str, facts: NameFacts, areas: frozenset[int]) -> Place:
        """The likeliest option of those that lie in one of the areas; there is at least one."""
        if found := self._inside.get((name, areas)):
            return found
        senses = facts.senses()
        scores = self._scores(name, senses, areas)
        inside = [n for n, above in enumerate(senses.lineages) if not areas.isdisjoint(above)]
        best = max(inside, key=scores.__getitem__)
        found = self._inside[name, areas] = senses.candidates[best].place
        return found

    def choose_of(self, name: str, facts: NameFacts, ids: frozenset[int]) -> Place:
        """The likeliest option of those with one of the ids; there is at least one."""
        if found := self._of.get((name, ids)):
            return found
        senses = facts.senses()
        scores = self._scores(name, senses, frozenset())
        meant = [n for n, id in enumerate(senses.ids) if id in ids]
        best = max(meant, key=scores.__getitem__)
        found = self._of[name, ids] = senses.candidates[best].place
        return found

    def _scores(self, name: str, senses: Senses, areas: frozenset[int]) -> list[float]:
        evidence = self._evidence
        if not areas and evidence.weights.countries.keys().isdisjoint(senses.countries):
            return list(senses.bases)
        evidence.mute(name)
        scale = 1.0 / (evidence.total - evidence.has(name) + _SMOOTHING)
        scores = self._sums(senses, evidence.weights, scale, areas)
        evidence.unmute(name)
        self._add_nesting(scores, senses)
        return scores

    def _add_nesting(self, scores: list[float], senses: Senses) -> None:
        """Add what the named districts say, and what lies in the options."""
        district_named, surrounds = self._weights[-4:-2]
        districts, inside = nesting(senses, self._evidence)
        if not districts and not inside:
            return
        for number, id in enumerate(senses.ids):
            if districts and not districts.isdisjoint(senses.lineages[number]):
                scores[number] += district_named
            if id in inside:
                scores[number] += surrounds

    def _add_kinds(self, scores: list[float], senses: Senses, kinds: KindsBeside) -> None:
        said, listed = self._weights[-2:]
        for number, kind in enumerate(senses.kinds):
            if kind in kinds.said:
                scores[number] += said
            if kind in kinds.listed:
                scores[number] += listed

    def _sums(
        self, senses: Senses, weights: Weights, scale: float, areas: frozenset[int]
    ) -> list[float]:
        """Base and page score of each option: `option_features` written out, since it is hot."""
        explained, same_country, same_region, in_region, same_square, in_square = self._weights[:-4]
        countries, regions, squares = weights.countries, weights.regions, weights.squares
        scores = []
        for number, country in enumerate(senses.countries):
            score = senses.bases[number]
            if areas and not areas.isdisjoint(senses.lineages[number]):
                score += explained
            if country in countries:
                score += same_country * countries[country] * scale
                weight = regions.get(senses.regions[number], 0.0)
                if weight > _NONE:
                    score += same_region * weight * scale + in_region * log(1.0 + weight)
                weight = max(
                    squares.get(senses.squares[2 * number], 0.0),
                    squares.get(senses.squares[2 * number + 1], 0.0),
                )
                if weight > _NONE:
                    score += same_square * weight * scale + in_square * log(1.0 + weight)
            elif not country and senses.kinds[number] is Kind.AREA:
                # The Alps lie in eight countries, and are as much at home as the town of Alpen.
                score += same_country * max(countries.values(), default=0.0) * scale
            scores.append(score)
        return scores


def nesting(senses: Senses, evidence: PageEvidence) -> tuple[frozenset[int], frozenset[int]]:
    """The districts around options that other names may mean, and the options around others."""
    # What is among the senses of a name itself, it may owe to itself alone.
    return (
        (evidence.districts() & senses.around).difference(senses.districts),
        evidence.surroundings().intersection(senses.ids) - senses.around,
    )


def option_features(
    name: str,
    facts: NameFacts,
    evidence: PageEvidence,
    areas: frozenset[int],
    kinds: KindsBeside = NO_KINDS,
) -> list[list[float]]:
    """What the page says for each option, in the order of `PAGE_FEATURES` of the model."""
    evidence.mute(name)
    weights = evidence.weights
    countries, regions, squares = weights.countries, weights.regions, weights.squares
    scale = 1.0 / (evidence.total - evidence.has(name) + _SMOOTHING)
    found = []
    senses = facts.senses()
    districts, inside = nesting(senses, evidence)
    for number, country in enumerate(senses.countries):
        above, kind = senses.lineages[number], senses.kinds[number]
        row = [0.0 if areas.isdisjoint(above) else 1.0]
        if country in countries:
            region = max(regions.get(senses.regions[number], 0.0), 0.0)
            own = senses.squares[2 * number : 2 * number + 2]
            square = max(squares.get(one, 0.0) for one in own)
            row += [countries[country] * scale, region * scale, log(1.0 + region)]
            row += [square * scale, log(1.0 + max(square, 0.0))]
        elif not country and kind is Kind.AREA:
            row.append(max(countries.values(), default=0.0) * scale)
        row += [0.0] * (len(PAGE_FEATURES) - 4 - len(row))
        row += [float(not districts.isdisjoint(above)), float(senses.ids[number] in inside)]
        found.append([*row, float(kind in kinds.said), float(kind in kinds.listed)])
    evidence.unmute(name)
    return found
