"""Geoparse a text or a page that is sent: addresses, place names, scope."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body, Request, Response
from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

from geoscout.web.api.asking import PROBLEM, PROBLEMS, SiteHere, as_json
from geoscout.web.site import Site
from geoscout.web.working import Work, run_for_client
from geoscout_places.errors import UsageError
from geoscout_places.geo.presenting import address_as_json, mention_as_json, scope_as_json
from geoscout_places.parse import parse_html, parse_text

router = APIRouter(prefix="/api", tags=["places"], responses={**PROBLEMS, 413: PROBLEM})
LONGEST = 1_000_000  # letters


class GeoparseQuestion(BaseModel):
    """A text or an HTML page; one of the two."""

    model_config = ConfigDict(extra="forbid")  # a misspelt member must not be ignored

    text: str | None = Field(None, max_length=LONGEST)
    html: str | None = Field(None, max_length=LONGEST)
    url: str = Field("", max_length=4000, description="the address of the page, as a clue")


class GeoparseJson(TypedDict):
    """What was found, as `geoscout geoparse --json` has it."""

    toponyms: list[dict[str, object]]
    addresses: list[dict[str, object]]
    scope: list[dict[str, object]]
    text: str
    labels: dict[str, str]  # of the places of toponyms, by id: "Munich, Bavaria, Germany"


@router.post("/geoparse", response_model=GeoparseJson)
async def geoparse(
    request: Request, site: SiteHere, asked: Annotated[GeoparseQuestion, Body()]
) -> Response:
    """Find the places of a text; offsets count code points in the `text` of the response."""
    return await run_for_client(request, lambda work: _geoparse(site, asked, work), site.reading)


def _geoparse(site: Site, asked: GeoparseQuestion, work: Work) -> Response:
    if (asked.text is None) == (asked.html is None):
        raise UsageError("send either text or html")
    if asked.html is not None:
        page = parse_html(asked.html.encode("utf-8", "replace"), asked.url)
    else:
        page = parse_text(asked.text or "", asked.url)
    work.check()
    reading = site.geoparser.read(page)
    found: GeoparseJson = {
        "toponyms": [mention_as_json(mention) for mention in reading.mentions],
        "addresses": [address_as_json(address) for address in reading.addresses],
        "scope": [scope_as_json(part, site.gazetteer) for part in reading.scope],
        "text": page.text,
        "labels": {
            str(mention.place.id): site.gazetteer.label(mention.place)
            for mention in reading.mentions
            if mention.place
        },
    }
    return as_json(found)
