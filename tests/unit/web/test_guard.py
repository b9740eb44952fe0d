from __future__ import annotations

from collections.abc import Iterator

import pytest
from httpx import Client

from geoscout.web.guard import Rules
from geoscout.web.site import Site
from tests.unit.web.conftest import serving

TOKEN = "sesame-sesame-sesame"


@pytest.fixture
def guarded(site: Site) -> Iterator[Client]:
    with serving(site, Rules(token=TOKEN)) as address, Client(base_url=address) as opened:
        yield opened


def test_every_answer_has_the_policy(client: Client) -> None:
    for path in ("/", "/api/site", "/api/nothing", "/assets/js/main.js"):
        headers = client.get(path).headers

        assert "default-src 'self'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"


def test_without_a_token_only_loopback_names_are_answered(client: Client) -> None:
    allowed = [client.get("/api/site", headers={"host": name}).status_code for name in LOOPBACK]
    refused = client.get("/api/site", headers={"host": "rebound.example"})

    assert allowed == [200] * len(LOOPBACK)
    assert (refused.status_code, "--token" in refused.json()["detail"]) == (421, True)


LOOPBACK = ("localhost", "localhost:80", "127.0.0.1:8734", "[::1]:80", "127.1.2.3")


def test_a_token_is_demanded(guarded: Client) -> None:
    answer = guarded.get("/api/site")

    assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")


def test_the_token_may_be_a_header(guarded: Client) -> None:
    right = guarded.get("/api/site", headers={"authorization": f"Bearer {TOKEN}"})
    wrong = guarded.get("/api/site", headers={"authorization": "Bearer guess"})

    assert (right.status_code, wrong.status_code) == (200, 401)


def test_the_token_in_the_address_becomes_a_cookie(guarded: Client) -> None:
    first = guarded.get("/search", params={"q": "pizza", "token": TOKEN})
    second = guarded.get("/api/site")

    assert (first.status_code, first.headers["location"]) == (303, "/search?q=pizza")
    assert "HttpOnly" in first.headers["set-cookie"]
    assert "samesite=strict" in first.headers["set-cookie"].lower()
    assert second.status_code == 200


def test_the_token_leads_nowhere_else(guarded: Client) -> None:
    address = f"{guarded.base_url}/elsewhere.example/"  # its path begins with two slashes

    answer = guarded.get(address, params={"token": TOKEN})

    assert answer.headers["location"].startswith("/elsewhere.example")


def test_a_long_query_is_refused(client: Client) -> None:
    answer = client.get("/api/search", params={"q": "a" * 20_000})

    assert answer.status_code == 414


def test_a_body_longer_than_it_said_is_not_read(client: Client) -> None:
    def pieces() -> Iterator[bytes]:
        for _ in range(100):
            yield b"x" * 100_000

    answer = client.post("/api/geoparse", content=pieces())

    assert answer.status_code in (400, 413, 422)
