"""What a new crawl can be asked for: the arguments that `crawl` and `cluster start` share."""

from __future__ import annotations

import argparse

from geoscout.cli.show.logs import tell
from geoscout.crawling.crawl_run import OpenCrawl
from geoscout.crawling.options import CrawlOptions, NodeOptions, relevance_rule
from geoscout.scope_rules import read_pattern_lists
from geoscout.settings import DEFAULT_RELEVANCE, Settings
from geoscout_places.errors import Mistakes

_Parser = argparse.ArgumentParser | argparse._ArgumentGroup  # noqa: SLF001 - it has no other name


def add_aim(parser: _Parser, *, required: bool) -> None:
    """What a new crawl is for, and where it begins."""
    parser.add_argument(
        "--region",
        required=required,
        action="append",
        metavar="R",
        help="a place, lat,lon,radius_km, a box or a GeoJSON file; repeatable",
    )
    parser.add_argument(
        "--seeds",
        nargs="+",
        default=[],
        metavar="S",
        help="URLs, hosts (https is assumed), or files with one on each line",
    )
    parser.add_argument(
        "--filter-seeds",
        action="store_true",
        help="fetch the seeds first and keep those that name a place, the clearest first",
    )


def add_ways(parser: _Parser) -> None:
    """How a new crawl goes about it; all of it is kept with the crawl but the delay."""
    parser.add_argument(
        "--strategy",
        default="hybrid",
        metavar="NAME[:OPTION=VALUE…]",
        help="which links are fetched first (default: hybrid); see docs/strategies.md",
    )
    parser.add_argument(
        "--aim",
        choices=("pages", "entities"),
        default="pages",
        help="what counts: relevant pages, or businesses, clubs and offices that no page has named"
        " before (with the strategy hybrid; default: pages)",
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
    add_patterns(parser)
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
    parser.add_argument(
        "--delay-seconds", type=float, help="shortest pause for a host (default: 1)"
    )
    parser.add_argument(
        "--render",
        metavar="never|auto|always",
        help="show pages to a browser: never (default), auto (those that are empty without"
        " scripts) or always (needs the extra browser)",
    )
    parser.add_argument(
        "--pdf",
        action="store_true",
        default=None,
        help="also fetch and read PDF documents (needs the extra pdf)",
    )
    parser.add_argument(
        "--relevance",
        help="what makes a page relevant: scope (what it is mainly about), address, either, or"
        f" about (all that it says, weighed; default: {DEFAULT_RELEVANCE})",
    )
    parser.add_argument(
        "--registrations",
        metavar="off|whois|rdap|both|FILE",
        help="where to look up who registered a domain, for --filter-seeds and the strategies that"
        " read registrations: registries, or a table (default: off)",
    )


def add_patterns(parser: _Parser) -> None:
    """Which URLs are asked for."""
    parser.add_argument(
        "--include",
        action="append",
        metavar="PATTERN",
        help="ask only for these: example.org, '*.example.org/shop/', '/*.php$' or @FILE with one"
        " on each line; repeatable; see docs/how-to/scope-rules.md",
    )
    parser.add_argument(
        "--exclude",
        action="append",
        metavar="PATTERN",
        help="do not ask for these, although they are included; repeatable",
    )


def crawl_options(
    arguments: argparse.Namespace, settings: Settings, mistakes: Mistakes
) -> CrawlOptions:
    """What was asked for with these arguments, and with `--archive`."""
    rule = CrawlOptions().relevance
    with mistakes.noted():
        rule = relevance_rule(settings.relevance)
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    with mistakes.noted():
        include = read_pattern_lists(settings.include)
        exclude = read_pattern_lists(settings.exclude)
    training = arguments.training_pages
    return CrawlOptions(
        region=tuple(arguments.region),
        strategy=arguments.strategy
        + (f":training_pages={training}" if training else "")
        + (f":aim={arguments.aim}" if arguments.aim != "pages" else ""),
        max_pages=arguments.max_pages,
        max_depth=arguments.max_depth,
        replay=tuple(arguments.replay),
        fetcher=arguments.fetcher,
        allow_private=arguments.allow_private,
        random_seed=arguments.random_seed,
        relevance=rule,
        registrations=settings.registrations,
        include=include,
        exclude=exclude,
        filter_seeds=arguments.filter_seeds,
        model=str(arguments.model or ""),
        archive=arguments.archive,
        stop_when_barren=getattr(arguments, "stop_when_barren", False),
        nodes=NodeOptions(
            arguments.collaboration,
            arguments.nodes,
            arguments.policy,
            arguments.ip_locations,
            arguments.classifier,
        ),
    )


def add_changes(parser: _Parser) -> None:
    """What can be changed of a crawl before it goes on."""
    parser.add_argument(
        "--revisit-days",
        type=float,
        metavar="N",
        help="fetch pages again that were last fetched N days ago or longer",
    )


def change(crawl: OpenCrawl, arguments: argparse.Namespace) -> None:
    """Change a crawl as it was asked for.

    Raises:
        UsageError: it cannot be changed like that.
    """
    if arguments.max_pages is not None:
        crawl.limit(arguments.max_pages)
    if arguments.include is not None or arguments.exclude is not None:
        crawl.narrow(arguments.include, arguments.exclude)
    if arguments.revisit_days is not None:
        pages = crawl.revisit(arguments.revisit_days)
        tell(f"{pages:,} pages to revisit")
        if arguments.max_pages is None and crawl.options.max_pages is not None:
            crawl.limit(crawl.visits() + pages)
