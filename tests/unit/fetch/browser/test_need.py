from __future__ import annotations

import time

import pytest

from geoscout.fetch.browser import BrowserHistory, is_gain, template_of, visible_length

SHELL = b"<!doctype html><title>x</title><body><div id=app></div><script src=/a.js></script>"
TEXT = b"<p>" + b"Some words that a reader sees. " * 20
DATA = b"<script type='application/ld+json'>{}</script><script type=importmap>{}</script>"
HOST = "a.example"


@pytest.mark.parametrize(
    ("body", "needs"),
    [
        (SHELL, True),
        (SHELL + b"<noscript>Please enable JavaScript to run this app.</noscript>", True),
        (SHELL + TEXT, False),
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
    other = SHELL.replace(b"<div id=app>", b"<p>Welcome").replace(b"a.js", b"a.js?v=2")

    assert template_of(other) == template_of(SHELL)
    assert template_of(SHELL.replace(b"a.js", b"b.js")) != template_of(SHELL)


def test_what_nobody_sees_does_not_count():
    hidden = b"<style>p { color: red }</style><!-- a comment --><template><p>later</template>"

    assert visible_length(hidden + b"<p>seen") == 4


@pytest.mark.parametrize("piece", [b"<", b"<!--", b"<script ", b"<a>", b"<svg></svg", b"<>"])
def test_largest_page_costs_no_second(piece):
    started = time.process_time()

    visible_length(b"<script></script>" + piece * 300_000)

    assert time.process_time() - started < 1.0


def test_browser_is_of_use_where_it_shows_more():
    assert is_gain(SHELL, SHELL + TEXT)
    assert not is_gain(SHELL + TEXT, SHELL + TEXT)
    assert not is_gain(SHELL, b"")


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
