"""Find seeds for a crawl of a region in files: maps, catalogues, lists of URLs and hosts.

It knows files of OpenStreetMap, Overture, Foursquare, All The Places, Wikidata and Wikipedia, web
archives and their URL indexes, zone files, lists of URLs or hosts, and folders of earlier crawls.
The sites are ranked by how local they are. Nothing is asked of any server, unless you name one with
--ask.
"""

import argparse
import csv
import sys
from collections.abc import Sequence
from pathlib import Path

from geoscout.cli.command import Command
from geoscout.cli.show.terminal import gazetteer_for, print_json, print_table
from geoscout.crawl_folder import replace_file
from geoscout.fetch.robots import Robots
from geoscout.seeding.gather import RankedSeed, gather_seeds
from geoscout.seeding.maps import ask_service
from geoscout.settings import Settings, user_agent
from geoscout_places.command import opened
from geoscout_places.errors import UsageError
from geoscout_places.gazetteer import Region
from geoscout_places.gazetteer.home import home_folder
from geoscout_places.urls import resolve

EXAMPLE = (
    '  geoscout seeds oldenburg.osm.pbf --region "Oldenburg, Germany" --out seeds.txt\n'
    "  geoscout seeds hosts.txt query.json --region Lisbon --limit 50\n"
    "  geoscout seeds --ask overpass=https://overpass.example/api/interpreter --region Lisbon"
    " --set contact=you@example.org"
)
_SHOWN = 30  # rows of the table on a terminal


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="where to look")
    parser.add_argument(
        "--region", action="append", required=True, metavar="R", help="as for `geoscout crawl`"
    )
    parser.add_argument(
        "--ask",
        action="append",
        default=[],
        metavar="KIND=URL",
        help="ask a service: overpass=URL or wikidata=URL; its answer is kept for 30 days",
    )
    parser.add_argument("--limit", type=int, default=100, help="at most this many (default: 100)")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write a file for --seeds")
    parser.add_argument(
        "--json",
        action="store_true",
        help="print a JSON list, best first: `url`, `local`, `reasons`",
    )


def run(arguments: argparse.Namespace, settings: Settings) -> int:
    gazetteer = gazetteer_for(settings)
    region = Region.parse(arguments.region, gazetteer)
    files = [*arguments.files, *_answers(arguments, settings, region)]
    if not files:
        raise UsageError("no files: name at least one, or a service with --ask")
    if arguments.limit < 1:
        raise UsageError(f"--limit must be at least 1, not {arguments.limit}")
    found = gather_seeds(files, gazetteer, region, most=arguments.limit)
    if not found:
        raise UsageError(f"these files name no site that is of {region.name}")
    if arguments.out:
        replace_file(arguments.out, as_seeds_file(region.name, found).encode())
        sys.stderr.write(f"{len(found)} seeds for {region.name} in {arguments.out}\n")
    elif arguments.json:
        print_json([{"url": s.url, "local": s.local, "reasons": s.reasons} for s in found])
    else:
        _show(found)
    return 0


def as_seeds_file(name: str, seeds: Sequence[RankedSeed]) -> str:
    """A file for `--seeds`: each URL under a comment that says why."""
    lines = [f"# seeds for {name}, the most local first"]
    for seed in seeds:
        reasons = " ".join("; ".join(seed.reasons).split())
        lines += [f"# {seed.local:.2f} {reasons}", seed.url]
    return "\n".join(lines) + "\n"


def _answers(arguments: argparse.Namespace, settings: Settings, region: Region) -> list[Path]:
    if arguments.ask and not settings.contact:
        raise UsageError(
            "--ask needs a contact, so that who runs the service can reach you: --set contact=MAIL"
        )
    home, agent = home_folder(settings), user_agent(settings)
    return [ask_service(service, region, home, agent) for service in arguments.ask]


def _show(found: Sequence[RankedSeed]) -> None:
    if not sys.stdout.isatty():
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(("url", "local", "reasons"))
        writer.writerows((s.url, f"{s.local:.2f}", "; ".join(s.reasons)) for s in found)
        return
    rows = [(s.url, f"{s.local:.2f}", "; ".join(s.reasons)) for s in found[:_SHOWN]]
    print_table("", ("seed", "local>", "why"), rows)
    if len(found) > _SHOWN:
        sys.stdout.write(f"and {len(found) - _SHOWN} more; --out FILE writes all\n")


ROBOTS_EXAMPLE = "  geoscout robots robots.txt geoscout https://example.org/private/page.html"
ALLOWED, DISALLOWED = 0, 1


ROBOTS = """Check whether a robots.txt allows an agent to fetch a URL: exit status 0 yes, 1 no."""


def add_robots_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a robots.txt, or - for standard input")
    parser.add_argument("agent", metavar="AGENT", help="product token, such as geoscout")
    parser.add_argument("url", metavar="URL", help='absolute http(s) URL; "" is the root')
    parser.add_argument(
        "--json",
        action="store_true",
        help="print one JSON object: `allowed`, `rule`, `crawl_delay`, `sitemaps`",
    )


def run_robots(arguments: argparse.Namespace, settings: Settings) -> int:  # noqa: ARG001 - as all commands
    url = arguments.url
    if url and resolve(url) is None:
        raise UsageError(f"not an absolute URL: {url!r}; it would start with https:// or http://")
    with opened(arguments.file) as stream:
        robots = Robots.parse(stream.read())
    allowed = robots.allows(arguments.agent, url)
    if arguments.json:
        print_json(_as_json(robots, arguments.agent, url))
    else:
        print("allowed" if allowed else "disallowed")
    return ALLOWED if allowed else DISALLOWED


def _as_json(robots: Robots, agent: str, url: str) -> dict[str, object]:
    rule = robots.deciding_rule(agent, url)
    return {
        "allowed": rule is None or rule.allow,
        "rule": None if rule is None else str(rule),
        "crawl_delay": robots.crawl_delay(agent),
        "sitemaps": list(robots.sitemaps),
    }


COMMANDS = {
    "seeds": Command(__doc__ or "", EXAMPLE, add_arguments, run),
    "robots": Command(ROBOTS, ROBOTS_EXAMPLE, add_robots_arguments, run_robots),
}
