import asyncio
from collections.abc import Callable
from itertools import pairwise

import pytest

from geoscout.fetch import robots as robots_cache
from geoscout.fetch.retries import NO_CONNECTION, failure
from geoscout.fetch.robots import DAY_SECONDS, FIRST_RETRY_SECONDS, RobotsCache, SiteRules
from geoscout_places.errors import FetchError, TryLaterError
from geoscout_places.model import Response

CLOSED = b"User-agent: *\nDisallow: /\nCrawl-delay: 7\nSitemap: http://a.test/map.xml\n"
PAGE = "http://a.test/page"


def response(
    status: int = 200, body: bytes = b"", location: str = "", wait: str = ""
) -> Callable[[str], Response]:
    fields = {"location": location, "retry-after": wait}
    headers = tuple((name, value) for name, value in fields.items() if value)
    return lambda url: Response(
        url, status, headers, body, "127.0.0.1", fetched_at=0.0, seconds=0.1
    )


class Server:
    """Answers by URL, notes what is asked, and keeps the time."""

    def __init__(
        self, most_bytes: int = 10**6, **responses: Callable[[str], Response] | FetchError
    ) -> None:
        self.responses = {f"http://{host}.test/robots.txt": a for host, a in responses.items()}
        self.asked: list[str] = []
        self.now = 0.0
        self.cache = RobotsCache(self.ask, "geoscout", most_bytes, monotonic=lambda: self.now)

    async def ask(self, url: str) -> Response:
        self.asked.append(url)
        await asyncio.sleep(0)
        found = self.responses[url]
        if isinstance(found, FetchError):
            raise found
        return found(url)

    def rules(self, url: str = PAGE) -> SiteRules:
        return asyncio.run(self.cache.rules(url))

    def allows(self, url: str = PAGE) -> bool:
        return self.rules(url).allows(url)


def test_file_is_asked_for_once_a_day():
    server = Server(a=response(body=CLOSED))

    assert not server.allows()
    assert not server.allows()
    assert len(server.asked) == 1
    server.now = DAY_SECONDS + 1
    assert not server.allows()
    assert len(server.asked) == 2


def test_those_who_ask_at_a_time_share_one_request():
    server = Server(a=response(body=CLOSED))

    async def many() -> None:
        await asyncio.gather(*(server.cache.rules(f"{PAGE}{n}") for n in range(10)))

    asyncio.run(many())
    assert len(server.asked) == 1


def test_scheme_and_port_have_files_of_their_own():
    assert robots_cache.robots_site("https://a.test:8443/x/y?z") == "https://a.test:8443"
    assert robots_cache.robots_site("http://a.test/") == "http://a.test"


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410])
def test_no_file_means_no_rules(status):
    assert Server(a=response(status, CLOSED)).allows()


@pytest.mark.parametrize("status", [429, 500, 502, 503, 599])
def test_server_in_trouble_means_stay_out(status):
    server = Server(a=response(status))

    with pytest.raises(TryLaterError, match=f"robots-unreachable.*{status}") as caught:
        server.rules()

    assert caught.value.retry_after == FIRST_RETRY_SECONDS


def test_unreachable_file_is_asked_for_later_and_later():
    server = Server(a=failure("timeout"))
    waits = []
    for _ in range(10):
        with pytest.raises(TryLaterError) as caught:
            server.rules()
        waits.append(caught.value.retry_after)
        server.now += caught.value.retry_after or 0.0

    assert waits[:4] == [600.0, 1200.0, 2400.0, 4800.0]
    assert max(wait or 0.0 for wait in waits) == DAY_SECONDS
    assert len(server.asked) == 10


def test_unreachable_file_is_not_asked_for_before_its_time():
    server = Server(a=response(503))
    for now, rest in ((0.0, 600.0), (400.0, 200.0)):
        server.now = now
        with pytest.raises(TryLaterError) as caught:
            server.rules()
        assert caught.value.retry_after == rest

    assert len(server.asked) == 1


def test_site_that_recovers_is_entered_and_its_failures_forgotten():
    server = Server(a=response(503))
    with pytest.raises(TryLaterError):
        server.rules()
    server.responses["http://a.test/robots.txt"] = response(404)
    server.now = 601.0

    assert server.allows()


@pytest.mark.parametrize(
    ("wait", "obeyed"),
    [
        ("7200", 7200.0),
        ("3153600000", DAY_SECONDS),
        ("Fri, 31 Dec 9999 23:59:59 GMT", DAY_SECONDS),
    ],
)
def test_retry_after_is_obeyed_for_a_day_at_most(wait, obeyed):
    server = Server(a=response(503, wait=wait))
    with pytest.raises(TryLaterError) as caught:
        server.rules()

    assert caught.value.retry_after == obeyed


@pytest.mark.parametrize("kind", sorted(NO_CONNECTION))
def test_host_without_connection_is_counted_as_such_and_not_remembered(kind):
    server = Server(a=failure(kind))
    for _ in range(2):
        with pytest.raises(FetchError) as caught:
            server.rules()
        assert caught.value.kind == kind

    assert len(server.asked) == 2


def test_redirects_are_followed_to_other_hosts():
    server = Server(a=response(301, location="//b.test/robots.txt"), b=response(body=CLOSED))

    assert not server.allows()
    assert server.cache.known(PAGE).crawl_delay == 7.0


def test_five_redirects_are_followed():
    names = "abcdefg"
    hops = {a: response(302, location=f"//{b}.test/robots.txt") for a, b in pairwise(names)}
    five = Server(**{**hops, "f": response(body=CLOSED)})
    six = Server(**{**hops, "g": response(body=CLOSED)})

    assert not five.allows()
    assert six.allows()
    assert len(six.asked) == 6


@pytest.mark.parametrize("location", ["/robots.txt", "", "mailto:a@b.test"])
def test_redirect_that_leads_nowhere_means_no_rules(location):
    assert Server(a=response(302, location=location)).allows()


def test_redirect_to_a_private_address_means_stay_out():
    server = Server(a=response(302, location="//b.test/robots.txt"), b=failure("private-address"))

    with pytest.raises(FetchError, match="private-address"):
        server.rules()


def test_nothing_is_known_before_it_is_asked():
    server = Server(a=response(body=CLOSED))

    assert not server.cache.knows(PAGE)
    assert server.cache.known(PAGE).crawl_delay is None
    assert server.rules().sitemaps == ("http://a.test/map.xml",)
    assert server.cache.knows(PAGE)


def test_memory_is_bounded_by_bytes_and_the_least_used_site_is_forgotten():
    rules = b"".join(b"Disallow: /%d\n" % number for number in range(3000))
    long = response(body=b"User-agent: *\n" + rules)
    server = Server(50_000, a=response(body=CLOSED), b=long, c=long)
    for host in "abac":
        server.rules(f"http://{host}.test/")

    assert [server.cache.knows(f"http://{host}.test/") for host in "abc"] == [True, False, True]
    server.rules("http://b.test/")
    assert len(server.asked) == 4


def test_large_site_is_kept_however_little_room_there_is():
    server = Server(1, a=response(body=CLOSED))

    assert not server.allows()
    assert not server.allows()
    assert len(server.asked) == 1


def test_one_who_gives_up_does_not_spoil_it_for_the_others():
    server = Server(a=response(body=CLOSED))

    async def two() -> SiteRules:
        first = asyncio.create_task(server.cache.rules(PAGE))
        second = asyncio.create_task(server.cache.rules(PAGE))
        await asyncio.sleep(0)
        first.cancel()
        return await second

    assert not asyncio.run(two()).allows(PAGE)
    assert len(server.asked) == 1
