"""What the pages in the browser may have of the web: scripts and data, by the crawl's own rules.

Everything a page asks for comes here, and the browser has no other way to the network. Pictures,
films, fonts, frames, downloads and whatever is not a GET are refused. The rest is asked for by the
crawl's client, which looks at robots.txt, refuses private addresses, and sends a host one request
at a time. A script that many pages of a site share is asked for once.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from http import HTTPStatus

from geoscout.errors import FetchError
from geoscout.model import Response
from geoscout.urls import normalise, resolve

Ask = Callable[[str], Awaitable[Response]]

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
    """What the browser is given."""

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
    """The way of one page to the web."""

    document: Response
    ask: Ask
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
        if target is None or kind not in WANTED or method != "GET" or self._is_enough():
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

    def _is_enough(self) -> bool:
        return self.requests >= _MOST_REQUESTS or self.size >= _MOST_BYTES

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
