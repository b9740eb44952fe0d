"""What a crawl found, at a glance: all pages on the map, top places, the newest pages."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response
from typing_extensions import TypedDict

from geoscout.index.base import PlaceField, Wanted
from geoscout.search.facets import largest_places
from geoscout.web.api.asking import PROBLEMS, CrawlHere, SiteHere, as_json, read_view
from geoscout.web.dashboard.page_grid import PageCells
from geoscout.web.dashboard.sightings import SightingJson
from geoscout.web.outward import FacetJson, facet_json

router = APIRouter(prefix="/api", tags=["crawls"], responses=PROBLEMS)
_READING_SECONDS = 1.0  # of what is new, in one request; a browser asks again
_WORLD = "-180,-90,180,90"


class OverviewJson(TypedDict):
    """A crawl at a glance."""

    pages: int  # in the index
    places: list[FacetJson]  # that the most pages are about
    newest: list[SightingJson]  # found last, the latest first; relevant ones if there are any


@router.get("/overview", response_model=OverviewJson)
def overview(site: SiteHere, crawl: CrawlHere) -> Response:
    """The places with the most pages of a crawl, and the newest pages."""
    with crawl.open() as opened:
        crawl.grid.extend(opened.reader, _READING_SECONDS)
    reader = crawl.engine().reader
    # A page that only names a town in passing says little of what the crawl found.
    counts = reader.count_places(Wanted(), PlaceField.ABOUT)
    facets = largest_places(counts, site.gazetteer.place)
    found: OverviewJson = {
        "pages": reader.page_count,
        "places": [facet_json(facet, site.gazetteer) for facet in facets],
        "newest": crawl.grid.newest(),
    }
    return as_json(found)


@router.get("/map/pages", response_model=PageCells)
def page_cells(
    crawl: CrawlHere,
    bbox: Annotated[str, Query(max_length=120, description="west,south,east,north")] = _WORLD,
) -> Response:
    """All pages of a part of the map, in cells with counts: a few hundred at most."""
    view = read_view(bbox)
    with crawl.open() as opened:
        is_whole = crawl.grid.extend(opened.reader, _READING_SECONDS)
    return as_json(crawl.grid.cells(view, is_whole=is_whole))
