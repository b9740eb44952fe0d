"""A synthetic web on loopback, and on disk.

On loopback one server has many host names and several addresses. Which site answers is told by the
Host header. Hosts are spread over addresses of 127.0.0.0/8, so that a crawler that is polite to
addresses may still ask several at a time. Traps have no end here: steps beyond the numbered pages
are made when they are asked for.

On disk there are archives that anything can replay, the truth, and the seeds. The same web is
written as the same bytes: records carry ids and times made from page numbers. Pages that would not
answer, or that robots.txt forbids, are in the truth and not in the archives.
"""

import contextlib
import json
import zlib
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from uuid import UUID

import numpy as np
from aiohttp import web as http

from geoscout.warc import pack
from geoscout_lab.worlds.synthetic.hosts import City, HostType
from geoscout_lab.worlds.synthetic.profile import mix
from geoscout_lab.worlds.synthetic.sites import BLOCKED_FOLDER, step_of_trap, trap_path
from geoscout_lab.worlds.synthetic.web import SyntheticWeb
from geoscout_places.errors import TryLaterError
from geoscout_places.model import OnProgress

_PORTS_TRIED = 20
_STEPS = (1, 2, 7)  # further pages that each page of a trap leads to
ROBOTS = f"User-agent: *\nDisallow: /{BLOCKED_FOLDER}/\n"


class LoopbackResolver:
    """Knows the hosts of one web; a `Resolver` for the live fetcher."""

    def __init__(self, web: SyntheticWeb, addresses: int) -> None:
        self._addresses = addresses
        self._known = {name.partition(":")[0] for name in host_names(web)}

    async def look_up(self, host: str) -> tuple[str, ...]:
        """The loopback address of a host.

        Raises:
            TryLaterError: the web has no such host.
        """
        if host not in self._known:
            raise TryLaterError("dns", f"{host} is not in the synthetic web")
        return (self.address(host),)

    def address(self, host: str) -> str:
        """Names of one site share an address, as they would share a server."""
        number = zlib.crc32(host.removeprefix("www.").encode()) % self._addresses
        return f"127.0.0.{number + 1}"

    def close(self) -> None:
        """Nothing to give back."""


@dataclass(frozen=True, slots=True)
class ServedWeb:
    web: SyntheticWeb  # its URLs have the port of the server
    port: int
    resolver: LoopbackResolver
    requests: list[tuple[str, str]] = field(default_factory=list)  # host and path of each request

    @property
    def seeds(self) -> list[str]:
        """The URLs to begin with."""
        return [self.web.url(page) for page in self.web.seeds]


def host_names(web: SyntheticWeb) -> Iterator[str]:
    """All names that hosts of the web answer to."""
    for site in web.register.sites:
        yield from _names(site.domain)


def _names(domain: str) -> tuple[str, str]:
    return domain, domain[4:] if domain.startswith("www.") else f"www.{domain}"


@contextlib.asynccontextmanager
async def serve_web(web: SyntheticWeb, *, addresses: int = 16) -> AsyncIterator[ServedWeb]:
    """Serve a web while the block runs."""
    door = _Door()
    runner, port = await _listen(door, addresses)
    served_web = web.at_port(port)
    served = ServedWeb(served_web, port, LoopbackResolver(served_web, addresses))
    door.responses = _Responses(served)
    try:
        yield served
    finally:
        await runner.cleanup()


class _Door:
    """Takes requests from the start; the responses need the port, which is known later."""

    def __init__(self) -> None:
        self.responses: _Responses | None = None

    async def __call__(self, request: http.BaseRequest) -> http.StreamResponse:
        if self.responses is None:
            return http.Response(status=503)
        return await self.responses.answer(request)


async def _listen(door: _Door, addresses: int) -> tuple[http.ServerRunner, int]:
    """A server on one port of all addresses; it must be free on each."""
    for _ in range(_PORTS_TRIED):
        runner = http.ServerRunner(http.Server(door))
        await runner.setup()
        port = 0
        try:
            for number in range(addresses):
                site = http.TCPSite(runner, f"127.0.0.{number + 1}", port)
                await site.start()
                port = port or runner.addresses[0][1]
        except OSError:
            await runner.cleanup()
            continue
        return runner, port
    raise OSError("no port is free on all addresses")


class _Responses:
    """What the server says."""

    def __init__(self, served: ServedWeb) -> None:
        self._served = served
        self._web = served.web
        sites = self._web.register.sites
        self._numbers = {name: site.number for site in sites for name in _names(site.domain)}
        host = self._web.structure.pages.host
        self._order = np.argsort(host, kind="stable")
        self._starts = np.searchsorted(host[self._order], np.arange(len(sites) + 1))
        self._tables: dict[int, dict[str, int]] = {}

    async def answer(self, request: http.BaseRequest) -> http.StreamResponse:
        host, path = request.headers.get("Host", ""), request.raw_path
        self._served.requests.append((host, path))
        number = self._numbers.get(host)
        if number is None:
            return http.Response(status=421, text="no such host here")
        if path == "/robots.txt":
            return http.Response(text=ROBOTS)
        page = self._table(number).get(f"http://{host}{path}")
        if page is not None:
            return await self._page(request, page)
        step = self._trap_step(number, path)
        if step is None:
            return http.Response(status=404, text="<h1>Not found</h1>", content_type="text/html")
        return http.Response(text=self._endless(number, step), content_type="text/html")

    def _table(self, number: int) -> dict[str, int]:
        """The pages of a host by URL, made when it is first asked."""
        table = self._tables.get(number)
        if table is None:
            pages = self._order[self._starts[number] : self._starts[number + 1]].tolist()
            table = self._tables[number] = {self._web.url(page): page for page in pages}
        return table

    async def _page(self, request: http.BaseRequest, page: int) -> http.StreamResponse:
        status = self._web.status(page)
        if status == 0:
            if request.transport is not None:
                request.transport.abort()
            return http.Response(status=504)
        if status == 301:
            target = self._web.url(self._web.targets(page)[0])
            return http.Response(status=status, headers={"Location": target})
        body = self._web.html(page) + self._onward(page)
        kind = {"Content-Type": self._web.content_type(page)}
        return http.Response(status=status, body=body, headers=kind)

    def _trap_step(self, number: int, path: str) -> int | None:
        site = self._web.register.sites[number]
        return step_of_trap(site, path) if site.type is HostType.TRAP else None

    def _onward(self, page: int) -> bytes:
        """From the last numbered pages of a trap, the way into those without number."""
        register = self._web.register
        number, step = register.hosts[page], register.locals[page]
        size = int(self._web.structure.hosts.size[number])
        if register.sites[number].type is not HostType.TRAP or step + _STEPS[-1] < size:
            return b""
        return self._endless(number, step).encode()

    def _endless(self, number: int, step: int) -> str:
        site = self._web.register.sites[number]
        links = [escape(trap_path(site, step + further)) for further in _STEPS]
        items = "".join(f'<li><a href="{link}">{step + 1}</a></li>' for link in links)
        return f"<html><body><h1>{escape(site.name)}</h1><ul>{items}</ul></body></html>"


_PAGES_A_FILE = 100_000
_REASONS = {200: "OK", 301: "Moved Permanently", 404: "Not Found"}
_DATE = "2025-01-01T00:00:00Z"  # a web without a clock is the same tomorrow


def write_web(
    web: SyntheticWeb, folder: Path, progress: OnProgress = lambda _done, _all: None
) -> None:
    """Write archives, `truth.jsonl`, `hosts.jsonl`, `seeds.txt` and `web.json` into a new folder.

    Raises:
        FileExistsError: the folder has such files already.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "truth.jsonl").open("x", encoding="utf-8") as truth:
        for first in range(0, web.size, _PAGES_A_FILE):
            pages = range(first, min(web.size, first + _PAGES_A_FILE))
            name = f"web-{first // _PAGES_A_FILE + 1:05}.warc.gz"
            with (folder / name).open("xb") as archive:
                archive.write(_file_head(web, name))
                for page in pages:
                    archive.write(_page_record(web, page))
                    truth.write(json.dumps(truth_of(web, page), ensure_ascii=False) + "\n")
                    if page % 256 == 0:
                        progress(page, web.size)
    write_lists(web, folder)


def write_lists(web: SyntheticWeb, folder: Path) -> None:
    """The small files: seeds, hosts, and what the web was made by."""
    seeds = "".join(f"{web.url(page)}\n" for page in web.seeds)
    (folder / "seeds.txt").write_text(seeds, encoding="utf-8")
    with (folder / "hosts.jsonl").open("w", encoding="utf-8") as hosts:
        for row in _host_rows(web):
            hosts.write(json.dumps(row, ensure_ascii=False) + "\n")
    text = json.dumps(about(web), indent=2, ensure_ascii=False) + "\n"
    (folder / "web.json").write_text(text, encoding="utf-8")


def about(web: SyntheticWeb) -> dict[str, object]:
    """The arguments that a web was made from, and how much of it is about its region."""
    return {
        "profile": web.structure.profile.name,
        "random_seed": web.structure.random_seed,
        "pages": web.size,
        "hosts": web.structure.hosts.count,
        "region": web.region,
        "relevant": int(web.structure.relevant.sum()),
    }


def truth_of(web: SyntheticWeb, page: int) -> dict[str, object]:
    """The truth about a page, as a row of `truth.jsonl`."""
    entities = web.register.entities(page) if web.status(page) == 200 else []
    city = entities[0].city if entities else web.city(page)
    return {
        "url": web.url(page),
        "status": web.status(page),
        "host_type": web.host_type(page).name.lower(),
        "role": web.role(page).name.lower(),
        "city": city.name if city else None,
        "country": city.country if city else None,
        "lat": city.place.point.latitude if city else None,
        "lon": city.place.point.longitude if city else None,
        "relevant": web.is_relevant(page),
        "addresses": [f"{entity.street_line}, {entity.town_line}" for entity in entities],
        "links": len(web.targets(page)),
        "copy_of": web.copy_of(page),
        "blocked": web.is_blocked(page),
    }


def _host_rows(web: SyntheticWeb) -> Iterator[dict[str, object]]:
    for host, site in enumerate(web.register.sites):
        yield {
            "host": site.domain,
            "type": site.type.name.lower(),
            "city": site.city.name,
            "country": site.city.country,
            "address": web.locations.address(host),
            "server": _spot(web.locations.server(host)),
            "owner": _spot(web.locations.owner(host)),
        }


def _spot(city: City | None) -> dict[str, object] | None:
    if city is None:
        return None
    point = city.place.point
    return {
        "city": city.name,
        "country": city.country,
        "lat": point.latitude,
        "lon": point.longitude,
        "geonameid": city.place.id,
    }


def _page_record(web: SyntheticWeb, page: int) -> bytes:
    status = web.status(page)
    if status not in _REASONS:
        return b""
    body = web.html(page)
    lines = [f"HTTP/1.1 {status} {_REASONS[status]}"]
    if status == 301:
        lines.append(f"Location: {web.url(web.targets(page)[0])}")
    lines += [f"Content-Type: {web.content_type(page)}", f"Content-Length: {len(body)}", "", ""]
    block = "\r\n".join(lines).encode() + body
    fields = [
        ("WARC-Target-URI", web.url(page)),
        ("WARC-IP-Address", web.locations.address(web.host(page))),
        ("Content-Type", "application/http;msgtype=response"),
    ]
    return _record("response", fields, block, mix(web.structure.random_seed, page))


def _file_head(web: SyntheticWeb, name: str) -> bytes:
    block = f"software: geoscout synthweb\r\ndescription: {web.name}\r\n".encode()
    fields = [("WARC-Filename", name), ("Content-Type", "application/warc-fields")]
    return _record("warcinfo", fields, block, mix(web.structure.random_seed, len(name)))


def _record(type: str, fields: list[tuple[str, str]], block: bytes, id: int) -> bytes:
    lines = [
        "WARC/1.1",
        f"WARC-Type: {type}",
        f"WARC-Record-ID: <urn:uuid:{UUID(int=id << 64 | mix(id, 1))}>",
        f"WARC-Date: {_DATE}",
        *(f"{field}: {value}" for field, value in fields),
        f"Content-Length: {len(block)}",
        "",
        "",
    ]
    return pack("\r\n".join(lines).encode() + block + b"\r\n\r\n")
