"""What it means that Gao, Lee and Miao 2006 is reproduced: orderings and ratios.

Absolute percentages belong to the web of 2005. Each check is a sentence. The tables say whether it
holds for the means over all webs, and on how many webs it holds by itself. A ratio is that of two
means: a mean of ratios would hang on the web where the divisor happens to be small.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from statistics import fmean

from geoscout_lab.experiments import Cell, Run, Table

ByName = Mapping[str, Run]  # the runs of one web, or their means, by assignment
Check = Callable[[ByName], bool | None]  # None where what it needs was not run
# A small crawl leaves a node of two cities without any entity, and its focus is then undefined.
_FOCUS = "geo_focus_where_measured"


def falls(key: str, *names: str) -> Check:
    """A check that a figure falls from each of these assignments to the next."""

    def check(runs: ByName) -> bool | None:
        if any(name not in runs for name in names):
            return None
        values = [runs[name][key] for name in names]
        return all(more > less for more, less in pairwise(values))

    return check


def between(key: str, over: str, low: float, high: float) -> Check:
    """A check of the ratio of the URL assignment to another one."""

    def check(runs: ByName) -> bool | None:
        one, other = runs.get("url"), runs.get(over)
        if one is None or other is None:
            return None
        return bool(other[key]) and low <= one[key] / other[key] <= high

    return check


def _lift_above(name: str, least: float) -> Check:
    def check(runs: ByName) -> bool | None:
        run = runs.get(name)
        if run is None or "locality_unlinked" not in run:
            return None
        unlinked: float = run["locality_unlinked"]
        return bool(run["locality_linked"] > least * unlinked)

    return check


def _no_overlap(runs: ByName) -> bool | None:
    found = [runs[name]["overlap"] for name in ("hash", "url") if name in runs]
    return not any(found) if len(found) == 2 else None


def _repeats_where_covered(runs: ByName) -> bool | None:
    """Hash finds the fewest repeated entities, and covers least."""
    others = [run["unique_entities"] for name, run in runs.items() if name in ("url", "anchor")]
    if "hash" not in runs or not others:
        return None
    return bool(runs["hash"]["unique_entities"] > max(others))


def _in_order(title: str, key: str, *names: str) -> tuple[tuple[str, Check], ...]:
    """A check for each neighbour in an order that falls."""
    return tuple((f"{title}: {a} > {b}", falls(key, a, b)) for a, b in pairwise(names))


CHECKS: tuple[tuple[str, Check], ...] = (
    ("coverage: url > content", falls("geo_coverage", "url", "content")),
    ("coverage: anchor > content", falls("geo_coverage", "anchor", "content")),
    *_in_order("coverage", "geo_coverage", "content", "ip", "classifier", "hash"),
    ("coverage: url / hash between 4 and 12", between("geo_coverage", "hash", 4, 12)),
    *_in_order("focus", _FOCUS, "url", "anchor", "content", "ip", "classifier"),
    ("overlap: hash and url have none", _no_overlap),
    ("overlap: anchor has some", falls("overlap", "anchor", "hash")),
    ("overlap: content > anchor", falls("overlap", "content", "anchor")),
    ("overlap: classifier > content", falls("overlap", "classifier", "content")),
    ("communication: hash > ip", falls("communication", "hash", "ip")),
    ("communication: url > hash", falls("communication", "url", "hash")),
    ("communication: content > url", falls("communication", "content", "url")),
    ("communication: classifier > content", falls("communication", "classifier", "content")),
    ("communication: anchor > classifier", falls("communication", "anchor", "classifier")),
    ("unique entities: hash has the most", _repeats_where_covered),
    ("locality: url more than 10 times", _lift_above("url", 10)),
    ("locality: content more than 10 times", _lift_above("content", 10)),
)
# Of tables 6 and 8, counted apart: the order as printed, each assignment against the next.
FURTHER_CHECKS: tuple[tuple[str, Check], ...] = (
    *_in_order(
        "centrality", "geo_centrality", "url", "anchor", "content", "ip", "classifier", "hash"
    ),
    *_in_order("diversity", "diversity", "ip", "hash", "content", "anchor", "classifier", "url"),
)


def checks_tables(runs: Sequence[Run]) -> list[Table]:
    """Whether the orderings of the paper come out, for the means and web by web."""
    webs: dict[str, dict[str, Run]] = {}
    for run in runs:
        webs.setdefault(f"{run['web']} {run['random_seed']}", {})[run["collaboration"]] = run
    told = list(webs.values())
    return [
        _table("Orderings of the paper", CHECKS, told),
        _table("Orderings of tables 6 and 8", FURTHER_CHECKS, told),
    ]


def _table(title: str, checks: Sequence[tuple[str, Check]], webs: Sequence[ByName]) -> Table:
    means = means_of(webs)
    rows: list[tuple[Cell, ...]] = []
    for sentence, check in checks:
        on_means = check(means)
        held = [held for by_name in webs if (held := check(by_name)) is not None]
        if on_means is not None:
            rows.append((sentence, "yes" if on_means else "no", sum(held), len(held)))
    note = f"{sum(row[1] == 'yes' for row in rows)} of {len(rows)} hold for the means over webs."
    columns = ("", "for the means", "webs it holds on", "of")
    return Table(title, columns, tuple(rows), note)


def means_of(webs: Sequence[ByName]) -> dict[str, dict[str, float]]:
    """The mean over webs of every figure that is a number, by assignment."""
    names = dict.fromkeys(name for by_name in webs for name in by_name)
    means = {}
    for name in names:
        runs = [by_name[name] for by_name in webs if name in by_name]
        keys = [key for key, value in runs[0].items() if isinstance(value, float | int)]
        means[name] = {key: fmean(run[key] for run in runs) for key in keys}
    return means
