"""The body of a response, read only while it is wanted, small enough and fast enough."""

from __future__ import annotations

import time

import aiohttp

from geoscout.errors import FetchError
from geoscout.fetch.failures import failure
from geoscout.fetch.http.decoding import BodyDecoder
from geoscout.fetch.http.rules import KIBIBYTE, BodyRule, HttpLimits
from geoscout.fetch.http.translate import LIBRARY_ERRORS

_ERROR_PAGE = BodyRule(None, 64 * KIBIBYTE, 64 * KIBIBYTE, cut=True)


async def read_body(response: aiohttp.ClientResponse, rule: BodyRule, limits: HttpLimits) -> bytes:
    """The decoded body of a response whose header has come.

    The body of a redirect or an error is not what was asked for: it is cut where it gets long and
    left out where it is damaged or of another type, but never the reason for a failure.

    Raises:
        FetchError: kinds "content-type", "too-large", "slow", "decompression", "bomb",
            "truncated"; and what `translate` makes of the library's errors.
    """
    if response.status in range(200, 300):
        _check_header(response, rule)
        return await _read(response, rule, limits)
    try:
        return await _read(response, _ERROR_PAGE, limits)
    except (FetchError, *LIBRARY_ERRORS):
        response.close()
        return b""


def media_type(content_type: str) -> str:
    """The type without its parameters, in lower case; of several, the first."""
    return content_type.partition(";")[0].partition(",")[0].strip().lower()


def _check_header(response: aiohttp.ClientResponse, rule: BodyRule) -> None:
    kind = media_type(response.headers.get("Content-Type", ""))
    if kind and rule.content_types is not None and kind not in rule.content_types:
        raise failure("content-type", kind[:80])
    size = response.headers.get("Content-Length", "")
    if not rule.cut and size.isdecimal() and int(size[:20]) > rule.body_bytes:
        raise failure("too-large", f"{size} bytes")


async def _read(response: aiohttp.ClientResponse, rule: BodyRule, limits: HttpLimits) -> bytes:
    encoding = response.headers.get("Content-Encoding", "")
    decoder = BodyDecoder(encoding, rule.decoded_bytes, cut=rule.cut)
    started, received = time.monotonic(), 0
    while data := await response.content.readany():
        received += len(data)
        if received > rule.body_bytes and not rule.cut:
            raise failure("too-large", f"more than {rule.body_bytes} bytes")
        decoder.feed(data)
        if received > rule.body_bytes:
            decoder.stop()
        if decoder.is_full:
            response.close()
            break
        _check_rate(received, time.monotonic() - started, limits)
    return decoder.finish()


def _check_rate(received: int, seconds: float, limits: HttpLimits) -> None:
    if seconds > limits.rate_grace_seconds and received < limits.least_rate * seconds:
        raise failure("slow", f"{received} bytes in {seconds:.1f} s")
