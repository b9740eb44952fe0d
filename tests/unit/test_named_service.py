"""A service that the user has named is asked, and nobody else, whatever its answer says."""

import pytest

from geoscout.geocode import Service
from geoscout.named_service import ask_named
from geoscout.seeding.maps import ask_service
from geoscout_places.errors import UsageError
from geoscout_places.gazetteer.areas.region import Region
from tests.fakeweb import FakeWeb, Site
from tests.fakeweb.misbehaviour import dripping, redirect
from tests.fakeweb.sites import by_path, content

ANSWER = b'{"elements": []}'
SECRET = b'{"elements": ["secret"]}'


def ask(url: str, most_bytes: int = 1000, seconds: float = 20.0) -> bytes:
    return ask_named(url, {"User-Agent": "test"}, most_bytes=most_bytes, seconds=seconds)


def leading_to(target: str, status: int = 302) -> FakeWeb:
    """A service that leads elsewhere, and another server, which nobody may be led to."""
    sites = {
        "127.0.0.1": Site(by_path({"/api": redirect(target, status), "/v2": content(ANSWER)})),
        "127.0.0.2": Site(content(SECRET)),
        "localhost": Site(content(SECRET)),
    }
    return FakeWeb(sites, addresses=["127.0.0.1", "127.0.0.2"])


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize(
    "target",
    [
        "http://127.0.0.2:{port}/", "//127.0.0.2:{port}/", "http://localhost:{port}/",
        "http://127.0.0.1:1/", "http://127.0.0.1/", "http://127.1:{port}/", "ftp://127.0.0.2/",
        "file:///etc/hostname", "http://127.0.0.1:{port}@127.0.0.2:{port}/",
    ],
)  # fmt: skip
def test_its_answer_leads_to_no_other_server(target, status):
    web = leading_to("")
    with web:
        handler = redirect(target.format(port=web.port), status)
        web.sites["127.0.0.1"] = Site(handler)
        with pytest.raises(OSError, match=r"leads to another server|Found|HTTP Error"):
            ask(web.url("127.0.0.1", "/api"))

    assert web.paths("127.0.0.1") == ["/api"]
    assert web.hits("127.0.0.2") == web.hits("localhost") == []


def test_it_may_lead_to_another_of_its_own_pages():
    with leading_to("/v2") as web:
        assert ask(web.url("127.0.0.1", "/api")) == ANSWER


@pytest.mark.parametrize("name", ["http_proxy", "HTTP_PROXY", "all_proxy"])
def test_no_proxy_of_the_environment_stands_between(name, monkeypatch):
    monkeypatch.setenv(name, "http://127.0.0.1:1")
    with leading_to("/v2") as web:
        assert ask(web.url("127.0.0.1", "/v2")) == ANSWER


@pytest.mark.parametrize("handler", [content(b"x" * 5000), dripping(0.01)])
def test_its_answer_is_bounded(handler):
    with (
        FakeWeb({"127.0.0.1": Site(handler)}) as web,  # type: ignore[arg-type]
        pytest.raises(OSError, match=r"too long|timed out"),
    ):
        ask(web.url("127.0.0.1"), seconds=1.0)


def test_seeds_and_geocoder_ask_so(tmp_path, gazetteer):
    town = Region.parse("48.1,11.5,5", gazetteer)
    with leading_to("") as web:
        web.sites["127.0.0.1"] = Site(redirect(web.url("127.0.0.2")))
        with pytest.raises(UsageError, match="leads to another server"):
            ask_service(f"overpass={web.url('127.0.0.1')}", town, tmp_path, "test")
        service = Service("nominatim", web.url("127.0.0.1").rstrip("/"), "test")
        with pytest.raises(OSError, match="leads to another server"):
            service.ask("1 Main St")

    assert web.hits("127.0.0.2") == []
