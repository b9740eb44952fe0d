"""What the built-in map is drawn from."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response
from typing_extensions import TypedDict

from geoscout.web.api.asking import PROBLEMS, SiteHere, as_json, read_view
from geoscout.web.world_map import ShapeJson
from geoscout_places.model import Place

router = APIRouter(prefix="/api/map", tags=["map"], responses=PROBLEMS)
_A_DAY = "private, max-age=86400"
_Box = Annotated[str, Query(max_length=120, description="west,south,east,north")]


class LabelJson(TypedDict):
    """A name to write on the map."""

    name: str
    kind: str
    lat: float
    lon: float
    population: int


@router.get("/countries", response_model=list[ShapeJson])
def countries(site: SiteHere) -> Response:
    """Every country with its outline."""
    headers = {"content-encoding": "gzip", "cache-control": _A_DAY}
    return Response(site.map.countries, media_type="application/json", headers=headers)


@router.get("/regions", response_model=list[ShapeJson])
def regions(site: SiteHere, bbox: _Box) -> Response:
    """The first-level divisions, such as states, that touch a box, with their outlines."""
    return as_json(site.map.regions(read_view(bbox)))


@router.get("/labels", response_model=list[LabelJson])
def labels(site: SiteHere, bbox: _Box, zoom: Annotated[int, Query(ge=0, le=20)]) -> Response:
    """Names for a part of the map, the most important first."""
    return as_json([_label(place) for place in site.map.labels(read_view(bbox), zoom)])


def _label(place: Place) -> LabelJson:
    return {
        "name": place.name,
        "kind": str(place.kind),
        "lat": place.point.latitude,
        "lon": place.point.longitude,
        "population": place.population,
    }
