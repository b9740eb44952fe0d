"""Check whether a robots.txt allows an agent to fetch a URL: exit status 0 yes, 1 no."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from geoscout.cli.command import Command
from geoscout.cli.commands import SUMMARIES
from geoscout.cli.show.terminal import print_json
from geoscout.fetch.robots import Robots
from geoscout.settings import Settings
from geoscout_places.errors import UsageError
from geoscout_places.urls import resolve

EXAMPLE = "  geoscout robots robots.txt geoscout https://example.org/private/page.html"
ALLOWED, DISALLOWED = 0, 1


def create() -> Command:
    """The command `robots`."""
    return Command(
        summary=SUMMARIES["robots"],
        description=__doc__ or "",
        example=EXAMPLE,
        add_arguments=add_arguments,
        run=run,
    )


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a robots.txt, or - for standard input")
    parser.add_argument("agent", metavar="AGENT", help="product token, such as geoscout")
    parser.add_argument("url", metavar="URL", help='absolute http(s) URL; "" is the root')
    parser.add_argument(
        "--json",
        action="store_true",
        help="print one JSON object: `allowed`, `rule`, `crawl_delay`, `sitemaps`",
    )


def run(arguments: argparse.Namespace, settings: Settings) -> int:  # noqa: ARG001 - as all commands
    url = arguments.url
    if url and resolve(url) is None:
        raise UsageError(f"not an absolute URL: {url!r}; it would start with https:// or http://")
    robots = Robots.parse(_read(arguments.file))
    allowed = robots.allows(arguments.agent, url)
    if arguments.json:
        print_json(_as_json(robots, arguments.agent, url))
    else:
        print("allowed" if allowed else "disallowed")
    return ALLOWED if allowed else DISALLOWED


def _read(file: str) -> bytes:
    if file == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(file).read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read {file}: {error.strerror}; give a robots.txt file") from error


def _as_json(robots: Robots, agent: str, url: str) -> dict[str, object]:
    rule = robots.deciding_rule(agent, url)
    return {
        "allowed": rule is None or rule.allow,
        "rule": None if rule is None else str(rule),
        "crawl_delay": robots.crawl_delay(agent),
        "sitemaps": list(robots.sitemaps),
    }
