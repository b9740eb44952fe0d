"""Pages whose text is made by scripts: fetched as any other, then shown to a browser.

A browser costs a hundred times what parsing does, so it is asked only where the plain page shows
next to nothing and scripts could change that; other pages of the host tell, too. Pages are hostile:
each byte is looked at once, and what does not end hides the rest of the page.

The browser has no network of its own. What a page asks for goes through `PageGate` to the same
client as all requests of the crawl, so robots.txt, addresses, turns and limits hold for scripts,
too; the document itself is not asked for again.

    fetcher ─► response ─► would a browser see more? ─► renderer.py ─► a new body
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import re
from collections import OrderedDict
from http import HTTPStatus

from msgspec.structs import replace

from geoscout.fetch.base import Fetcher, WrappedFetcher
from geoscout.fetch.http.rules import ALWAYS, read_render
from geoscout.fetch.renderer import AskForPage, PageGate, PageRenderer, RenderLimits, ScriptCache
from geoscout.settings import Settings
from geoscout_places.model import Request, RequestKind, Response
from geoscout_places.urls import host_of

_LOOKED_AT = 300_000  # bytes of a page; shells are small
_LITTLE_TEXT = 400  # characters; a page with more says something without a browser
_HIDDEN = frozenset((b"script", b"style", b"template", b"noscript", b"svg", b"title"))
_NAME = re.compile(rb"[a-z][a-z0-9]{0,10}")
_LONGEST_TAG = 2000  # bytes in which the attributes of a script are looked for
_TYPE = re.compile(rb"""\stype\s*=\s*["']?([^"'\s;>]*)""")
_SOURCE = re.compile(rb"""\ssrc\s*=\s*["']?([^"'\s?#>]*)""")
_RUNS = re.compile(rb"(?:|module|.*(?:java|ecma|j)script)")  # types of scripts; others are data
_TRIES = 3  # pages of a template that a browser showed no more of, before it is left alone
_HOST_TRIES = 12  # the same of a host, whatever its templates
_GAIN_RATIO, _GAIN = 1.5, 100  # of visible characters, where a browser was of use
_MOST_KEYS = 100_000


def visible_length(body: bytes) -> int:
    """About how many characters of a page a reader sees without scripts.

    >>> visible_length(b"<title>Shop</title><body>Our <b>shop</b><script src=a.js></script>")
    8
    """
    return _scan(body)[0]


def template_of(body: bytes) -> bytes | None:
    """What a page without text of its own has in common with others: its scripts, by address.

    None where a page has no scripts that run, or says something without them.
    """
    length, scripts = _scan(body)
    if not scripts or length >= _LITTLE_TEXT:
        return None
    return hashlib.sha1(b" ".join(sorted(scripts)), usedforsecurity=False).digest()


def is_gain(before: bytes, after: bytes) -> bool:
    """Whether a browser shows more of a page than is seen without it."""
    return visible_length(after) > _GAIN_RATIO * visible_length(before) + _GAIN


def _scan(body: bytes) -> tuple[int, set[bytes]]:
    """How many characters are seen, and the addresses of scripts that run; b"" in the page."""
    page = body[:_LOOKED_AT].lower()
    texts, scripts, at = [], set(), 0
    while (start := page.find(b"<", at)) >= 0:
        texts.append(page[at:start])
        end = page.find(b">", start)
        name = _NAME.match(page, start + 1)
        if name and name[0] == b"script" and end >= 0:
            scripts.update(_source(page[start : min(end, start + _LONGEST_TAG)]))
        at = _after(page, start, end, name[0] if name else b"")
        if at < 0:  # something that does not end
            break
    else:
        texts.append(page[at:])
    seen = b" ".join(texts).replace(b"&nbsp;", b" ").replace(b"&#160;", b" ")
    return len(b" ".join(seen.split())), scripts


def _after(page: bytes, start: int, end: int, name: bytes) -> int:
    """Where a page goes on after a tag and what it hides; -1 where it does not."""
    if page.startswith(b"<!--", start):
        close = page.find(b"-->", start + 2)
        return close if close < 0 else close + 3
    if name in _HIDDEN and end >= 0:
        return page.find(b"</" + name, end)
    return end if end < 0 else end + 1


def _source(tag: bytes) -> list[bytes]:
    """The address of a script, if it is one that runs."""
    kind, source = _TYPE.search(tag), _SOURCE.search(tag)
    runs = kind is None or _RUNS.fullmatch(kind[1])
    return [source[1] if source else b""] if runs else []


class BrowserHistory:
    """What a browser has shown of pages that others did not see, by host and template."""

    def __init__(self) -> None:
        self._fruitless: OrderedDict[tuple[str, bytes], int] = OrderedDict()  # pages in a row

    def is_worth(self, host: str, template: bytes) -> bool:
        """Whether the host's pages with this template may need a browser."""
        tries = self._fruitless
        return tries.get((host, template), 0) < _TRIES and tries.get((host, b""), 0) < _HOST_TRIES

    def learn(self, host: str, template: bytes, *, gained: bool) -> bool:
        """Note what became of a page; whether its host is given up now."""
        for key in ((host, template), (host, b"")):
            self._fruitless[key] = 0 if gained else self._fruitless.get(key, 0) + 1
            self._fruitless.move_to_end(key)
        while len(self._fruitless) > _MOST_KEYS:
            self._fruitless.popitem(last=False)
        return not gained and self._fruitless[host, b""] == _HOST_TRIES


_log = logging.getLogger(__name__)

RENDERED = "x-geoscout-rendered"  # a header of ours in what a browser made
NOTHING, GAVE_UP = "showed no more", "gave up on host"
_HTML = ("text/html", "application/xhtml+xml", "")


def with_browser(
    fetcher: Fetcher, ask: AskForPage, settings: Settings, user_agent: str
) -> RenderingFetcher:
    """The live fetcher with a browser behind it; `ask` asks for what a page in it needs."""
    mode = read_render(settings.render)
    return RenderingFetcher(fetcher, ask, PageRenderer(user_agent, RenderLimits()), mode)


class RenderingFetcher(WrappedFetcher):
    """A Fetcher whose pages a browser has shown, all of them or those that need it."""

    def __init__(
        self, fetcher: Fetcher, ask: AskForPage, renderer: PageRenderer, mode: str
    ) -> None:
        super().__init__(fetcher)
        self._ask, self._renderer, self._mode = ask, renderer, mode
        self._history = BrowserHistory()
        self._cache = ScriptCache()

    async def fetch(self, request: Request, seen: Response | None = None) -> Response:
        """One page or sitemap, as the live fetcher gives it, or as a browser shows it."""
        response = await super().fetch(request, seen)
        if request.kind == RequestKind.SITEMAP or not _is_page(response):
            return response
        if self._mode == ALWAYS:
            return (await self._show(response))[0]
        host = host_of(response.url)
        # Not on the loop: hundreds of thousands of bytes are looked at.
        template = await asyncio.to_thread(template_of, response.body)
        if template is None or not self._history.is_worth(host, template):
            return response
        shown, has_more = await self._show(response)
        if self._history.learn(host, template, gained=has_more):
            _log.warning("a browser shows no more of %s; its pages are shown to none", host)
            return replace(shown, browser=GAVE_UP)
        return shown

    async def _show(self, response: Response) -> tuple[Response, bool]:
        """What a browser makes of a page, and whether that is more."""
        gate = PageGate(response, self._ask, self._cache)
        body = await self._renderer.render(gate)
        if body is None:
            return replace(response, browser=NOTHING), False
        has_more = await asyncio.to_thread(is_gain, response.body, body)
        kept = (field for field in response.headers if field[0] != "content-type")
        headers = (*kept, ("content-type", "text/html; charset=utf-8"), (RENDERED, "yes"))
        rendered = "rendered" if has_more else NOTHING
        made = replace(response, headers=headers, body=body, sent=response.body, browser=rendered)
        return made, has_more

    async def close(self) -> None:
        await self._renderer.close()
        await super().close()


def _is_page(response: Response) -> bool:
    kind = response.header("content-type").partition(";")[0].strip().lower()
    return response.status == HTTPStatus.OK and kind in _HTML
