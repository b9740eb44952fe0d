"""Compare strategies on the same webs: synthetic ones, or archives with a region.

Every strategy crawls every web with the same seeds and budget, simulated and offline, beside
oracles that know the truth. Writes report.html, PNGs and results.json to --out. A run that was
stopped goes on where it was when it is started again.
"""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import replace
from pathlib import Path

from geoscout.settings import Settings

EXAMPLE = (
    "  geoscout compare --profile ahlers2009 --strategies breadth,distance --webs 3 \\\n"
    "      --pages 30000 --budget 3000 --out first\n"
    "  geoscout compare --replay pages.warc.gz --seeds seeds.txt --region 'Austin, TX' \\\n"
    "      --budget 10% --out austin"
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", required=True, type=Path, metavar="DIR", help="for the results")
    _add_webs(parser)
    _add_archives(parser)
    parser.add_argument(
        "--strategies",
        metavar="A,B:OPTION=VALUE",
        help="what is compared, with commas between (default: breadth,distance)",
    )
    parser.add_argument("--budget", help="visits, or a share of what can be reached (10%%)")
    parser.add_argument(
        "--repeats", type=int, default=1, help="runs with other random seeds (default: 1)"
    )
    parser.add_argument("--workers", type=int, help="processes (default: one a processor)")
    parser.add_argument("--experiment", metavar="NAME", help="a published one, theirs beside ours")
    parser.add_argument(
        "--first-come",
        action="store_true",
        help="a page found again keeps its first worth, instead of the highest",
    )
    parser.add_argument("--json", action="store_true", help="print the results as JSON")


def _add_webs(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("synthetic webs")
    group.add_argument("--profile", help="how they are made (default: ahlers2009)")
    group.add_argument("--webs", type=int, help="how many (default: 3)")
    group.add_argument("--first-web", type=int, default=1, help="random seed of the first (1)")
    group.add_argument("--pages", type=int, help="pages of each (default: 30000)")


def _add_archives(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("archives")
    group.add_argument("--replay", nargs="+", default=[], metavar="WARC", help="files or folders")
    group.add_argument(
        "--region",
        action="append",
        default=[],
        metavar="R",
        help="several: each for itself",
    )
    group.add_argument("--seeds", nargs="+", default=[], metavar="S", help="URLs or files of them")
    group.add_argument(
        "--relevance",
        default="address",
        choices=("address", "scope", "either"),
        help="what makes a page relevant (default: address)",
    )
    group.add_argument("--truth", default="", metavar="FILE", help='lines {"url", "relevant"}')


def run(arguments: argparse.Namespace, settings: Settings) -> int:
    from geoscout.lab.commands.compare_run import conduct, plan_study, show  # noqa: PLC0415 - numpy takes a while

    study = plan_study(arguments)
    workers = arguments.workers or os.cpu_count() or 1
    command = ["geoscout", *sys.argv[1:]]
    results = conduct(study, arguments.out, replace(settings, workers=workers), command)
    if arguments.json:
        print((arguments.out / "results.json").read_text(encoding="utf-8"))
    else:
        show(results, arguments.out)
    return 0
