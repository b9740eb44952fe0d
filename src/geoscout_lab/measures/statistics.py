"""Whether one strategy is better than another, or was lucky.

Webs differ far more than strategies do: the spread of the harvest between webs is 40 % of its
mean, that of the ratio of two strategies on the same web 10 %. So strategies are compared in
pairs, unit by unit, by the logarithm of their ratio. A unit is a web, a region in it and its
seeds; regions of one web are not independent evidence, so the bootstrap draws webs first.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 10_000
CONFIDENCE = 0.95
INDICATION, CLAIM = 10, 20  # units needed to speak of either

UnitName = tuple[str, str]  # web, region
Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Comparison:
    """One strategy against another over the units both ran on."""

    strategy: str
    baseline: str
    ratio: float  # geometric mean over the units
    low: float  # of the confidence interval of the ratio
    high: float
    p: float  # Wilcoxon, two sides; not a number below six units that differ
    p_holm: float  # corrected for the number of strategies compared
    wins: int
    units: int

    @property
    def weight(self) -> str:
        """What the number of units allows to say."""
        return "claim" if self.units >= CLAIM else "indication" if self.units >= INDICATION else ""


def compare(
    strategy: str,
    baseline: str,
    pairs: Mapping[UnitName, tuple[float, float]],
    *,
    random_seed: int = 0,
) -> Comparison:
    """Compare by `pairs`: for each unit what the strategy and what the baseline reached.

    Values are counts or shares above 0; units where either has 0 must be raised before, see
    `raised`.
    """
    units = sorted(pairs)
    logs = np.array([math.log(pairs[unit][0] / pairs[unit][1]) for unit in units])
    low, high = interval(logs, [web for web, _ in units], random_seed=random_seed)
    p = _wilcoxon(logs)
    wins = int(np.count_nonzero(logs > 0))
    mean = math.exp(float(logs.mean())) if len(logs) else math.nan
    return Comparison(
        strategy, baseline, mean, low, high, p=p, p_holm=p, wins=wins, units=len(units)
    )


def raised(value: float, budget: int) -> float:
    """A share that can be taken the logarithm of: nothing counts as half a page of the budget."""
    return value if value > 0 else 0.5 / max(budget, 1)


def interval(logs: Values, webs: Sequence[str], *, random_seed: int = 0) -> tuple[float, float]:
    """The bias-corrected and accelerated bootstrap interval of the ratio; NaN below two webs."""
    groups = _groups(logs, webs)
    if len(groups) < 2:
        return math.nan, math.nan
    means = _resampled_means(groups, np.random.default_rng(random_seed))
    ends = _bca_ends(means, float(logs.mean()), _left_out_means(groups))
    return math.exp(float(np.quantile(means, ends[0]))), math.exp(
        float(np.quantile(means, ends[1]))
    )


def with_holm(comparisons: Sequence[Comparison]) -> list[Comparison]:
    """The comparisons with their p values corrected for how many there are.

    >>> from math import nan
    >>> made = [Comparison("a", "b", 1, 1, 1, p, p, 0, 9) for p in (0.01, 0.04, 0.03, nan)]
    >>> [round(c.p_holm, 2) for c in with_holm(made)]
    [0.03, 0.06, 0.06, nan]
    """
    known = sorted(
        (n for n, c in enumerate(comparisons) if not math.isnan(c.p)),
        key=lambda n: comparisons[n].p,
    )
    corrected, largest = list(comparisons), 0.0
    for rank, n in enumerate(known):
        largest = max(largest, min(1.0, comparisons[n].p * (len(known) - rank)))
        corrected[n] = replace(comparisons[n], p_holm=largest)
    return corrected


def _groups(logs: Values, webs: Sequence[str]) -> list[Values]:
    groups: dict[str, list[float]] = defaultdict(list)
    for web, value in zip(webs, logs.tolist(), strict=True):
        groups[web].append(value)
    return [np.array(groups[web]) for web in sorted(groups)]


def _resampled_means(groups: Sequence[Values], chance: np.random.Generator) -> Values:
    """Means of webs drawn with replacement, and of regions drawn inside each."""
    drawn = chance.integers(len(groups), size=(RESAMPLES, len(groups)))
    sums, counts = np.zeros(RESAMPLES), np.zeros(RESAMPLES)
    for number, group in enumerate(groups):
        times = np.count_nonzero(drawn == number, axis=1)
        for turn in range(int(times.max(initial=0))):
            rows = np.flatnonzero(times > turn)
            inside = chance.integers(len(group), size=(len(rows), len(group)))
            sums[rows] += group[inside].sum(axis=1)
            counts[rows] += len(group)
    means: Values = sums / counts
    return means


def _left_out_means(groups: Sequence[Values]) -> Values:
    """The mean without each of the webs."""
    return np.array(
        [np.concatenate([*groups[:n], *groups[n + 1 :]]).mean() for n in range(len(groups))]
    )


def _bca_ends(means: Values, mean: float, left_out: Values) -> tuple[float, float]:
    """The quantiles of the resampled means at which the interval ends (Efron 1987)."""
    from scipy.stats import norm  # noqa: PLC0415 - takes a second to import

    below = (np.count_nonzero(means < mean) + np.count_nonzero(means <= mean)) / 2 / len(means)
    bias = norm.ppf(min(max(below, 1e-6), 1 - 1e-6))
    away = left_out.mean() - left_out
    spread = 6 * float(np.sum(away**2)) ** 1.5
    acceleration = float(np.sum(away**3)) / spread if spread > 0 else 0.0
    ends = []
    for tail in ((1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2):
        shifted = bias + norm.ppf(tail)
        ends.append(float(norm.cdf(bias + shifted / (1 - acceleration * shifted))))
    return ends[0], ends[1]


def _wilcoxon(logs: Values) -> float:
    """Two-sided signed-rank test; below six differences it cannot reach 5 %."""
    from scipy.stats import wilcoxon  # noqa: PLC0415 - takes a second to import

    if np.count_nonzero(logs) < 6:
        return math.nan
    return float(wilcoxon(logs).pvalue)
