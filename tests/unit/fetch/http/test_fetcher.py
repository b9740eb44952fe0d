import asyncio
import gzip
import ssl
import time
import zlib

import brotli
import pytest
from msgspec import structs
from msgspec.structs import replace

from geoscout.fetch.base import Admission
from geoscout.fetch.http.fetcher import HttpFetcher, conditional_headers
from geoscout.fetch.politeness import Manners
from geoscout.fetch.retries import next_hop
from geoscout.scope_rules import HostSettings, HostTable, UrlRules
from geoscout_places.errors import FetchError, NeverAgainError, TryLaterError
from geoscout_places.model import Request, Response
from tests.fakeweb import FakeWeb, Site, Visitor, overlaps
from tests.fakeweb import misbehaviour as bad
from tests.fakeweb.menagerie import BAD, GOOD, all_sites
from tests.fakeweb.server import CERTIFICATE
from tests.fakeweb.sites import (
    by_path,
    conditional,
    content,
    markup,
    page,
    robots_file,
)
from tests.unit.fetch.asking import IMPATIENT, RULES, fetch, kind_of_failure, limited, with_fetcher

REDIRECTING = {host for host, (_, kind) in BAD.items() if kind.startswith("redirect")}
SINGLE = {h: b for h, b in BAD.items() if h not in REDIRECTING | {"redirect-private.test"}}
# Several at once need more time than one.
UNHURRIED = limited(total_seconds=1.6, idle_seconds=0.8, rate_grace_seconds=0.4)
BODY = markup("Compressed", text="word " * 200)
# The same page as one frame with one raw block (RFC 8878), written by hand.
ZSTD = b"\x28\xb5\x2f\xfd\x00\x68" + (len(BODY) << 3 | 1).to_bytes(3, "little") + BODY
CODED = {
    "gzip": gzip.compress(BODY),
    "x-gzip": gzip.compress(BODY[:50]) + gzip.compress(BODY[50:]),
    "deflate": zlib.compress(BODY),
    "br": brotli.compress(BODY),
    "zstd": ZSTD,
    "gzip, br": brotli.compress(gzip.compress(BODY)),
    "identity": BODY,
}


async def outcome(fetcher: HttpFetcher, url: str) -> str:
    try:
        return str((await fetcher.fetch(Request(url))).status)
    except FetchError as error:
        return error.kind


def test_answer_has_all_that_the_server_said_and_the_server_learns_who_asks():
    site = Site(page("Hello", headers=[("X-Odd", "caf\xe9"), ("X-Odd", "two")]))
    with FakeWeb({"good.test": site}) as web:
        url = web.url("good.test", "/a?b=%20c")
        before = time.time()
        response = fetch(web, url)

    assert (response.url, response.status, response.body) == (url, 200, markup("Hello"))
    assert response.headers[0] == ("content-type", "text/html; charset=utf-8")
    assert [v for name, v in response.headers if name == "x-odd"] == ["café", "two"]
    assert response.address == "127.0.0.1"
    assert before <= response.fetched_at <= time.time()
    assert 0 < response.seconds < 1
    assert web.paths("good.test") == ["/robots.txt", "/a?b=%20c"]
    headers = web.log[-1].headers
    assert headers["user-agent"] == RULES.user_agent
    assert headers["accept-encoding"] == "gzip, deflate, br, zstd"
    assert "cookie" not in headers


@pytest.mark.parametrize("host", GOOD)
def test_strange_but_harmless_hosts_are_fetched(host):
    with FakeWeb(GOOD) as web:
        response = fetch(web, web.url(host))

    assert response.status == 200
    assert b"<title>" in response.body


@pytest.mark.parametrize("host", SINGLE)
def test_misbehaviour_has_its_own_name(host):
    site, kind = BAD[host]
    with FakeWeb({host: site}) as web:
        started = time.monotonic()
        found = kind_of_failure(web, web.url(host), IMPATIENT)

    assert found == kind
    assert time.monotonic() - started < 1.9


@pytest.mark.parametrize("host", sorted(REDIRECTING | {"redirect-private.test"}))
def test_redirects_without_a_good_end_have_their_own_names(host):
    async def follow(fetcher: HttpFetcher) -> str:
        url, chain = web.url(host), list[str]()
        try:
            while True:
                hop = next_hop(await fetcher.fetch(Request(url)), chain)
                chain.append(url)
                url = hop
        except FetchError as error:
            return error.kind

    with FakeWeb(all_sites()) as web:
        assert with_fetcher(web, follow) == BAD[host][1]

    assert len(web.log) <= 1 + 11  # robots.txt, ten hops, and the answer after them


def test_all_misbehave_at_once_and_the_good_ones_are_fetched():
    sites = all_sites()
    expected = {**{host: BAD[host][1] for host in SINGLE}, **dict.fromkeys(GOOD, "200")}

    async def act(fetcher: HttpFetcher) -> dict[str, str]:
        found = await asyncio.gather(*(outcome(fetcher, web.url(host)) for host in expected))
        return dict(zip(expected, found, strict=True))

    with FakeWeb(sites, addresses=len(sites)) as web:
        assert with_fetcher(web, act, UNHURRIED) == expected


def test_name_that_does_not_exist_is_a_dns_failure():
    with FakeWeb({}) as web:
        assert kind_of_failure(web, "http://nowhere.test/") == "dns"


def test_closed_port_is_refused():
    with FakeWeb({"gone.test": Site()}) as web:
        pass

    assert kind_of_failure(web, web.url("gone.test")) == "refused"


@pytest.mark.parametrize("coding", CODED)
def test_content_codings_are_undone(coding):
    site = Site(content(CODED[coding], headers=[("Content-Encoding", coding)]))
    with FakeWeb({"coded.test": site}) as web:
        assert fetch(web, web.url("coded.test")).body == BODY


def test_announced_size_is_enough_to_refuse_a_body():
    async def announce(visitor: Visitor) -> None:
        await visitor.send(visitor.head(200, [("Content-Length", "9999999")]))
        await visitor.wait_until_gone()

    with FakeWeb({"large.test": Site(announce)}) as web:
        assert kind_of_failure(web, web.url("large.test")) == "too-large"


def test_long_body_of_an_error_is_cut():
    site = Site(content(b"x" * 900_000, "image/png", status=404))
    with FakeWeb({"sorry.test": site}) as web:
        assert len(fetch(web, web.url("sorry.test")).body) == 65536


def test_damaged_body_of_an_error_is_left_out():
    headers = [("Content-Encoding", "gzip")]
    with FakeWeb({"sorry.test": Site(content(b"junk", status=404, headers=headers))}) as web:
        response = fetch(web, web.url("sorry.test"))

    assert (response.status, response.body) == (404, b"")


def test_header_of_many_small_fields_is_bounded_too():
    site = Site(page("Chatty", headers=[(f"X-{n}", "x" * 9000) for n in range(40)]))
    with FakeWeb({"chatty.test": site}) as web:
        assert kind_of_failure(web, web.url("chatty.test")) == "header-size"


def test_connection_is_used_again_and_the_robots_file_asked_for_once():
    ports: list[object] = []

    async def note(visitor: Visitor) -> None:
        ports.append(visitor.client)
        await visitor.answer(markup("Hello"))

    async def act(fetcher: HttpFetcher) -> None:
        for number in range(3):
            await fetcher.fetch(Request(web.url("good.test", f"/{number}")))

    with FakeWeb({"good.test": Site(note)}) as web:
        with_fetcher(web, act)

    assert len(ports) == 3
    assert len(set(ports)) == 1
    assert web.paths("good.test") == ["/robots.txt", "/0", "/1", "/2"]


def test_connections_are_not_kept_beyond_the_limit():
    sites = {f"host{number}.test": Site(page("Hello")) for number in range(3)}

    async def act(fetcher: HttpFetcher) -> None:
        for host in sites:
            await fetcher.fetch(Request(web.url(host)))

    with FakeWeb(sites) as web:
        with_fetcher(web, act, limited(idle_connections=2))

    closed = {hit.host for hit in web.log if hit.headers.get("connection") == "close"}
    assert closed == {"host2.test"}


def test_connection_is_not_used_after_an_answer_that_was_given_up():
    handler = by_path({"/": bad.image}, otherwise=page("Hello"))

    async def act(fetcher: HttpFetcher) -> bytes:
        with pytest.raises(NeverAgainError):
            await fetcher.fetch(Request(web.url("good.test")))
        return (await fetcher.fetch(Request(web.url("good.test", "/next")))).body

    with FakeWeb({"good.test": Site(handler)}) as web:
        assert with_fetcher(web, act) == markup("Hello")


def test_unchanged_page_is_not_sent_again():
    handler = conditional('"v1"', "Sun, 06 Nov 1994 08:49:37 GMT", markup("Hello"))

    async def act(fetcher: HttpFetcher) -> list[int]:
        first = await fetcher.fetch(Request(web.url("good.test")))
        again = await fetcher.fetch(Request(web.url("good.test")), first)
        return [first.status, again.status]

    with FakeWeb({"good.test": Site(handler)}) as web:
        assert with_fetcher(web, act) == [200, 304]

    assert web.log[-1].headers["if-modified-since"] == "Sun, 06 Nov 1994 08:49:37 GMT"


def test_disallowed_page_is_not_asked_for():
    site = Site(page("Secret"), robots_file("User-agent: geoscout", "Disallow: /secret"))
    with FakeWeb({"good.test": site}) as web:
        assert kind_of_failure(web, web.url("good.test", "/secret")) == "robots"

    assert web.paths("good.test") == ["/robots.txt"]


def test_page_waits_after_its_robots_file():
    rules = replace(RULES, manners=Manners(delay_seconds=0.2))
    with FakeWeb({"good.test": Site(page("Hello"))}) as web:
        fetch(web, web.url("good.test"), rules)

    robots, hello = web.hits("good.test")
    assert hello.start - robots.end >= 0.2


def test_long_crawl_delay_is_not_slept_through():
    site = Site(page("Hello"), robots_file("User-agent: *", "Crawl-delay: 20"))

    async def act(fetcher: HttpFetcher) -> tuple[str, float | None, int]:
        with pytest.raises(TryLaterError) as caught:
            await fetcher.fetch(Request(web.url("patient.test")))
        response = await fetcher.fetch(Request(web.url("patient.test")))
        return caught.value.kind, caught.value.retry_after, response.status

    with FakeWeb({"patient.test": site}) as web:
        assert with_fetcher(web, act) == ("robots-delay", 20.0, 200)


def test_delay_is_the_longest_of_setting_crawl_delay_and_slowness():
    site = Site(page("Hello"), robots_file("User-agent: *", "Crawl-delay: 0.3"))
    rules = replace(RULES, manners=Manners(0.1, delay_factor=2.0, longest_seconds=60))

    async def act(fetcher: HttpFetcher) -> list[float]:
        response = await fetcher.fetch(Request(web.url("good.test")))
        quick = structs.replace(response, seconds=0.01)
        elsewhere = structs.replace(quick, url="http://elsewhere.test/")
        slow = structs.replace(response, seconds=5.0)
        return [fetcher.delay_after(r) for r in (quick, elsewhere, slow)]

    with FakeWeb({"good.test": site}) as web:
        assert with_fetcher(web, act, rules) == [0.3, 0.1, 10.0]


def test_requests_to_one_host_or_address_never_overlap():
    sites = {f"host{number}.test": Site(bad.slow(0.02)) for number in range(8)}

    async def act(fetcher: HttpFetcher) -> list[Response]:
        urls = [web.url(host, path) for host in sites for path in ("/a", "/b")]
        return await asyncio.gather(*(fetcher.fetch(Request(url)) for url in urls))

    with FakeWeb(sites, addresses=4) as web:
        assert len(with_fetcher(web, act)) == 16

    for address in web.addresses:
        assert overlaps([hit for hit in web.log if hit.address == address]) == []
    assert overlaps(web.log) != []


def test_many_hosts_are_asked_at_a_time():
    sites = {f"host{number}.test": Site(page(f"Host {number}")) for number in range(120)}

    async def act(fetcher: HttpFetcher) -> list[Response]:
        return await asyncio.gather(*(fetcher.fetch(Request(web.url(h))) for h in sites))

    with FakeWeb(sites, addresses=100) as web:
        assert {r.status for r in with_fetcher(web, act)} == {200}

    assert len(web.log) == 240


@pytest.mark.parametrize(
    "url",
    [
        *["http://127.0.0.1:9/", "http://[::1]:9/", "http://10.0.0.1/", "http://[fe80::1]/"],
        *["http://169.254.169.254/latest/meta-data/", "http://[::ffff:127.0.0.1]:9/"],
    ],
)
def test_private_addresses_are_not_asked(url):
    with FakeWeb({}) as web:
        rules = replace(RULES, allowed_networks=())
        assert kind_of_failure(web, url, rules) == "private-address"


def test_name_of_a_private_address_is_asked_only_when_allowed():
    rules = replace(RULES, allowed_networks=())
    with FakeWeb({"inside.test": Site(page("Inside"))}) as web:
        kind, asked = kind_of_failure(web, web.url("inside.test"), rules), list(web.log)
        allowed = fetch(web, web.url("inside.test"), replace(rules, allow_private=True))

    assert (kind, asked, allowed.status) == ("private-address", [], 200)


def test_name_that_changes_its_address_is_checked_once_and_held_to_it():
    with FakeWeb({"moving.test": Site(page("Hello"))}) as web:

        async def act(fetcher: HttpFetcher) -> str:
            assert await fetcher.resolve("moving.test") == "127.0.0.1"
            web.resolver.addresses["moving.test"] = "10.0.0.1"
            return (await fetcher.fetch(Request(web.url("moving.test")))).address

        assert with_fetcher(web, act) == "127.0.0.1"

    assert web.resolver.asked["moving.test"] == 1


def test_invalid_certificate_is_refused():
    with FakeWeb({"untrusted.test": Site(page("Hello"))}, secure=True) as web:
        url = web.url("untrusted.test", scheme="https")

        assert kind_of_failure(web, url) == "tls"
        assert fetch(web, url, replace(RULES, verify_certificates=False)).status == 200


def test_certificate_for_another_name_is_refused():
    trusting = ssl.create_default_context(cafile=str(CERTIFICATE))
    hosts = {"trusted.test": Site(page("Hello")), "other.test": Site(page("Other"))}

    async def act(fetcher: HttpFetcher) -> list[str]:
        return [await outcome(fetcher, web.url(host, scheme="https")) for host in hosts]

    with FakeWeb(hosts, secure=True) as web:
        assert with_fetcher(web, act, tls=trusting) == ["200", "tls"]


DATE = "Sun, 06 Nov 1994 08:49:37 GMT"


@pytest.mark.parametrize(
    ("marks", "sent"),
    [
        ((("etag", 'W/"1"'), ("last-modified", DATE)),
         {"If-None-Match": 'W/"1"', "If-Modified-Since": DATE}),
        ((("server", "x"),), {}),
        ((("etag", '"a\r\nX: y"'), ("etag", '"\xe9"')), {}),  # they would break a header
    ],
)  # fmt: skip
def test_marks_of_an_answer_are_sent_at_the_next_visit(marks, sent):
    seen = Response("http://a.test/", 200, marks, b"", "", fetched_at=0.0, seconds=0.1)

    assert conditional_headers(seen) == sent


def test_rules_of_robots_are_not_read_at_an_excluded_host():
    rules = replace(RULES, admission=Admission(UrlRules(exclude=["out.test"])))
    sites = {"out.test": Site(page("Out"))}
    with FakeWeb(sites) as web:
        web.sites["sly.test"] = Site(page("Sly"), bad.redirect(web.url("out.test", "/robots.txt")))
        web.resolver.addresses["sly.test"] = "127.0.0.1"
        kind = kind_of_failure(web, web.url("sly.test"), rules)

    assert kind == "robots-unreachable"
    assert web.hits("out.test") == []
    assert web.paths("sly.test") == ["/robots.txt"]


def test_pause_and_header_fields_of_a_host_are_its_own():
    hosts = HostTable([HostSettings("slow.test", 7.0, headers=(("Accept-Language", "de"),))])
    rules = replace(RULES, admission=Admission(hosts=hosts))
    with FakeWeb({"www.slow.test": Site(page("Slow")), "a.test": Site(page("A"))}) as web:

        async def ask(fetcher: HttpFetcher) -> tuple[float, float]:
            response = await fetcher.fetch(Request(web.url("a.test")))
            with pytest.raises(TryLaterError, match="robots-delay"):
                await fetcher.fetch(Request(web.url("www.slow.test")))
            return fetcher.delay_after(response), fetcher.delay_after_failure(
                web.url("www.slow.test")
            )

        delays = with_fetcher(web, ask, rules)

    assert delays == (0.0, 7.0)
    assert [hit.headers.get("accept-language") for hit in web.log] == [None, None, "de"]


def test_scripts_of_pages_are_not_asked_of_hosts_that_are_off():
    hosts = HostTable([HostSettings("off.test", off=True)])
    rules = replace(RULES, admission=Admission(UrlRules(include=["a.test"]), hosts))
    with FakeWeb({"off.test": Site(page("Off")), "cdn.test": Site(page("Scripts"))}) as web:

        async def ask(fetcher: HttpFetcher) -> int:
            with pytest.raises(NeverAgainError, match="excluded"):
                await fetcher.ask_for_page(web.url("off.test"))
            return (await fetcher.ask_for_page(web.url("cdn.test"))).status

        status = with_fetcher(web, ask, rules)

    assert status == 200
    assert web.hits("off.test") == []
