"""Crawl the web, or an archive of it, for pages about a region.

Starts at the seeds, keeps every page in WARC files together with what was found in it, and stops at
--max-pages or when nothing is left. Ctrl-C stops cleanly; `geoscout resume DIR` continues, also
after a crash. A live crawl needs --contact.
"""

import argparse
from dataclasses import replace
from pathlib import Path

from geoscout.cli.command import IN_DATABASE, Command, Parser
from geoscout.cli.commands.status import show_status, tell_end
from geoscout.cli.crawl_arguments import add_aim, add_limits, add_patterns, add_ways, crawl_options
from geoscout.cli.show.live import reopened, run_watched
from geoscout.cli.show.logs import tell
from geoscout.cli.show.terminal import gazetteer_for
from geoscout.crawling.options import CrawlOptions
from geoscout.crawling.run import check_new_crawl, create_crawl, prepare_crawl
from geoscout.crawling.workers import cluster
from geoscout.settings import Settings
from geoscout.state.base import public_address, with_name
from geoscout.state.sqlite import check_new_folder
from geoscout_places.errors import Mistakes, UsageError
from geoscout_places.gazetteer import Region
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.gazetteer.home import compiled_file

EXAMPLE = (
    "  geoscout crawl --region Oldenburg --seeds https://www.oldenburg.de/ --out oldenburg"
    " --contact you@example.org\n"
    "  geoscout crawl --region 'Austin, TX' --seeds seeds.txt --replay pages.warc.gz --out austin\n"
    "  geoscout crawl --region Lisbon --seeds seeds.txt --on postgresql://db.example/crawls"
    " --name lisbon"
)
_SEEDS_FOUND = 100  # by --seeds-from


def add_arguments(parser: argparse.ArgumentParser) -> None:
    what = parser.add_argument_group("what to crawl")
    add_aim(what, required=True)
    what.add_argument(
        "--seeds-from",
        nargs="+",
        type=Path,
        default=[],
        metavar="FILE",
        help="files in which `geoscout seeds` finds the 100 most local sites; besides --seeds",
    )
    add_patterns(what)
    what.add_argument(
        "--pdf",
        action="store_true",
        default=None,
        help="also fetch and read PDF documents (needs the extra pdf)",
    )
    where = parser.add_argument_group("where it is kept")
    place = where.add_mutually_exclusive_group(required=True)
    place.add_argument("--out", metavar="DIR", help="a new folder")
    place.add_argument(
        "--on",
        metavar="URL",
        help="a database instead of a folder: postgresql://host:port/database[/NAME]",
    )
    how = parser.add_argument_group("how")
    how.add_argument("--contact", help="web or mail address where server owners can reach you")
    add_ways(how)
    add_limits(parser)
    _add_database(parser.add_argument_group(IN_DATABASE))
    parser.add_argument("--json", action="store_true", help="print the status as JSON at the end")


def _add_database(parser: Parser) -> None:
    parser.add_argument("--name", default="", help="the name of the crawl in that database")
    parser.add_argument(
        "--archive",
        default="",
        metavar="PLACE",
        help="where it keeps its pages: a folder that all machines see, or an address such as"
        " s3://bucket/crawls (default: a folder in your cache directory)",
    )
    parser.add_argument(
        "--partitions",
        type=int,
        metavar="N",
        help="divide it for several workers, about four parts for each (default with --no-work:"
        " 16); see docs/cluster.md",
    )
    parser.add_argument(
        "--no-work",
        action="store_true",
        help="only make the crawl; `geoscout cluster work` and `start` then work on it",
    )


def run(arguments: argparse.Namespace, settings: Settings) -> int:
    arguments.seeds = [*arguments.seeds, *_found_seeds(arguments, settings)]
    options = _checked_options(arguments, settings)
    gazetteer = gazetteer_for(settings)
    where = _where(arguments)
    if arguments.partitions is not None or arguments.no_work:
        return _begin_for_workers(where, options, arguments, settings, gazetteer)
    with create_crawl(where, options, arguments.seeds, settings, gazetteer) as crawl:
        run_watched(crawl, settings)
    return _tell_end(where, arguments)


def _tell_end(where: str, arguments: argparse.Namespace) -> int:
    show_status(where, as_json=arguments.json)
    return tell_end(where)


def _found_seeds(arguments: argparse.Namespace, settings: Settings) -> list[str]:
    """What `--seeds-from` gives; where something else is wrong already, that is told instead."""
    if not arguments.seeds_from or arguments.mistakes:
        return []
    from geoscout.seeding.gather import gather_seeds  # noqa: PLC0415 - rarely used

    gazetteer = gazetteer_for(settings)
    region = Region.parse(arguments.region, gazetteer)
    found = gather_seeds(arguments.seeds_from, gazetteer, region, most=_SEEDS_FOUND)
    if not found and not arguments.seeds:
        raise UsageError(f"--seeds-from: these files name no site that is of {region.name}")
    return [seed.url for seed in found]


def _checked_options(arguments: argparse.Namespace, settings: Settings) -> CrawlOptions:
    """What was asked for.

    Raises:
        UsageError: with a line for each mistake.
    """
    mistakes = Mistakes(arguments.mistakes)
    options = crawl_options(arguments, settings, mistakes)
    if not arguments.seeds and not arguments.seeds_from:
        mistakes.lines.append("--seeds or --seeds-from is missing")
    if not (settings.contact or options.replay or options.allow_private or options.fetcher):
        mistakes.lines.append(
            "a live crawl needs a mail or web address where server owners can reach you:"
            " add --contact you@example.org"
        )
        settings = replace(settings, contact="you@example.org")  # for the other checks
    with mistakes.noted():
        where = _where(arguments)
        if arguments.out:
            check_new_folder(Path(where))
    is_built = compiled_file(settings).exists()  # else it takes minutes, and mistakes come first
    if mistakes.lines or not is_built:
        gazetteer = gazetteer_for(settings) if is_built else None
        with mistakes.noted():
            check_new_crawl(options, arguments.seeds, settings, gazetteer)
    mistakes.complain()
    return options


def _begin_for_workers(
    where: str,
    options: CrawlOptions,
    arguments: argparse.Namespace,
    settings: Settings,
    gazetteer: Gazetteer,
) -> int:
    if arguments.out:
        raise UsageError("--partitions and --no-work are for crawls in a database, with --on")
    shared = cluster()
    partitions = shared.partitions if arguments.partitions is None else arguments.partitions
    shared.found(where, *prepare_crawl(options, arguments.seeds, settings, gazetteer), partitions)
    tell(f"{partitions} partitions: geoscout cluster start --on {public_address(where)}")
    if arguments.no_work:
        return 0
    with reopened(where, settings, gazetteer) as crawl:
        run_watched(crawl, settings)
    return _tell_end(where, arguments)


def _where(arguments: argparse.Namespace) -> str:
    """The address of the new crawl."""
    if arguments.out:
        if arguments.name or arguments.archive:
            raise UsageError("--name and --archive are for crawls in a database, with --on")
        return str(arguments.out)
    return with_name(arguments.on, arguments.name)


COMMANDS = {"crawl": Command(__doc__ or "", EXAMPLE, add_arguments, run, tells_all_mistakes=True)}
