"""Places: what a name means, completion, outlines, the hierarchy; and what maps are drawn from."""

from collections.abc import Iterable
from typing import Annotated, Any

from msgspec import Meta, Struct, structs
from starlette.responses import Response

from geoscout.search.presenting import BranchJson, PlaceJson, branch_json, place_json
from geoscout.search.related import branch_at
from geoscout.web.endpoints import Box, Endpoints, Limit, PlaceId, read_view
from geoscout.web.maps import ShapeJson, outlines
from geoscout.web.problems import NotFoundError
from geoscout.web.site import ServedCrawl, Site
from geoscout_places.errors import DamagedDataError
from geoscout_places.gazetteer.areas.region_areas import NamedArea
from geoscout_places.gazetteer.areas.shapes import Polygon, Shape
from geoscout_places.model import Place

endpoints = Endpoints("/api", "places")
drawing = Endpoints("/api", "map")
_MOST_WORDS = 5  # of a name that is being typed
_LONGEST_SUGGESTED = 60  # letters; the nearest spellings of a longer name are not worth the time
_A_DAY = "private, max-age=86400"
_HIGHEST = 26  # zoom of a tile
_Zoom = Annotated[int, Meta(ge=0, le=_HIGHEST)]
_Number = Annotated[int, Meta(ge=0, lt=2**_HIGHEST)]


class CompletionJson(Struct, frozen=True):
    """A place that the text being typed may go on to name."""

    start: int  # where in the text its name begins, in code points
    place: PlaceJson


class FeatureJson(Struct, frozen=True):
    """A GeoJSON feature: an outline, and what is known of it."""

    type: str
    geometry: dict[str, Any]
    properties: dict[str, Any]


class LabelJson(Struct, frozen=True):
    """A name to write on the map."""

    name: str
    kind: str
    lat: float
    lon: float
    population: int


@endpoints.get("/places")
def look_up(
    site: Site,
    name: Annotated[str, Meta(min_length=1, max_length=200)],
    country: Annotated[str, Meta(max_length=60)] = "",
    limit: Limit = 10,
) -> list[PlaceJson]:
    """The places a name may mean, most likely first; "Athens, Alabama" is understood."""
    if len(name) > _LONGEST_SUGGESTED and not site.gazetteer.search(name):
        raise NotFoundError("no place is called that")
    found = site.gazetteer.find(name, country)
    return [place_json(candidate.place, site.gazetteer) for candidate in found[:limit]]


@endpoints.get("/places/complete")
def complete(
    site: Site, text: Annotated[str, Meta(max_length=300)], limit: Limit = 8
) -> list[CompletionJson]:
    """Places whose names the end of a text may begin: "pizza in lis" gives Lisbon."""
    starts = [0, *(at + 1 for at, letter in enumerate(text) if letter in " ,;")]
    for start in starts[-_MOST_WORDS:]:  # of the last words the longest run that begins a name
        beginning = text[start:]
        if len(beginning.strip()) < 2 or beginning[:1].isspace():
            continue
        if found := site.gazetteer.complete(beginning, limit):
            return [CompletionJson(start, place_json(place, site.gazetteer)) for place in found]
    return []


@endpoints.get("/places/{id}")
def place(site: Site, id: PlaceId) -> PlaceJson:
    """One place by its id."""
    return place_json(_known(site, id), site.gazetteer)


@endpoints.get("/places/{id}/outline")
def outline(site: Site, id: PlaceId) -> FeatureJson:
    """The outline of a place as GeoJSON; a circle of its likely size if it has none."""
    found = _known(site, id)
    shapes = NamedArea(found, site.gazetteer).shapes
    is_known = any(isinstance(shape, Polygon) for shape in shapes)
    known = structs.asdict(place_json(found, site.gazetteer))
    return feature(shapes, {**known, "estimated": not is_known})


def feature(shapes: Iterable[Shape], properties: dict[str, object]) -> FeatureJson:
    """The outline of some shapes, with what is known of them."""
    geometry = {"type": "MultiLineString", "coordinates": outlines(shapes)}
    return FeatureJson("Feature", geometry, properties)


@endpoints.get("/hierarchy")
def hierarchy(site: Site, crawl: ServedCrawl, place: PlaceId = 0) -> BranchJson:
    """Browse a crawl by place: the places inside this one, with the number of pages."""
    here = _known(site, place) if place else None
    return branch_json(branch_at(crawl.engine().reader, site.gazetteer, here), site.gazetteer)


def _known(site: Site, id: int) -> Place:
    found = site.gazetteer.place(id)
    if found is None:
        raise NotFoundError(f"the gazetteer has no place {id}")
    return found


@drawing.get("/map/countries", answers=list[ShapeJson])
def countries(site: Site) -> Response:
    """Every country with its outline."""
    headers = {"content-encoding": "gzip", "cache-control": _A_DAY}
    return Response(site.map.countries, media_type="application/json", headers=headers)


@drawing.get("/map/regions")
def regions(site: Site, bbox: Box) -> list[ShapeJson]:
    """The first-level divisions, such as states, that touch a box, with their outlines."""
    return site.map.regions(read_view(bbox))


@drawing.get("/map/labels")
def labels(site: Site, bbox: Box, zoom: Annotated[int, Meta(ge=0, le=20)]) -> list[LabelJson]:
    """Names for a part of the map, the most important first."""
    return [
        LabelJson(one.name, one.kind, one.point.latitude, one.point.longitude, one.population)
        for one in site.map.labels(read_view(bbox), zoom)
    ]


@drawing.get("/tiles/{z}/{x}/{y}")
def tile(
    site: Site, z: Annotated[int, Meta(ge=0, le=_HIGHEST)], x: _Number, y: _Number
) -> Response:
    """A tile of the file that `serve --tiles` was given; of one that it does not have, nothing."""
    file = site.tiles.file
    if file is None:
        raise NotFoundError("no file of map tiles is served here; give one with --tiles")
    if max(x, y) >= 2**z:
        raise NotFoundError(f"there are {2**z} tiles in a row at zoom {z}")
    try:
        found = file.tile(z, x, y)
    except Exception as error:  # the library has no error of its own for damaged directories
        raise DamagedDataError(f"the file of map tiles is damaged: {error!r}") from error
    if found is None:  # an empty vector tile is one; an image without bytes is not
        return Response(status_code=200 if file.is_vector else 204, media_type=file.media_type)
    headers = {"cache-control": _A_DAY}
    if file.encoding:
        headers["content-encoding"] = file.encoding
    return Response(found, media_type=file.media_type, headers=headers)
