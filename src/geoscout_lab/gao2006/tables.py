"""Tables 2 to 11 of Gao, Lee and Miao 2006 again: our means over webs next to their numbers."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import fmean, median
from typing import Any

from geoscout_lab.experiments import Cell, Run, Table, interval_text, number
from geoscout_lab.gao2006.checks import PAPER, PRINTED

SIX = ("hash", "url", "anchor", "content", "classifier", "ip")
# One download costs three times as much as sending a URL. The paper gives no numbers; the lemma
# holds for every cost of a download that is above that of sending.
DOWNLOAD_COST, SENDING_COST = 3.0, 1.0
# Measures of table 10, and whether more is better.
_SUMMED_UP = {
    "geo_coverage": True,
    "geo_focus": True,
    "geo_centrality": True,
    "overlap": False,
    "diversity": True,
    "communication": False,
}
_GOOD, _BAD = 0.2, 0.5  # within 20 % of the best; worse than the median by 50 %
_NEARLY_ZERO = 0.005  # where the best is 0, this still is within 20 % of it


def tables(runs: Sequence[Run]) -> list[Table]:
    """Every table of the paper, and the cost of the two policies."""
    by_name = grouped(runs)
    return [
        _everything(by_name),
        _downloads(by_name),
        _by_node(by_name, "geo_coverage", "Geo-coverage (table 3)", ("", "_without_general")),
        _by_node(by_name, "geo_focus", "Geo-focus (table 4)", ("",)),
        _by_node(by_name, "unique_entities", "Unique entities (table 5)", ("",)),
        _summary(by_name),
        _locality(by_name),
        _costs(by_name),
        *_by_workers(by_name),
    ]


def _by_workers(by_name: Mapping[str, Sequence[Run]]) -> list[Table]:
    """How far crawls by real processes have the pages of the simulation; none without them."""
    rows: list[tuple[Cell, ...]] = []
    for name, runs in by_name.items():
        if "workers" in runs[0]:
            keys = (
                "pages_simulated",
                "pages_left_out",
                "pages_by_workers",
                "pages_in_both",
                "same_pages",
            )
            rows.append((name, *(_mean_of(runs, key) for key in keys)))
    columns = ("assignment", "simulated", "left out", "by workers", "in both", "share")
    note = (
        "Pages at their nodes. Left out, of both, are copies with sessions in"
        " their URLs, traps and soft errors, of which a crawler leaves out a part. The share is"
        " that of pages in both among those in either."
    )
    return [Table("The same by processes", columns, tuple(rows), note)] if rows else []


def grouped(runs: Sequence[Run]) -> dict[str, list[Run]]:
    """The runs of each assignment, in the order they were asked for."""
    by_name: dict[str, list[Run]] = {}
    for run in runs:
        by_name.setdefault(run["collaboration"], []).append(run)
    return by_name


def mean(runs: Sequence[Run], read: Callable[[Run], Any]) -> float | None:
    """Over the runs that have it."""
    values = [value for run in runs if (value := read(run)) is not None]
    return fmean(values) if values else None


def _downloads(by_name: Mapping[str, Sequence[Run]]) -> Table:
    millions = PAPER["setup"]["pages_millions"]
    rows: list[tuple[Cell, ...]] = [
        (name, mean(runs, lambda run: run["downloads"]), millions.get(name))
        for name, runs in by_name.items()
    ]
    return Table("Pages downloaded (table 2)", ("assignment", "ours", "millions"), tuple(rows))


def _by_node(
    by_name: Mapping[str, Sequence[Run]], key: str, title: str, totals: Sequence[str]
) -> Table:
    """Two rows an assignment: ours and theirs; a column a node, then the totals."""
    columns: list[str] = PAPER[key]["columns"]
    theirs: Mapping[str, Any] = PAPER[key]
    first = next(iter(by_name.values()))[0][f"{key}_by_node"]
    nodes = list(first) if key != "geo_focus" else list(first)[-(len(columns) - 1) :]
    same_nodes = nodes == columns[: len(nodes)]
    rows: list[tuple[Cell, ...]] = []
    for name, runs in by_name.items():
        ours = [mean(runs, lambda run, n=node: run[f"{key}_by_node"].get(n)) for node in nodes]  # type: ignore[misc]
        ours += [mean(runs, lambda run, t=total: run[f"{key}{t}"]) for total in totals]  # type: ignore[misc]
        rows.append((name, "ours", *ours))
        if name in theirs and same_nodes:
            rows.append((name, "published", *theirs[name]))
    shown = columns if same_nodes else [*nodes, *columns[-len(totals) :]]
    return Table(title, ("assignment", "", *shown), tuple(rows))


def _everything(by_name: Mapping[str, Sequence[Run]]) -> Table:
    """The last column of each table: theirs / ours with its interval over webs."""
    shown = {name: runs for name, runs in by_name.items() if ":policy=B" not in name}
    rows: list[tuple[Cell, ...]] = []
    for title, key, printed in PRINTED:
        ours = {name: [run[key] for run in runs if key in run] for name, runs in shown.items()}
        if any(ours.values()):
            rows.append((title, *_beside(printed, ours)))
        if key == "geo_coverage" and any(ours.get("hash", ())):
            theirs = {name: value / printed["hash"] for name, value in printed.items()}
            rows.append(("… over that of hash", *_beside(theirs, ours, ours["hash"])))
    note = "Published / ours, with the 95 % interval of the mean, or of the ratio of means."
    return Table("Every table", ("table", *shown), tuple(rows), note)


def _beside(
    theirs: Mapping[str, float], ours: Mapping[str, Sequence[float]], below: Sequence[float] = ()
) -> Iterator[str]:
    for name, values in ours.items():
        printed = number(theirs[name]) if name in theirs else "–"
        yield f"{printed}/{interval_text(values, below)}"


def _summary(by_name: Mapping[str, Sequence[Run]]) -> Table:
    """Table 10 by rule, ours and theirs in each cell."""
    six = {name: runs for name, runs in by_name.items() if name in SIX}
    grades = {
        key: grade({name: _mean_of(runs, key) for name, runs in six.items()}, more_is_better=more)
        for key, more in _SUMMED_UP.items()
    }
    rows: list[tuple[Cell, ...]] = []
    for name in six:
        cells = [
            f"{grades[key][name]} / {printed}"
            for key, printed in zip(_SUMMED_UP, PAPER["summary"][name], strict=True)
        ]
        rows.append((name, *cells))
    note = (
        "Ours / published. By rule: good is within 20 % of the best, bad is worse than the median"
        " by 50 %, the rest is not bad. The paper gives no rule."
    )
    columns = ("assignment", *(key.replace("_", "-") for key in _SUMMED_UP))
    return Table("Summary (table 10)", columns, tuple(rows), note)


def grade(values: Mapping[str, float], *, more_is_better: bool) -> dict[str, str]:
    """Good, bad or not bad, for each by comparison with all."""
    if not values:
        return {}
    best = max(values.values()) if more_is_better else min(values.values())
    middle = median(values.values())
    grades = {}
    for name, value in values.items():
        if more_is_better:
            is_good, is_bad = value >= (1 - _GOOD) * best, value < (1 - _BAD) * middle
        else:
            is_good = value <= max((1 + _GOOD) * best, _NEARLY_ZERO)
            is_bad = value > (1 + _BAD) * middle
        grades[name] = "good" if is_good else "bad" if is_bad else "not bad"
    return grades


def _locality(by_name: Mapping[str, Sequence[Run]]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for name, runs in by_name.items():
        linked = mean(runs, lambda run: run.get("locality_linked"))
        unlinked = mean(runs, lambda run: run.get("locality_unlinked"))
        if linked is None or unlinked is None:
            continue
        theirs = PAPER["locality"].get(name, {})
        lift = linked / unlinked if unlinked else None
        printed = theirs["linked"] / theirs["unlinked"] if theirs else None
        rows.append(
            (name, linked, theirs.get("linked"), unlinked, theirs.get("unlinked"), lift, printed)
        )
    columns = ("assignment", "linked", "published", "unlinked", "published", "lift", "published")
    return Table("Two pages are about the same city (table 11)", columns, tuple(rows))


def _costs(by_name: Mapping[str, Sequence[Run]]) -> Table:
    """Lemma 2 as a simulation: what a page that is new costs under each policy."""
    rows: list[tuple[Cell, ...]] = []
    for name, runs in by_name.items():
        if ":policy=B" not in name:
            continue
        single = name.replace(":policy=B", "")
        if single in by_name:
            one, every = cost_of_a_page(by_name[single]), cost_of_a_page(runs)
            rows.append((single, one, every, every / one if one else None))
    note = f"A download costs {DOWNLOAD_COST:g}, sending a URL {SENDING_COST:g}; by distinct pages."
    return Table("Cost of a page (lemma 2)", ("assignment", "A", "B", "B / A"), tuple(rows), note)


def cost_of_a_page(runs: Sequence[Run]) -> float:
    """Downloads and URLs sent, for each distinct page."""
    return fmean(
        (DOWNLOAD_COST + SENDING_COST * run["communication"]) / (1 - run["overlap"]) for run in runs
    )


def _mean_of(runs: Sequence[Run], key: str) -> float:
    return fmean(run[key] for run in runs)
