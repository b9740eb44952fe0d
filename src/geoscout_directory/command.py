"""List the businesses, clubs and offices that the pages of a crawl name.

An entry has a name, address, telephone, mail, opening hours, category and website, as far as pages
say them. What several pages say of the same thing is one entry; --explain shows who says what.

With --first-party only what a thing's own website says of it is listed, and things whose website
was not crawled are left out: maps take facts from there. --format atp writes what All The Places
writes, overture the places of Overture, maproulette tasks for people to look at.

With --osm, entries are joined to objects of OpenStreetMap in a file you have: which object each
entry is, what is new or has changed, and the point of the house.

Brings the directory up to date first. It is in DIR/directory; you can delete it without loss.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from geoscout.cli.command import Command, add_option
from geoscout.cli.commands import SUMMARIES
from geoscout.cli.show.terminal import gazetteer_for, indexing, print_table, printable
from geoscout.settings import Settings
from geoscout.store.records import date_text
from geoscout_directory.brands import Chain, chains, is_of_brand
from geoscout_directory.contacts import shown_phone
from geoscout_directory.for_maps import MAP_FORMATS
from geoscout_directory.formats import ENTRY_FORMATS, change_text
from geoscout_directory.listing.finding import ListedEntry, Listing, ListingQuestion
from geoscout_directory.records import DirectoryEntry, MapStatus, address_line
from geoscout_directory.updating import DirectoryUpdate, update_listing
from geoscout_places.errors import UsageError
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.model import Precision

if TYPE_CHECKING:
    from geoscout_directory.for_maps import OwnSites

EXAMPLE = (
    "  geoscout directory oldenburg\n"
    "  geoscout directory oldenburg --within Varel --category restaurant\n"
    "  geoscout directory oldenburg --format geojson --out entries.geojson\n"
    '  geoscout directory oldenburg --text "museum" --explain\n'
    "  geoscout directory oldenburg --osm niedersachsen.osm.pbf --set osm_status=new\n"
    "  geoscout directory oldenburg --first-party --format atp --out oldenburg.geojson"
)
_TABLE = "table"
_SHOWN = 50  # entries of a table
_STATUSES = tuple(map(str, MapStatus))


def create() -> Command:
    return Command(__doc__ or "", EXAMPLE, add_arguments, run, summary=SUMMARIES["directory"])


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
        choices=(_TABLE, *ENTRY_FORMATS, *MAP_FORMATS),
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
        "--first-party",
        action="store_true",
        help="only what the website of the thing itself says of it",
    )
    about = "yes: also list people, and businesses that have only the name of a person"
    add_option(parser, "persons", bool, about, default=False)
    parser.add_argument(
        "--osm",
        type=Path,
        metavar="FILE",
        help="join entries to objects of OpenStreetMap: PBF, XML, GeoJSON or the JSON of Overpass",
    )
    about = (
        "only entries that the map has (same), of which it says something else (changed), or that"
        " it lacks (new); several with commas"
    )
    add_option(parser, "osm_status", str, about, default="")
    about = "only entries of a brand: its name, Wikidata's number, or the domain of its website"
    add_option(parser, "brand", str, about, default="")
    about = "yes: list brands and websites with several entries, and how many of these have what"
    add_option(parser, "chains", bool, about, default=False)
    about = "yes: delete the directory and make it again"
    add_option(parser, "rebuild", bool, about, default=False)
    about = "no: list what is there without reading new pages"
    add_option(parser, "update", bool, about, default=True)


def run(arguments: argparse.Namespace, settings: Settings) -> int:
    from geoscout_directory.listing.finding import Listing  # noqa: PLC0415
    from geoscout_directory.listing.tables import directory_folder  # noqa: PLC0415
    from geoscout_directory.updating import erase_listing  # noqa: PLC0415
    from geoscout_places.gazetteer.home import home_folder  # noqa: PLC0415

    _check(arguments)
    gazetteer = gazetteer_for(settings)
    question = _question(arguments, gazetteer)
    folder = directory_folder(arguments.folder, home_folder(settings))
    if arguments.rebuild:
        erase_listing(folder)
    if arguments.update:
        done = update_directory(arguments.folder, gazetteer, settings, persons=arguments.persons)
        if done.busy:
            print("geoscout: another process is updating the directory", file=sys.stderr)
    with closing(Listing(folder, gazetteer.place)) as listing:
        if not arguments.update and listing.edition is None:
            raise UsageError("there is no directory yet: leave out update=no to make it")
        chosen = _Chosen(arguments, listing, question)
        if arguments.chains:
            columns = ("chain", "brand", *(f"{name}>" for name in Chain._fields[2:]))
            own = chosen.own or _own_sites(listing)
            every = chains((one.entry for one in chosen.read()), own.is_list)
            print_table("", columns, [tuple(map(printable, map(str, row))) for row in every])
        elif arguments.format == _TABLE:
            shown = chosen.read(arguments.limit or _SHOWN)
            print_entries(shown, chosen.count(), listing, explain=arguments.explain)
        else:
            _write(chosen.read, listing, arguments)
    return 0


class _Chosen:
    """The entries that are asked for."""

    def __init__(
        self, arguments: argparse.Namespace, listing: Listing, question: ListingQuestion
    ) -> None:
        self._arguments, self._listing, self._found = arguments, listing, listing.find(question)
        self._joined = _joined(arguments, self._found, listing) if arguments.osm else None
        self.own = _own_sites(listing) if arguments.first_party else None

    def read(self, most: int | None = None) -> Iterator[ListedEntry]:
        """The first `most` of them."""
        own, brand = self.own, self._arguments.brand
        first = None if own or brand else most
        found = self._found[:first]
        every = iter(self._listing.read(found) if self._joined is None else self._joined[:first])
        if own:
            reduced = ((one, own.reduced(one.entry)) for one in every)
            every = (replace(one, entry=entry) for one, entry in reduced if entry)
        if brand:
            every = (one for one in every if is_of_brand(one.entry, brand))
        return islice(every, most)

    def count(self) -> int:
        if self.own or self._arguments.brand:
            return sum(1 for _ in self.read())
        return len(self._found if self._joined is None else self._joined)


def _write(
    chosen: Callable[[int | None], Iterator[ListedEntry]],
    listing: Listing,
    arguments: argparse.Namespace,
) -> None:
    from geoscout.cli.commands.export import opened_for_export  # noqa: PLC0415
    from geoscout_directory.for_maps import write_map_format  # noqa: PLC0415
    from geoscout_directory.formats import write_entries  # noqa: PLC0415

    def entries() -> Iterator[DirectoryEntry]:
        return (listed.entry for listed in chosen(arguments.limit))

    format = arguments.format
    with opened_for_export(arguments.out) as stream:
        if format in MAP_FORMATS:
            crawl, every = Path(arguments.folder).name, chosen(arguments.limit)
            write_map_format(every, listing.pages_of, format, stream, crawl)
        else:
            write_entries(entries, format, stream, joined=arguments.osm is not None)


def _own_sites(listing: Listing) -> OwnSites:
    """Of the whole listing: whether a website is a list shows in all that have it."""
    from geoscout_directory.for_maps import OwnSites  # noqa: PLC0415

    return OwnSites(one.entry for one in listing.read(listing.find(ListingQuestion())))


def _check(arguments: argparse.Namespace) -> None:
    if arguments.format == _TABLE and arguments.out:
        raise UsageError("--out needs --format, such as csv")
    if arguments.osm_status and arguments.osm is None:
        raise UsageError("osm_status needs --osm FILE")
    if unknown := set(filter(None, arguments.osm_status.split(","))) - set(_STATUSES):
        raise UsageError(f"osm_status={unknown.pop()}: there are: {', '.join(_STATUSES)}")
    if arguments.limit is not None and arguments.limit < 1:
        raise UsageError("--limit is 1 or more")


def _question(arguments: argparse.Namespace, gazetteer: Gazetteer) -> ListingQuestion:
    from geoscout_directory.entry_search import read_entry_filters  # noqa: PLC0415
    from geoscout_places.gazetteer.areas.region import Region  # noqa: PLC0415

    within = arguments.within
    region = Region.parse([within], gazetteer) if within else None
    asked = (arguments.text, arguments.category, arguments.since)
    return read_entry_filters(*asked, within, region)


def _joined(
    arguments: argparse.Namespace, found: Sequence[int], listing: Listing
) -> list[ListedEntry]:
    """The entries that were found, joined to the map that was named."""
    from geoscout.osm.files import read_objects  # noqa: PLC0415
    from geoscout_directory.joining import join_entries  # noqa: PLC0415
    from geoscout_places.model import Precision  # noqa: PLC0415

    listed = list(listing.read(found))
    exact = sum(one.entry.precision is Precision.HOUSE for one in listed)
    entries = join_entries([one.entry for one in listed], read_objects(arguments.osm))
    print(f"geoscout: {joined_summary(entries, exact)}", file=sys.stderr)
    wanted = arguments.osm_status.split(",") if arguments.osm_status else []
    return [
        replace(one, entry=entry)
        for one, entry in zip(listed, entries, strict=True)
        if not wanted or (entry.map and entry.map.status in wanted)
    ]


_WIDEST = 44  # characters of a cell


def print_entries(
    entries: Iterable[ListedEntry], count: int, listing: Listing, *, explain: bool
) -> None:
    """Print the first of `count` entries, how many there are, and from how many pages."""
    shown = list(entries)
    if explain:
        for listed in shown:
            print("\n".join(_explained(listed, listing)) + "\n")
    else:
        columns = ("name", "address", "telephone", "category", "website", "pages>")
        of_map = ("map", "object") if any(listed.entry.map for listed in shown) else ()
        print_table("", (*columns, *of_map), [_row(listed.entry) for listed in shown])
    more = f", the first {len(shown):,} shown" if len(shown) < count else ""
    state = listing.state()
    made_of = f" (of {state.entries:,}, from {state.pages:,} pages)" if state else ""
    print(f"{count:,} {'entry' if count == 1 else 'entries'}{more}{made_of}")


def _row(entry: DirectoryEntry) -> tuple[str, ...]:
    phone = shown_phone(entry.phones[0]) if entry.phones else ""
    category = entry.categories[0].partition("=")[2] if entry.categories else ""
    website = entry.website.partition("://")[2].rstrip("/")
    pages = str(len({said.url for said in entry.said}))
    cells = (entry.name, address_line(entry), phone, category, website)
    return (*(_cut(printable(cell)) for cell in cells), pages, *_map_cells(entry))


def _map_cells(entry: DirectoryEntry) -> tuple[str, ...]:
    match = entry.map
    if match is None:
        return ()
    fields = ", ".join(change.field for change in match.changes)
    return (f"{match.status}: {fields}" if fields else str(match.status), printable(match.osm_id))


def _cut(text: str) -> str:
    return text if len(text) <= _WIDEST else f"{text[: _WIDEST - 1]}…"


def _explained(listed: ListedEntry, listing: Listing) -> Iterator[str]:
    entry = listed.entry
    yield printable(f"{entry.name}  [{listed.id}]")
    facts = (
        address_line(entry),
        ", ".join(map(shown_phone, entry.phones)),
        ", ".join(entry.mails),
        entry.hours,
        ", ".join(entry.categories),
        entry.website,
    )
    yield from (f"  {printable(fact)}" for fact in facts if fact)
    for said in entry.said:
        own = ", its own site" if said.is_own else ""
        yield printable(f"  said by {said.url} ({said.evidence}{own}): {said.name}")
    for reason in entry.reasons:
        yield printable(f"  merged {reason.one} and {reason.other}: {reason.why}")
    for found in entry.contradictions:
        values = "; ".join(f"{value} ({url})" for value, url in found.values)
        yield printable(f"  pages disagree on {found.field}: {values}")
    yield f"  first seen {_day(listed.first_seen)}, last seen {_day(listed.last_seen)}"
    story = listing.story(listed.id)
    for change in story.history if story else ():
        what = f"{change.field}: {change.before} → {change.after}" if change.field else change.what
        yield printable(f"  {_day(change.at)} {what}")
    yield from map(printable, _explained_map(entry))


def _day(at: float) -> str:
    return date_text(at)[:10]


def _explained_map(entry: DirectoryEntry) -> Iterator[str]:
    match = entry.map
    if match is None:
        return
    if match.osm_id:
        yield f"  in the map as {match.osm_id}: {match.why} (sum {match.score:g})"
    else:
        yield "  not in the map"
    for change in match.changes:
        yield f"  the map differs in {change_text(change)}"
    if match.lacks:
        yield f"  the map lacks {', '.join(match.lacks)}"
    if match.located_by:
        yield f"  its point is that of {match.located_by}"


def joined_summary(entries: Sequence[DirectoryEntry], exact_before: int) -> str:
    """How many entries the map has, and how many have an exact point by it."""
    counts = Counter(entry.map.status for entry in entries if entry.map)
    told = ", ".join(f"{counts[status]:,} {status}" for status in MapStatus)
    exact = sum(entry.precision is Precision.HOUSE for entry in entries)
    return f"{told}; {exact:,} have the point of a house, {exact_before:,} before"


def update_directory(
    where: Path | str, gazetteer: Gazetteer, settings: Settings, *, persons: bool | None = None
) -> DirectoryUpdate:
    """Bring the directory of a crawl up to date, and show how far it is where there is much.

    `persons` None keeps names of people if the directory has them.
    """
    with indexing() as progress:
        return update_listing(
            where, gazetteer, settings=settings, persons=persons, progress=progress
        )
