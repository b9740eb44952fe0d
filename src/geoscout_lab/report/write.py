"""Writes what a study leaves in its folder: results.json, a PNG for each chart, report.html."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from geoscout import __version__
from geoscout_lab.experiments import load_experiment
from geoscout_lab.report.curves import charts_of, crawls_of
from geoscout_lab.report.html import REPORT, render
from geoscout_lab.report.png import write_plots, write_single_crawls
from geoscout_lab.study.results import Results, results_of, write_results
from geoscout_lab.study.study import Study


def write_report(
    study: Study, runs: Sequence[Mapping[str, Any]], folder: Path, command: Sequence[str] = ()
) -> Results:
    """Write all files; `command` is shown in the report as the way to run it again.

    Raises:
        UsageError: matplotlib is not installed.
    """
    experiment = load_experiment(study.experiment) if study.experiment else None
    extra = {"command": list(command), "version": __version__}
    results = results_of(study, runs, extra, experiment.figures if experiment else ())
    write_results(results, folder)
    ends = experiment.published_ends if experiment else None
    write_plots(charts_of(runs, study.baseline, ends), folder)
    write_single_crawls(crawls_of(runs), folder)
    (folder / REPORT).write_text(render(results, experiment, command), encoding="utf-8")
    return results
