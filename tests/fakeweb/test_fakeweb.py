"""The measuring device is measured: that the log is true, and the hosts as bad as they claim."""

import socket
import time

from tests.fakeweb import FakeWeb, Hit, Site, overlaps
from tests.fakeweb import misbehaviour as bad


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


def test_log_has_the_times_of_a_request():
    with FakeWeb({"slow.test": Site(bad.slow(0.1))}) as web:
        before = time.monotonic()
        ask(web, "slow.test", "/x?y")
        after = time.monotonic()

    (hit,) = web.log
    assert (hit.host, hit.path, hit.status) == ("slow.test", "/x?y", 200)
    assert before <= hit.start <= hit.end - 0.1 <= after - 0.1


def test_overlap_is_found_even_behind_a_short_request():
    long, short, late = hit(0, 10), hit(1, 2), hit(3, 4)

    assert overlaps([late, short, long]) == [(long, short), (long, late)]
    assert overlaps([hit(0, 1), hit(1, 2), hit(5, 6)]) == []
