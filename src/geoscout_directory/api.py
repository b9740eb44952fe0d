"""The directory of a crawl: its entries by words, category, place and date, and each one alone."""

import io
from array import array
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Literal

from msgspec import Meta, Struct
from starlette.responses import Response

from geoscout.entries import EntryJson
from geoscout.search.target import read_within
from geoscout.store.export import load_format
from geoscout.web.endpoints import Box, Endpoints, as_json, read_view
from geoscout.web.page_grid import count_cells
from geoscout.web.problems import NotFoundError
from geoscout.web.site import ServedCrawl, Site
from geoscout_directory.entry_search import read_entry_filters
from geoscout_directory.formats import EntryStoryJson, entry_json, story_json, write_entries
from geoscout_directory.house import OpenDirectory
from geoscout_directory.listing.finding import ListedEntry, Listing, ListingQuestion
from geoscout_places.codec import record_of
from geoscout_places.errors import UsageError
from geoscout_places.urls import normalise

endpoints = Endpoints("/api/directory", "directory")
_LISTED, _MOST_LISTED, _MOST_WRITTEN = 50, 200, 10_000  # entries
_MOST_STATEMENTS = 500  # of one entry


class EntriesQuery(Struct, frozen=True, kw_only=True):
    """Which entries are wanted, as it stands in an address."""

    text: Annotated[str, Meta(max_length=300, description="words, or beginnings of them")] = ""
    category: Annotated[
        str, Meta(max_length=60, description="such as restaurant or shop=bakery")
    ] = ""
    within: Annotated[
        str, Meta(max_length=12_000, description="a place, box, circle or GeoJSON")
    ] = ""
    bbox: Box = ""
    since: Annotated[
        str, Meta(max_length=40, description="new or changed since: 2026-03-01, or 2d for two days")
    ] = ""


class DirectoryQuery(EntriesQuery, frozen=True, kw_only=True):
    """Which entries are wanted, in which order, how many, and how they are to be written."""

    page: Annotated[str, Meta(max_length=4000, description="only entries that this page names")] = (
        ""
    )
    sort: Literal["name", "newest"] = "name"
    limit: Annotated[
        Annotated[int, Meta(ge=1, le=_MOST_WRITTEN)] | None,
        Meta(
            description=f"default {_LISTED}, at most {_MOST_LISTED}; for csv and geojson"
            f" {_MOST_WRITTEN}"
        ),
    ] = None
    offset: Annotated[int, Meta(ge=0, le=10_000_000)] = 0
    format: Literal["json", "geojson", "csv"] = "json"


class DirectoryStateJson(Struct, frozen=True):
    """What a directory was made from."""

    entries: int
    pages: int  # of the crawl that were looked at
    naming_pages: int  # of them that name an entry


class DirectoryJson(Struct, frozen=True):
    """Entries of the directory of a crawl."""

    crawl: str
    directory: DirectoryStateJson | None  # null while there is none yet
    total: int  # entries that fit
    entries: list[EntryJson]
    has_more: bool


@endpoints.get(
    "",
    answers=DirectoryJson,
    also={"application/geo+json": {"type": "object"}, "text/csv": {"type": "string"}},
    threads="listing",
)
def list_entries(site: Site, crawl: ServedCrawl, asked: DirectoryQuery) -> Response:
    """Businesses, clubs and offices that pages name: by words, category, place, date or page."""
    limit, most = asked.limit, _MOST_LISTED if asked.format == "json" else _MOST_WRITTEN
    limit = (_LISTED if asked.format == "json" else most) if limit is None else limit
    if limit > most:
        raise UsageError(f"limit is at most {most} for {asked.format}")
    listing = _listing(crawl)
    total, entries = _find(listing, asked, site, limit)
    if asked.format != "json":
        return _written(entries, asked.format)
    has_more = asked.offset + len(entries) < total
    listed = [entry_json(entry) for entry in entries]
    state = listing.state()
    about = record_of(DirectoryStateJson, state) if state else None
    return as_json(DirectoryJson(crawl.name, about, total, listed, has_more))


@endpoints.get("/categories")
def count_categories(crawl: ServedCrawl) -> dict[str, int]:
    """How many entries each category has, the most first."""
    return _listing(crawl).categories()


class EntryCellJson(Struct, frozen=True):
    """Some entries near each other."""

    lat: float  # the middle of the entries, not of the cell
    lon: float
    entries: int
    bbox: str  # of the entries, as west,south,east,north


@endpoints.get("/cells", threads="listing")
def count_in_cells(
    site: Site, crawl: ServedCrawl, asked: EntriesQuery, view: Box = "-180,-90,180,90"
) -> list[EntryCellJson]:
    """The entries that fit in a part of the map, in cells with counts: a few hundred at most."""
    latitudes, longitudes = _listing(crawl).points(_question(asked, site))
    marks = array("b", bytes(len(latitudes)))
    cells = count_cells(latitudes, longitudes, marks, read_view(view))
    return [EntryCellJson(cell.lat, cell.lon, cell.pages, cell.bbox) for cell in cells]


@endpoints.get("/{id}")
def show_entry(
    crawl: ServedCrawl, id: Annotated[str, Meta(max_length=40, description="as in the list")]
) -> EntryStoryJson:
    """One entry: what each page says of it, where pages disagree, and what has changed.

    An entry that no page names any more is shown as it was last, with `gone`.
    """
    story = _listing(crawl).story(id)
    if story is None:
        raise NotFoundError(f"the directory of this crawl has no entry {id}")
    return story_json(story, crawl.name, _MOST_STATEMENTS)


def _listing(crawl: ServedCrawl) -> Listing:
    assert isinstance(crawl.entries, OpenDirectory), "this house opened it"
    return crawl.entries.listing


def _find(
    listing: Listing, asked: DirectoryQuery, site: Site, limit: int
) -> tuple[int, Sequence[ListedEntry]]:
    """How many entries fit, and those that are wanted of them."""
    end = asked.offset + limit
    if asked.page:
        entries = listing.of_page(normalise(asked.page) or asked.page, _MOST_WRITTEN)
        return len(entries), entries[asked.offset : end]
    question = replace(_question(asked, site), newest_first=asked.sort == "newest")
    numbers = listing.find(question)
    return len(numbers), list(listing.read(numbers[asked.offset : end]))


def _question(asked: EntriesQuery, site: Site) -> ListingQuestion:
    region = read_within(asked.within, site.gazetteer) if asked.within else None
    box = read_view(asked.bbox) if asked.bbox else None
    question = read_entry_filters(asked.text, asked.category, asked.since, asked.within, region)
    return replace(question, box=box)


def _written(entries: Sequence[ListedEntry], format: str) -> Response:
    stream, written = io.BytesIO(), load_format(format)
    write_entries(lambda: (listed.entry for listed in entries), format, stream)
    disposition = f'attachment; filename="entries.{written.suffix}"'
    headers = {"content-disposition": disposition}
    return Response(stream.getvalue(), media_type=written.media_type, headers=headers)
