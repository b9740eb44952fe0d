"""Which addresses belong to no public host and are not asked unless the user allows it.

A page can name any host, and a host's owner can let the name point anywhere: at the crawler's
own machine, its router, the metadata service of its cloud. So it is the address that is judged,
after look-up, and the connection goes to the very address that was judged. IPv6 forms that carry
an IPv4 address are refused as such: a public host has a plain one.

Which ports are asked for pages.

A link may name any port, and a request to one where mail, files or a database are served looks like
an attack and may be one: a line of HTTP can be a command there. Pages are on many ports above 1023,
so those are asked but for the ports of known other services; below, only where web servers are.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from ipaddress import IPv6Address, IPv6Network, ip_address, ip_network

from geoscout.fetch.retries import failure
from geoscout_places.errors import FetchError
from geoscout_places.urls import split

# What IANA's registries of special addresses keep from public hosts, as they were in 2026, so that
# every Python judges alike; then the services of clouds at addresses that look public. Registries:
# iana-ipv4-special-registry, iana-ipv6-special-registry. The first network that has it gives the
# name.
_SPECIAL = {
    "unspecified": ("0.0.0.0/32", "::/128"),
    "loopback": ("127.0.0.0/8", "::1/128"),
    "link-local": ("169.254.0.0/16", "fe80::/10"),  # metadata services of most clouds among them
    "multicast": ("224.0.0.0/4", "ff00::/8"),
    # Forms that hide another address; RFC 4291, 6052, 8215, 3056, 4380.
    "ipv4-mapped": ("::ffff:0:0/96", "::ffff:0:0:0/96"),
    "ipv4-compatible": ("::/96",),
    "nat64": ("64:ff9b::/96", "64:ff9b:1::/48"),
    "6to4": ("2002::/16", "192.88.99.0/24"),
    "teredo": ("2001::/32",),
    "private": (
        "0.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "192.0.0.0/24",
        "192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "198.18.0.0/15", "240.0.0.0/4",
        "fc00::/7", "2001:db8::/32", "3fff::/20", "100::/64", "100:0:0:1::/64",
    ),
    # Carriers' own, sinks for queries of private names (AS112), relays, and what routers use.
    "reserved": (
        "100.64.0.0/10", "192.31.196.0/24", "192.52.193.0/24", "192.175.48.0/24", "2001::/23",
        "2620:4f:8000::/48", "5f00::/16", "fec0::/10",
    ),
    # Azure. Oracle's and Alibaba's, 192.0.0.192 and 100.100.100.200, are in networks above.
    "cloud": ("168.63.129.16/32",),
}  # fmt: skip
_NETWORKS = tuple((name, ip_network(text)) for name, texts in _SPECIAL.items() for text in texts)
_UNICAST = IPv6Network("2000::/3")  # all that IANA has given out; the rest is reserved
_ADDRESSES_REMEMBERED = 20_000
EVERYTHING = ("0.0.0.0/0", "::/0")


@lru_cache(_ADDRESSES_REMEMBERED)
def refusal(address: str) -> str | None:
    """Why an address is not asked, in one word; None for that of a public host.

    >>> refusal("127.0.0.1"), refusal("64:ff9b::7f00:1"), refusal("8.8.8.8")
    ('loopback', 'nat64', None)
    """
    try:
        parsed = ip_address(address)
    except ValueError:
        return "malformed"
    for name, network in _NETWORKS:
        if parsed.version == network.version and parsed in network:
            return name
    return "reserved" if isinstance(parsed, IPv6Address) and parsed not in _UNICAST else None


def address_rule(
    allowed_networks: Sequence[str], own_addresses: Collection[str] = ()
) -> Callable[[str], str | None]:
    """`refusal`, except for the addresses in some networks, such as "10.0.0.0/8".

    `own_addresses` are those of servers that the crawl itself uses. They are refused even where
    they are public: such a server may tell us more than it tells others.

    Raises:
        ValueError: one of them is not a network.
    """
    networks = [ip_network(network) for network in allowed_networks]
    own = frozenset(own_addresses)

    @lru_cache(_ADDRESSES_REMEMBERED)  # asked three times a page, and parsing takes 5 µs
    def refuses(address: str) -> str | None:
        if address in own:
            return "database"
        reason = refusal(address)
        if reason is None or reason == "malformed":
            return reason
        parsed = ip_address(address)
        allowed = any(parsed in n for n in networks if n.version == parsed.version)
        return None if allowed else reason

    return refuses


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
