"""The live fetcher with a browser behind it."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus

from msgspec.structs import replace

from geoscout.fetch.browser.gate import PageGate, ScriptCache
from geoscout.fetch.browser.modes import ALWAYS, read_render
from geoscout.fetch.browser.need import BrowserHistory, looks_empty
from geoscout.fetch.browser.renderer import PageRenderer, RenderLimits
from geoscout.fetch.http.fetcher import HttpFetcher
from geoscout.model import Request, RequestKind, Response
from geoscout.settings import Settings
from geoscout.urls import host_of

RENDERED = "x-geoscout-rendered"  # a header of ours in what a browser made
_HTML = ("text/html", "application/xhtml+xml", "")


def with_browser(fetcher: HttpFetcher, settings: Settings, user_agent: str) -> RenderingFetcher:
    """The live fetcher with a browser behind it.

    Raises:
        UsageError: as `read_render` does.
    """
    limits = RenderLimits(seconds=settings.render_seconds, pages=settings.render_pages)
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
        if request.kind == RequestKind.SITEMAP or not self._is_for_browser(response):
            return response
        gate = PageGate(response, self._fetcher.ask_for_page, self._cache)
        body = await self._renderer.render(gate)
        host = host_of(response.url)
        self._history.learn(host, response.body, body or b"")
        if body is None:
            return response
        kept = (field for field in response.headers if field[0] != "content-type")
        headers = (*kept, ("content-type", "text/html; charset=utf-8"), (RENDERED, "yes"))
        return replace(response, headers=headers, body=body, sent=response.body)

    def _is_for_browser(self, response: Response) -> bool:
        kind = response.header("content-type").partition(";")[0].strip().lower()
        if response.status != HTTPStatus.OK or kind not in _HTML:
            return False
        if self._mode == ALWAYS:
            return True
        return self._history.is_worth(host_of(response.url)) and looks_empty(response.body)

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
