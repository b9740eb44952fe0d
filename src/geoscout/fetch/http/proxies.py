"""The proxy through which the live web is asked, if there is one.

Who looks up the names of hosts is what matters, because a name can point at a private address.
With `socks5://` we do: the address is checked as without a proxy, and the proxy is given that
address. With `http://` and `socks5h://` the proxy does, and we never learn the address: then only
addresses in URLs and names that are local by convention can be refused here.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

from geoscout_places.errors import UsageError
from geoscout_places.extras import require

_DEFAULT_PORTS = {"http": 8080, "socks5": 1080, "socks5h": 1080}
_EXAMPLES = "http://127.0.0.1:3128, socks5://127.0.0.1:1080 or socks5h://127.0.0.1:1080"
_BY_WHOIS = ("whois", "both")


@dataclass(frozen=True, slots=True)
class Proxy:
    """Where it is, and what it is asked to do."""

    scheme: str  # "http", "socks5" or "socks5h"
    host: str
    port: int
    user: str = field(default="", repr=False)
    password: str = field(default="", repr=False)

    @property
    def is_socks(self) -> bool:
        return self.scheme != "http"

    @property
    def looks_up_names(self) -> bool:
        """Whether names of hosts are looked up there and not here."""
        return self.scheme != "socks5"

    @property
    def url(self) -> str:
        """Its address, without name and password."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}:{self.port}"

    def login(self) -> dict[str, str]:
        """The header field with name and password; none without."""
        if not (self.user or self.password):
            return {}
        text = base64.b64encode(f"{self.user}:{self.password}".encode()).decode()
        return {"Proxy-Authorization": f"Basic {text}"}


def read_proxy(text: str) -> Proxy | None:
    """The proxy of a setting; None where it is empty.

    >>> read_proxy("http://proxy.example:3128").port
    3128

    Raises:
        UsageError: it is not the address of a proxy, or what it needs is not installed. The
            message does not show it: there may be a password in it.
    """
    if not text:
        return None
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise UsageError(f"the setting proxy is not an address, such as {_EXAMPLES}") from None
    is_bare = not (parts.path.strip("/") or parts.query or parts.fragment)
    if parts.scheme not in _DEFAULT_PORTS or not parts.hostname or not is_bare:
        raise UsageError(f"the setting proxy must be the address of a proxy, such as {_EXAMPLES}")
    if parts.scheme != "http":
        require(f"a {parts.scheme} proxy", "socks", "aiohttp_socks")
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    return Proxy(parts.scheme, parts.hostname, port or _DEFAULT_PORTS[parts.scheme], user, password)


def check_proxy(text: str, registrations: str) -> None:
    """Complain about a proxy that cannot be used for all that a crawl asks.

    Raises:
        UsageError: it is not a proxy, or registries would be asked without it.
    """
    if read_proxy(text) is not None and registrations in _BY_WHOIS:
        raise UsageError(
            f"registrations {registrations!r} cannot go through a proxy: whois is not HTTP; take"
            " 'rdap'"
        )
