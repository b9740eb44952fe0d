from __future__ import annotations

import pytest

from geoscout.fetch.retries import LONGEST_CHAIN, is_redirect, next_hop
from geoscout_places.errors import NeverAgainError
from geoscout_places.model import Response

HERE = "http://a.test/folder/page"


def response(location: str | None, status: int = 302, url: str = HERE) -> Response:
    headers = () if location is None else (("location", location),)
    return Response(url, status, headers, b"", "127.0.0.1", fetched_at=0.0, seconds=0.1)


@pytest.mark.parametrize(
    ("location", "target"),
    [
        ("http://b.test/", "http://b.test/"),
        ("/up", "http://a.test/up"),
        ("other?x=1#part", "http://a.test/folder/other?x=1"),
        ("//c.test", "http://c.test/"),
        (" HTTPS://A.test:443/ ", "https://a.test/"),
        ("/köln", "http://a.test/k%C3%B6ln"),
    ],
)
def test_target_is_in_normal_form(location: str, target: str) -> None:
    assert next_hop(response(location)) == target


@pytest.mark.parametrize(
    "location", [None, "", " ", "mailto:a@b.test", "file:///etc/passwd", "http://"]
)
def test_redirect_to_no_page_ends(location: str | None) -> None:
    with pytest.raises(NeverAgainError, match="redirect-target"):
        next_hop(response(location))


def test_redirect_to_itself_is_a_loop() -> None:
    with pytest.raises(NeverAgainError, match="redirect-loop"):
        next_hop(response(HERE + "#top"))


def test_redirect_back_is_a_loop() -> None:
    with pytest.raises(NeverAgainError, match="redirect-loop"):
        next_hop(response("/start"), ["http://a.test/start", "http://a.test/middle"])


def test_chain_ends_after_ten_hops() -> None:
    urls = [f"http://a.test/{number}" for number in range(LONGEST_CHAIN + 1)]

    assert next_hop(response("/on", url=urls[9]), urls[:9]) == "http://a.test/on"
    with pytest.raises(NeverAgainError, match="redirect-chain"):
        next_hop(response("/on", url=urls[10]), urls[:10])


def test_only_some_statuses_lead_on() -> None:
    leading = [status for status in range(200, 600) if is_redirect(response("/", status))]

    assert leading == [301, 302, 303, 307, 308]
