import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from httpx import Client

from geoscout.web.guard import Allowances, Rules
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


@pytest.mark.parametrize(
    ("status", "names"),
    [
        (200, ("localhost", "localhost:80", "127.0.0.1:8734", "[::1]:80", "127.1.2.3")),
        (421, ("rebound.example", "a.localhost", "a.localhost:80", "xlocalhost")),
        (421, ("localhost:x", "localhost:80:80", "[::1]x", "127.1", "a b", "@")),
    ],
)
def test_without_a_token_only_loopback_names_are_answered(
    client: Client, status: int, names: tuple[str, ...]
) -> None:
    answers = [client.get("/api/site", headers={"host": name}) for name in names]

    assert [answer.status_code for answer in answers] == [status] * len(names)
    assert all("--server-name" in answer.text for answer in answers if status == 421)


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

    assert answer.status_code == 413


HALF = (
    b"POST /api/geoparse HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
    b"content-length: 1000\r\n\r\n{"
)


def test_bodies_that_do_not_come_keep_nobody_out(site: Site) -> None:
    # One request more than a client has at a time: a response may still be on its way out.
    rules = Rules(requests=3, bodies=3, body_seconds=1.0)
    with serving(site, rules) as address, ExitStack() as opened:
        sockets = [opened.enter_context(connect(address)) for _ in range(6)]
        for one in sockets:
            one.sendall(HALF)
        with Client(base_url=address, timeout=10) as client:
            statuses = [client.get("/assets/js/main.js").status_code for _ in range(5)]
        answers = sorted(one.recv(1000)[9:12] for one in sockets)

    assert statuses == [200] * 5
    assert answers == [b"408"] * 3 + [b"503"] * 3


def test_heads_that_do_not_come_are_given_up(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("geoscout.web.protocol.HEAD_SECONDS", 0.3)
    with serving(site) as address, connect(address) as one:
        one.sendall(b"GET / HTTP/1.1\r\nhost: localhost\r\nx: ")
        assert one.recv(10) == b""
    with serving(site) as address, connect(address) as one:  # nor the head of a second request
        one.sendall(b"GET /api/nothing HTTP/1.1\r\nhost: localhost\r\n\r\n")
        assert one.recv(10_000).startswith(b"HTTP/1.1 404")
        one.sendall(b"GET / HT")
        rest = b"x"
        while rest:
            rest = one.recv(10_000)


def connect(address: str) -> socket.socket:
    host, _, port = address.removeprefix("http://").partition(":")
    return socket.create_connection((host, int(port)), timeout=20)


@pytest.mark.parametrize(
    ("token", "name", "status"),
    [
        ("", "search.example.org", 200),
        ("", "Search.Example.org:80", 200),
        ("", "other.example.org", 421),
        ("", "192.0.2.7", 421),
        (TOKEN, "search.example.org", 200),
        (TOKEN, "192.0.2.7:80", 200),
        (TOKEN, "other.example.org", 421),
    ],
)
def test_names_of_the_owner_are_answered(site: Site, token: str, name: str, status: int) -> None:
    rules = Rules(token, frozenset({"search.example.org"}))
    headers = {"host": name, "authorization": f"Bearer {TOKEN}"}
    with serving(site, rules) as address, Client(base_url=address) as client:
        assert client.get("/api/site", headers=headers).status_code == status


def test_requests_that_are_much_work_do_not_lock_the_owner_out(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = threading.Event()

    def search_long(*_: object) -> bytes:
        done.wait(20)
        return b"{}", False

    monkeypatch.setattr("geoscout.web.api.search._answer", search_long)
    with serving(site, Rules(heavy=3)) as address, ExitStack() as opened:
        for n in range(3):
            waiting = opened.enter_context(connect(address))
            waiting.sendall(b"GET /api/search?q=x%d HTTP/1.1\r\nhost: localhost\r\n\r\n" % n)
        with Client(base_url=address, timeout=10) as client:
            status = client.get("/api/status")
            fourth = client.get("/api/search", params={"q": "y"})
        done.set()

    assert (fourth.status_code, fourth.headers["retry-after"]) == (503, "1")
    assert status.status_code == 200


def test_a_client_that_leaves_makes_room(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    done = threading.Event()
    begun: list[object] = []

    def search_long(*asked: object) -> tuple[bytes, bool]:
        begun.append(asked)
        done.wait(20)
        return b"{}", False

    monkeypatch.setattr("geoscout.web.api.search._answer", search_long)
    with serving(site) as address, Client(base_url=address, timeout=10) as client:
        with ExitStack() as opened:
            for n in range(6):
                waiting = opened.enter_context(connect(address))
                waiting.sendall(b"GET /api/search?q=x%d HTTP/1.1\r\nhost: localhost\r\n\r\n" % n)
            time.sleep(0.3)
        time.sleep(0.3)
        done.set()
        after = client.get("/api/search", params={"q": "y"})

    assert after.status_code == 200
    assert len(begun) == 2 + 1  # two ran already, four were never begun, and the last one


def test_a_client_is_told_what_it_may_still_ask_and_refused_beyond(site):
    with serving(site, Rules(per_minute=3)) as address, Client(base_url=address) as client:
        answers = [client.get("/api/site") for _ in range(4)]
        page = client.get("/")

    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert answers[0].headers["ratelimit-policy"] == '"client";q=3;w=60'
    assert answers[0].headers["ratelimit"] == '"client";r=2;t=20'
    assert answers[3].headers["ratelimit"].startswith('"client";r=0;t=')
    assert 1 <= int(answers[3].headers["retry-after"]) <= 20
    assert answers[3].json()["status"] == 429
    assert (page.status_code, "ratelimit" in page.headers) == (200, False)


def test_requests_come_back_with_time_and_clients_are_apart():
    now = 0.0
    allowances = Allowances(2, lambda: now)
    waits = [allowances.take("one")[1] for _ in range(3)]
    other = allowances.take("other")[1]
    now = 30.0

    assert (waits, other) == ([0, 0, 30], 0)
    assert allowances.take("one")[1] == 0
