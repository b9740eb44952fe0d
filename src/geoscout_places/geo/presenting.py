"""What the geoparser finds as plain data for JSON: the same for `geoscout geoparse` and the API."""

from __future__ import annotations

from typing import Any

from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.model import Address, Mention, MentionKind, Point, ScopePlace

Json = dict[str, Any]


def mention_as_json(mention: Mention) -> Json:
    """A place name of a text."""
    place = mention.place
    return {
        "start": mention.start,
        "end": mention.end,
        "name": mention.text,
        "kind": place.kind if place and mention.kind == MentionKind.PLACE else mention.kind,
        **point_as_json(place.point if place else None),
        "precision": place.precision if place else None,
        "id": place.id if place else None,
        "geonameid": place.geonames_id if place else None,
        "country": place.country if place else None,
        **({"of_site": True} if mention.of_site else {}),
    }


def address_as_json(address: Address) -> Json:
    """An address; without offsets where it is not in the text."""
    return {
        "start": address.start if address.end else None,
        "end": address.end or None,
        "text": address.text,
        **address.parts(),
        **point_as_json(address.point),
        "precision": address.precision,
        "source": address.source,
        **({"of_site": True} if address.of_site else {}),
    }


def scope_as_json(scope: ScopePlace, gazetteer: Gazetteer) -> Json:
    """A place that a page is about."""
    return {
        "name": scope.place.name,
        "path": gazetteer.path(scope.place),
        "country": scope.place.country,
        **point_as_json(scope.place.point),
        "precision": scope.place.precision,
        "score": round(scope.score, 4),
    }


def point_as_json(point: Point | None) -> dict[str, float | None]:
    return {"lat": point.latitude if point else None, "lon": point.longitude if point else None}
