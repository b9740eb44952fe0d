"""Which hosts are ailing."""

from __future__ import annotations

import random

from geoscout.fetch.failures import failure
from geoscout.fetch.health import Health
from geoscout.fetch.retries import Patience
from geoscout.model import Request, Response

URL = "http://a.test/"


def health() -> Health:
    patience = Patience(tries=9, parked_after=3, parked_seconds=100.0)
    return Health(patience, random.Random(0))


def answer(status: int) -> Response:
    return Response(URL, status, (), b"", "", fetched_at=0.0, seconds=0.0)


def test_host_is_parked_after_failures_in_a_row() -> None:
    one = health()

    rests = [one.after_error(Request(URL), failure("reset")).host_rests for _ in range(4)]

    assert rests == [0.0, 0.0, 100.0, 200.0]


def test_good_answer_forgives_earlier_failures() -> None:
    one = health()
    for _ in range(2):
        one.after_error(Request(URL), failure("reset"))

    verdict = one.after_answer(Request(URL), answer(200))

    assert verdict is None
    assert one.after_error(Request(URL), failure("reset")).host_rests == 0.0


def test_bad_page_is_no_fault_of_its_host() -> None:
    one = health()

    rests = {one.after_error(Request(URL), failure("bomb")).host_rests for _ in range(9)}

    assert rests == {0.0}


def test_busy_server_is_left_alone() -> None:
    verdict = health().after_answer(Request(URL), answer(503))

    assert verdict is not None
    assert verdict.host_rests > 0
