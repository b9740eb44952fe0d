"""The exceptions of the HTTP library end here: nothing above this module knows them.

Apart from `failures`, so that what only deals with failures need not load the library.
"""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from http import HTTPStatus

import aiohttp
from aiohttp import http_exceptions

from geoscout.fetch.retries import failure
from geoscout.machine import is_lack
from geoscout_places.errors import FetchError

# The first line that fits counts, so what is special stands above what is general.
_TRANSLATIONS: tuple[tuple[type[BaseException], str], ...] = (
    (aiohttp.ClientProxyConnectionError, "proxy"),
    (aiohttp.ClientHttpProxyError, "proxy-refused"),
    (http_exceptions.LineTooLong, "header-size"),
    (http_exceptions.TransferEncodingError, "truncated"),
    (http_exceptions.ContentLengthError, "truncated"),
    (aiohttp.ConnectionTimeoutError, "connect-timeout"),
    (aiohttp.SocketTimeoutError, "stalled"),
    (TimeoutError, "timeout"),
    (aiohttp.ClientConnectorDNSError, "dns"),
    (aiohttp.ClientSSLError, "tls"),
    (ssl.SSLError, "tls"),
    (ConnectionRefusedError, "refused"),
    (ConnectionResetError, "reset"),
    (BrokenPipeError, "reset"),
    (aiohttp.ServerDisconnectedError, "reset"),
    (aiohttp.ClientPayloadError, "truncated"),
    (aiohttp.ClientResponseError, "protocol"),
    (aiohttp.InvalidURL, "protocol"),
    (http_exceptions.HttpProcessingError, "protocol"),
    (OSError, "unreachable"),
    (aiohttp.ClientError, "protocol"),
    (ValueError, "protocol"),
)
_LONGEST_DETAIL = 300  # characters; some quote what the server sent
LIBRARY_ERRORS = (aiohttp.ClientError, http_exceptions.HttpProcessingError, OSError, ValueError)


def translate(error: BaseException) -> FetchError:
    """Our error for one of `LIBRARY_ERRORS`, whose causes count as much as itself."""
    causes = list(_causes(error))
    if any(is_lack(cause) for cause in causes):
        return failure("local", str(error)[:_LONGEST_DETAIL])
    for kind_of_error, kind in _TRANSLATIONS:
        if any(isinstance(cause, kind_of_error) for cause in causes):
            return failure(_exact(kind, error), str(error)[:_LONGEST_DETAIL])
    return failure("protocol", str(error)[:_LONGEST_DETAIL])


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__


def _exact(kind: str, error: BaseException) -> str:
    """What the library tells by its message only, or a proxy by its status."""
    if isinstance(error, aiohttp.ClientHttpProxyError):
        return _of_proxy(error.status)
    if kind == "protocol" and "too many headers" in str(error).lower():
        return "header-size"
    if kind == "truncated" and ConnectionResetError.__name__ in str(error):
        return "reset"
    return kind


def _of_proxy(status: int) -> str:
    """What it means that a proxy does not connect us to a host."""
    if status == HTTPStatus.PROXY_AUTHENTICATION_REQUIRED:
        return "proxy"
    return "unreachable" if status >= HTTPStatus.INTERNAL_SERVER_ERROR else "proxy-refused"
