from __future__ import annotations

import pytest

from geoscout.model import Response
from geoscout.web.copies import defuse, show_copy


@pytest.mark.parametrize(
    "markup",
    [
        "<script>x()</script>",
        '<img src=x onerror="x()">',
        "<svg onload=x()></svg>",
        '<a href=" JavaScript:x()">a</a>',
        '<a href="data:text/html,x()">a</a>',
        '<iframe src="http://x()"></iframe>',
        '<meta http-equiv=refresh content="0;url=http://x()">',
        '<link rel=stylesheet href="http://x()">',
        "<div style=\"background: url('http://x()')\">a</div>",
        '<object data="http://x()"></object>',
        '<body background="http://x()">',
    ],
)
def test_what_runs_or_loads_is_taken_out(markup: str) -> None:
    assert "x()" not in defuse(markup)


def test_words_and_links_stay() -> None:
    copy = defuse('<h1>Lisbon</h1><a href="https://a.example/">a</a>')

    assert '<h1>Lisbon</h1><a href="https://a.example/">a</a>' in copy


def test_what_is_no_html_is_shown_as_text() -> None:
    headers = (("content-type", "image/svg+xml"),)
    response = Response(
        "http://a.example/", 200, headers, b"<svg onload=x()>", "", fetched_at=0.0, seconds=0.0
    )

    assert show_copy(response).headers["content-type"] == "text/plain; charset=utf-8"
