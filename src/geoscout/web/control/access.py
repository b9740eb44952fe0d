"""Who may control crawls.

Whoever reaches loopback may read, every user of the machine among them. To start a crawl is to use
the owner's disk, network and name, so more is asked for: the token, or on loopback without a token
a key that is made at each start and shown to the owner alone.

A page elsewhere can make the owner's browser send requests, with its cookies. So a request to
control must be JSON, which such a page can send only after asking (CORS), and must not come from
another origin by what the browser says of it (`Sec-Fetch-Site`, else `Origin`). The key is not a
cookie: it is sent in a field of its own, and servers on other ports of the machine never see it.
"""

import hmac
from dataclasses import dataclass
from urllib.parse import urlsplit

from starlette.requests import Request

from geoscout.web.problems import RefusedError

KEY_FIELD = "x-geoscout-key"


@dataclass(frozen=True, slots=True)
class ControlRules:
    """Whether crawls can be controlled, and by whom."""

    is_on: bool = False
    key: str = ""  # that a request must have; "": whoever may read may control, with the token
    is_local: bool = True  # only this machine reaches the server
    names: frozenset[str] = frozenset()  # other names of this server, in lower case


def rules_of(request: Request) -> ControlRules:
    rules: ControlRules = request.app.state.control
    return rules


def why_not(request: Request) -> str:
    """Why a request may not control anything; "" if it may."""
    rules = rules_of(request)
    if not rules.is_on:
        return "control is off on this server: start it with `geoscout serve --set control=yes`"
    given = request.headers.get(KEY_FIELD, "")
    if rules.key and not hmac.compare_digest(given.encode(), rules.key.encode()):
        return "to control crawls, open the address with #key that geoscout serve printed"
    return ""


def allow_control(request: Request) -> None:
    """Let a request pass that may change something; a dependency of those endpoints.

    Raises:
        RefusedError: it may not.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise RefusedError(415, "send application/json")
    if not _is_from_here(request):
        raise RefusedError(403, "a page of another server may not control crawls")
    if reason := why_not(request):
        raise RefusedError(403, reason)


def _is_from_here(request: Request) -> bool:
    """Whether a page of ours sent it, or no browser did."""
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        return site == "same-origin"
    origin = request.headers.get("origin")
    if origin is None:
        return True
    parts = urlsplit(origin)
    is_named = (parts.hostname or "") in rules_of(request).names
    return is_named or parts.netloc.lower() == request.headers.get("host", "").lower()
