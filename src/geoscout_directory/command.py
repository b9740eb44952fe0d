"""List the businesses, clubs and offices that the pages of a crawl name.

An entry has a name, address, telephone, mail, opening hours, category and website, as far as pages
say them. What several pages say of the same thing is one entry; --explain shows who says what.

With --osm, entries are joined to objects of OpenStreetMap in a file you have: which object each
entry is, what is new or has changed, and the point of the house.

Brings the directory up to date first. It is in DIR/directory; you can delete it without loss.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from geoscout.cli.command import Command
from geoscout.cli.commands import SUMMARIES
from geoscout.cli.show.places import gazetteer_for
from geoscout.settings import Settings
from geoscout_directory.formats import ENTRY_FORMATS
from geoscout_directory.listing.finding import ListingQuestion
from geoscout_directory.records import DirectoryEntry, MapStatus
from geoscout_places.errors import UsageError
from geoscout_places.gazetteer.base import Gazetteer

if TYPE_CHECKING:
    from geoscout_directory.listing.finding import ListedEntry, Listing

EXAMPLE = (
    "  geoscout directory oldenburg\n"
    "  geoscout directory oldenburg --within Varel --category restaurant\n"
    "  geoscout directory oldenburg --format geojson --out entries.geojson\n"
    '  geoscout directory oldenburg --text "museum" --explain\n'
    "  geoscout directory oldenburg --osm niedersachsen.osm.pbf --osm-status new"
)
_TABLE = "table"
_SHOWN = 50  # entries of a table
_STATUSES = tuple(map(str, MapStatus))


def create() -> Command:
    """The command `directory`."""
    return Command(
        summary=SUMMARIES["directory"],
        description=__doc__ or "",
        example=EXAMPLE,
        add_arguments=add_arguments,
        run=run,
    )


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="DIR", help="the crawl's folder or address")
    parser.add_argument(
        "--within",
        default="",
        metavar="REGION",
        help="only entries in a place, a box (west,south,east,north), a circle or a GeoJSON file",
    )
    parser.add_argument(
        "--category", default="", help="only entries of a category: restaurant, shop=bakery"
    )
    parser.add_argument(
        "--text", default="", metavar="WORDS", help="only entries with words that begin so"
    )
    parser.add_argument(
        "--since",
        default="",
        metavar="DAY",
        help="only entries that are new or have changed since: 2026-03-01, or 2d for two days",
    )
    parser.add_argument(
        "--format",
        choices=(_TABLE, *ENTRY_FORMATS),
        default=_TABLE,
        help="how to write entries (default: table)",
    )
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="file to write (default: standard output)"
    )
    parser.add_argument(
        "--limit", type=int, help=f"most entries to write (default: {_SHOWN} in a table, else all)"
    )
    parser.add_argument(
        "--explain",
        action="store_true",
        help="show which page says what, why entries were merged, and where pages disagree",
    )
    parser.add_argument(
        "--persons",
        action="store_true",
        help="also list people, and businesses that have only the name of a person",
    )
    parser.add_argument(
        "--osm",
        type=Path,
        metavar="FILE",
        help="join entries to objects of OpenStreetMap: PBF, XML, GeoJSON or the JSON of Overpass",
    )
    parser.add_argument(
        "--osm-status",
        choices=_STATUSES,
        help="only entries that the map has (same), of which it says something else (changed), or "
        "that it lacks (new)",
    )
    parser.add_argument(
        "--rebuild", action="store_true", help="delete the directory and make it again"
    )
    parser.add_argument(
        "--no-update", action="store_true", help="list what is there without reading new pages"
    )


def run(arguments: argparse.Namespace, settings: Settings) -> int:
    from geoscout.cli.show.exporting import opened_for_export  # noqa: PLC0415
    from geoscout_directory.folder import directory_folder  # noqa: PLC0415
    from geoscout_directory.formats import write_entries  # noqa: PLC0415
    from geoscout_directory.listing.finding import Listing  # noqa: PLC0415
    from geoscout_directory.listing.keeping import erase_listing  # noqa: PLC0415
    from geoscout_directory.view import print_entries, update_directory  # noqa: PLC0415
    from geoscout_places.gazetteer.home import home_folder  # noqa: PLC0415

    _check(arguments)
    gazetteer = gazetteer_for(settings)
    question = _question(arguments, gazetteer)
    folder = directory_folder(arguments.folder, home_folder(settings))
    if arguments.rebuild:
        erase_listing(folder)
    if not arguments.no_update:
        done = update_directory(arguments.folder, gazetteer, settings, persons=arguments.persons)
        if done.busy:
            print("geoscout: another process is updating the directory", file=sys.stderr)
    with closing(Listing(folder, gazetteer.place)) as listing:
        if arguments.no_update and listing.edition is None:
            raise UsageError("there is no directory yet: leave out --no-update to make it")
        found = listing.find(question)
        joined = _joined(arguments, found, listing) if arguments.osm else None
        count = len(found) if joined is None else len(joined)

        def chosen(most: int | None) -> Iterator[ListedEntry]:
            return iter(listing.read(found[:most]) if joined is None else joined[:most])

        if arguments.format == _TABLE:
            shown = chosen(arguments.limit or _SHOWN)
            print_entries(shown, count, listing, explain=arguments.explain)
            return 0

        def entries() -> Iterator[DirectoryEntry]:
            return (listed.entry for listed in chosen(arguments.limit))

        with opened_for_export(arguments.out) as stream:
            write_entries(entries, arguments.format, stream, joined=joined is not None)
    return 0


def _check(arguments: argparse.Namespace) -> None:
    if arguments.format == _TABLE and arguments.out:
        raise UsageError("--out needs --format, such as csv")
    if arguments.osm_status and arguments.osm is None:
        raise UsageError("--osm-status needs --osm FILE")
    if arguments.limit is not None and arguments.limit < 1:
        raise UsageError("--limit is 1 or more")


def _question(arguments: argparse.Namespace, gazetteer: Gazetteer) -> ListingQuestion:
    from geoscout_directory.entry_search import EntryFilters, read_entry_filters  # noqa: PLC0415
    from geoscout_places.gazetteer.areas.region import Region  # noqa: PLC0415

    within = arguments.within
    filters = EntryFilters(arguments.text, arguments.category, arguments.since, within)
    return read_entry_filters(filters, Region.parse([within], gazetteer) if within else None)


def _joined(
    arguments: argparse.Namespace, found: Sequence[int], listing: Listing
) -> list[ListedEntry]:
    """The entries that were found, joined to the map that was named."""
    from geoscout.osm.files import read_objects  # noqa: PLC0415
    from geoscout_directory.joining import join_entries  # noqa: PLC0415
    from geoscout_directory.view import joined_summary  # noqa: PLC0415
    from geoscout_places.model import Precision  # noqa: PLC0415

    listed = list(listing.read(found))
    exact = sum(one.entry.precision is Precision.HOUSE for one in listed)
    entries = join_entries([one.entry for one in listed], read_objects(arguments.osm))
    print(f"geoscout: {joined_summary(entries, exact)}", file=sys.stderr)
    wanted = arguments.osm_status
    return [
        replace(one, entry=entry)
        for one, entry in zip(listed, entries, strict=True)
        if not wanted or (entry.map and entry.map.status == wanted)
    ]
