"""What a new crawl can be asked for: the arguments that `crawl` and `cluster start` share."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from geoscout.cli.command import BY_NODES, SELDOM, Parser, add_option
from geoscout.cli.show.logs import tell
from geoscout.crawling.options import CrawlOptions, NodeOptions, relevance_rule
from geoscout.scope_rules import read_pattern_lists
from geoscout.settings import Settings
from geoscout_places.errors import Mistakes

if TYPE_CHECKING:
    from geoscout.crawling.crawl_run import OpenCrawl


def add_aim(parser: Parser, *, required: bool) -> None:
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
    about = "yes: fetch the seeds first and keep those that name a place, the clearest first"
    add_option(parser, "filter_seeds", bool, about, default=False)


def add_ways(parser: Parser) -> None:
    """How a new crawl goes about it; all of it is kept with the crawl."""
    parser.add_argument(
        "--strategy",
        default="hybrid",
        metavar="NAME[:OPTION=VALUE…]",
        help="which links are fetched first (default: hybrid); see docs/strategies.md",
    )
    parser.add_argument("--max-pages", type=int, metavar="N", help="stop after this many responses")
    parser.add_argument(
        "--replay",
        nargs="+",
        default=[],
        metavar="WARC",
        help="fetch from archives instead of the web",
    )
    add_option(
        parser,
        "aim",
        ("pages", "entities"),
        "what counts: relevant pages (`pages`), or businesses, clubs and offices that no page has"
        " named before (`entities`, with the strategy hybrid)",
        default="pages",
    )
    add_option(
        parser,
        "fetcher",
        str,
        "where pages come from: live, archive or a plug-in, with :OPTION=VALUE",
        default="",
    )
    add_option(parser, "ip_locations", str, "file with locations of servers, for ip", default="")
    add_option(parser, "classifier", str, "file of a trained model, for classifier", default="")
    add_option(parser, "training_pages", int, "responses before `adaptive` predicts")
    add_option(parser, "model", str, "folder of a crawl: start with what it has learned")
    about = "yes: end after a long stretch without a relevant page"
    add_option(parser, "stop_when_barren", bool, about, default=False)


COLLABORATION = (
    "how links are divided among nodes: none (default), hash, url, anchor, dom, content, classifier"
    " or ip; see docs/collaboration.md"
)
NODES = (
    "which node owns which places: a file, gao2006, or a way to divide the region's places:"
    " timezone (default), country, population=5, distance=5"
)
POLICY = "A: one owner, B: several (default: A)"
DEPTH = "most links from a seed"
RANDOM_SEED = "for the random part of retry delays (default: 0)"


def add_private(parser: Parser) -> None:
    parser.add_argument(
        "--allow-private", action="store_true", help="allow private and loopback addresses"
    )


def add_limits(parser: argparse.ArgumentParser) -> None:
    """How nodes share a crawl, and what is seldom asked for, as flags."""
    nodes = parser.add_argument_group(BY_NODES)
    nodes.add_argument(
        "--collaboration", default="none", metavar="NAME[:OPTION=VALUE…]", help=COLLABORATION
    )
    nodes.add_argument("--nodes", default="", metavar="FILE", help=NODES)
    nodes.add_argument("--policy", choices=("A", "B"), default="A", help=POLICY)
    seldom = parser.add_argument_group(SELDOM)
    seldom.add_argument("--max-depth", type=int, metavar="N", help=DEPTH)
    seldom.add_argument("--random-seed", type=int, default=0, metavar="N", help=RANDOM_SEED)
    add_private(seldom)


def add_limits_by_set(parser: Parser) -> None:
    """The same without flags."""
    add_option(parser, "max_depth", int, DEPTH)
    add_option(parser, "collaboration", str, COLLABORATION, default="none")
    add_option(parser, "nodes", str, NODES, default="")
    add_option(parser, "policy", ("A", "B"), POLICY, default="A")
    add_option(parser, "random_seed", int, RANDOM_SEED, default=0)


def add_patterns(parser: Parser) -> None:
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
        stop_when_barren=arguments.stop_when_barren,
        nodes=NodeOptions(
            arguments.collaboration,
            arguments.nodes,
            arguments.policy,
            arguments.ip_locations,
            arguments.classifier,
        ),
    )


def add_changes(parser: Parser) -> None:
    """What can be changed of a crawl before it goes on."""
    parser.add_argument(
        "--revisit-days",
        type=float,
        metavar="N",
        help="fetch pages again that were last fetched N days ago or longer",
    )
    add_patterns(parser)


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
