"""Which pages go to the browser, and what becomes of them; the browser is a fake here."""

from __future__ import annotations

import pytest

from geoscout.fetch.browser import RENDERED, RenderingFetcher
from geoscout.fetch.http.fetcher import HttpFetcher
from geoscout.fetch.renderer import PageGate
from geoscout_places.model import Request, RequestKind, Response
from tests.fakeweb import FakeWeb, Site
from tests.fakeweb.sites import content
from tests.unit.fetch.asking import with_fetcher

SHELL = b"<title>x</title><div id=app></div><script src=/a.js></script>"
SHOWN = b"<title>x</title><div id=app>" + b"Much to read. " * 50 + b"</div>"


class FakeRenderer:
    def __init__(self, shown: bytes | None = SHOWN) -> None:
        self.shown, self.urls = shown, []

    async def render(self, gate: PageGate) -> bytes | None:
        self.urls.append(gate.document.url)
        return self.shown

    async def close(self) -> None:
        pass


def fetched(
    body: bytes, renderer: FakeRenderer, mode: str = "auto", times: int = 1, kind=RequestKind.PAGE
) -> Response:
    web = FakeWeb({"a.test": Site(content(body))})

    async def act(plain: HttpFetcher) -> Response:
        fetcher = RenderingFetcher(plain, plain.ask_for_page, renderer, mode)
        for _ in range(times):
            response = await fetcher.fetch(Request(web.url("a.test"), kind=kind))
        return response

    with web:
        return with_fetcher(web, act)


def test_empty_page_is_shown_and_keeps_what_was_sent():
    response = fetched(SHELL, FakeRenderer())

    assert (response.body, response.sent) == (SHOWN, SHELL)
    assert response.header("content-type") == "text/html; charset=utf-8"
    assert response.header(RENDERED) == "yes"


@pytest.mark.parametrize(("mode", "shown"), [("auto", 0), ("always", 1)])
def test_page_with_text_is_shown_only_where_all_are(mode, shown):
    renderer = FakeRenderer()

    fetched(SHOWN, renderer, mode)

    assert len(renderer.urls) == shown


def test_page_of_which_nothing_came_stays_as_it_was():
    response = fetched(SHELL, FakeRenderer(shown=None))

    assert (response.body, response.sent) == (SHELL, b"")


def test_template_whose_pages_stay_empty_is_not_shown_any_more():
    renderer = FakeRenderer(shown=SHELL)

    fetched(SHELL, renderer, times=6)

    assert len(renderer.urls) == 3


@pytest.mark.parametrize(
    ("shown", "said"), [(SHOWN, "rendered"), (SHELL, "showed no more"), (None, "showed no more")]
)
def test_response_says_what_came_of_the_browser(shown, said):
    assert fetched(SHELL, FakeRenderer(shown)).browser == said
    assert fetched(SHOWN, FakeRenderer(shown)).browser == ""


def test_sitemaps_are_not_shown():
    renderer = FakeRenderer()

    fetched(SHELL, renderer, "always", kind=RequestKind.SITEMAP)

    assert renderer.urls == []
