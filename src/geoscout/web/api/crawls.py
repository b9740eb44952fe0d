"""Crawls, running or finished: how they stand, what they found, as it goes on; and reports."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Annotated, Any

import orjson
from msgspec import Meta, Struct, structs
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from geoscout.crawl_folder import open_stream
from geoscout.crawling.explain import as_document, explain_url
from geoscout.crawling.options import options_of
from geoscout.crawling.status import CurveJson, Slowness, why_slow
from geoscout.index.base import PlaceField, Wanted
from geoscout.search.grouping import largest_places
from geoscout.search.presenting import FacetJson, facet_json
from geoscout.web.api.places import FeatureJson, feature
from geoscout.web.dashboard import (
    CrawlNodeJson,
    CrewJson,
    FrontierJson,
    HostJson,
    StatusJson,
    nodes_json,
    read_crew,
    read_frontier,
    read_hosts,
)
from geoscout.web.endpoints import After, Box, Endpoints, Limit, encode, read_view
from geoscout.web.page_grid import PageCells, SightingJson, SightingsJson, read_sightings
from geoscout.web.problems import NotFoundError
from geoscout.web.site import REPORT_FILE, ServedCrawl, Site
from geoscout_places.errors import GeoscoutError, UsageError
from geoscout_places.gazetteer.areas.region import Region
from geoscout_places.gazetteer.areas.region_areas import NamedArea, RegionArea
from geoscout_places.gazetteer.areas.shapes import Polygon
from geoscout_places.urls import normalise

endpoints = Endpoints("/api", "crawls")
compared = Endpoints("/api/reports", "reports")
_READING_SECONDS = 1.0  # of what is new, in one request; a browser asks again
_WORLD = "-180,-90,180,90"
_TICK_SECONDS = 1.0
_SIGHTINGS = 1000  # pages looked at for each event
_LARGEST = 50_000_000  # bytes of a file of a report
_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
}
# A report is a page of its own with its scripts inside: it runs, but as a page of no origin.
_POLICY = (
    "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline';"
    " style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'"
)
_Name = Annotated[str, Meta(max_length=200)]


class SiteJson(Struct, frozen=True, kw_only=True):
    """What is served."""

    crawls: list[StatusJson]
    reports: list[str]
    tiles: str  # address of map tiles with {z}, {x} and {y}; "" for the built-in map
    tile_kind: str  # "raster", "vector" or ""
    tile_zoom: int  # the highest there is; 0 where that is not known
    tile_credit: str  # whom to name on the map


class OverviewJson(Struct, frozen=True):
    """A crawl at a glance."""

    pages: int  # in the index
    places: list[FacetJson]  # that the most pages are about
    newest: list[SightingJson]  # found last, the latest first; relevant ones if there are any


class ReportJson(Struct, frozen=True):
    """A report with its files and the runs it compares."""

    name: str
    files: list[str]
    results: dict[str, Any]


class ReportHead(Struct, frozen=True):
    """A report in a list."""

    name: str
    runs: int
    strategies: list[str]


@endpoints.get("/site")
def site(site: Site) -> SiteJson:
    """The crawls with their status, the reports, and the map tiles if any."""
    crawls: list[StatusJson] = []
    troubles: list[GeoscoutError] = []  # one that has just begun, or gone, does not hide the others
    for crawl in site.crawls.values():
        try:
            with crawl.look() as opened:
                crawls.append(crawl.status(opened))
        except GeoscoutError as error:
            troubles.append(error)
    if troubles and not crawls:
        raise troubles[0]
    return SiteJson(
        crawls=crawls,
        reports=list(site.reports),
        tiles=site.tiles.address,
        tile_kind=site.tiles.kind,
        tile_zoom=site.tiles.highest_zoom,
        tile_credit=site.tiles.credit,
    )


@endpoints.get("/status")
def status(crawl: ServedCrawl) -> StatusJson:
    """The status of a crawl at its last commit."""
    with crawl.open() as opened:
        return crawl.status(opened)


@endpoints.get("/curve")
def curve(crawl: ServedCrawl) -> CurveJson:
    """The harvest curve: pages, relevant pages and entries by number of responses."""
    with crawl.open() as opened:
        points = crawl.curve.read(opened.reader)
        first_at = crawl.curve.totals(opened.reader).first_at
    entries = crawl.entries.found_by([first_at + after for after in points.seconds])
    return structs.replace(points, entries=entries)


@endpoints.get("/nodes")
def nodes(crawl: ServedCrawl) -> list[CrawlNodeJson]:
    """The nodes of a collaborative crawl."""
    with crawl.open() as opened:
        return nodes_json(opened)


@endpoints.get("/workers")
def crew(crawl: ServedCrawl) -> CrewJson:
    """The workers and partitions of a crawl that several processes share; else nothing of both."""
    with crawl.open() as opened:
        return read_crew(opened)


@endpoints.get("/hosts")
def hosts(crawl: ServedCrawl, limit: Limit = 50) -> list[HostJson]:
    """The hosts with the most waiting requests, and what they wait for."""
    with crawl.open() as opened:
        return read_hosts(opened.frontier, limit)


@endpoints.get("/frontier")
def frontier(crawl: ServedCrawl, limit: Limit = 30) -> FrontierJson:
    """Waiting requests in bins of priority, and the best ones."""
    with crawl.open() as opened:
        return read_frontier(opened.frontier, limit)


@endpoints.get("/slowness")
def slowness(crawl: ServedCrawl) -> Slowness:
    """Why the crawl is not faster."""
    with crawl.open() as opened:
        return why_slow(opened)


@endpoints.get("/visits")
def visits(
    crawl: ServedCrawl, after: After = "", limit: Annotated[int, Meta(ge=1, le=5000)] = 1000
) -> SightingsJson:
    """The pages that have a point on the map, in the order of fetching.

    `after` is the `last` of an earlier response: then only newer pages are returned.
    """
    with crawl.open() as opened:
        return read_sightings(opened.reader, after, limit)


@endpoints.get("/region")
def region(site: Site, crawl: ServedCrawl) -> FeatureJson:
    """The region of a crawl as GeoJSON; `estimated` where a circle stands for what is not known."""
    with crawl.open() as opened:
        texts = options_of(opened.reader).region
    try:
        found = Region.parse(texts, site.gazetteer)
    except UsageError as error:
        raise NotFoundError(f"the region of this crawl cannot be drawn: {error}") from error
    is_estimated = any(map(_is_estimated, found.areas))
    shapes = [shape for area in found.areas for shape in area.shapes]
    return feature(shapes, {"name": found.name, "estimated": is_estimated})


def _is_estimated(area: RegionArea) -> bool:
    """Whether an area is drawn as a circle because its outline is not known."""
    return isinstance(area, NamedArea) and not any(isinstance(s, Polygon) for s in area.shapes)


@endpoints.get("/overview")
def overview(site: Site, crawl: ServedCrawl) -> OverviewJson:
    """The places with the most pages of a crawl, and the newest pages."""
    with crawl.open() as opened:
        crawl.grid.extend(opened.reader, _READING_SECONDS)
    reader = crawl.engine().reader
    # A page that only names a town in passing says little of what the crawl found.
    counts = reader.count_places(Wanted(), PlaceField.ABOUT)
    facets = largest_places(counts, site.gazetteer.place)
    places = [facet_json(facet, site.gazetteer) for facet in facets]
    return OverviewJson(reader.page_count, places, crawl.grid.newest())


@endpoints.get("/map/pages")
def page_cells(crawl: ServedCrawl, bbox: Box = _WORLD) -> PageCells:
    """All pages of a part of the map, in cells with counts: a few hundred at most."""
    view = read_view(bbox)
    with crawl.open() as opened:
        is_whole = crawl.grid.extend(opened.reader, _READING_SECONDS)
    return crawl.grid.cells(view, is_whole=is_whole)


@endpoints.get("/events")
async def events(request: Request, crawl: ServedCrawl, after: After = "") -> StreamingResponse:
    """Events `status` and `pages` while the crawl runs, then `end`."""
    await run_in_threadpool(_look, crawl, after)  # a wrong `after` is told before anything is sent
    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    stream = _follow(request, crawl, after)
    return StreamingResponse(stream, media_type="text/event-stream", headers=headers)


async def _follow(request: Request, crawl: ServedCrawl, after: str) -> AsyncIterator[bytes]:
    """The crawl as it goes on; `end` says that nobody writes to it any more.

    The store is asked once a second and by each listener, because a crawl commits every two seconds
    and listeners are few.
    """
    told: StatusJson | None = None
    while not await request.is_disconnected():
        status, found = await run_in_threadpool(_look, crawl, after)
        if status != told:
            yield _event("status", status)
            told = status
        if found.last != after:
            yield _event("pages", found)
            after = found.last
        if found.more:
            continue
        if not status.running:
            yield _event("end", {"visits": status.visits})
            return
        await asyncio.sleep(_TICK_SECONDS)


def _look(crawl: ServedCrawl, after: str) -> tuple[StatusJson, SightingsJson]:
    with crawl.open() as opened:
        status = crawl.status(opened)
        return status, read_sightings(opened.reader, after, _SIGHTINGS)


def _event(name: str, value: object) -> bytes:
    return b"event: %b\ndata: %b\n\n" % (name.encode(), encode(value))


@endpoints.get("/explain", threads="reading")
def explain(
    site: Site, crawl: ServedCrawl, url: Annotated[str, Meta(max_length=4000)]
) -> dict[str, Any]:
    """Why a link has its priority, feature by feature."""
    wanted = normalise(url)
    if wanted is None:
        raise UsageError("url must be an http(s) URL")
    return as_document(explain_url(crawl.where, wanted, site.settings))


@compared.get("")
def reports(site: Site) -> list[ReportHead]:
    """The reports that are served."""
    return [_head(name, folder) for name, folder in site.reports.items()]


@compared.get("/{name}")
def report(site: Site, name: _Name) -> ReportJson:
    """The settings and runs of a report, and the names of its files."""
    folder = site.report(name)
    return ReportJson(name, sorted(_files(folder)), _results(folder))


@compared.get("/{name}/{file}")
def file(site: Site, name: _Name, file: _Name) -> Response:
    """A file of a report."""
    found = _files(site.report(name)).get(file)
    if found is None or found.is_symlink() or not found.is_file():
        raise NotFoundError(f"the report {name} has no file {file}")
    if found.stat().st_size > _LARGEST:
        raise UsageError(f"{file} is too large to be shown")
    headers = {"content-security-policy": _POLICY}
    return Response(_read(found), media_type=_TYPES[found.suffix], headers=headers)


def _files(folder: Path) -> dict[str, Path]:
    return {path.name: path for path in folder.iterdir() if path.suffix in _TYPES}


def _read(file: Path) -> bytes:
    with open_stream(file, "rb") as opened:
        content: bytes = opened.read()
    return content


def _results(folder: Path) -> dict[str, object]:
    try:
        results = orjson.loads(_read(folder / REPORT_FILE))
    except (OSError, orjson.JSONDecodeError) as error:
        raise NotFoundError(f"the report in {folder.name} cannot be read: {error}") from error
    return results if isinstance(results, dict) else {"runs": results}


def _head(name: str, folder: Path) -> ReportHead:
    try:
        runs = _results(folder).get("runs")
    except NotFoundError:  # it is being written
        runs = []
    listed = runs if isinstance(runs, list) else []
    names = dict.fromkeys(str(run.get("strategy", "")) for run in listed if isinstance(run, dict))
    return ReportHead(name, len(listed), list(names))
