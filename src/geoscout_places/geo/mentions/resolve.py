"""Chooses, for each name of a page, the place it means.

A linear score over a few facts of each option: how important the place is, whether the text says
what it lies in ("Athens, Alabama"), and how much of the page's other places lie in the same
country, region or neighbourhood. One name has one sense on a page.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log

from geoscout_places.geo.mentions.evidence import PageEvidence, Weights
from geoscout_places.geo.mentions.kinds_beside import NO_KINDS, KindsBeside
from geoscout_places.geo.mentions.knowledge import NameFacts, NameKnowledge
from geoscout_places.geo.mentions.linear_models import PAGE_FEATURES
from geoscout_places.geo.mentions.senses import Option
from geoscout_places.model import Kind

_SMOOTHING = 0.5
_NONE = 1e-6  # weights come back to zero only nearly when a name is muted
_NEGLIGIBLE = 7.0  # an option this much behind the best does not change how sure the best is


class Chooser:
    """Chooses for one name after the other of one page."""

    def __init__(self, evidence: PageEvidence, knowledge: NameKnowledge) -> None:
        self._evidence = evidence
        self._weights = knowledge.sense.page
        # A list of towns says of one state again and again that it is a state.
        self._inside: dict[tuple[str, frozenset[int]], Option] = {}
        self._of: dict[tuple[str, frozenset[int]], Option] = {}

    def choose(
        self,
        name: str,
        facts: NameFacts,
        areas: frozenset[int],
        kinds: KindsBeside = NO_KINDS,
    ) -> tuple[Option, float]:
        """The option a name means, and how sure that is (0 to 1)."""
        options = facts.options
        if len(options) == 1:
            return options[0], 1.0
        scores = self._scores(name, facts, areas)
        if kinds is not NO_KINDS:
            self._add_kinds(scores, facts, kinds)
        best = max(scores)
        chosen = options[scores.index(best)]
        region, least = chosen.where.region, best - _NEGLIGIBLE
        # A city and the province named after it are not two opinions about where that is.
        others = 0.0  # added one by one: `sum` of later Pythons corrects what it loses
        for score, option in zip(scores, options, strict=True):
            if score > least and (option.where.region != region or not region):
                others += exp(score - best)
        return chosen, 1.0 / (1.0 + others - (0.0 if region else 1.0))

    def choose_inside(self, name: str, facts: NameFacts, areas: frozenset[int]) -> Option:
        """The likeliest option of those that lie in one of the areas; there is at least one."""
        if found := self._inside.get((name, areas)):
            return found
        scores = self._scores(name, facts, areas)
        inside = [
            n for n, option in enumerate(facts.options) if not areas.isdisjoint(option.where.above)
        ]
        found = self._inside[name, areas] = facts.options[max(inside, key=scores.__getitem__)]
        return found

    def choose_of(self, name: str, facts: NameFacts, ids: frozenset[int]) -> Option:
        """The likeliest option of those with one of the ids; there is at least one."""
        if found := self._of.get((name, ids)):
            return found
        scores = self._scores(name, facts, frozenset())
        meant = [n for n, option in enumerate(facts.options) if option.place.id in ids]
        found = self._of[name, ids] = facts.options[max(meant, key=scores.__getitem__)]
        return found

    def _scores(self, name: str, facts: NameFacts, areas: frozenset[int]) -> list[float]:
        evidence = self._evidence
        if not areas and evidence.weights.countries.keys().isdisjoint(facts.countries):
            return [option.base for option in facts.options]
        evidence.mute(name)
        scale = 1.0 / (evidence.total - evidence.has(name) + _SMOOTHING)
        scores = self._sums(facts.options, evidence.weights, scale, areas)
        evidence.unmute(name)
        self._add_nesting(scores, facts)
        return scores

    def _add_nesting(self, scores: list[float], facts: NameFacts) -> None:
        """Add what the named districts say, and what lies in the options."""
        district_named, surrounds = self._weights[-4:-2]
        districts, inside = nesting(facts, self._evidence)
        if not districts and not inside:
            return
        for number, option in enumerate(facts.options):
            if districts and not districts.isdisjoint(option.where.above):
                scores[number] += district_named
            if option.place.id in inside:
                scores[number] += surrounds

    def _add_kinds(self, scores: list[float], facts: NameFacts, kinds: KindsBeside) -> None:
        said, listed = self._weights[-2:]
        for number, option in enumerate(facts.options):
            if option.place.kind in kinds.said:
                scores[number] += said
            if option.place.kind in kinds.listed:
                scores[number] += listed

    def _sums(
        self, options: Sequence[Option], weights: Weights, scale: float, areas: frozenset[int]
    ) -> list[float]:
        """Base and page score of each option: `option_features` written out, since it is hot."""
        explained, same_country, same_region, in_region, same_square, in_square = self._weights[:-4]
        countries, regions, squares = weights
        anywhere = max(countries.values(), default=0.0)
        scores = []
        for option in options:
            where = option.where
            score = option.base
            if areas and not areas.isdisjoint(where.above):
                score += explained
            if where.country in countries:
                score += same_country * countries[where.country] * scale
                if (weight := regions.get(where.region, 0.0)) > _NONE:
                    score += same_region * weight * scale + in_region * log(1.0 + weight)
                first, second = where.squares
                weight = max(squares.get(first, 0.0), squares.get(second, 0.0))
                if weight > _NONE:
                    score += same_square * weight * scale + in_square * log(1.0 + weight)
            elif not where.country and option.place.kind is Kind.AREA:
                # The Alps lie in eight countries, and are as much at home as the town of Alpen.
                score += same_country * anywhere * scale
            scores.append(score)
        return scores


def nesting(facts: NameFacts, evidence: PageEvidence) -> tuple[frozenset[int], frozenset[int]]:
    """The districts around options that other names may mean, and the options around others."""
    # What is among the senses of a name itself, it may owe to itself alone.
    return (
        (evidence.districts & facts.above).difference(facts.districts),
        (facts.ids & evidence.surroundings) - facts.above,
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
    countries, regions, squares = evidence.weights
    scale = 1.0 / (evidence.total - evidence.has(name) + _SMOOTHING)
    found = []
    districts, inside = nesting(facts, evidence)
    for option in facts.options:
        where = option.where
        row = [0.0 if areas.isdisjoint(where.above) else 1.0]
        if where.country in countries:
            region = max(regions.get(where.region, 0.0), 0.0)
            square = max(squares.get(number, 0.0) for number in where.squares)
            row += [countries[where.country] * scale, region * scale, log(1.0 + region)]
            row += [square * scale, log(1.0 + max(square, 0.0))]
        elif not where.country and option.place.kind is Kind.AREA:
            row.append(max(countries.values(), default=0.0) * scale)
        row += [0.0] * (len(PAGE_FEATURES) - 4 - len(row))
        row += [float(not districts.isdisjoint(where.above)), float(option.place.id in inside)]
        kind = option.place.kind
        found.append([*row, float(kind in kinds.said), float(kind in kinds.listed)])
    evidence.unmute(name)
    return found
