from dataclasses import replace

import httpx
import pytest

from geoscout.web.control.access import ControlRules
from geoscout.web.guard import Rules, read_origins
from geoscout_places.errors import UsageError
from tests.unit.web.conftest import serving

MAPS = "https://maps.example.org"
ALLOW = "access-control-allow-origin"
TOKEN = "sesame-sesame-sesame"


@pytest.fixture(scope="module")
def client(site):
    named = replace(site, settings=replace(site.settings, cors=(MAPS,)))
    with (
        serving(named, Rules(token=TOKEN), ControlRules(is_on=True)) as address,
        httpx.Client(base_url=address, timeout=60) as opened,
    ):
        yield opened


def allowed(client: httpx.Client, path: str, origin: str, method: str = "GET") -> str | None:
    headers = {"origin": origin, "authorization": f"Bearer {TOKEN}"}
    return client.request(method, path, headers=headers).headers.get(ALLOW)


def test_only_pages_of_the_origin_that_was_named_may_read(client):
    assert allowed(client, "/api/site", MAPS) == MAPS
    assert allowed(client, "/api/site", "https://elsewhere.example") is None
    assert allowed(client, "/api/site", "null") is None


def test_a_page_may_ask_whether_it_may_send_json_and_the_token(client):
    answer = client.options("/api/geoparse", headers={"origin": MAPS})  # without the token

    assert (answer.status_code, answer.headers[ALLOW]) == (204, MAPS)
    assert "authorization" in answer.headers["access-control-allow-headers"]
    assert "access-control-allow-credentials" not in answer.headers


@pytest.mark.parametrize("path", ["/api/control", "/api/control/stop", "/", "/assets/js/main.js"])
@pytest.mark.parametrize("method", ["GET", "OPTIONS"])
def test_control_and_pages_are_never_for_others(client, path, method):
    assert allowed(client, path, MAPS, method) is None


def test_without_the_setting_nobody_is_named(site):
    with serving(site) as address, httpx.Client(base_url=address, timeout=60) as opened:
        assert allowed(opened, "/api/site", MAPS) is None


@pytest.mark.parametrize("text", ["maps.example.org", "https://a.example/", "null", "ftp://a", ""])
def test_what_is_not_an_origin_is_told(text):
    with pytest.raises(UsageError, match="an origin is"):
        read_origins([text])


def test_all_origins_can_be_named():
    assert read_origins(["*"]) == {"*"}
