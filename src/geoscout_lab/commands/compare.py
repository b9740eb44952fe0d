"""Compare strategies on the same webs: synthetic ones, or archives with a region.

Every strategy crawls every web with the same seeds and budget, simulated and offline. Oracles,
which know the relevant pages, show how much is possible. Writes report.html, PNGs and results.json
to --out. Run the same command again to continue a comparison that was stopped.
"""

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from geoscout.cli.command import Command, add_option
from geoscout.machine import processor_count
from geoscout.settings import Settings
from geoscout_lab.commands import status_views
from geoscout_places.extras import require

EXAMPLE = (
    "  geoscout compare --profile ahlers2009 --strategies breadth,distance --webs 3 \\\n"
    "      --pages 30000 --budget 3000 --out first\n"
    "  geoscout compare --replay pages.warc.gz --seeds seeds.txt --region 'Austin, TX' \\\n"
    "      --budget 10% --out austin"
)


def create() -> Command:
    return Command(
        __doc__ or "",
        EXAMPLE,
        add_arguments,
        run,
        summary="run strategies on the same webs or archives and report on them",
        listed_before="serve",
        status_views=status_views.create(),
    )


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--out", required=True, type=Path, metavar="DIR", help="folder for the results"
    )
    add_webs(parser)
    add_archives(parser)
    parser.add_argument(
        "--strategies",
        metavar="A,B:OPTION=VALUE",
        help="strategies to compare, separated by commas (default: breadth,distance)",
    )
    parser.add_argument(
        "--budget", help="number of visits, or share of the reachable pages (default: 10%%)"
    )
    about = "runs with different random seeds (default: 1, or as the experiment says)"
    add_option(parser, "repeats", int, about)
    add_option(parser, "workers", int, "processes (default: one for each processor)")
    parser.add_argument(
        "--experiment",
        metavar="NAME",
        help="repeat a published experiment and compare with its numbers",
    )
    about = "yes: a page that is found again keeps its first score instead of the highest"
    add_option(parser, "first_come", bool, about, default=False)
    about = "requests at a time, one a host, such as the 50 of a crawl (default: learn from each)"
    add_option(parser, "in_flight", int, about, default=0)
    parser.add_argument("--json", action="store_true", help="print the results as JSON")


def add_webs(parser: argparse.ArgumentParser) -> None:
    """What says which synthetic webs are meant."""
    group = parser.add_argument_group("synthetic webs")
    group.add_argument("--profile", help="profile of the webs (default: ahlers2009)")
    group.add_argument("--webs", type=int, help="number of webs (default: 3)")
    about = "random seed of the first web (default: 1)"
    add_option(group, "first_web", int, about, default=1)
    group.add_argument("--pages", type=int, help="pages in each web (default: 30000)")


def add_archives(parser: argparse.ArgumentParser) -> None:
    """What says which archives are meant, and what is true of them."""
    group = parser.add_argument_group("archives")
    group.add_argument(
        "--replay",
        nargs="+",
        default=[],
        metavar="WARC",
        help="archives to crawl: files or folders",
    )
    group.add_argument(
        "--region",
        action="append",
        default=[],
        metavar="R",
        help="region that makes a page relevant; several are compared one by one",
    )
    group.add_argument(
        "--seeds",
        nargs="+",
        default=[],
        metavar="S",
        help="URLs, or files with one URL on each line",
    )
    about = 'file of lines {"url", "relevant"}, used instead of the geoparser'
    add_option(group, "truth", str, about, default="")


def run(arguments: argparse.Namespace, settings: Settings) -> int:
    require("compare", "lab", "matplotlib", "scipy")  # before hours of work, not after
    from geoscout_lab.commands.compare_run import conduct, plan_study, show  # noqa: PLC0415 - numpy takes a while

    study = plan_study(arguments, settings)
    workers = arguments.workers or processor_count()
    command = ["geoscout", *sys.argv[1:]]
    results = conduct(study, arguments.out, replace(settings, workers=workers), command)
    if arguments.json:
        print((arguments.out / "results.json").read_text(encoding="utf-8"))
    else:
        show(results, arguments.out)
    return 0
