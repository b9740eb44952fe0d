"""Pages, robots.txt and the guard of private addresses, through a proxy."""

import ssl

import pytest
from msgspec.structs import replace

from geoscout.fetch.http.fetcher import HttpFetcher
from geoscout.fetch.http.rules import HttpRules, check_proxy, read_proxy
from geoscout_places.errors import FetchError, UsageError
from geoscout_places.model import Request
from tests.fakeweb import FakeWeb, Site
from tests.fakeweb.server import CERTIFICATE
from tests.fakeweb.sites import page, robots_file
from tests.proxies import LocalProxy
from tests.unit.fetch.asking import RULES, fetch, kind_of_failure, with_fetcher

SITES = {
    "a.test": Site(page("Hello")),
    "closed.test": Site(page("Closed"), robots_file("User-agent: *", "Disallow: /")),
}


def through(proxy: LocalProxy, scheme: str, login: str = "", rules: HttpRules = RULES) -> HttpRules:
    port = proxy.port if scheme == "http" else proxy.socks_port
    before = f"{login}@" if login else ""
    return replace(rules, proxy=read_proxy(f"{scheme}://{before}127.0.0.1:{port}"))


@pytest.mark.parametrize(
    ("scheme", "asked"),
    [
        ("http", "GET http://a.test:{port}/"),
        ("socks5h", "SOCKS a.test:{port}"),
        ("socks5", "SOCKS 127.0.0.1:{port}"),
    ],
)
def test_page_comes_through_the_proxy(scheme, asked):
    with FakeWeb(SITES) as web, LocalProxy(web.resolver.addresses) as proxy:
        response = fetch(web, web.url("a.test"), through(proxy, scheme))
        looked_up = web.resolver.asked["a.test"]

    assert response.status == 200
    assert asked.format(port=web.port) in proxy.asked
    assert web.paths("a.test") == ["/robots.txt", "/"]
    assert (looked_up > 0) == (scheme == "socks5")
    assert response.address == ("127.0.0.1" if scheme == "socks5" else "")


@pytest.mark.parametrize("scheme", ["http", "socks5", "socks5h"])
def test_certificate_is_that_of_the_host(scheme):
    sites = {"www.trusted.test": Site(page("Hello")), "other.test": Site(page("Hello"))}
    context = ssl.create_default_context(cafile=str(CERTIFICATE))
    with FakeWeb(sites, secure=True) as web, LocalProxy(web.resolver.addresses) as proxy:
        good = web.url("www.trusted.test", scheme="https")
        bad = web.url("other.test", scheme="https")

        async def ask(fetcher: HttpFetcher) -> tuple[int, str]:
            status = (await fetcher.fetch(Request(good))).status
            with pytest.raises(FetchError) as failed:
                await fetcher.fetch(Request(bad))
            return status, failed.value.kind

        found = with_fetcher(web, ask, through(proxy, scheme), context)

    assert found == (200, "tls")
    assert len(proxy.asked) >= 2


@pytest.mark.parametrize("scheme", ["http", "socks5", "socks5h"])
def test_robots_file_holds_through_the_proxy(scheme):
    with FakeWeb(SITES) as web, LocalProxy(web.resolver.addresses) as proxy:
        kind = kind_of_failure(web, web.url("closed.test"), through(proxy, scheme))

    assert kind == "robots"
    assert web.paths("closed.test") == ["/robots.txt"]


@pytest.mark.parametrize(
    ("scheme", "url"),
    [
        ("http", "http://127.0.0.1:{port}/"),
        ("http", "http://printer/"),
        ("http", "http://db.internal/"),
        ("socks5h", "http://[::1]/"),
        ("socks5", "http://a.test:{port}/"),  # looked up here: a loopback address
    ],
)
def test_private_addresses_are_refused_before_the_proxy_is_asked(scheme, url):
    with FakeWeb(SITES) as web, LocalProxy(web.resolver.addresses) as proxy:
        strict = replace(RULES, allowed_networks=())
        kind = kind_of_failure(web, url.format(port=web.port), through(proxy, scheme, rules=strict))

    assert kind == "private-address"
    assert proxy.asked == []


def test_proxy_gets_its_login_and_servers_do_not():
    with (
        FakeWeb(SITES) as web,
        LocalProxy(web.resolver.addresses, login="me:p:w d") as proxy,
    ):
        status = fetch(web, web.url("a.test"), through(proxy, "http", "me:p%3Aw%20d")).status
        without = kind_of_failure(web, "https://b.test/", through(proxy, "http"))

    assert (status, without) == (200, "proxy")
    assert not any("Authorization" in name for hit in web.log for name in hit.headers)


@pytest.mark.parametrize("scheme", ["http", "socks5h"])
def test_what_the_proxy_forbids_is_not_asked_again(scheme):
    with LocalProxy({}, forbidden="no.test") as proxy, FakeWeb({}) as web:
        kind = kind_of_failure(web, "https://no.test/", through(proxy, scheme))

    assert kind == "proxy-refused"


@pytest.mark.parametrize("scheme", ["http", "socks5h"])
def test_proxy_that_is_down_is_not_held_against_the_host(scheme):
    with FakeWeb(SITES) as web:
        with LocalProxy({}) as proxy:
            rules = through(proxy, scheme)
        kind = kind_of_failure(web, web.url("a.test"), rules)

    assert kind == "proxy"


@pytest.mark.parametrize(
    "text",
    ["127.0.0.1:3128", "ftp://a:1", "http://", "http://a:b:c", "http://a/path", "http://a:x"],
)
def test_what_is_not_a_proxy_is_refused(text):
    with pytest.raises(UsageError, match="such as http://127"):
        read_proxy(text)


def test_error_and_record_do_not_show_the_password():
    with pytest.raises(UsageError) as wrong:
        read_proxy("https://me:hunter2@proxy.test:1")

    assert "hunter2" not in str(wrong.value)
    assert "hunter2" not in repr(read_proxy("http://me:hunter2@proxy.test:1"))


def test_whois_does_not_go_past_the_proxy():
    check_proxy("http://proxy.test:1", "rdap")
    with pytest.raises(UsageError, match="whois"):
        check_proxy("http://proxy.test:1", "both")
