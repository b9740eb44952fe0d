"""Asks a service that the user has named: Overpass, Wikidata, or a geocoder of one's own.

It may be anywhere, also on this machine or in a private network: whoever names it wants that. But
nobody else decides what is asked. The answer of a service does not lead us to another server, and
no proxy of the environment stands between; the setting `proxy` is for the web.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:  # with TLS it takes longer to import than most commands run
    from urllib.request import OpenerDirector

_PIECE = 1 << 20  # bytes
_PORTS = {"http": 80, "https": 443}


def ask_named(url: str, headers: Mapping[str, str], *, most_bytes: int, seconds: float) -> bytes:
    """The whole answer of a service to a URL, all of it within these seconds.

    Raises:
        OSError: there is none, it is too long, or it leads to another server.
    """
    from http.client import HTTPException  # noqa: PLC0415
    from urllib.request import Request  # noqa: PLC0415

    parts, size, until = [], 0, time.monotonic() + seconds
    request = Request(url, headers=dict(headers))  # noqa: S310 - http only, by those who call
    try:
        # The limit of the library is for each part of an answer, not for the whole.
        with _opener().open(request, timeout=seconds) as response:
            while part := response.read1(_PIECE):
                parts.append(part)
                size += len(part)
                if size > most_bytes or time.monotonic() > until:
                    raise OSError("the answer is too long")
    except HTTPException as error:
        raise OSError(f"it does not speak HTTP: {error!r}") from error
    return b"".join(parts)


def stays_there(url: str, target: str) -> bool:
    """Whether a redirect leads to the server that was asked, by HTTPS perhaps.

    >>> [stays_there("http://a.test/", f"{to}/x") for to in ("https://a.test", "http://b.test")]
    [True, False]
    """
    asked, led = _server(url), _server(target)
    return led == asked or (led == (asked[0], _PORTS["https"]) and asked[1] == _PORTS["http"])


def _server(url: str) -> tuple[str, int | None]:
    parts = urlsplit(url)
    try:
        return parts.hostname or "", parts.port or _PORTS.get(parts.scheme)
    except ValueError:  # no port
        return "", None


def _opener() -> OpenerDirector:
    from urllib.request import HTTPRedirectHandler, ProxyHandler, Request, build_opener  # noqa: PLC0415

    class Staying(HTTPRedirectHandler):
        def redirect_request(self, req: Request, *rest: Any) -> Request | None:
            target = str(rest[-1])
            if not stays_there(req.full_url, target):
                raise OSError(f"it leads to another server, {urlsplit(target).netloc}: name that")
            return super().redirect_request(req, *rest)

    return build_opener(ProxyHandler({}), Staying)
