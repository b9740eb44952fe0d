"""Which pages go to the browser, and what becomes of them; the browser is a fake here."""

import re
import sys
import time

import pytest

from geoscout.fetch.browser import (
    RENDERED,
    BrowserHistory,
    RenderingFetcher,
    is_gain,
    template_of,
    visible_length,
)
from geoscout.fetch.http.fetcher import HttpFetcher
from geoscout.fetch.http.rules import read_render
from geoscout.fetch.renderer import PageGate
from geoscout_places.errors import UsageError
from geoscout_places.extras import install_command
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


EMPTY = b"<!doctype html><title>x</title><body><div id=app></div><script src=/a.js></script>"
TEXT = b"<p>" + b"Some words that a reader sees. " * 20
DATA = b"<script type='application/ld+json'>{}</script><script type=importmap>{}</script>"
HOST = "a.example"


@pytest.mark.parametrize(
    ("body", "needs"),
    [
        (EMPTY, True),
        (EMPTY + b"<noscript>Please enable JavaScript to run this app.</noscript>", True),
        (EMPTY + TEXT, False),
        (b"<p>Closed on Mondays.", False),  # short, but no script could add to it
        (b"<p>Closed on Mondays." + DATA, False),
        (b"<template><script src=a.js></script></template>", False),
        (b"<SCRIPT TYPE=module>run()</SCRIPT>", True),
        (b'<script data-type="application/json" type="x1-text/javascript"></script>', True),
        (b"<script>" + b"words in a script " * 100 + b"</script>", True),
        (b"", False),
    ],
)
def test_page_with_scripts_that_run_and_next_to_no_text_needs_a_browser(body, needs):
    assert (template_of(body) is not None) is needs


def test_template_is_the_scripts_of_a_page():
    other = EMPTY.replace(b"<div id=app>", b"<p>Welcome").replace(b"a.js", b"a.js?v=2")

    assert template_of(other) == template_of(EMPTY)
    assert template_of(EMPTY.replace(b"a.js", b"b.js")) != template_of(EMPTY)


def test_what_nobody_sees_does_not_count():
    hidden = b"<style>p { color: red }</style><!-- a comment --><template><p>later</template>"

    assert visible_length(hidden + b"<p>seen") == 4


@pytest.mark.parametrize("piece", [b"<", b"<!--", b"<script ", b"<a>", b"<svg></svg", b"<>"])
def test_largest_page_costs_no_second(piece):
    started = time.process_time()

    visible_length(b"<script></script>" + piece * 300_000)

    assert time.process_time() - started < 1.0


def test_browser_is_of_use_where_it_shows_more():
    assert is_gain(EMPTY, EMPTY + TEXT)
    assert not is_gain(EMPTY + TEXT, EMPTY + TEXT)
    assert not is_gain(EMPTY, b"")


def test_template_is_left_alone_after_pages_of_which_a_browser_showed_no_more():
    history = BrowserHistory()
    for _ in range(3):
        assert history.is_worth(HOST, b"t")
        history.learn(HOST, b"t", gained=False)

    assert not history.is_worth(HOST, b"t")
    assert history.is_worth(HOST, b"app")
    assert history.is_worth("b.example", b"t")


def test_host_is_left_alone_after_many_such_pages_of_whatever_template():
    history = BrowserHistory()

    given_up = [history.learn(HOST, b"%d" % page, gained=False) for page in range(12)]

    assert given_up == [False] * 11 + [True]
    assert not history.is_worth(HOST, b"app")


def test_page_of_which_a_browser_showed_more_makes_the_template_worth_it_again():
    history = BrowserHistory()
    for gained in (False, False, True, False):
        history.learn(HOST, b"t", gained=gained)

    assert history.is_worth(HOST, b"t")


def test_unknown_mode_is_told():
    with pytest.raises(UsageError, match="never, auto, always, not 'sometimes'"):
        read_render("sometimes")


def test_without_the_extra_the_user_is_told_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "playwright", None)

    assert read_render("never") == "never"
    with pytest.raises(UsageError, match=re.escape(install_command("browser"))):
        read_render("auto")
