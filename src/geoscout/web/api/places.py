"""Places: what a name means, completion while typing, outlines, and the hierarchy with pages."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Response
from typing_extensions import TypedDict

from geoscout.web.api.asking import (
    LARGEST_ID,
    PROBLEMS,
    CrawlHere,
    Limit,
    SiteHere,
    as_json,
    place_or_complain,
)
from geoscout.web.outward import PlaceJson, place_json
from geoscout.web.problems import NotFoundError
from geoscout.web.site import Site
from geoscout.web.world_map import outlines
from geoscout_places.gazetteer.areas.region_areas import NamedArea
from geoscout_places.gazetteer.areas.shapes import Polygon
from geoscout_places.model import Kind, Place

router = APIRouter(prefix="/api", tags=["places"], responses=PROBLEMS)
_MOST_WORDS = 5  # of a name that is being typed
_MOST_CHILDREN = 200
_LONGEST_SUGGESTED = 60  # letters; the nearest spellings of a longer name are not worth the time
_Name = Annotated[str, Query(min_length=1, max_length=200)]


class CompletionJson(TypedDict):
    """A place that the text being typed may go on to name."""

    start: int  # where in the text its name begins, in code points
    place: PlaceJson


class NodeJson(TypedDict):
    """A place of the hierarchy, with the pages that belong to it or to what lies in it."""

    place: PlaceJson
    pages: int


class BranchJson(TypedDict):
    """A place with what is above and right below it."""

    place: PlaceJson | None  # null above the continents
    pages: int
    above: list[NodeJson]
    children: list[NodeJson]


class OutlineJson(TypedDict):
    """A GeoJSON feature."""

    type: str
    geometry: dict[str, object]
    properties: dict[str, object]


@router.get("/places", response_model=list[PlaceJson])
def look_up(
    site: SiteHere,
    name: _Name,
    country: Annotated[str, Query(max_length=60)] = "",
    limit: Limit = 10,
) -> Response:
    """The places a name may mean, most likely first; "Athens, Alabama" is understood."""
    if len(name) > _LONGEST_SUGGESTED and not site.gazetteer.search(name):
        raise NotFoundError("no place is called that")
    found = site.gazetteer.find(name, country)
    return as_json([place_json(candidate.place, site.gazetteer) for candidate in found[:limit]])


@router.get("/places/complete", response_model=list[CompletionJson])
def complete(
    site: SiteHere, text: Annotated[str, Query(max_length=300)], limit: Limit = 8
) -> Response:
    """Places whose names the end of a text may begin: "pizza in lis" gives Lisbon."""
    return as_json(_completions(site, text, limit))


def _completions(site: Site, text: str, limit: int) -> list[CompletionJson]:
    """Of the last words the longest run that begins a name."""
    starts = [0, *(at + 1 for at, letter in enumerate(text) if letter in " ,;")]
    for start in starts[-_MOST_WORDS:]:
        beginning = text[start:]
        if len(beginning.strip()) < 2 or beginning[:1].isspace():
            continue
        if found := site.finder.complete(beginning, limit):
            return [{"start": start, "place": place_json(place, site.gazetteer)} for place in found]
    return []


@router.get("/places/{id}", response_model=PlaceJson)
def place(site: SiteHere, id: Annotated[int, Path(ge=-LARGEST_ID, le=LARGEST_ID)]) -> Response:
    """One place by its id."""
    return as_json(place_json(place_or_complain(site, id), site.gazetteer))


@router.get("/places/{id}/outline", response_model=OutlineJson)
def outline(site: SiteHere, id: Annotated[int, Path(ge=-LARGEST_ID, le=LARGEST_ID)]) -> Response:
    """The outline of a place as GeoJSON; a circle of its likely size if it has none."""
    found = place_or_complain(site, id)
    shapes = NamedArea(found, site.gazetteer).shapes
    geometry = {"type": "MultiLineString", "coordinates": outlines(shapes)}
    is_known = any(isinstance(shape, Polygon) for shape in shapes)
    properties = {**place_json(found, site.gazetteer), "estimated": not is_known}
    return as_json({"type": "Feature", "geometry": geometry, "properties": properties})


@router.get("/hierarchy", response_model=BranchJson)
def hierarchy(
    site: SiteHere,
    crawl: CrawlHere,
    place: Annotated[int, Query(ge=-LARGEST_ID, le=LARGEST_ID)] = 0,
) -> Response:
    """Browse a crawl by place: the places inside this one, with the number of pages."""
    pages_at = crawl.engine().reader.pages_at

    def node(found: Place) -> NodeJson:
        return {"place": place_json(found, site.gazetteer), "pages": pages_at(found.id)}

    here = place_or_complain(site, place) if place else None
    inside = site.gazetteer.children(here) if here else site.finder.of_kind(Kind.CONTINENT)
    with_pages = sorted(
        (child for child in inside if pages_at(child.id)), key=lambda p: -pages_at(p.id)
    )
    above = reversed(site.gazetteer.ancestors(here)) if here else ()
    branch: BranchJson = {
        "place": place_json(here, site.gazetteer) if here else None,
        "pages": pages_at(here.id) if here else crawl.engine().reader.page_count,
        "above": [node(found) for found in above],
        "children": [node(child) for child in with_pages[:_MOST_CHILDREN]],
    }
    return as_json(branch)
