"""How well a crawl focuses: harvest, recall, and what they leave out (docs/evaluation.md).

All are functions of the order of visits: an array that says of each visit whether it brought a
relevant page. A curve has a value for every visit, so a budget is a position in it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

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


def recall_curve(found: Numbers, reachable: int) -> Curve:
    """Relevant pages found over those that can be reached."""
    return found / max(reachable, 1)


def harvest(found: Numbers) -> float:
    """Relevant pages over visits at the end; 0 for a crawl without a visit.

    Visits a dry frontier left unused count: a strategy that stops early has not harvested better.
    """
    return float(found[-1]) / len(found) if len(found) else 0.0


def harvest_at(found: Numbers, shares: Sequence[float] = SHARES) -> dict[float, float]:
    """The harvest after these shares of the budget."""
    ends = {share: max(1, round(share * len(found))) for share in shares}
    return {share: harvest(found[:end]) for share, end in ends.items()}


def area(found: Numbers, reachable: int) -> float:
    """The mean recall over the crawl: the area under recall against visits."""
    return float(np.mean(recall_curve(found, reachable))) if len(found) else 0.0


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
