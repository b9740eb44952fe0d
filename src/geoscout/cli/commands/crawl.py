"""Crawl the web, or an archive of it, for pages about a region.

Starts at the seeds, keeps every page in WARC files together with what was found in it, and stops at
--max-pages or when nothing is left. Ctrl-C stops cleanly; `geoscout resume DIR` continues, also
after a crash. A live crawl needs --contact.
"""

from __future__ import annotations

import argparse

from geoscout.cli.command import Command
from geoscout.cli.commands import SUMMARIES
from geoscout.cli.commands.status import show_status
from geoscout.cli.show.live import run_watched
from geoscout.cli.show.places import gazetteer_for
from geoscout.crawling.options import CrawlOptions, NodeOptions, relevance_rule
from geoscout.crawling.run import create_crawl, prepare_crawl
from geoscout.errors import UsageError
from geoscout.gazetteer.base import Gazetteer
from geoscout.settings import Settings
from geoscout.state.base import with_name

EXAMPLE = (
    "  geoscout crawl --region Oldenburg --seeds https://www.oldenburg.de/ --out oldenburg"
    " --contact you@example.org\n"
    "  geoscout crawl --region 'Austin, TX' --seeds seeds.txt --replay pages.warc.gz --out austin\n"
    "  geoscout crawl --region Lisbon --seeds seeds.txt --on postgresql://db.example/crawls"
    " --name lisbon"
)


def create() -> Command:
    """The command `crawl`."""
    return Command(
        summary=SUMMARIES["crawl"],
        description=__doc__ or "",
        example=EXAMPLE,
        add_arguments=add_arguments,
        run=run,
    )


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--region",
        required=True,
        action="append",
        metavar="R",
        help="a place, lat,lon,radius_km, a box or a GeoJSON file; repeatable",
    )
    parser.add_argument(
        "--seeds",
        required=True,
        nargs="+",
        metavar="S",
        help="URLs, or files with one URL on each line",
    )
    parser.add_argument(
        "--filter-seeds",
        action="store_true",
        help="fetch the seeds first and keep those that name a place, the clearest first",
    )
    place = parser.add_mutually_exclusive_group(required=True)
    place.add_argument("--out", metavar="DIR", help="a new folder")
    place.add_argument(
        "--on",
        metavar="URL",
        help="a database instead of a folder: postgresql://host:port/database[/NAME]",
    )
    parser.add_argument("--name", default="", help="the name of the crawl in that database")
    parser.add_argument(
        "--archive",
        default="",
        metavar="PLACE",
        help="where a crawl in a database keeps its pages: a folder that all machines see, or an"
        " address such as s3://bucket/crawls (default: a folder in your cache directory)",
    )
    parser.add_argument(
        "--partitions",
        type=int,
        metavar="N",
        help="divide a crawl in a database for several workers, about four parts for each"
        " (default with --no-work: 16); see docs/cluster.md",
    )
    parser.add_argument(
        "--no-work",
        action="store_true",
        help="only make the crawl; `geoscout cluster work` and `start` then work on it",
    )
    parser.add_argument(
        "--strategy",
        default="hybrid",
        metavar="NAME[:OPTION=VALUE…]",
        help="which links are fetched first (default: hybrid); see docs/strategies.md",
    )
    parser.add_argument(
        "--collaboration",
        default="none",
        metavar="NAME[:OPTION=VALUE…]",
        help="how links are divided among nodes: none (default), hash, url, anchor, content,"
        " classifier or ip; see docs/collaboration.md",
    )
    parser.add_argument(
        "--nodes",
        default="",
        metavar="FILE",
        help="which node owns which places: a file, gao2006, or a way to divide the region's"
        " places: timezone (default), country, population=5, distance=5",
    )
    parser.add_argument(
        "--policy", choices=("A", "B"), default="A", help="A: one owner, B: several (default: A)"
    )
    parser.add_argument(
        "--ip-locations", default="", metavar="FILE", help="locations of servers, for ip"
    )
    parser.add_argument(
        "--classifier", default="", metavar="FILE", help="a trained model, for classifier"
    )
    parser.add_argument(
        "--training-pages", type=int, metavar="N", help="responses before `adaptive` predicts"
    )
    parser.add_argument(
        "--model", metavar="DIR", help="start with what an earlier crawl has learned"
    )
    parser.add_argument("--max-pages", type=int, metavar="N", help="stop after this many responses")
    parser.add_argument("--max-depth", type=int, metavar="N", help="most links from a seed")
    parser.add_argument(
        "--replay",
        nargs="+",
        default=[],
        metavar="WARC",
        help="fetch from archives instead of the web",
    )
    parser.add_argument(
        "--fetcher",
        default="",
        metavar="NAME[:OPTION=VALUE…]",
        help="where pages come from: live, archive or a plug-in (default: archive with --replay,"
        " else live)",
    )
    parser.add_argument(
        "--random-seed",
        type=int,
        default=0,
        help="for the random part of retry delays (default: 0)",
    )
    parser.add_argument(
        "--allow-private", action="store_true", help="allow private and loopback addresses"
    )
    parser.add_argument("--workers", type=int, help="processes that parse pages (default: 1)")
    parser.add_argument("--connections", type=int, help="requests at a time (default: 50)")
    parser.add_argument(
        "--delay-seconds", type=float, help="shortest pause for a host (default: 1)"
    )
    parser.add_argument(
        "--relevance",
        help="what makes a page relevant: about (all that it says), address, scope or either"
        " (default: about)",
    )
    parser.add_argument(
        "--registrations",
        metavar="off|whois|rdap|both|FILE",
        help="where to look up who registered a domain, for --filter-seeds and the strategies that"
        " read registrations: registries, or a table (default: off)",
    )
    parser.add_argument(
        "--metrics-port", type=int, metavar="N", help="loopback port for Prometheus metrics"
    )
    parser.add_argument("--contact", help="web or mail address where server owners can reach you")
    parser.add_argument("--json", action="store_true", help="print the status as JSON at the end")


def run(arguments: argparse.Namespace, settings: Settings) -> int:
    training = arguments.training_pages
    options = CrawlOptions(
        region=tuple(arguments.region),
        strategy=arguments.strategy + (f":training_pages={training}" if training else ""),
        max_pages=arguments.max_pages,
        max_depth=arguments.max_depth,
        replay=tuple(arguments.replay),
        fetcher=arguments.fetcher,
        allow_private=arguments.allow_private,
        random_seed=arguments.random_seed,
        relevance=relevance_rule(settings.relevance),
        registrations=settings.registrations,
        filter_seeds=arguments.filter_seeds,
        model=str(arguments.model or ""),
        archive=arguments.archive,
        nodes=NodeOptions(
            arguments.collaboration,
            arguments.nodes,
            arguments.policy,
            arguments.ip_locations,
            arguments.classifier,
        ),
    )
    gazetteer = gazetteer_for(settings)
    where = _where(arguments)
    if arguments.partitions is not None or arguments.no_work:
        return _begin_for_workers(where, options, arguments, settings, gazetteer)
    with create_crawl(where, options, arguments.seeds, settings, gazetteer) as crawl:
        run_watched(crawl, settings.metrics_port)
    show_status(where, as_json=arguments.json)
    return 0


def _begin_for_workers(
    where: str,
    options: CrawlOptions,
    arguments: argparse.Namespace,
    settings: Settings,
    gazetteer: Gazetteer,
) -> int:
    from geoscout.cli.show.workers import begin_for_workers, work_until_done  # noqa: PLC0415

    if arguments.out:
        raise UsageError("--partitions and --no-work are for crawls in a database, with --on")
    begin_for_workers(
        where, prepare_crawl(options, arguments.seeds, settings, gazetteer), arguments.partitions
    )
    if not arguments.no_work:
        work_until_done(where, settings)
        show_status(where, as_json=arguments.json)
    return 0


def _where(arguments: argparse.Namespace) -> str:
    """The address of the new crawl."""
    if arguments.out:
        if arguments.name or arguments.archive:
            raise UsageError("--name and --archive are for crawls in a database, with --on")
        return str(arguments.out)
    return with_name(arguments.on, arguments.name)
