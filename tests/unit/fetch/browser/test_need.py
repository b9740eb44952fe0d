from __future__ import annotations

import pytest

from geoscout.fetch.browser.need import BrowserHistory, looks_empty, visible_length

SHELL = b"<!doctype html><title>x</title><body><div id=app></div><script src=/a.js></script>"
TEXT = b"<p>" + b"Some words that a reader sees. " * 20


@pytest.mark.parametrize(
    ("body", "is_empty"),
    [
        (SHELL, True),
        (SHELL + b"<noscript>Please enable JavaScript to run this app.</noscript>", True),
        (SHELL + TEXT, False),
        (b"<p>Closed on Mondays.", False),  # short, but no script could add to it
        (b"<script>" + b"words in a script " * 100 + b"</script>", True),
        (b"", False),
    ],
)
def test_page_with_scripts_and_next_to_no_text_looks_empty(body, is_empty):
    assert looks_empty(body) is is_empty


def test_what_nobody_sees_does_not_count():
    hidden = b"<style>p { color: red }</style><!-- a comment --><template><p>later</template>"

    assert visible_length(hidden + b"<p>seen") == 4


def test_host_is_left_alone_after_pages_of_which_a_browser_showed_no_more():
    history = BrowserHistory()
    for _ in range(3):
        assert history.is_worth("a.example")
        history.learn("a.example", SHELL, SHELL)

    assert not history.is_worth("a.example")
    assert history.is_worth("b.example")


def test_page_of_which_a_browser_showed_more_makes_the_host_worth_it_again():
    history = BrowserHistory()
    history.learn("a.example", SHELL, SHELL)
    history.learn("a.example", SHELL, SHELL)
    history.learn("a.example", SHELL, SHELL + TEXT)
    history.learn("a.example", SHELL, b"")

    assert history.is_worth("a.example")
