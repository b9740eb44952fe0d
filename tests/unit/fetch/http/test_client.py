import asyncio
import ssl

import aiohttp
import pytest
from aiohttp import client_exceptions, http_exceptions
from aiohttp.client_reqrep import ConnectionKey
from yarl import URL

from geoscout.fetch.http.client import LIBRARY_ERRORS, translate
from geoscout.fetch.http.rules import Turns

KEY = ConnectionKey("a.test", 80, False, True, None, None, None)
INFO = aiohttp.RequestInfo(URL("http://a.test/"), "GET", {}, URL("http://a.test/"))  # type: ignore[arg-type]
BAD_CERTIFICATE = ssl.SSLCertVerificationError("self-signed")
# Every error that the library says it raises for a client.
TRANSLATED = [
    (aiohttp.ClientError(), "protocol"),
    (aiohttp.ClientResponseError(INFO, ()), "protocol"),
    (aiohttp.ContentTypeError(INFO, ()), "protocol"),
    (aiohttp.TooManyRedirects(INFO, ()), "protocol"),
    (aiohttp.ClientHttpProxyError(INFO, ()), "proxy-refused"),
    (aiohttp.WSServerHandshakeError(INFO, ()), "protocol"),
    (aiohttp.ClientConnectionError(), "protocol"),
    (aiohttp.ClientConnectionResetError(), "reset"),
    (aiohttp.ClientOSError(101, "Network is unreachable"), "unreachable"),
    (aiohttp.ClientConnectorError(KEY, OSError(113, "No route to host")), "unreachable"),
    (aiohttp.ClientProxyConnectionError(KEY, OSError(113, "No route")), "proxy"),
    (client_exceptions.UnixClientConnectorError("/x", KEY, OSError(2, "No file")), "unreachable"),
    (aiohttp.ClientConnectorDNSError(KEY, OSError(-2, "unknown")), "dns"),
    (aiohttp.ClientSSLError(KEY, OSError(1, "ssl")), "tls"),
    (aiohttp.ClientConnectorSSLError(KEY, OSError(1, "ssl")), "tls"),
    (aiohttp.ClientConnectorCertificateError(KEY, BAD_CERTIFICATE), "tls"),
    (aiohttp.ServerFingerprintMismatch(b"a", b"b", "a.test", 443), "protocol"),
    (aiohttp.ServerConnectionError(), "protocol"),
    (aiohttp.ServerDisconnectedError(), "reset"),
    (aiohttp.ServerTimeoutError(), "timeout"),
    (aiohttp.ConnectionTimeoutError(), "connect-timeout"),
    (aiohttp.SocketTimeoutError(), "stalled"),
    (aiohttp.ClientPayloadError(), "truncated"),
    (aiohttp.ClientPayloadError("not completed. ConnectionResetError(104)"), "reset"),
    (aiohttp.InvalidURL("x"), "protocol"),
    (aiohttp.InvalidUrlClientError("x"), "protocol"),
    (aiohttp.NonHttpUrlClientError("x"), "protocol"),
    (aiohttp.RedirectClientError(), "protocol"),
    (aiohttp.InvalidUrlRedirectClientError("x"), "protocol"),
    (aiohttp.NonHttpUrlRedirectClientError("x"), "protocol"),
    (http_exceptions.LineTooLong(b"x", 10), "header-size"),
    (http_exceptions.BadHttpMessage("Too many headers received"), "header-size"),
    (http_exceptions.BadHttpMessage("odd"), "protocol"),
    (http_exceptions.TransferEncodingError("odd"), "truncated"),
    (http_exceptions.ContentLengthError("odd"), "truncated"),
    (TimeoutError(), "timeout"),
    (TimeoutError(), "timeout"),
    (ssl.SSLError(1, "handshake"), "tls"),
    (ConnectionRefusedError(), "refused"),
    (ConnectionResetError(), "reset"),
    (BrokenPipeError(), "reset"),
    (OSError(24, "Too many open files"), "local"),
    (ValueError("a header cannot hold this"), "protocol"),
]


def every_error_of(base: type[BaseException]) -> set[type[BaseException]]:
    below = {c for c in base.__subclasses__() if c.__module__.startswith("aiohttp")}
    return {base}.union(*(every_error_of(child) for child in below))


@pytest.mark.parametrize(("error", "kind"), TRANSLATED, ids=lambda value: type(value).__name__)
def test_error_of_the_library_becomes_ours(error, kind):
    assert isinstance(error, LIBRARY_ERRORS)
    assert translate(error).kind == kind


def test_every_error_of_the_library_is_in_the_list():
    listed = {type(error) for error, _ in TRANSLATED}
    # The library derives its errors of web sockets and uploads from the same class.
    not_ours = {"UploadAbortedError"}

    missing = {e.__name__ for e in every_error_of(aiohttp.ClientError) - listed} - not_ours
    assert missing == set()


def test_cause_of_an_error_decides():
    outer = aiohttp.ClientResponseError(INFO, ())
    outer.__cause__ = http_exceptions.LineTooLong(b"x", 10)

    assert translate(outer).kind == "header-size"


def busiest(pairs: list[tuple[str, str]]) -> int:
    """How many were inside at a time at most."""
    turns, inside, most = Turns(), 0, 0

    async def visit(host: str, address: str) -> None:
        nonlocal inside, most
        async with turns.take(host, address):
            inside += 1
            most = max(most, inside)
            await asyncio.sleep(0.001)
            inside -= 1

    async def run() -> None:
        await asyncio.gather(*(visit(*pair) for pair in pairs))

    asyncio.run(run())
    assert len(turns) == 0
    return most


@pytest.mark.parametrize(
    ("pairs", "most"),
    [
        pytest.param([("a", "1"), ("a", "2"), ("a", "3")], 1, id="one host"),
        pytest.param([("a", "1"), ("b", "1"), ("c", "1")], 1, id="one address"),
        pytest.param([("a", "1"), ("b", "2"), ("c", "3")], 3, id="others"),
        pytest.param([("1.1.1.1", "2.2.2.2"), ("2.2.2.2", "1.1.1.1")], 2, id="names alike"),
    ],
)
def test_one_host_and_one_address_are_visited_by_one_at_a_time(pairs, most):
    assert busiest(pairs) == most


def test_turn_is_given_back_by_who_gives_up():
    turns = Turns()

    async def stay() -> None:
        async with turns.take("a", "1"):
            await asyncio.sleep(60)

    async def run() -> None:
        first, second = asyncio.create_task(stay()), asyncio.create_task(stay())
        await asyncio.sleep(0.001)
        first.cancel()
        second.cancel()
        await asyncio.gather(first, second, return_exceptions=True)

    asyncio.run(run())
    assert len(turns) == 0
