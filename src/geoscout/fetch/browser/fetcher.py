"""The live fetcher with a browser behind it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from http import HTTPStatus

from msgspec.structs import replace

from geoscout.fetch.browser.need import ALWAYS, BrowserHistory, is_gain, read_render, template_of
from geoscout.fetch.browser.renderer import PageGate, PageRenderer, RenderLimits, ScriptCache
from geoscout.fetch.http.fetcher import HttpFetcher
from geoscout.settings import Settings
from geoscout_places.model import Request, RequestKind, Response
from geoscout_places.urls import host_of

_log = logging.getLogger(__name__)

RENDERED = "x-geoscout-rendered"  # a header of ours in what a browser made
NOTHING, GAVE_UP = "showed no more", "gave up on host"
_HTML = ("text/html", "application/xhtml+xml", "")


def with_browser(fetcher: HttpFetcher, settings: Settings, user_agent: str) -> RenderingFetcher:
    """The live fetcher with a browser behind it.

    Raises:
        UsageError: as `read_render` does.
    """
    limits = RenderLimits(seconds=settings.render_seconds)
    return RenderingFetcher(fetcher, PageRenderer(user_agent, limits), read_render(settings.render))


class RenderingFetcher:
    """A Fetcher whose pages a browser has shown, all of them or those that need it."""

    def __init__(self, fetcher: HttpFetcher, renderer: PageRenderer, mode: str) -> None:
        self._fetcher, self._renderer, self._mode = fetcher, renderer, mode
        self._history = BrowserHistory()
        self._cache = ScriptCache()

    async def fetch(self, request: Request, seen: Response | None = None) -> Response:
        """One page or sitemap, as the live fetcher gives it, or as a browser shows it."""
        response = await self._fetcher.fetch(request, seen)
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
        gate = PageGate(response, self._fetcher.ask_for_page, self._cache)
        body = await self._renderer.render(gate)
        if body is None:
            return replace(response, browser=NOTHING), False
        has_more = await asyncio.to_thread(is_gain, response.body, body)
        kept = (field for field in response.headers if field[0] != "content-type")
        headers = (*kept, ("content-type", "text/html; charset=utf-8"), (RENDERED, "yes"))
        rendered = "rendered" if has_more else NOTHING
        made = replace(response, headers=headers, body=body, sent=response.body, browser=rendered)
        return made, has_more

    async def resolve(self, host: str) -> str:
        return await self._fetcher.resolve(host)

    def known_as(self, url: str) -> str | None:
        return self._fetcher.known_as(url)

    def sitemaps(self, url: str) -> tuple[str, ...]:
        return self._fetcher.sitemaps(url)

    def delay_after(self, response: Response) -> float:
        return self._fetcher.delay_after(response)

    def delay_after_failure(self, url: str) -> float:
        return self._fetcher.delay_after_failure(url)

    def take_statuses(self) -> Mapping[int, int]:
        return self._fetcher.take_statuses()

    async def close(self) -> None:
        """Close the browser and all connections."""
        await self._renderer.close()
        await self._fetcher.close()


def _is_page(response: Response) -> bool:
    kind = response.header("content-type").partition(";")[0].strip().lower()
    return response.status == HTTPStatus.OK and kind in _HTML
