from __future__ import annotations

from geoscout.fetch.http.validators import Validators, validators_of
from geoscout.model import Response

DATE = "Sun, 06 Nov 1994 08:49:37 GMT"


def answer(*headers: tuple[str, str]) -> Response:
    return Response("http://a.test/", 200, headers, b"", "", fetched_at=0.0, seconds=0.1)


def test_marks_of_an_answer_are_sent_at_the_next_visit() -> None:
    seen = validators_of(answer(("etag", 'W/"1"'), ("last-modified", DATE)))

    assert seen.headers() == {"If-None-Match": 'W/"1"', "If-Modified-Since": DATE}


def test_answer_without_marks_asks_for_nothing() -> None:
    assert validators_of(answer(("server", "x"))).headers() == {}


def test_marks_that_would_break_a_header_are_left_out() -> None:
    assert validators_of(answer(("etag", '"a\r\nX: y"'), ("etag", '"\xe9"'))) == Validators()
