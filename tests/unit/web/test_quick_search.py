"""A search has the same answer, whether the framework has seen it or not."""

from __future__ import annotations

import asyncio
from collections.abc import MutableMapping
from dataclasses import replace
from typing import Any

import pytest
from fastapi import FastAPI
from httpx import ASGITransport, AsyncClient, Response

from geoscout.web.api import search
from geoscout.web.problems import add_problem_handlers
from geoscout.web.quick_search import QuickSearch, read_plain
from geoscout.web.remembered import Remembered
from geoscout.web.site import Site

ASKED = (
    "q=pizza+in+Lisbon",
    "q=pizza+in+Lisbon&limit=2&offset=1&explain=true&facets=0",
    "q=caf%C3%A9&near=38.7,-9.1&radius_km=3",
    "q=pizza&bbox=-5,39,-2,42&format=geojson",
    "q=pizza&entries=false&crawl=lisbon",
    "q=pizza&crawl=nowhere",
    "q=pizza&within=Nosuchplace",
    "q=pizza&since=yesterday",
    "q=",
    "",
    "q=pizza&limit=0",
    "q=pizza&limit=many",
    "q=pizza&evidence=none",
    "q=pizza&q=pasta",
    "q=pizza&radius_km=",
    "q=pizza&place=",
    "q=%ff%00",
)


def answers(site: Site, query: str, accept: str = "*/*") -> list[Response]:
    """What the framework says, and what is said before it is asked."""
    site = replace(site, answers=Remembered())
    app = FastAPI()
    app.state.site = site
    add_problem_handlers(app)
    app.include_router(search.router)

    async def ask() -> list[Response]:
        found = []
        for asked in (app, QuickSearch(app, site)):
            async with AsyncClient(transport=ASGITransport(asked), base_url="http://test") as one:
                found.append(await one.get(f"/api/search?{query}", headers={"accept": accept}))
        return found

    return asyncio.run(ask())


@pytest.mark.parametrize("query", ASKED)
def test_the_answer_is_that_of_the_framework(site: Site, query: str) -> None:
    usual, quick = answers(site, query)

    assert (quick.status_code, quick.headers) == (usual.status_code, usual.headers)
    assert quick.content == usual.content


def test_a_client_may_ask_for_geojson_in_its_head(site: Site) -> None:
    usual, quick = answers(site, "q=pizza", "application/geo+json")

    assert quick.headers["content-type"] == usual.headers["content-type"] == "application/geo+json"
    assert quick.json() == usual.json()


def test_everything_else_is_left_to_the_framework(site: Site) -> None:
    seen: list[str] = []

    async def app(scope: MutableMapping[str, Any], *_: object) -> None:
        seen.append(scope["path"])

    async def ask() -> None:
        quick = QuickSearch(app, site)
        for path, method in (("/api/pages", "GET"), ("/api/search", "POST")):
            scope = {"type": "http", "path": path, "method": method, "query_string": b"q=pizza"}
            await quick(scope, None, None)  # type: ignore[arg-type]

    asyncio.run(ask())
    assert seen == ["/api/pages", "/api/search"]


def test_unknown_and_repeated_parameters_are_not_plain() -> None:
    assert read_plain(b"q=pizza&quer=1") is None
    assert read_plain(b"q=pizza&q=pasta") is None
    assert read_plain(b"q=pizza&limit=3").limit == 3  # type: ignore[union-attr]
