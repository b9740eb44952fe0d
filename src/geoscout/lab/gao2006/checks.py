"""What it means that Gao, Lee and Miao 2006 is reproduced: orderings and ratios, web by web.

Absolute percentages belong to the web of 2005. Each check is a sentence, and the table says on how
many webs it holds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from geoscout.lab.experiments import Cell, Run, Table

ByName = Mapping[str, Run]  # the runs of one web by assignment
# The stand-in with the error rates of the paper's classifier; the trained one is far better.
PUBLISHED_CLASSIFIER = "classifier-2006"
# A small crawl leaves a node of two cities without any entity, and its focus is then undefined.
_FOCUS = "geo_focus_where_measured"
_CLASSIFIER = (PUBLISHED_CLASSIFIER, "classifier")


def falls(key: str, *names: str) -> Callable[[ByName], bool | None]:
    """A check that a figure falls from each of these assignments to the next."""

    def check(runs: ByName) -> bool | None:
        found = [_find(runs, name) for name in names]
        if any(run is None for run in found):
            return None
        values = [run[key] for run in found if run is not None]
        return all(more > less for more, less in pairwise(values))

    return check


def between(key: str, over: str, low: float, high: float) -> Callable[[ByName], bool | None]:
    """A check of the ratio of the URL assignment to another one."""

    def check(runs: ByName) -> bool | None:
        one, other = runs.get("url"), runs.get(over)
        if one is None or other is None:
            return None
        return bool(other[key]) and low <= one[key] / other[key] <= high

    return check


def _lift_above(name: str, least: float) -> Callable[[ByName], bool | None]:
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


CHECKS: tuple[tuple[str, Callable[[ByName], bool | None]], ...] = (
    ("coverage: url > content", falls("geo_coverage", "url", "content")),
    ("coverage: anchor > content", falls("geo_coverage", "anchor", "content")),
    ("coverage: content > ip", falls("geo_coverage", "content", "ip")),
    ("coverage: ip > classifier", falls("geo_coverage", "ip", "classifier")),
    ("coverage: classifier > hash", falls("geo_coverage", "classifier", "hash")),
    ("coverage: url / hash between 4 and 12", between("geo_coverage", "hash", 4, 12)),
    ("focus: url > anchor", falls(_FOCUS, "url", "anchor")),
    ("focus: anchor > content", falls(_FOCUS, "anchor", "content")),
    ("focus: content > ip", falls(_FOCUS, "content", "ip")),
    ("focus: ip > classifier", falls(_FOCUS, "ip", "classifier")),
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


def checks_table(runs: Sequence[Run]) -> Table:
    """On how many webs each ordering comes out."""
    webs: dict[str, dict[str, Run]] = {}
    for run in runs:
        webs.setdefault(f"{run['web']} {run['random_seed']}", {})[run["collaboration"]] = run
    rows: list[tuple[Cell, ...]] = []
    for sentence, check in CHECKS:
        held = [held for by_name in webs.values() if (held := check(by_name)) is not None]
        if held:
            rows.append((sentence, sum(held), len(held)))
    note = f"{PUBLISHED_CLASSIFIER!r} takes the place of the classifier where it was run."
    return Table("Orderings of the paper", ("", "webs it holds on", "of"), tuple(rows), note)


def _find(runs: ByName, name: str) -> Run | None:
    names = _CLASSIFIER if name == "classifier" else (name,)
    return next((runs[found] for found in names if found in runs), None)
