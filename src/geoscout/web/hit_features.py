"""Hits of a search as GeoJSON, for maps and geographic programs."""

from __future__ import annotations

from typing_extensions import TypedDict

from geoscout.web.outward import AnswerJson, HitJson

GEOJSON = "application/geo+json"


class HitFeatureJson(TypedDict):
    """A hit; the geometry is null where nothing tells its point."""

    type: str
    geometry: dict[str, object] | None
    properties: dict[str, object]


class HitFeaturesJson(TypedDict):
    """The hits for a query, with what GeoJSON has no place for as further members."""

    type: str
    features: list[HitFeatureJson]
    crawl: str
    total: int
    total_is_exact: bool
    has_more: bool


def hit_features(answer: AnswerJson) -> HitFeaturesJson:
    """The hits of an answer, in its order; one feature for each page."""
    return {
        "type": "FeatureCollection",
        "features": [_feature(hit) for hit in answer["hits"]],
        "crawl": answer["crawl"],
        "total": answer["total"],
        "total_is_exact": answer["total_is_exact"],
        "has_more": answer["has_more"],
    }


def _feature(hit: HitJson) -> HitFeatureJson:
    names = ("url", "title", "score", "language", "host", "fetched_at", "dated_at", "relevant")
    properties: dict[str, object] = {name: hit[name] for name in names}  # type: ignore[literal-required]
    properties["snippet"] = hit["snippet"]["text"]
    properties["places"] = [place["label"] for place in hit["places"]]
    properties["precisions"] = [point["precision"] for point in hit["points"]]
    return {"type": "Feature", "geometry": _geometry(hit), "properties": properties}


def _geometry(hit: HitJson) -> dict[str, object] | None:
    """The points of a page, in the order of their precisions."""
    found = [[point["lon"], point["lat"]] for point in hit["points"]]
    if len(found) == 1:
        return {"type": "Point", "coordinates": found[0]}
    return {"type": "MultiPoint", "coordinates": found} if found else None
