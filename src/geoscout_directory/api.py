"""The directory of a crawl: its entries by words, category, place and date, and each one alone."""

from __future__ import annotations

import io
from array import array
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from geoscout.entries import EntryJson
from geoscout.search.within import read_within
from geoscout.store.export import load_format
from geoscout.web.api.asking import PROBLEMS, CrawlHere, SiteHere, as_json, crawl_of, read_view
from geoscout.web.dashboard.page_grid import count_cells
from geoscout.web.problems import NotFoundError
from geoscout.web.site import ServedCrawl, Site
from geoscout.web.working import run_for_client
from geoscout_directory.entry_json import EntryStoryJson, entry_json, story_json
from geoscout_directory.entry_search import EntryFilters, read_entry_filters
from geoscout_directory.formats import write_entries
from geoscout_directory.house import OpenDirectory
from geoscout_directory.listing.finding import ListedEntry, Listing, ListingQuestion, ListingState
from geoscout_places.errors import UsageError
from geoscout_places.urls import normalise

router = APIRouter(prefix="/api/directory", tags=["directory"], responses=PROBLEMS)
_LISTED, _MOST_LISTED, _MOST_WRITTEN = 50, 200, 10_000  # entries
_MOST_STATEMENTS = 500  # of one entry


class EntriesQuery(BaseModel):
    """Which entries are wanted, as it stands in an address."""

    crawl: str = Field("", max_length=200, description="name of the crawl (default: the first)")
    text: str = Field("", max_length=300, description="words, or beginnings of them")
    category: str = Field("", max_length=60, description="such as restaurant or shop=bakery")
    within: str = Field("", max_length=12_000, description="a place, box, circle or GeoJSON")
    bbox: str = Field("", max_length=120, description="west,south,east,north")
    since: str = Field(
        "", max_length=40, description="new or changed since: 2026-03-01, or 2d for two days"
    )


class DirectoryQuery(EntriesQuery):
    """Which entries are wanted, in which order, how many, and how they are to be written."""

    page: str = Field("", max_length=4000, description="only entries that this page names")
    sort: Literal["name", "newest"] = "name"
    limit: int | None = Field(
        None,
        ge=1,
        le=_MOST_WRITTEN,
        description=f"default {_LISTED}, at most {_MOST_LISTED}; for csv and geojson"
        f" {_MOST_WRITTEN}",
    )
    offset: int = Field(0, ge=0, le=10_000_000)
    format: Literal["json", "geojson", "csv"] = "json"


class DirectoryStateJson(TypedDict):
    """What a directory was made from."""

    entries: int
    pages: int  # of the crawl that were looked at
    naming_pages: int  # of them that name an entry


class DirectoryJson(TypedDict):
    """Entries of the directory of a crawl."""

    crawl: str
    directory: DirectoryStateJson | None  # null while there is none yet
    total: int  # entries that fit
    entries: list[EntryJson]
    has_more: bool


@router.get(
    "",
    response_model=DirectoryJson,
    responses={
        200: {
            "content": {
                "application/geo+json": {"schema": {"type": "object"}},
                "text/csv": {"schema": {"type": "string"}},
            }
        }
    },
)
async def list_entries(
    request: Request, site: SiteHere, asked: Annotated[DirectoryQuery, Query()]
) -> Response:
    """Businesses, clubs and offices that pages name: by words, category, place, date or page."""
    crawl = crawl_of(site, asked.crawl)
    return await run_for_client(request, lambda _: _listed(site, crawl, asked), site.listing)


@router.get("/categories", response_model=dict[str, int])
def count_categories(crawl: CrawlHere) -> Response:
    """How many entries each category has, the most first."""
    return as_json(_listing(crawl).categories())


class CellsQuery(EntriesQuery):
    """Which entries are wanted, in which part of the map."""

    view: str = Field("-180,-90,180,90", max_length=120, description="west,south,east,north")


class EntryCellJson(TypedDict):
    """Some entries near each other."""

    lat: float  # the middle of the entries, not of the cell
    lon: float
    entries: int
    bbox: str  # of the entries, as west,south,east,north


@router.get("/cells", response_model=list[EntryCellJson])
async def count_in_cells(
    request: Request, site: SiteHere, asked: Annotated[CellsQuery, Query()]
) -> Response:
    """The entries that fit in a part of the map, in cells with counts: a few hundred at most."""
    crawl, view = crawl_of(site, asked.crawl), read_view(asked.view)

    def count() -> Response:
        latitudes, longitudes = _listing(crawl).points(_question(asked, site))
        marks = array("b", bytes(len(latitudes)))
        cells = count_cells(latitudes, longitudes, marks, view)
        found: list[EntryCellJson] = [
            {"lat": c["lat"], "lon": c["lon"], "entries": c["pages"], "bbox": c["bbox"]}
            for c in cells
        ]
        return as_json(found)

    return await run_for_client(request, lambda _: count(), site.listing)


@router.get("/{id}", response_model=EntryStoryJson)
def show_entry(
    crawl: CrawlHere, id: Annotated[str, Path(max_length=40, description="as in the list")]
) -> Response:
    """One entry: what each page says of it, where pages disagree, and what has changed.

    An entry that no page names any more is shown as it was last, with `gone`.
    """
    story = _listing(crawl).story(id)
    if story is None:
        raise NotFoundError(f"the directory of this crawl has no entry {id}")
    return as_json(story_json(story, crawl.name, _MOST_STATEMENTS))


def _listing(crawl: ServedCrawl) -> Listing:
    assert isinstance(crawl.entries, OpenDirectory), "this house opened it"
    return crawl.entries.listing


def _listed(site: Site, crawl: ServedCrawl, asked: DirectoryQuery) -> Response:
    limit, most = asked.limit, _MOST_LISTED if asked.format == "json" else _MOST_WRITTEN
    limit = (_LISTED if asked.format == "json" else most) if limit is None else limit
    if limit > most:
        raise UsageError(f"limit is at most {most} for {asked.format}")
    listing = _listing(crawl)
    total, entries = _find(listing, asked, site, limit)
    if asked.format != "json":
        return _written(entries, asked.format)
    found: DirectoryJson = {
        "crawl": crawl.name,
        "directory": _state_json(listing.state()),
        "total": total,
        "entries": [entry_json(entry) for entry in entries],
        "has_more": asked.offset + len(entries) < total,
    }
    return as_json(found)


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
    filters = EntryFilters(asked.text, asked.category, asked.since, asked.within)
    box = read_view(asked.bbox) if asked.bbox else None
    return replace(read_entry_filters(filters, region), box=box)


def _written(entries: Sequence[ListedEntry], format: str) -> Response:
    stream, written = io.BytesIO(), load_format(format)
    write_entries(lambda: (listed.entry for listed in entries), format, stream)
    disposition = f'attachment; filename="entries.{written.suffix}"'
    headers = {"content-disposition": disposition}
    return Response(stream.getvalue(), media_type=written.media_type, headers=headers)


def _state_json(state: ListingState | None) -> DirectoryStateJson | None:
    if state is None:
        return None
    return {
        "entries": state.entries,
        "pages": state.pages,
        "naming_pages": state.naming_pages,
    }
