"""Which addresses belong to no public host and are not asked unless the user allows it.

A page can name any host, and a host's owner can let the name point anywhere: at the crawler's
own machine, its router, the metadata service of its cloud. So it is the address that is judged,
after look-up, and the connection goes to the very address that was judged. IPv6 forms that carry
an IPv4 address are refused as such: a public host has a plain one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network

# Forms that hide another address, by name; RFC 4291, 6052, 8215, 3056, 4380.
_HIDING = {
    "ipv4-mapped": ("::ffff:0:0/96", "::ffff:0:0:0/96"),
    "ipv4-compatible": ("::/96",),
    "nat64": ("64:ff9b::/96", "64:ff9b:1::/48"),
    "6to4": ("2002::/16", "192.88.99.0/24"),
    "teredo": ("2001::/32",),
}
_NETWORKS = tuple((name, ip_network(text)) for name, texts in _HIDING.items() for text in texts)
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
    return _own_refusal(parsed) or _hiding(parsed) or (None if _is_global(parsed) else "reserved")


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


def _own_refusal(address: IPv4Address | IPv6Address) -> str | None:
    reasons = (
        ("unspecified", address.is_unspecified),
        ("loopback", address.is_loopback),
        ("link-local", address.is_link_local),
        ("multicast", address.is_multicast),
    )
    return next((name for name, holds in reasons if holds), None)


def _hiding(address: IPv4Address | IPv6Address) -> str | None:
    for name, network in _NETWORKS:
        if address.version == network.version and address in network:
            return name
    return "private" if address.is_private else None


_UNICAST = IPv6Network("2000::/3")  # all that IANA has given out; the rest is reserved


def _is_global(address: IPv4Address | IPv6Address) -> bool:
    if isinstance(address, IPv6Address) and address not in _UNICAST:
        return False
    return address.is_global and not address.is_reserved
