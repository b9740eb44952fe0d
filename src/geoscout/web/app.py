"""The application: the API, the pages that use it, and the guard before both. START HERE.

guard ─► /api/…     one module each in api/
      ─► /assets/…  files of the package
      ─► /…         one page, whose script looks at the address
"""

from __future__ import annotations

import asyncio
import gc
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit

from fastapi import Depends, FastAPI, Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.responses import FileResponse, RedirectResponse
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from geoscout import __version__
from geoscout.entries import directory
from geoscout.web.api import (
    base_map,
    control,
    crawls,
    events,
    explain,
    exports,
    geoparse,
    overview,
    pages,
    places,
    reports,
    search,
    tiles,
)
from geoscout.web.control.access import ControlRules
from geoscout.web.control.launching import Launcher
from geoscout.web.control.seed_check import SeedChecker
from geoscout.web.cors import AllowedOrigins, read_origins
from geoscout.web.description import add_description
from geoscout.web.guard import Guard, Rules
from geoscout.web.heads import HeadsAsGets
from geoscout.web.parameters import refuse_unknown
from geoscout.web.problems import add_problem_handlers, problem
from geoscout.web.quick_search import QuickSearch
from geoscout.web.site import Site
from geoscout_places.background import alongside

_log = logging.getLogger(__name__)

ASSETS = Path(__file__).parent / "assets"
PARTS = (search, places, base_map, tiles, pages, geoparse, crawls, overview)
MORE_PARTS = (events, explain, exports, reports, control)  # those of the directory come between
_VIEWS = (
    "/", "/search", "/crawl", "/new", "/page", "/geoparse", "/compare", "/directory", "/entry",
    "/api/docs",
)  # fmt: skip
_FOLLOW_SECONDS = 5.0
_REVALIDATE = {"cache-control": "no-cache"}


def create_app(
    site: Site,
    rules: Rules | None = None,
    control_rules: ControlRules | None = None,
    launcher: Launcher | None = None,
) -> ASGIApp:
    """An ASGI application that serves a site; without `control_rules` nothing can be controlled."""
    app = FastAPI(
        title="geoscout",
        version=__version__,
        description="Pages about places: search, places, crawls and what they found.",
        openapi_url="/api/openapi.json",
        docs_url=None,  # both would load scripts from elsewhere
        redoc_url=None,
        lifespan=_following,
        dependencies=[Depends(refuse_unknown)],
    )
    add_description(app)
    app.state.site = site
    app.state.control = control_rules or ControlRules()
    app.state.launcher = launcher or Launcher()
    app.state.seed_checker = SeedChecker(site.settings)
    add_problem_handlers(app)
    routers = [part.router for part in (*PARTS, *MORE_PARTS)]
    routers.insert(len(PARTS), directory().router())
    for router in routers:
        app.include_router(router)
    for view in _VIEWS:
        app.add_api_route(view, _page, include_in_schema=False, response_model=None)
    app.add_api_route("/docs", _docs, include_in_schema=False, response_model=None)
    app.add_api_route("/api/{rest:path}", _nothing, include_in_schema=False)
    app.mount("/assets", StaticFiles(directory=ASSETS), name="assets")
    app.add_api_route("/{rest:path}", _nothing_here, include_in_schema=False, response_model=None)
    guarded = Guard(HeadsAsGets(QuickSearch(app, site)), rules or Rules())
    origins = read_origins(site.settings.cors)
    return AllowedOrigins(guarded, origins) if origins else guarded


def tile_origin(tiles: str) -> str:
    """The origin that a tile address loads from, for the policy; "" for none.

    >>> tile_origin("https://tiles.example.org/{z}/{x}/{y}.png")
    'https://tiles.example.org'
    >>> tile_origin("https://{s}.tiles.example.org/{z}/{x}/{y}.png")
    'https://*.tiles.example.org'
    """
    parts = urlsplit(tiles)
    return f"{parts.scheme}://{parts.netloc.replace('{s}', '*')}" if parts.netloc else ""


def _page() -> FileResponse:
    return FileResponse(ASSETS / "index.html", headers=_REVALIDATE)


def _docs() -> RedirectResponse:
    """Where users of other FastAPI servers look first."""
    return RedirectResponse("/api/docs")


def _nothing() -> Response:
    return problem(404, "the API has nothing at this address; /api/docs lists what there is")


def _nothing_here(request: Request) -> Response:
    """For people a page, which says it; for programs a problem."""
    if "text/html" in request.headers.get("accept", ""):
        return FileResponse(ASSETS / "index.html", 404, headers=_REVALIDATE)
    return problem(404, "there is nothing at this address; /api/docs lists what there is")


@asynccontextmanager
async def _following(app: FastAPI) -> AsyncIterator[None]:
    """Keep the indexes up with running crawls for as long as the server runs."""
    app.openapi()  # takes half a second, for which the first requests would all wait
    following = _follow(app.state.site)
    async with alongside(following, "indexes no longer follow their crawls", _log):
        yield
    app.state.site.close()


async def _follow(site: Site) -> None:
    await run_in_threadpool(site.warm)
    # What was loaded stays. To look through it again and again would stop everybody for 50 ms.
    gc.collect()
    gc.freeze()
    while True:
        await run_in_threadpool(site.follow)  # tells what fails, and raises nothing
        await asyncio.sleep(_FOLLOW_SECONDS)
