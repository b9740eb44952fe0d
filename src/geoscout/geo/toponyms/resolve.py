"""Chooses, for each name of a page, the place it means.

A linear score over a few facts of each option: how important the place is, whether the text says
what it lies in ("Athens, Alabama"), and how much of the page's other places lie in the same
country, region or neighbourhood. One name has one sense on a page.
"""

from __future__ import annotations

from collections.abc import Callable
from math import exp, log

from geoscout.geo.toponyms.evidence import Evidence
from geoscout.geo.toponyms.knowledge import Facts, Option, Toponyms
from geoscout.model import Place

_SMOOTHING = 0.5
_NONE = 1e-6  # weights come back to zero only nearly when a name is muted
_NEGLIGIBLE = 7.0  # an option this much behind the best does not change how sure the best is

Bonus = Callable[[Place], float]


class Chooser:
    """Chooses for one name after the other of one page."""

    def __init__(self, evidence: Evidence, knowledge: Toponyms, bonus: Bonus | None) -> None:
        self._evidence = evidence
        self._weights = knowledge.sense.page
        self._bonus = bonus

    def choose(self, name: str, facts: Facts, areas: frozenset[int]) -> tuple[Option, float]:
        """The option a name means, and how sure that is (0 to 1)."""
        options = facts.options
        if len(options) == 1:
            return options[0], 1.0
        scores = self._scores(name, facts, areas)
        best = max(scores)
        least = best - _NEGLIGIBLE
        sureness = 1.0 / sum([exp(score - best) for score in scores if score > least])
        return options[scores.index(best)], sureness

    def _scores(self, name: str, facts: Facts, areas: frozenset[int]) -> list[float]:
        evidence, weights = self._evidence, self._weights
        is_alone = facts.countries.isdisjoint(evidence.weights.countries)
        if is_alone and not areas:
            scores = [option.base for option in facts.options]
        else:
            pages = page_features(name, facts, evidence, areas)
            scores = [
                option.base + sum([w * f for w, f in zip(weights, page, strict=False)])
                for option, page in zip(facts.options, pages, strict=True)
            ]
        if self._bonus is not None:
            for position, option in enumerate(facts.options):
                scores[position] += self._bonus(option.place)
        return scores


def page_features(
    name: str, facts: Facts, evidence: Evidence, areas: frozenset[int]
) -> list[tuple[float, ...]]:
    """What the page says for each option, in the order of `PAGE_FEATURES` of the model.

    Features at the end that are zero are left out: most options have few others.
    """
    evidence.mute(name)
    countries, regions, squares = evidence.weights
    scale = 1.0 / (evidence.total - evidence.has(name) + _SMOOTHING)
    found: list[tuple[float, ...]] = []
    for _, _, _, _, country, region, (first, second), above, _ in facts.options:
        explained = 0.0 if areas.isdisjoint(above) else 1.0
        in_country = countries.get(country, 0.0) * scale
        in_region = regions.get(region, 0.0)
        in_square = squares.get(first, 0.0)
        if (other := squares.get(second, 0.0)) > in_square:
            in_square = other
        page: tuple[float, ...] = (explained, in_country)
        if in_region > _NONE or in_square > _NONE:
            logs = log(1.0 + in_region), log(1.0 + in_square)
            page += (in_region * scale, logs[0], in_square * scale, logs[1])
        found.append(page)
    evidence.unmute(name)
    return found
