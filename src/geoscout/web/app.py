"""The application: the API, the pages that use it, and the guard before both. START HERE.

guard ─► /api/…     one module each in api/
      ─► /assets/…  files of the package
      ─► /…         one page, whose script looks at the address
"""

import asyncio
import gc
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from geoscout.entries import directory
from geoscout.web.api import control, crawls, pages, places, search
from geoscout.web.control.access import ControlRules
from geoscout.web.control.new_crawl import SeedChecker
from geoscout.web.control.running import Launcher
from geoscout.web.description import describe
from geoscout.web.endpoints import Endpoint, as_json
from geoscout.web.guard import AllowedOrigins, Guard, Rules, read_origins
from geoscout.web.problems import ON_ERROR, problem
from geoscout.web.site import Site
from geoscout_places.background import alongside

_log = logging.getLogger(__name__)

ASSETS = Path(__file__).parent / "assets"
_VIEWS = (
    "/", "/search", "/crawl", "/new", "/page", "/geoparse", "/compare", "/directory", "/entry",
    "/places", "/api/docs",
)  # fmt: skip
_VERSION = "/api/v1/"
_FOLLOW_SECONDS = 5.0
_REVALIDATE = {"cache-control": "no-cache"}


def create_app(
    site: Site,
    rules: Rules | None = None,
    control_rules: ControlRules | None = None,
    launcher: Launcher | None = None,
) -> ASGIApp:
    """An ASGI application that serves a site; without `control_rules` nothing can be controlled."""
    app = Starlette(
        routes=[
            *(endpoint.route for endpoint in endpoints()),
            Route("/api/openapi.json", _description),
            *(Route(view, _page) for view in _VIEWS),
            Route("/docs", _docs),
            Route("/embed.js", _embed),
            Route("/api/{rest:path}", _nothing),
            Mount("/assets", StaticFiles(directory=ASSETS), name="assets"),
            Route("/{rest:path}", _nothing_here),
        ],
        exception_handlers=ON_ERROR,
        lifespan=_following,
    )
    app.state.site = site
    app.state.control = control_rules or ControlRules()
    app.state.launcher = launcher or Launcher()
    app.state.seed_checker = SeedChecker(site.settings)
    guarded = Guard(app, rules or Rules())
    origins = read_origins(site.settings.cors)
    return _versioned(AllowedOrigins(guarded, origins) if origins else guarded)


def _versioned(app: ASGIApp) -> ASGIApp:
    """An application whose API is below `/api/v1` as well: what is there stays as it is."""

    async def versioned(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"].startswith(_VERSION):
            path = scope["path"].replace(_VERSION, "/api/", 1)
            scope = {**scope, "path": path, "raw_path": path.encode()}
        await app(scope, receive, send)

    return versioned


@cache
def endpoints() -> tuple[Endpoint, ...]:
    """All endpoints of the API, in the order in which their addresses are tried."""
    parts = (
        search.endpoints, places.endpoints, places.drawing, pages.endpoints, pages.texts,
        crawls.endpoints, directory().endpoints(), search.files, crawls.compared, control.endpoints
    )  # fmt: skip
    return tuple(endpoint for part in parts for endpoint in part.all)


def tile_origin(tiles: str) -> str:
    """The origin that a tile address loads from, for the policy; "" for none.

    >>> tile_origin("https://tiles.example.org/{z}/{x}/{y}.png")
    'https://tiles.example.org'
    >>> tile_origin("https://{s}.tiles.example.org/{z}/{x}/{y}.png")
    'https://*.tiles.example.org'
    """
    parts = urlsplit(tiles)
    return f"{parts.scheme}://{parts.netloc.replace('{s}', '*')}" if parts.netloc else ""


@cache
def _described() -> Response:
    return as_json(describe(endpoints()))


async def _description(_: Request) -> Response:
    return _described()


async def _page(_: Request) -> FileResponse:
    return FileResponse(ASSETS / "index.html", headers=_REVALIDATE)


async def _embed(_: Request) -> Response:
    """A search box and a map for pages of others, in one file."""
    return Response(_embedded(), media_type="text/javascript", headers=_REVALIDATE)


@cache
def _embedded() -> str:
    names = ("js/outlines.js", "embed.js")
    parts = [(ASSETS / name).read_text(encoding="utf-8") for name in names]
    return "\n".join(("(() => {", *parts, "})();")).replace("export function", "function")


async def _docs(_: Request) -> RedirectResponse:
    """Where users of other servers look first."""
    return RedirectResponse("/api/docs")


async def _nothing(_: Request) -> Response:
    return problem(404, "the API has nothing at this address; /api/docs lists what there is")


async def _nothing_here(request: Request) -> Response:
    """For people a page, which says it; for programs a problem."""
    if "text/html" in request.headers.get("accept", ""):
        return FileResponse(ASSETS / "index.html", 404, headers=_REVALIDATE)
    return problem(404, "there is nothing at this address; /api/docs lists what there is")


@asynccontextmanager
async def _following(app: Starlette) -> AsyncIterator[None]:
    """Keep the indexes up with running crawls for as long as the server runs."""
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
