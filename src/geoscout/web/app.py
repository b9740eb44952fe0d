"""The application: the API, the pages that use it, and the guard before both. START HERE.

guard ─► /api/…     one module each in api/
      ─► /assets/…  files of the package
      ─► /…         one page, whose script looks at the address

The OpenAPI description says what the endpoints take and answer, with examples and who may ask. The
examples are in `examples.json`, one for each operation: `python -m tools.api_examples` asks a small
server and writes down what it answers, shortened. Tests compare them with the schemas.
"""

import asyncio
import gc
import inspect
import json
import logging
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from geoscout import __version__
from geoscout.entries import directory
from geoscout.web.api import control, crawls, pages, places, search
from geoscout.web.control.access import KEY_FIELD, ControlRules
from geoscout.web.control.new_crawl import SeedChecker
from geoscout.web.control.running import Launcher
from geoscout.web.endpoints import Endpoint, Parameter, as_json
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


EXAMPLES_FILE = Path(__file__).with_name("examples.json")
_SCHEMES = {
    "token": {
        "type": "http",
        "scheme": "bearer",
        "description": "the token of the server, if it has one; a browser may send it as a cookie",
    },
    "key": {
        "type": "apiKey",
        "in": "header",
        "name": KEY_FIELD,
        "description": "the key that `geoscout serve` prints, on a server without a token",
    },
}
_READING: list[dict[str, list[str]]] = [{}, {"token": []}]
_CONTROL: list[dict[str, list[str]]] = [{"key": []}, {"token": []}]
_PROBLEM = {
    "description": "what was wrong, in a sentence",
    "content": {"application/problem+json": {}},
}
_JSON = "application/json"

Described = dict[str, Any]


def describe(endpoints: Sequence[Endpoint]) -> Described:
    """The description of an API that has these endpoints."""
    kinds = [kind for endpoint in endpoints for kind in _kinds(endpoint)]
    schemas, components = msgspec.json.schema_components(
        kinds, ref_template="#/components/schemas/{name}"
    )
    made = iter(schemas)
    examples = json.loads(EXAMPLES_FILE.read_text(encoding="utf-8"))
    paths: dict[str, Described] = {}
    for endpoint in endpoints:
        operation = _operation(endpoint, [next(made) for _ in _kinds(endpoint)])
        _add_example(operation, examples.get(f"{endpoint.method} {endpoint.path}", {}))
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = operation
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "geoscout",
            "description": "Pages about places: search, places, crawls and what they found.",
            "version": __version__,
        },
        "paths": paths,
        "components": {"schemas": components, "securitySchemes": _SCHEMES},
    }


def _in_address(endpoint: Endpoint) -> list[Parameter]:
    return [one for one in endpoint.parameters if one.where != "body"]


def _kinds(endpoint: Endpoint) -> list[Any]:
    """The types that its description needs the schemas of: parameters, answer, body."""
    kinds = [one.type for one in _in_address(endpoint)]
    return kinds + [kind for kind in (endpoint.answer, endpoint.body) if kind is not None]


def _operation(endpoint: Endpoint, schemas: list[Described]) -> Described:
    body = schemas.pop() if endpoint.body else None
    answer = schemas.pop() if endpoint.answer is not None else None
    name = endpoint.function.__name__
    plain = {_JSON: answer} if answer is not None else {}
    contents = {**plain, **endpoint.also}
    operation: Described = {
        "tags": [endpoint.tag],
        "summary": name.replace("_", " ").title(),
        "description": inspect.getdoc(endpoint.function),
        "operationId": re.sub(r"\W", "_", f"{name}{endpoint.path}_{endpoint.method.lower()}"),
        "parameters": list(map(_parameter, _in_address(endpoint), schemas)),
        "responses": {
            "200": {
                "description": "Successful Response",
                "content": {media: {"schema": schema} for media, schema in contents.items()},
            },
            **{str(status): _PROBLEM for status in (400, 404, 422, *endpoint.problems)},
        },
        "security": _CONTROL if _is_control(endpoint) else _READING,
    }
    if body is not None:
        operation["requestBody"] = {"content": {_JSON: {"schema": body}}, "required": True}
    return operation


def _is_control(endpoint: Endpoint) -> bool:
    return endpoint.method == "POST" and endpoint.path.startswith("/api/control")


def _parameter(one: Parameter, schema: Described) -> Described:
    described = {"name": one.name, "in": one.where, "required": one.is_required}
    if about := schema.pop("description", ""):
        described["description"] = about
    if not one.is_required and one.default is not None:
        schema["default"] = one.default
    return {**described, "schema": schema}


def _add_example(operation: Described, example: Described) -> None:
    values = example.get("parameters", {})
    for parameter in operation["parameters"]:
        if parameter["name"] in values:
            parameter["example"] = values[parameter["name"]]
    if "body" in example:
        operation["requestBody"]["content"][_JSON]["example"] = example["body"]
    if "response" not in example:
        return
    answer = operation["responses"]["200"]
    media = example.get("media", _JSON)
    if media != _JSON:
        answer["content"] = {media: {"schema": {"type": "string"}}}
    answer["content"][media]["example"] = example["response"]
