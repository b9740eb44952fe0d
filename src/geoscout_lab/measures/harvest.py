"""How well a crawl focuses, and whether one strategy is better or was lucky (docs/evaluation.md).

The measures are functions of the order of visits: an array that says of each visit whether it
brought a relevant page. A curve has a value for every visit, so a budget is a position in it.

Webs differ far more than strategies do: the spread of the harvest between webs is 40 % of its
mean, that of the ratio of two strategies on the same web 10 %. So strategies are compared in
pairs, unit by unit, by the logarithm of their ratio. A unit is a web, a region in it and its
seeds; regions of one web are not independent evidence, so the bootstrap draws webs first.
"""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Flags = NDArray[np.bool_]
Numbers = NDArray[np.int64]
Curve = NDArray[np.float64]

SHARES = (0.05, 0.10, 0.25, 0.50, 1.00)  # of the budget, where the harvest is reported
_LAST = 0.1  # the share of a crawl that its marginal harvest looks at


def found_curve(relevant: Flags, budget: int) -> Numbers:
    """Relevant pages after each visit; a crawl that ran dry keeps what it has to the end."""
    counts = np.cumsum(relevant[:budget], dtype=np.int64)
    last = counts[-1] if len(counts) else 0
    return np.concatenate([counts, np.full(budget - len(counts), last, np.int64)])


def harvest_curve(found: Numbers) -> Curve:
    """Relevant pages over visits, after each visit."""
    return found / np.arange(1, len(found) + 1)


def harvest(found: Numbers) -> float:
    """Relevant pages over visits at the end; 0 for a crawl without a visit.

    Visits a dry frontier left unused count: a strategy that stops early has not harvested better.
    """
    return float(found[-1]) / len(found) if len(found) else 0.0


def harvest_at(found: Numbers) -> dict[float, float]:
    """The harvest after some shares of the budget."""
    ends = {share: max(1, round(share * len(found))) for share in SHARES}
    return {share: harvest(found[:end]) for share, end in ends.items()}


def area(found: Numbers, reachable: int) -> float:
    """The mean recall over the crawl: the area under recall against visits."""
    return float(np.mean(found / max(reachable, 1))) if len(found) else 0.0


def marginal_harvest(relevant: Flags, budget: int) -> float:
    """The harvest of the last tenth, which shows whether the crawl is still alive."""
    last = max(1, round(budget * _LAST))
    return float(np.count_nonzero(relevant[budget - last : budget])) / last


def oracle_efficiency(found: int, baseline: float, oracle: int) -> float | None:
    """How much of the way from the baseline to the oracle was covered; None if there is no way."""
    return None if oracle <= baseline else (found - baseline) / (oracle - baseline)


def share_of(part: int, whole: int) -> float:
    """One number over another; 0 of nothing."""
    return part / whole if whole else 0.0


def host_recall(hosts: Numbers, relevant: Flags, reachable_hosts: int) -> float:
    """The share of hosts with a relevant page of which one was found."""
    return share_of(len(np.unique(hosts[relevant])), reachable_hosts)


def unique_found(entities: Sequence[frozenset[str]]) -> int:
    """Relevant pages, those with the same entities counted once.

    `entities`: of each relevant page that was found; a page without any counts for itself.
    """
    distinct = len({page for page in entities if page})
    return distinct + sum(not page for page in entities)


def tail_waste(hosts: Numbers, relevant: Flags) -> float:
    """The share of visits spent in hosts that never gave a relevant page."""
    if not len(hosts):
        return 0.0
    return float(np.mean(~np.isin(hosts, hosts[relevant])))


def polite_seconds(
    hosts: Sequence[int], parents: Sequence[int], *, connections: int = 50
) -> NDArray[np.int64]:
    """In which second each visit happens, one a host and second and `connections` in all.

    Visits keep their order as far as politeness lets them; none comes before the second after its
    parent's, because its link was not known then.
    """
    host_free: dict[int, int] = {}
    started: list[int] = []
    full: dict[int, int] = {}
    for host, parent in zip(hosts, parents, strict=True):
        second = max(host_free.get(host, 0), started[parent] + 1 if parent >= 0 else 0)
        while full.get(second, 0) >= connections:
            second += 1
        full[second] = full.get(second, 0) + 1
        host_free[host] = second + 1
        started.append(second)
    return np.array(started, dtype=np.int64)


def thinned(curve: Numbers, points: int = 200) -> Mapping[str, list[int]]:
    """A curve as this many points, evenly spread and with both ends, for files and plots."""
    ends = np.unique(np.linspace(1, max(len(curve), 1), points).astype(int))
    return {"visits": ends.tolist(), "found": curve[ends - 1].tolist() if len(curve) else []}


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
    others = ([*groups[:n], *groups[n + 1 :]] for n in range(len(groups)))  # without each web
    left_out = np.array([np.concatenate(some).mean() for some in others])
    ends = _bca_ends(means, float(logs.mean()), left_out)
    return math.exp(float(np.quantile(means, ends[0]))), math.exp(
        float(np.quantile(means, ends[1]))
    )


def ratio_interval(above: Sequence[float], below: Sequence[float] = ()) -> tuple[float, float]:
    """The bootstrap interval of the ratio of two means over the same webs; alone, of the mean.

    >>> ratio_interval([2.0, 2.0, 2.0], [1.0, 1.0, 1.0])
    (2.0, 2.0)
    >>> ratio_interval([1.0, 1.0], [0.0, 2.0])
    (0.5, inf)
    """
    count = len(above)
    drawn = np.random.default_rng(0).integers(count, size=(RESAMPLES, count))
    means = np.array(above)[drawn].mean(axis=1)
    if len(below):
        under = np.array(below)[drawn].mean(axis=1)
        means = np.divide(means, under, out=np.full(RESAMPLES, np.inf), where=under > 0)
    tail = (1 - CONFIDENCE) / 2
    ends = [tail, 1 - tail]
    if np.isfinite(means).all():
        low, high = np.quantile(means, ends)
    else:  # between a number and infinity there is nothing to interpolate
        low, high = np.quantile(means, ends, method="nearest")
    return float(low), float(high)


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
