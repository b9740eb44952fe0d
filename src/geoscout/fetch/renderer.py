"""A browser without a network, which shows pages that were fetched and says what came of them.

Pages are hostile. Each has a context of its own, is given up after some seconds, may take so much
memory, and may open nothing: no windows, dialogs, downloads, sockets or workers. A browser that no
longer answers is ended with all its processes, and the next page starts another one. Its processes
are found by a mark on its command line.

Everything a page asks for comes to `PageGate`, and the browser has no other way to the network.
Pictures, films, fonts, frames, downloads and whatever is not a GET are refused. The rest is asked
for by the crawl's client, which looks at robots.txt, refuses private addresses, and sends a host
one request at a time. A script that many pages of a site share is asked for once.
"""

import asyncio
import logging
import os
import shutil
import signal
import time
import uuid
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import Any

from geoscout_places.errors import FetchError
from geoscout_places.model import Response
from geoscout_places.urls import normalise, resolve

_PROC = Path("/proc")


def browser_processes(mark: str) -> dict[int, int]:
    """The browser that was started with a mark and its descendants, with their bytes of memory.

    Empty where there is no /proc: then the limits of the browser itself have to do.
    """
    parents, marked = {}, set()
    for entry in _entries():
        with suppress(OSError, ValueError, IndexError):
            stat = (entry / "stat").read_bytes().rpartition(b")")[2].split()
            parents[int(entry.name)] = int(stat[1])
            if mark.encode() in (entry / "cmdline").read_bytes().split(b"\0"):
                marked.add(int(entry.name))
    family = set(marked)
    while more := {pid for pid, parent in parents.items() if parent in family} - family:
        family |= more
    return {pid: _resident(pid) for pid in family}


def end_processes(pids: list[int]) -> None:
    for pid in pids:
        with suppress(OSError):
            os.kill(pid, signal.SIGKILL)


def _entries() -> list[Path]:
    try:
        return [entry for entry in _PROC.iterdir() if entry.name.isdigit()]
    except OSError:
        return []


def _resident(pid: int) -> int:
    with suppress(OSError, ValueError, IndexError):
        pages = int((_PROC / str(pid) / "statm").read_bytes().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
    return 0


AskForPage = Callable[[str], Awaitable[Response]]

WANTED = frozenset({"script", "xhr", "fetch", "stylesheet"})  # kinds of requests, as browsers say
_MOST_REQUESTS = 80  # of a page
_MOST_BYTES = 15_000_000  # of a page
_MOST_HOPS = 3
_CACHE_BYTES = 32_000_000
_CACHED = frozenset({"script", "stylesheet"})
_DROPPED = frozenset(
    "connection content-encoding content-length set-cookie strict-transport-security"
    " transfer-encoding".split()
)


@dataclass(frozen=True, slots=True)
class GateReply:
    status: int
    headers: dict[str, str]
    body: bytes


class ScriptCache:
    """Scripts and style sheets of the pages before, the latest ones."""

    def __init__(self, most_bytes: int = _CACHE_BYTES) -> None:
        self._replies: OrderedDict[str, GateReply] = OrderedDict()
        self._left = most_bytes

    def find(self, url: str) -> GateReply | None:
        """The reply for a URL, if it is here."""
        found = self._replies.get(url)
        if found:
            self._replies.move_to_end(url)
        return found

    def keep(self, url: str, reply: GateReply) -> None:
        """Keep a reply, and forget old ones where there is no room."""
        if url in self._replies:
            return
        self._replies[url] = reply
        self._left -= len(reply.body)
        while self._left < 0:
            _, old = self._replies.popitem(last=False)
            self._left += len(old.body)


@dataclass(slots=True)
class PageGate:
    document: Response
    ask: AskForPage
    cache: ScriptCache
    requests: int = 0
    size: int = 0
    waiting: int = 0  # requests that are not answered yet
    refused: int = 0
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    def take_document(self) -> GateReply:
        """The document, as it was fetched."""
        return _as_reply(self.document)

    async def reply(self, url: str, kind: str, method: str) -> GateReply | None:
        """What a request gets; None where it is refused."""
        target = normalise(url)
        is_enough = self.requests >= _MOST_REQUESTS or self.size >= _MOST_BYTES
        if target is None or kind not in WANTED or method != "GET" or is_enough:
            self.refused += 1
            return None
        if kind in _CACHED and (known := self.cache.find(target)):
            return known
        self.requests += 1
        self.waiting += 1
        try:
            found = await self._ask(target)
        except FetchError:
            self.refused += 1
            return None
        finally:
            self.waiting -= 1
            self.changed.set()
        self.size += len(found.body)
        if kind in _CACHED and found.status == HTTPStatus.OK:
            self.cache.keep(target, found)
        return found

    async def _ask(self, url: str) -> GateReply:
        for _ in range(_MOST_HOPS):
            response = await self.ask(url)
            further = resolve(response.header("location"), url)
            if not 300 <= response.status < 400 or not further:
                break
            url = further
        return _as_reply(response)


def _as_reply(response: Response) -> GateReply:
    headers = {name: value for name, value in response.headers if name not in _DROPPED}
    return GateReply(response.status, headers, response.body)


_log = logging.getLogger(__name__)

_PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_QUIET_SECONDS = 0.4  # without a request, after which a page is complete
_FAREWELL_SECONDS = 5.0
_LOOK_SECONDS = 0.5  # between two looks at the memory
_LARGEST_DOM = 16_000_000  # bytes
_RESTART_PAGES = 500  # after which a browser is replaced, for what it has gathered
_ARGUMENTS = (
    "--disable-background-networking", "--disable-component-update", "--disable-default-apps",
    "--disable-dev-shm-usage", "--disable-domain-reliability", "--disable-extensions",
    "--disable-gpu", "--disable-quic", "--disable-sync", "--mute-audio", "--no-first-run",
    "--no-pings", "--disable-features=MediaRouter,DialMediaRouteProvider",
    # Nothing but what the gate answers: names have no address, and what needs none meets a proxy
    # that is not there.
    "--host-resolver-rules=MAP * ~NOTFOUND", "--proxy-server=http://127.0.0.1:9",
    "--proxy-bypass-list=<-loopback>", "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
)  # fmt: skip

_NO_CONTENT = GateReply(204, {}, b"")


@dataclass(frozen=True, slots=True)
class RenderLimits:
    """What a page in the browser may take."""

    seconds: float = 15.0
    pages: int = 2  # at a time
    megabytes: int = 700  # of one process
    heap_megabytes: int = 256  # of scripts


def find_program() -> str | None:
    """The browser of the system; None for that of Playwright."""
    return next((path for name in _PROGRAMS if (path := shutil.which(name))), None)


class PageRenderer:
    """Shows pages. Use it in one event loop, and close it."""

    def __init__(self, user_agent: str, limits: RenderLimits | None = None) -> None:
        self._agent = user_agent
        self._limits = limits or RenderLimits()
        self._room = asyncio.Semaphore(self._limits.pages)
        self._starting = asyncio.Lock()
        self._driver: Any = None
        self._browser: Any = None
        self._mark = ""
        self._shown = 0
        self._watch: asyncio.Task[None] | None = None

    async def render(self, gate: PageGate) -> bytes | None:
        """The document after its scripts have run; None where nothing came of it."""
        async with self._room:
            try:
                async with asyncio.timeout(self._limits.seconds + _FAREWELL_SECONDS):
                    return await self._show(gate)
            except TimeoutError:
                _log.info("the browser hangs at %s and is ended", gate.document.url)
                await self._end()
            except Exception as error:
                _log.info(
                    "the browser shows nothing of %s: %s",
                    gate.document.url,
                    str(error).strip().partition("\n")[0][:200],
                )
                if self._browser is None or not self._browser.is_connected():
                    await self._end()
        return None

    async def close(self) -> None:
        await self._end()
        if self._driver is not None:
            with suppress(Exception):
                await asyncio.wait_for(self._driver.stop(), _FAREWELL_SECONDS)
            self._driver = None

    async def _show(self, gate: PageGate) -> bytes | None:
        browser = await self._started()
        context = await browser.new_context(
            user_agent=self._agent,
            accept_downloads=False,
            service_workers="block",
            viewport={"width": 1280, "height": 1600},
        )
        try:
            return await self._show_in(context, gate)
        finally:
            with suppress(Exception):
                await asyncio.wait_for(context.close(), _FAREWELL_SECONDS)

    async def _show_in(self, context: Any, gate: PageGate) -> bytes | None:
        page = await context.new_page()
        guard = _PageGuard(page, gate)
        await context.route("**/*", guard.route)
        await context.route_web_socket("**/*", lambda socket: socket.close())
        context.on("page", guard.close_window)
        page.on("dialog", lambda dialog: _background(dialog.dismiss()))
        until = time.monotonic() + self._limits.seconds
        milliseconds = 1000 * self._limits.seconds
        await page.goto(gate.document.url, wait_until="commit", timeout=milliseconds)
        await _until_quiet(gate, until)
        left = max(until - time.monotonic(), 1.0)
        content: str = await asyncio.wait_for(page.content(), left)
        body = content.encode("utf-8", "replace")
        return body if len(body) <= _LARGEST_DOM else None

    async def _started(self) -> Any:
        async with self._starting:
            self._shown += 1
            if self._shown % _RESTART_PAGES == 0 and self._limits.pages == 1:
                await self._end()
            if self._browser is None or not self._browser.is_connected():
                await self._start()
            return self._browser

    async def _start(self) -> None:
        from playwright.async_api import async_playwright  # noqa: PLC0415 - an extra

        await self._end()
        if self._driver is None:
            self._driver = await async_playwright().start()
        self._mark = f"--geoscout={uuid.uuid4().hex}"
        heap = f"--js-flags=--max-old-space-size={self._limits.heap_megabytes}"
        is_root = os.geteuid() == 0
        if is_root:
            _log.warning("run as root, the browser has no sandbox: run crawls as another user")
        self._browser = await self._driver.chromium.launch(
            executable_path=find_program(),
            args=[*_ARGUMENTS, heap, self._mark],
            chromium_sandbox=not is_root,
            handle_sigint=False,
            handle_sigterm=False,
        )
        self._watch = asyncio.create_task(self._watch_memory(self._mark))

    async def _watch_memory(self, mark: str) -> None:
        """End what takes too much: the page that lives in it is then a page that crashed."""
        most = self._limits.megabytes * 1_000_000
        while True:
            await asyncio.sleep(_LOOK_SECONDS)
            found = await asyncio.to_thread(browser_processes, mark)
            end_processes([pid for pid, size in found.items() if size > most])

    async def _end(self) -> None:
        if self._watch is not None:
            self._watch.cancel()
            self._watch = None
        browser, self._browser = self._browser, None
        if browser is not None:
            with suppress(Exception):
                await asyncio.wait_for(browser.close(), _FAREWELL_SECONDS)
        if self._mark:
            end_processes(list(browser_processes(self._mark)))
            self._mark = ""


class _PageGuard:
    """Answers what one page asks for."""

    def __init__(self, page: Any, gate: PageGate) -> None:
        self._page, self._gate = page, gate
        self._is_open = False  # whether the document was given out

    async def route(self, route: Any) -> None:
        """Answer one request, or refuse it."""
        with suppress(Exception):  # the page may be gone by now
            reply = await self._reply(route.request)
            if reply is None:
                await route.abort()
            else:
                await route.fulfill(status=reply.status, headers=reply.headers, body=reply.body)

    async def _reply(self, request: Any) -> Any:
        gate = self._gate
        if request.is_navigation_request():
            # The document comes once; other pages, windows and frames get nothing. An error would
            # take the place of the page that is there, a response without content does not.
            is_ours = not self._is_open and request.frame == self._page.main_frame
            self._is_open = True
            return gate.take_document() if is_ours else _NO_CONTENT
        return await gate.reply(request.url, request.resource_type, request.method)

    def close_window(self, page: Any) -> None:
        if page != self._page:
            _background(page.close())


async def _until_quiet(gate: PageGate, until: float) -> None:
    """Wait until a page has asked for nothing for a moment."""
    quiet_since, seen = time.monotonic(), -1
    while (now := time.monotonic()) < until:
        if gate.waiting or gate.requests != seen:
            quiet_since, seen = now, gate.requests
        elif now - quiet_since >= _QUIET_SECONDS:
            return
        gate.changed.clear()
        with suppress(TimeoutError):
            await asyncio.wait_for(gate.changed.wait(), _QUIET_SECONDS / 4)


_tasks: set[asyncio.Task[None]] = set()


def _background(work: Any) -> None:
    """Have something done that nobody waits for, and that may fail."""

    async def do() -> None:
        with suppress(Exception):
            await work

    task = asyncio.ensure_future(do())
    _tasks.add(task)
    task.add_done_callback(_tasks.discard)
