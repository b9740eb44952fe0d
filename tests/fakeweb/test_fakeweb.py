"""The measuring device is measured: that the log is true, and the hosts as bad as they claim."""

import socket
import time

import pytest

from tests.fakeweb import FakeWeb, Hit, Site, overlaps
from tests.fakeweb import misbehaviour as bad
from tests.fakeweb.menagerie import all_sites
from tests.fakeweb.misbehaviour import calendar, duplicate_farm, infinite_depth, sessions
from tests.fakeweb.sites import chained, page


def ask(web: FakeWeb, host: str, path: str = "/", *, most: int = 1_000_000) -> bytes:
    """The raw answer to one request."""
    address = web.resolver.addresses[host]
    assert isinstance(address, str)
    return ask_address(address, web.port, host, path, most=most)


def ask_address(
    address: str, port: int, host: str, path: str = "/", *, most: int = 1_000_000
) -> bytes:
    """The raw answer to one request at an address."""
    with socket.create_connection((address, port), timeout=2) as connection:
        request = f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\n\r\n"
        connection.sendall(request.encode())
        answer = b""
        while len(answer) < most and (data := connection.recv(65536)):
            answer += data
        return answer


def hit(start: float, end: float) -> Hit:
    return Hit("a.test", "127.0.0.1", "/", start, end, status=200)


def test_hosts_share_a_port_and_are_told_apart() -> None:
    with FakeWeb({"a.test": Site(page("A")), "b.test": Site(page("B"))}) as web:
        assert b"<title>A</title>" in ask(web, "a.test")
        assert b"<title>B</title>" in ask(web, "b.test")


def test_hosts_are_spread_over_addresses() -> None:
    with FakeWeb({f"{name}.test": Site() for name in "abc"}, addresses=2) as web:
        for name in "abc":
            ask(web, f"{name}.test")

    assert [hit.address for hit in web.log] == ["127.0.0.1", "127.0.0.2", "127.0.0.1"]


def test_log_has_the_times_of_a_request() -> None:
    with FakeWeb({"slow.test": Site(bad.slow(0.1))}) as web:
        before = time.monotonic()
        ask(web, "slow.test", "/x?y")
        after = time.monotonic()

    (hit,) = web.log
    assert (hit.host, hit.path, hit.status) == ("slow.test", "/x?y", 200)
    assert before <= hit.start <= hit.end - 0.1 <= after - 0.1


def test_overlap_is_found_even_behind_a_short_request() -> None:
    long, short, late = hit(0, 10), hit(1, 2), hit(3, 4)

    assert overlaps([late, short, long]) == [(long, short), (long, late)]
    assert overlaps([hit(0, 1), hit(1, 2), hit(5, 6)]) == []


def test_site_of_a_chain_has_so_many_pages() -> None:
    with FakeWeb({"a.test": Site(chained(2))}) as web:
        assert b"/1" in ask(web, "a.test")
        assert b"Page 1" in ask(web, "a.test", "/1")
        assert b" 404 " in ask(web, "a.test", "/2")


@pytest.mark.parametrize("trap", [calendar, sessions, infinite_depth, duplicate_farm(3)])
def test_trap_always_has_another_page(trap: object) -> None:
    with FakeWeb({"trap.test": Site(trap)}) as web:  # type: ignore[arg-type]  # all are handlers
        first = ask(web, "trap.test", "/")
        second = ask(web, "trap.test", first.split(b'href="')[1].split(b'"')[0].decode())

    assert b" 200 " in second
    assert b"href=" in second


def test_bomb_goes_on_as_long_as_somebody_reads() -> None:
    with FakeWeb({"bomb.test": Site(bad.zstd_bomb())}) as web:
        assert len(ask(web, "bomb.test", most=300_000)) >= 300_000


def test_whole_menagerie_can_be_served_and_closed() -> None:
    with FakeWeb(all_sites(), addresses=5, secure=True) as web:
        assert web.port != web.secure_port

    assert len(web.sites) > 35
