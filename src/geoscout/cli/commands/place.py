"""Look up a name in the gazetteer: the places it may mean, most likely first."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from geoscout.cli.command import Command
from geoscout.cli.commands import SUMMARIES
from geoscout.cli.show.places import gazetteer_for
from geoscout.cli.show.terminal import print_json, print_table
from geoscout.settings import Settings
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.model import Candidate, NameRole

EXAMPLE = '  geoscout place "Athens, Alabama"\n  geoscout place Lisbon --country PT --json'


def create() -> Command:
    """The command `place`."""
    return Command(
        summary=SUMMARIES["place"],
        description=__doc__ or "",
        example=EXAMPLE,
        add_arguments=add_arguments,
        run=run,
    )


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="+", metavar="NAME", help='such as Lisbon or "Lisbon, NH"')
    parser.add_argument("--country", default="", help="only places of this country (code or name)")
    parser.add_argument("--limit", type=int, default=10, help="at most this many (default: 10)")
    parser.add_argument(
        "--json",
        action="store_true",
        help="a JSON list, best first; `path` goes from the broad to the narrow",
    )


def run(arguments: argparse.Namespace, settings: Settings) -> int:
    gazetteer = gazetteer_for(settings)
    found = gazetteer.find(" ".join(arguments.name), arguments.country)[: arguments.limit]
    if arguments.json:
        print_json([_as_json(gazetteer, candidate) for candidate in found])
    else:
        print_candidates(gazetteer, found)
    return 0


def print_candidates(gazetteer: Gazetteer, found: Sequence[Candidate]) -> None:
    """The candidates as a table."""
    columns = ("name", "kind", "in", "population>", "latitude>", "longitude>", "id>", "GeoWordNet")
    print_table("", columns, [_as_row(gazetteer, candidate) for candidate in found])


def _as_json(gazetteer: Gazetteer, candidate: Candidate) -> dict[str, object]:
    place = candidate.place
    return {
        "name": place.name,
        "country": place.country,
        "path": gazetteer.path(place),
        "lat": place.point.latitude,
        "lon": place.point.longitude,
        "population": place.population,
        "id": place.id,
        "geonameid": place.geonames_id,
        "kind": place.kind if candidate.role != NameRole.DEMONYM else "demonym",
        "timezone": place.timezone or None,
        "synset": _synset(gazetteer, candidate) or None,
    }


def _as_row(gazetteer: Gazetteer, candidate: Candidate) -> tuple[str, ...]:
    place = candidate.place
    return (
        place.name,
        place.kind,
        " > ".join(gazetteer.path(place)[:-1]),
        f"{place.population:,}" if place.population else "",
        f"{place.point.latitude:.4f}",
        f"{place.point.longitude:.4f}",
        str(place.id) if place.id > 0 else "",
        _synset(gazetteer, candidate),
    )


def _synset(gazetteer: Gazetteer, candidate: Candidate) -> str:
    return ", ".join(f"{synset.offset:08d}-n" for synset in gazetteer.synsets(candidate.place))
