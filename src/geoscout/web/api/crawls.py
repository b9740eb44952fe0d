"""Crawls, running or finished: status, curve, nodes, workers, hosts, frontier, pages on the map."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

from fastapi import APIRouter, Query, Response
from typing_extensions import TypedDict

from geoscout.crawling.options import options_of
from geoscout.crawling.slowness import Cause, why_slow
from geoscout.web.api.asking import PROBLEMS, After, CrawlHere, Limit, SiteHere, as_json
from geoscout.web.dashboard.sightings import SightingsJson, read_sightings
from geoscout.web.dashboard.status import (
    CrawlNodeJson,
    StatusJson,
    nodes_json,
)
from geoscout.web.dashboard.waiting import FrontierJson, HostJson, read_frontier, read_hosts
from geoscout.web.dashboard.workers import CrewJson, read_crew
from geoscout.web.problems import NotFoundError
from geoscout.web.world_map import outlines
from geoscout_places.errors import GeoscoutError, UsageError
from geoscout_places.gazetteer.areas.region import Region
from geoscout_places.gazetteer.areas.region_areas import NamedArea, RegionArea
from geoscout_places.gazetteer.areas.shapes import Polygon

router = APIRouter(prefix="/api", tags=["crawls"], responses=PROBLEMS)


class SiteJson(TypedDict):
    """What is served."""

    crawls: list[StatusJson]
    reports: list[str]
    tiles: str  # address of map tiles with {z}, {x} and {y}; "" for the built-in map
    tile_kind: str  # "raster", "vector" or ""
    tile_zoom: int  # the highest there is; 0 where that is not known
    tile_credit: str  # whom to name on the map


class CurveJson(TypedDict):
    """Counts up to each of these numbers of responses."""

    visits: list[int]
    pages: list[int]
    relevant: list[int]
    seconds: list[float]  # since the first response
    entries: list[int]  # of the directory; empty while there is none


class SlownessJson(TypedDict):
    """What the crawl waits for, and what that means."""

    waiting_for: Mapping[str, int]  # waiting requests by reason
    hosts_ready: int
    answer_seconds: float  # clients know it under this key
    causes: Sequence[Cause]


class RegionJson(TypedDict):
    """A GeoJSON feature with the outline of a crawl's region."""

    type: str
    geometry: dict[str, object]
    properties: dict[str, object]


@router.get("/site", response_model=SiteJson)
def site(site: SiteHere) -> Response:
    """The crawls with their status, the reports, and the map tiles if any."""
    crawls: list[StatusJson] = []
    troubles: list[GeoscoutError] = []  # one that has just begun, or gone, does not hide the others
    for crawl in site.crawls.values():
        try:
            with crawl.open() as opened:
                crawls.append(crawl.status(opened))
        except GeoscoutError as error:
            troubles.append(error)
    if troubles and not crawls:
        raise troubles[0]
    served: SiteJson = {
        "crawls": crawls,
        "reports": list(site.reports),
        "tiles": site.tiles.address,
        "tile_kind": site.tiles.kind,
        "tile_zoom": site.tiles.highest_zoom,
        "tile_credit": site.tiles.credit,
    }
    return as_json(served)


@router.get("/status", response_model=StatusJson)
def status(crawl: CrawlHere) -> Response:
    """The status of a crawl at its last commit."""
    with crawl.open() as opened:
        return as_json(crawl.status(opened))


@router.get("/curve", response_model=CurveJson)
def curve(crawl: CrawlHere) -> Response:
    """The harvest curve: pages, relevant pages and entries by number of responses."""
    with crawl.open() as opened:
        points = crawl.curve.read(opened.reader)
        first_at = crawl.curve.totals(opened.reader).first_at
    found: CurveJson = {
        "visits": points.visits,
        "pages": points.pages,
        "relevant": points.relevant,
        "seconds": points.seconds,
        "entries": crawl.entries.found_by([first_at + after for after in points.seconds]),
    }
    return as_json(found)


@router.get("/nodes", response_model=list[CrawlNodeJson])
def nodes(crawl: CrawlHere) -> Response:
    """The nodes of a collaborative crawl."""
    with crawl.open() as opened:
        return as_json(nodes_json(opened))


@router.get("/workers", response_model=CrewJson)
def crew(crawl: CrawlHere) -> Response:
    """The workers and partitions of a crawl that several processes share; else nothing of both."""
    with crawl.open() as opened:
        return as_json(read_crew(opened))


@router.get("/hosts", response_model=list[HostJson])
def hosts(crawl: CrawlHere, limit: Limit = 50) -> Response:
    """The hosts with the most waiting requests, and what they wait for."""
    with crawl.open() as opened:
        return as_json(read_hosts(opened.frontier, limit))


@router.get("/frontier", response_model=FrontierJson)
def frontier(crawl: CrawlHere, limit: Limit = 30) -> Response:
    """Waiting requests in bins of priority, and the best ones."""
    with crawl.open() as opened:
        return as_json(read_frontier(opened.frontier, limit))


@router.get("/slowness", response_model=SlownessJson)
def slowness(crawl: CrawlHere) -> Response:
    """Why the crawl is not faster."""
    with crawl.open() as opened:
        slow = why_slow(opened)
    found: SlownessJson = {
        "waiting_for": slow.waiting_for,
        "hosts_ready": slow.hosts_ready,
        "answer_seconds": slow.response_seconds,
        "causes": slow.causes,
    }
    return as_json(found)


@router.get("/visits", response_model=SightingsJson)
def visits(
    crawl: CrawlHere,
    after: After = "",
    limit: Annotated[int, Query(ge=1, le=5000)] = 1000,
) -> Response:
    """The pages that have a point on the map, in the order of fetching.

    `after` is the `last` of an earlier response: then only newer pages are returned.
    """
    with crawl.open() as opened:
        return as_json(read_sightings(opened.reader, after, limit))


@router.get("/region", response_model=RegionJson)
def region(site: SiteHere, crawl: CrawlHere) -> Response:
    """The region of a crawl as GeoJSON; `estimated` where a circle stands for what is not known."""
    with crawl.open() as opened:
        texts = options_of(opened.reader).region
    try:
        found = Region.parse(texts, site.gazetteer)
    except UsageError as error:
        raise NotFoundError(f"the region of this crawl cannot be drawn: {error}") from error
    lines = outlines(shape for area in found.areas for shape in area.shapes)
    geometry = {"type": "MultiLineString", "coordinates": lines}
    properties = {"name": found.name, "estimated": any(map(_is_estimated, found.areas))}
    return as_json({"type": "Feature", "geometry": geometry, "properties": properties})


def _is_estimated(area: RegionArea) -> bool:
    """Whether an area is drawn as a circle because its outline is not known."""
    return isinstance(area, NamedArea) and not any(isinstance(s, Polygon) for s in area.shapes)
