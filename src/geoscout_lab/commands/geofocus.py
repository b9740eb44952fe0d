"""GeoFocus, a benchmark of focused crawling that any crawler can enter with lists of URLs.

`make` writes tasks of synthetic webs, or of archives that are here. `run` writes the lists of our
strategies. `score` scores the lists of any crawler, and `report` makes a page of scores.
"""

import argparse
import re
import shutil
from dataclasses import replace
from pathlib import Path

from geoscout.cli.command import Command, add_shared
from geoscout.machine import processor_count
from geoscout.settings import Settings
from geoscout_lab.commands.compare import add_archives, add_webs
from geoscout_places.errors import UsageError

EXAMPLE = (
    "  geoscout geofocus make tasks --profile ahlers2009 --webs 2 --pages 5000\n"
    "  geoscout geofocus run tasks --strategies breadth,hybrid,mine.py --out lists\n"
    "  geoscout geofocus score tasks lists/* --json > 2026-11.json\n"
    "  geoscout geofocus report 2026-11.json --out site"
)
_FEWEST = 20  # relevant pages; with fewer, chance decides


def create() -> Command:
    return Command(
        __doc__ or "",
        EXAMPLE,
        add_arguments,
        run,
        summary="a benchmark of focused crawling: make tasks, run, score, report",
        listed_before="serve",
    )


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    make = actions.add_parser("make", help="make tasks, and put the scorer next to them")
    make.add_argument("tasks", type=Path, metavar="TASKS", help="folder for the tasks")
    add_webs(make)
    add_archives(make)
    run = actions.add_parser("run", help="write the lists of strategies")
    run.add_argument("tasks", type=Path, metavar="TASKS", help="folder of tasks")
    about = "strategies, or Python files with create(aim) (default: breadth,distance)"
    run.add_argument("--strategies", default="breadth,distance", metavar="A,B,FILE.py", help=about)
    run.add_argument("--out", required=True, type=Path, metavar="DIR", help="folder for the lists")
    score = actions.add_parser("score", help="score lists; the same as score.py in TASKS")
    score.add_argument("tasks", metavar="TASKS", help="a task, or a folder of tasks")
    score.add_argument("lists", nargs="+", metavar="LIST", help="files, or folders of files")
    score.add_argument("--json", action="store_true", help="print everything as JSON")
    report = actions.add_parser("report", help="make a page and a table of scores")
    report.add_argument("scores", nargs="+", type=Path, metavar="JSON", help="of score --json")
    about = "folder for the page"
    report.add_argument("--out", required=True, type=Path, metavar="DIR", help=about)
    for action in (make, run, score, report):
        add_shared(action, is_part=True)


def run(arguments: argparse.Namespace, settings: Settings) -> int:
    from geoscout_lab.geofocus.score import ScoreError, main  # noqa: PLC0415
    from geoscout_lab.geofocus.task import write_report  # noqa: PLC0415

    if arguments.action == "score":
        return main([arguments.tasks, *arguments.lists, *["--json"] * arguments.json])
    if arguments.action == "report":
        print(write_report(arguments.scores, arguments.out))
        return 0
    try:
        {"make": _make, "run": _run}[arguments.action](
            arguments, replace(settings, workers=processor_count())
        )
    except ScoreError as error:
        raise UsageError(str(error)) from error
    return 0


def _make(arguments: argparse.Namespace, settings: Settings) -> None:
    from geoscout_lab.commands.compare_run import plan_units, prepared  # noqa: PLC0415
    from geoscout_lab.geofocus.task import make_task, write_package  # noqa: PLC0415

    for unit in prepared(plan_units(arguments, settings), settings):
        name = re.sub(r"[^\w+]+", "-", "-".join((unit.web, *getattr(unit, "region", ()))))
        if (folder := arguments.tasks / name).exists():
            raise UsageError(f"{folder} is there already; give another folder")
        about = make_task(unit, folder, settings)
        if not _FEWEST <= about["relevant"] <= about["pages"] / 2:
            shutil.rmtree(folder)
            raise UsageError(
                f"{name}: {about['relevant']} of {about['pages']} pages are relevant; a task has"
                f" {_FEWEST} at least, and half of its pages at most"
            )
        print(f"{folder}: {about['pages']} pages, {about['relevant']} relevant")
    write_package(arguments.tasks)


def _run(arguments: argparse.Namespace, settings: Settings) -> None:
    from geoscout.cli.show.terminal import counting, gazetteer_for  # noqa: PLC0415
    from geoscout_lab.geofocus.task import write_lists  # noqa: PLC0415

    gazetteer_for(settings)
    tasks = sorted(file.parent for file in arguments.tasks.glob("*/task.json"))
    if not tasks:
        raise UsageError(f"{arguments.tasks} has no tasks; geoscout geofocus make makes some")
    with counting("tasks", at_once=True) as progress:
        for number, task in enumerate(tasks):
            progress(number, len(tasks))
            write_lists(task, arguments.strategies.split(","), arguments.out, settings)
