"""Which ports are asked for pages.

A link may name any port, and a request to one where mail, files or a database are served looks like
an attack and may be one: a line of HTTP can be a command there. Pages are on many ports above 1023,
so those are asked but for the ports of known other services; below, only where web servers are.
"""

from __future__ import annotations

from geoscout.errors import FetchError
from geoscout.fetch.failures import failure
from geoscout.urls import split

_FIRST_UNPRIVILEGED = 1024
_WEB = frozenset({*range(80, 87), *range(88, 91), 443, 444, 591, 777, 800, 888})
# Those that the Fetch standard blocks for browsers ("bad port"), and databases, caches and brokers.
_OTHER_SERVICES = frozenset({
    1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, *range(6665, 6670), 6679,
    6697, 10080,
    1433, 1521, 2181, 2375, 2376, 3306, 3389, 5432, 5672, 5900, 6379, 9042, 9092, 11211, 27017,
})  # fmt: skip


def is_web_port(port: int) -> bool:
    """Whether pages may be asked for on a port.

    >>> is_web_port(443), is_web_port(8080), is_web_port(22), is_web_port(6379)
    (True, True, False, False)
    """
    return port in _WEB if port < _FIRST_UNPRIVILEGED else port not in _OTHER_SERVICES


def refused_port(url: str) -> FetchError | None:
    """The error for a URL whose port is not one of the web; None for any other URL."""
    port = split(url).port
    return failure("port", url) if port and not is_web_port(int(port)) else None
