"""Who may control crawls: not a page elsewhere, not another user, not under another name."""

import httpx
import pytest
from httpx import Client

from geoscout.web.control.access import KEY_FIELD, ControlRules
from geoscout.web.guard import Rules
from tests.unit.web.conftest import serving

KEY = "open-sesame"
TOKEN = "sesame-sesame-sesame"
RIGHT = {KEY_FIELD: KEY}
CHANGES = ("stop", "resume", "budget", "hosts", "region", "seed", "crawls")


@pytest.fixture(scope="module")
def client(site):
    with (
        serving(site, control=ControlRules(is_on=True, key=KEY)) as address,
        Client(base_url=address, timeout=60) as opened,
    ):
        yield opened


def look(client: Client, **headers: str) -> httpx.Response:
    """A request to control that changes nothing."""
    return client.post("/api/control/region", json={"region": ["Lisbon"]}, headers=headers)


def test_the_key_lets_in(client):
    assert look(client, **RIGHT).status_code == 200


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("headers", [{}, {KEY_FIELD: "guess"}, {"cookie": f"{KEY_FIELD}={KEY}"}])
def test_without_the_key_nothing_can_be_changed(client, change, headers):
    answer = client.post(f"/api/control/{change}", json={}, headers=headers)

    # A body that is wrong is told as well; either way nothing was done.
    assert answer.status_code in (403, 422)
    assert look(client, **headers).status_code == 403


@pytest.mark.parametrize(
    "headers",
    [
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},  # another port of this machine
        {"sec-fetch-site": "none"},
        {"origin": "https://elsewhere.example"},
        {"origin": "http://127.0.0.1:1"},
        {"origin": "null"},
    ],
)
def test_another_page_may_not_even_with_the_key(client, headers):
    answer = look(client, **RIGHT, **headers)

    assert (answer.status_code, "another server" in answer.json()["detail"]) == (403, True)


def test_our_own_pages_may(client):
    origin = str(client.base_url).rstrip("/")

    assert look(client, **RIGHT, origin=origin).status_code == 200
    assert look(client, **RIGHT, **{"sec-fetch-site": "same-origin"}).status_code == 200


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_what_a_form_of_another_page_can_send_is_refused(client, kind):
    answer = client.post(
        "/api/control/stop",
        content=b'{"crawl": "lisbon"}',
        headers={**RIGHT, "content-type": kind},
    )

    assert answer.status_code in (415, 422)
    assert answer.headers["content-type"] == "application/problem+json"


def test_a_name_that_was_rebound_is_not_answered(client):
    answer = look(client, **RIGHT, host="rebound.example")

    assert answer.status_code == 421


def test_those_who_may_not_are_told_how(client):
    stranger, owner = client.get("/api/control"), client.get("/api/control", headers=RIGHT)

    assert (stranger.json()["may"], owner.json()["may"]) == (False, True)
    assert "geoscout serve" in stranger.json()["trouble"]
    assert (stranger.json()["room"], stranger.json()["crawl"]["log"]) == ("", "")


def test_control_can_be_off(client, site):
    with serving(site) as address, Client(base_url=address, timeout=60) as opened:
        answer = look(opened, **RIGHT)

    assert (answer.status_code, "control=yes" in answer.json()["detail"]) == (403, True)


def test_with_a_token_the_token_is_enough_and_its_cookie_is_guarded(site):
    rules = Rules(token=TOKEN)
    with (
        serving(site, rules, ControlRules(is_on=True)) as address,
        Client(base_url=address, timeout=60) as opened,
    ):
        without = look(opened)
        by_field = look(opened, authorization=f"Bearer {TOKEN}")
        opened.get("/", params={"token": TOKEN})  # now a cookie has it
        by_cookie = look(opened)
        from_elsewhere = look(opened, **{"sec-fetch-site": "cross-site"})

    statuses = [answer.status_code for answer in (without, by_field, by_cookie, from_elsewhere)]
    assert statuses == [401, 200, 200, 403]
