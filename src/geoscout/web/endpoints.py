"""What an endpoint of the API is: a function whose signature says what it takes and answers.

Parameters of the address are parameters of the function, `Annotated` with their limits; a record
among them stands for several of them or, where something is sent, for the members of the body.
What it returns is the JSON. So code, check and description (`app.py`) cannot differ.

A parameter that is misspelt must not be ignored: what an endpoint does not have is refused, with
the nearest name that it has.
"""

import difflib
import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Any, get_type_hints

import msgspec
from msgspec import NODEFAULT, Meta, Struct
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from geoscout.web.problems import InvalidRequestError
from geoscout.web.site import ServedCrawl, Site
from geoscout.web.working import Work, run_for_client
from geoscout_places.errors import GeoscoutError, UsageError
from geoscout_places.gazetteer.base import View

LARGEST_ID = 2**53  # numbers beyond it are not the same in every client
CrawlName = Annotated[str, Meta(max_length=200, description="its name (default: the first)")]
Limit = Annotated[int, Meta(ge=1, le=100)]
After = Annotated[str, Meta(max_length=2000, description="the `last` of an earlier response")]
PlaceId = Annotated[int, Meta(ge=-LARGEST_ID, le=LARGEST_ID)]
Box = Annotated[str, Meta(max_length=120, description="west,south,east,north")]

_MOST_NAMED = 10  # parameters that are complained about
_LONGEST_NAMED = 60  # letters of one
_MORE = b'"has_more":true'  # in JSON; in a string of it there would be backslashes
_USUAL_LIMIT = 50  # of those whose limit depends on the format
_ENCODER = msgspec.json.Encoder(enc_hook=str)
_GIVEN = (Request, Site, ServedCrawl, Work)  # what a function may have besides its parameters

Function = Callable[..., Any]
Fault = dict[str, object]


class Parameter(Struct, frozen=True, kw_only=True):
    """One thing that is sent: in the path, in the query, or as a member of the body."""

    name: str
    where: str
    type: Any
    default: Any = NODEFAULT

    @property
    def is_required(self) -> bool:
        return self.default is NODEFAULT

    def read(self, sent: Mapping[str, object], faults: list[Fault]) -> object:
        """Its value; what is wrong with it goes to `faults`."""
        if self.name not in sent:
            if self.is_required:
                faults.append(self._fault("it is missing"))
            return self.default
        try:  # in an address everything is text
            return msgspec.convert(sent[self.name], self.type, strict=self.where == "body")
        except msgspec.ValidationError as error:
            faults.append(self._fault(str(error).replace("Expected", "expected", 1)))
            return None

    def _fault(self, what: str) -> Fault:
        return {"where": f"{self.where}.{self.name}", "what": what}


@dataclass(frozen=True, kw_only=True)
class Endpoint:
    """A function that answers what is asked of one address by one method."""

    method: str
    path: str
    function: Function
    tag: str
    problems: tuple[int, ...] = ()  # statuses beside those that every endpoint has
    answers: Any = None  # the record of its JSON, where the function writes the response itself
    also: Mapping[str, object] = field(default_factory=dict)  # schemas of other kinds of content
    threads: str = ""  # the field of `Site` in which it waits, and is left when the client leaves
    allow: Callable[[Request], None] | None = None  # raises where a client may not ask

    @cached_property
    def _hints(self) -> dict[str, Any]:
        return get_type_hints(self.function, include_extras=True)

    @cached_property
    def _given(self) -> dict[str, Any]:
        return {name: kind for name, kind in self._hints.items() if kind in _GIVEN}

    @cached_property
    def _records(self) -> dict[str, type[Struct]]:
        hints = self._hints.items()
        return {name: kind for name, kind in hints if name != "return" and _is(kind, Struct)}

    @property
    def answer(self) -> Any:
        """The type of its JSON; None for other content."""
        returned = self._hints["return"]
        return self.answers if _is(returned, Response) else returned

    @cached_property
    def body(self) -> type[Struct] | None:
        """The record that is sent to it: the one it takes, or one of all that it takes."""
        if self.method != "POST":
            return None
        members = [(one.name, one.type, one.default) for one in self.parameters]
        name = f"{self.function.__name__.title().replace('_', '')}Request"
        made = msgspec.defstruct(name, members, kw_only=True, forbid_unknown_fields=True)
        return next(iter(self._records.values()), made)

    @cached_property
    def parameters(self) -> list[Parameter]:
        """All that can be sent, by name: in the address, and members of the body."""
        found, sent = [], "body" if self.method == "POST" else "query"
        for name, one in inspect.signature(self.function).parameters.items():
            if record := self._records.get(name):
                found += [
                    Parameter(name=field.name, where=sent, type=field.type, default=field.default)
                    for field in msgspec.structs.fields(record)
                ]
            elif name not in self._given:
                where = "path" if f"{{{name}}}" in self.path else sent
                default = NODEFAULT if one.default is one.empty else one.default
                kind = self._hints[name]
                found.append(Parameter(name=name, where=where, type=kind, default=default))
        if ServedCrawl in self._given.values():
            found.append(Parameter(name="crawl", where="query", type=CrawlName, default=""))
        return found

    @property
    def route(self) -> Route:
        return Route(self.path, self, methods=[self.method])

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive, send)
        if self.allow:
            self.allow(request)
        values = self._values(request, await self._sent(request))
        response = await self._blaming(request, values)
        if self._paging and _MORE in getattr(response, "body", b""):
            response.headers["link"] = f'<?{self._next_query(request)}>; rel="next"'
        if request.method == "HEAD" and isinstance(response, StreamingResponse):
            headers = dict(response.headers)  # of a stream that may have no end
            response = Response(None, response.status_code, headers, response.media_type)
        await response(scope, receive, send)

    @cached_property
    def _paging(self) -> dict[str, Any]:
        """What `limit` and `offset` are where they are not sent, if it has both."""
        found = {one.name: one.default for one in self.parameters}
        names = ("limit", "offset")
        return {name: found[name] for name in names} if found.keys() >= set(names) else {}

    def _next_query(self, request: Request) -> str:
        """The query of the next page."""
        asked = {**self._paging, **request.query_params}
        offset = int(asked["offset"]) + int(asked["limit"] or _USUAL_LIMIT)
        return str(request.url.include_query_params(offset=offset).query)

    async def _sent(self, request: Request) -> dict[str, object]:
        """All that a request has, by name.

        Raises:
            InvalidRequestError: something in it is not known.
        """
        query = dict(request.query_params)
        sent: dict[str, object] = {**query, **request.path_params}
        members = _decoded(await request.body()) if self.body else {}
        places: dict[str, dict[str, Any]] = {"query": query, "body": members}
        faults = [fault for where, names in places.items() for fault in self._unknown(where, names)]
        if faults:
            raise InvalidRequestError(faults[:_MOST_NAMED])
        return sent | members

    def _unknown(self, where: str, names: Iterable[str]) -> Iterable[Fault]:
        known = [one.name for one in self.parameters if one.where == where]
        what = "parameter" if where == "query" else "member"
        for name in (name[:_LONGEST_NAMED] for name in names if name not in known):
            near = difflib.get_close_matches(name, known, n=1)
            there_are = f"there are: {', '.join(known)}" if known else "it takes none"
            hint = f"did you mean {near[0]!r}?" if near else there_are
            yield {"where": f"{where}.{name}", "what": f"there is no such {what}; {hint}"}

    def _values(self, request: Request, sent: Mapping[str, object]) -> dict[str, object]:
        """The arguments of the function, but for `Work`."""
        faults: list[Fault] = []
        values = {one.name: one.read(sent, faults) for one in self.parameters}
        if faults:
            raise InvalidRequestError(faults)
        for name, kind in self._records.items():
            values[name] = kind(**{field: values.pop(field) for field in kind.__struct_fields__})
        site = site_of(request)
        for name, kind in self._given.items():
            if kind is ServedCrawl:
                values[name] = site.crawl(str(values.pop("crawl")))
            elif kind is not Work:
                values[name] = request if kind is Request else site
        return values

    async def _blaming(self, request: Request, values: dict[str, object]) -> Response:
        try:
            return await self._answer(request, values)
        except (GeoscoutError, HTTPException, OSError):
            raise
        except Exception as error:  # what a folder of somebody else can do
            for crawl in values.values():
                if isinstance(crawl, ServedCrawl):
                    await run_in_threadpool(crawl.blame, error)
            raise

    async def _answer(self, request: Request, values: dict[str, object]) -> Response:
        if inspect.iscoroutinefunction(self.function):
            return as_json(await self.function(**values))
        named = [name for name, kind in self._given.items() if kind is Work]

        def answer(work: Work) -> Response:
            return as_json(self.function(**values, **dict.fromkeys(named, work)))

        if self.threads:
            threads = getattr(site_of(request), self.threads)
            return await run_for_client(request, answer, threads)
        return await run_in_threadpool(answer, Work())


class Endpoints:
    """The endpoints of one part of the API, in the order in which their addresses are tried."""

    def __init__(self, prefix: str, tag: str, problems: Iterable[int] = ()) -> None:
        self._prefix, self._tag, self._problems = prefix, tag, tuple(problems)
        self.all: list[Endpoint] = []

    def get(self, path: str, **more: Any) -> Callable[[Function], Function]:
        return self._adding("GET", path, more)

    def post(self, path: str, **more: Any) -> Callable[[Function], Function]:
        return self._adding("POST", path, more)

    def _adding(
        self, method: str, path: str, more: dict[str, Any]
    ) -> Callable[[Function], Function]:
        problems = (*self._problems, *more.pop("problems", ()))

        def add(function: Function) -> Function:
            more.update(tag=self._tag, problems=problems, function=function)
            self.all.append(Endpoint(method=method, path=self._prefix + path, **more))
            return function

        return add


def _is(kind: Any, base: type) -> bool:
    return isinstance(kind, type) and issubclass(kind, base)


def _decoded(body: bytes) -> dict[str, object]:
    """The members of a body.

    Raises:
        InvalidRequestError: it is not a JSON object.
    """
    try:
        found = msgspec.json.decode(body)
    except (msgspec.DecodeError, RecursionError) as error:
        raise InvalidRequestError([{"where": "body", "what": f"it is not JSON: {error}"}]) from None
    if not isinstance(found, dict):
        raise InvalidRequestError([{"where": "body", "what": "it is not a JSON object"}])
    return found


def as_json(value: object) -> Response:
    """A value as a response; one that is a response already as it is."""
    if isinstance(value, Response):
        return value
    return Response(encode(value), media_type="application/json")


def encode(value: object) -> bytes:
    return _ENCODER.encode(value)


def site_of(request: Request) -> Site:
    site: Site = request.app.state.site
    return site


def read_view(text: str) -> View:
    """A box as `west,south,east,north`.

    Raises:
        UsageError: it is none.
    """
    parts = text.split(",")
    try:
        west, south, east, north = (float(part) for part in parts)
    except ValueError as error:
        raise UsageError(f"a box is west,south,east,north in degrees, not {text!r}") from error
    if not (-90 <= south <= north <= 90 and -180 <= west <= 180 and -180 <= east <= 180):
        raise UsageError(f"{text!r} is not a box on the globe: west,south,east,north in degrees")
    return View(west, south, east, north)
