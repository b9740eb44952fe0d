"""Geoparse a text or a page that is sent: addresses, place names, scope."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body, Response
from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from geoscout.errors import UsageError
from geoscout.model import Address, Mention, MentionKind, ScopePlace
from geoscout.parse import parse_html, parse_text
from geoscout.web.api.asking import PROBLEM, PROBLEMS, SiteHere, as_json
from geoscout.web.site import Site

router = APIRouter(prefix="/api", tags=["places"], responses={**PROBLEMS, 413: PROBLEM})
LONGEST = 1_000_000  # letters


class GeoparseQuestion(BaseModel):
    """A text or an HTML page; one of the two."""

    text: str | None = Field(None, max_length=LONGEST)
    html: str | None = Field(None, max_length=LONGEST)
    url: str = Field("", max_length=4000, description="the address of the page, as a clue")


class GeoparseJson(TypedDict):
    """What was found, as `geoscout geoparse --json` has it."""

    toponyms: list[dict[str, object]]
    addresses: list[dict[str, object]]
    scope: list[dict[str, object]]
    text: str


@router.post("/geoparse", response_model=GeoparseJson)
def geoparse(site: SiteHere, asked: Annotated[GeoparseQuestion, Body()]) -> Response:
    """Find the places of a text; offsets count code points in the `text` of the response."""
    if (asked.text is None) == (asked.html is None):
        raise UsageError("send either text or html")
    if asked.html is not None:
        page = parse_html(asked.html.encode("utf-8", "replace"), asked.url)
    else:
        page = parse_text(asked.text or "", asked.url)
    reading = site.geoparser.read(page)
    found: GeoparseJson = {
        "toponyms": [_mention(mention) for mention in reading.mentions],
        "addresses": [_address(address) for address in reading.addresses],
        "scope": [_scope(part, site) for part in reading.scope],
        "text": page.text,
    }
    return as_json(found)


def _mention(mention: Mention) -> dict[str, object]:
    place = mention.place
    return {
        "start": mention.start,
        "end": mention.end,
        "name": mention.text,
        "kind": place.kind if place and mention.kind == MentionKind.PLACE else mention.kind,
        "lat": place.point.latitude if place else None,
        "lon": place.point.longitude if place else None,
        "geonameid": place.id if place and place.id > 0 else None,
        "country": place.country if place else None,
    }


def _address(address: Address) -> dict[str, object]:
    point = address.point
    return {
        "start": address.start if address.end else None,
        "end": address.end or None,
        "text": address.text,
        "house_number": address.house_number,
        "street": address.street,
        "unit": address.unit,
        "city": address.city,
        "region": address.region,
        "postcode": address.postcode,
        "country": address.country,
        "lat": point.latitude if point else None,
        "lon": point.longitude if point else None,
        "source": address.source,
    }


def _scope(part: ScopePlace, site: Site) -> dict[str, object]:
    return {
        "name": part.place.name,
        "path": site.gazetteer.path(part.place),
        "country": part.place.country,
        "lat": part.place.point.latitude,
        "lon": part.place.point.longitude,
        "score": round(part.score, 4),
    }
