"""A study as one HTML page and as pictures: curves, tables, statistics, and how to run it again.

The page is one file: style and drawings are inside, and there are no scripts. `write_report` puts
it beside results.json and a PNG of each chart, for papers and chats.
"""

import json
import shlex
from collections.abc import Mapping, Sequence
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any

from geoscout import __version__
from geoscout_lab.experiments import Cell, Experiment, Table, load_experiment, number
from geoscout_lab.measures.harvest import Comparison
from geoscout_lab.report.drawing import (
    DOTS,
    Figure,
    as_svg,
    charts_of,
    crawls_of,
    draw_bars,
    draw_chart,
    draw_single_crawls,
)
from geoscout_lab.study.figures import graph_table, graphs_of
from geoscout_lab.study.study import Results, Study, results_of, write_results

REPORT = "report.html"
_SINGLE = "Single crawls"
_CAPTIONS = {
    "Harvest": "Relevant pages over visits so far. Dashed: crawlers that know the truth.",
    "Recall": "Relevant pages found, of all that the seeds lead to.",
    # because a mean hides what one crawl does
    _SINGLE: "Harvest so far: each crawl, and the mean of all of them in bold. All have one scale.",
}
_TREES = {
    "bridges": "Pages between two relevant ones",
    "tails": "Pages after the last relevant one",
    "seed_distances": "Links from the seed to relevant pages",
}
_SUMMARY = {
    "harvest": "harvest",
    "harvest_counted": "training counted",
    "times_baseline": "× baseline",
    "recall": "recall",
    "auc": "AUC",
    "oracle_share": "of oracle's AUC",
    "oracle_efficiency": "way to oracle",
    "marginal_harvest": "last tenth",
}
_MORE = {
    "degree_harvest": "degree harvest",
    "host_recall": "hosts found",
    "entity_recall": "addresses found",
    "unique_harvest": "unique harvest",
    "tail_waste": "visits wasted",
    "behind_bridges": "behind bridges",
    "found_per_polite_second": "found / second",
    "cpu_milliseconds_per_visit": "CPU ms / visit",
    "peak_megabytes": "peak MB",
}


def draw_figures(results: Results, experiment: Experiment | None) -> dict[str, Figure]:
    """The figures of the report by their titles."""
    ends = experiment.published_ends if experiment else None
    charts = charts_of(results.runs, results.settings["baseline"], ends)
    figures = {chart.title: draw_chart(chart) for chart in charts}
    groups = crawls_of(results.runs)
    return {**figures, **({_SINGLE: draw_single_crawls(groups)} if groups else {})}


def render(
    results: Results,
    experiment: Experiment | None,
    command: Sequence[str],
    figures: Mapping[str, Figure],
) -> str:
    """The whole page."""
    style = files("geoscout_lab.report").joinpath("report.css").read_text(encoding="utf-8")
    title = experiment.title if experiment else "Strategies compared"
    parts = [
        '<!doctype html><html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)} · geoscout</title><style>{style}</style></head><body>",
        f"<h1>{escape(title)}</h1>",
        _lead(results, experiment),
        *_experiment_tables(results, experiment),
        *_curves(figures, experiment.published_ends if experiment else None),
        *_summaries(results),
        *_statistics(results),
        *_trees(results),
        *([] if experiment else _graph(results)),
        *_units(results),
        *_again(results, command),
        "</body></html>",
    ]
    return "\n".join(parts)


def _lead(results: Results, experiment: Experiment | None) -> str:
    units = {(run["web"], run["region"]) for run in results.runs}
    budgets = sorted({run["budget"] for run in results.runs})
    span = f"{budgets[0]:,}" if len(budgets) == 1 else f"{budgets[0]:,} to {budgets[-1]:,}"
    words = f"{len(results.settings['strategies'])} strategies on {len(units)} webs and regions, "
    words += f"{span} visits each. Dead links and redirects count as visits."
    if experiment:
        words += f" The experiment of {experiment.source}, again."
    return f'<p class="lead">{escape(words)}</p>'


def _experiment_tables(results: Results, experiment: Experiment | None) -> list[str]:
    if experiment is None:
        return []
    made = [table(one) for one in experiment.tables(results.runs)]
    return ["<h2>Published and ours</h2>", *made]


def _curves(figures: Mapping[str, Figure], ends: Mapping[str, float] | None) -> list[str]:
    parts = []
    for title, figure in figures.items():
        caption = _CAPTIONS.get(title, "The mean harvest of each over that of the baseline.")
        caption += " Circles: the published ends." if ends and title == "Harvest" else ""
        note = "" if title == _SINGLE else " Means over webs and regions."
        parts.append(
            f'<h2>{escape(title)}</h2><figure><div class="wide">{as_svg(figure, escape(title))}'
            f"</div><figcaption>{escape(caption)}{note}</figcaption></figure>"
        )
    return parts


def _summaries(results: Results) -> list[str]:
    note = "Way to oracle: how much of the way from the baseline to the greedy oracle was covered."
    return [
        "<h2>Figures</h2>",
        table(_summary_table("Focus", _SUMMARY, results), note),
        table(_summary_table("Breadth and cost", _MORE, results), _COST_NOTE),
    ]


_COST_NOTE = (
    "Found / second is with one request a host and second, and 50 connections. "
    "CPU time is that of strategy and simulation, and depends on what else the machine did."
)


def _summary_table(title: str, names: Mapping[str, str], results: Results) -> Table:
    kept = [key for key in names if any(key in row for row in results.summary)]
    rows = [(row["strategy"], *(row.get(key) for key in kept)) for row in results.summary]
    return Table(title, ("strategy", *(names[key] for key in kept)), tuple(rows))


def _statistics(results: Results) -> list[str]:
    parts = []
    for key, found in results.comparisons.items():
        if found:
            parts.append(table(_comparison_table(key.replace("auc", "AUC"), found)))
    if not parts:
        return []
    note = (
        "Ratios are geometric means over units, with 95 % bootstrap intervals (BCa, webs drawn "
        "first, regions inside). p: Wilcoxon signed rank, Holm for the number of strategies; there "
        "is none below six units. Ten units are an indication, twenty a claim."
    )
    return ["<h2>Statistics</h2>", f'<p class="note">{escape(note)}</p>', *parts]


def _comparison_table(key: str, found: Sequence[Comparison]) -> Table:
    rows = [
        (c.strategy, c.ratio, c.low, c.high, c.p, c.p_holm, f"{c.wins} of {c.units}", c.weight)
        for c in found
    ]
    columns = ("strategy", "ratio", "from", "to", "p", "p (Holm)", "wins", "weight")
    return Table(f"{key} against {found[0].baseline}", columns, tuple(rows))


def _trees(results: Results) -> list[str]:
    """Bridges, tails and seed distances of all runs except those of the oracles."""
    runs = [run for run in results.runs if "bridges" in run]
    parts = []
    for strategy in dict.fromkeys(run["strategy"] for run in runs):
        own = [run for run in runs if run["strategy"] == strategy]
        drawn = draw_bars([(title, _shares(own, key)) for key, title in _TREES.items()])
        parts.append(f"<h3>{escape(strategy)}</h3>{as_svg(drawn, 'Histograms')}")
    return ["<h2>Bridges, tails, seed distances</h2>", *parts] if parts else []


def _graph(results: Results) -> list[str]:
    note = "Of the pages that breadth first fetched."
    graphs = graphs_of(results.runs)
    return [table(graph_table(graphs), note)] if graphs else []


def _shares(runs: Sequence[Mapping[str, Any]], key: str) -> list[float]:
    sums = [sum(counts) for counts in zip(*(run[key] for run in runs), strict=True)]
    return [count / max(sum(sums), 1) for count in sums]


def _units(results: Results) -> list[str]:
    """The harvest of every unit, so that a reader sees the spread."""
    runs = [run for run in results.runs if "harvest" in run]
    if not runs:
        return []
    strategies = list(dict.fromkeys(run["strategy"] for run in runs))
    units: dict[tuple[str, str], Mapping[str, Any]] = {}
    for run in runs:
        units.setdefault((run["web"], run["region"]), run)
    rows = []
    for (web, region), first in units.items():
        own = {
            r["strategy"]: r["harvest"] for r in runs if (r["web"], r["region"]) == (web, region)
        }
        counts = (first["reachable"], first["reachable_relevant"], first["budget"])
        rows.append((web, region, *counts, *(own.get(name) for name in strategies)))
    columns = ("web", "region", "reachable", "relevant", "budget", *strategies)
    return ["<h2>Every web</h2>", table(Table("", columns, tuple(rows)), "Harvest by strategy.")]


def _again(results: Results, command: Sequence[str]) -> list[str]:
    settings = json.dumps(results.settings, indent=1, default=str, ensure_ascii=False)
    return [
        "<h2>To run it again</h2>",
        f"<pre>{escape(shlex.join(command))}</pre>",
        f"<details><summary>All settings</summary><pre>{escape(settings)}</pre></details>",
    ]


def table(made: Table, note: str = "") -> str:
    first = made.rows[0] if made.rows else ("",) * len(made.columns)
    sides = ["text" if isinstance(value, str) else "" for value in first]
    names = zip(made.columns, sides, strict=True)
    head = "".join(f'<th class="{side}">{escape(column)}</th>' for column, side in names)
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in made.rows)
    title = f"<h3>{escape(made.title)}</h3>" if made.title else ""
    words = " ".join(filter(None, (made.note, note)))
    below = f'<p class="note">{escape(words)}</p>' if words else ""
    return (
        f'{title}<div class="wide"><table><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>{below}"
    )


def _cell(value: Cell) -> str:
    if isinstance(value, str):
        return f'<td class="text">{escape(value)}</td>'
    return f"<td>{number(value)}</td>"


def write_report(
    study: Study, runs: Sequence[Mapping[str, Any]], folder: Path, command: Sequence[str] = ()
) -> Results:
    """Write all files; `command` is shown in the report as the way to run it again."""
    experiment = load_experiment(study.experiment) if study.experiment else None
    extra = {"command": list(command), "version": __version__}
    results = results_of(study, runs, extra, experiment.figures if experiment else ())
    write_results(results, folder)
    drawn = draw_figures(results, experiment)
    for title, figure in drawn.items():
        figure.savefig(folder / f"{title.lower().replace(' ', '-')}.png", dpi=DOTS)
    (folder / REPORT).write_text(render(results, experiment, command, drawn), encoding="utf-8")
    return results
