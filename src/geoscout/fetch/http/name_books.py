"""Which address book a client has: one that looks names up, or one that leaves that to a proxy."""

from __future__ import annotations

from collections.abc import Callable

from geoscout.fetch.base import Resolver
from geoscout.fetch.failures import failure
from geoscout.fetch.http.dns import AddressBook, SystemResolver
from geoscout.fetch.http.rules import HttpRules

# Names that are private by RFC 6761, 6762, 8375 and 9476, or by the custom of many networks.
_LOCAL_ENDINGS = (
    ".localhost", ".local", ".internal", ".home.arpa", ".alt", ".lan", ".intranet", ".corp",
    ".home", ".private",
)  # fmt: skip


def is_local_name(host: str) -> bool:
    """Whether a name is one of a private network, as far as names tell.

    >>> is_local_name("router"), is_local_name("db.internal"), is_local_name("example.org")
    (True, True, False)
    """
    name = host.rstrip(".")
    return "." not in name or name.endswith(_LOCAL_ENDINGS)


class NamesAtProxy(AddressBook):
    """Leaves names to the proxy; addresses in URLs are judged, and names that are local."""

    async def address(self, host: str) -> str:
        """The address where the host is one, else "".

        Raises:
            FetchError: kind "private-address".
        """
        literal = host.strip("[]")
        if ":" in literal or literal.replace(".", "").isdigit():
            return await super().address(host)
        if is_local_name(host) and self._refuses("127.0.0.1") is not None:
            raise failure("private-address", f"{host} is a local name")
        return ""


def address_book(
    rules: HttpRules, resolver: Resolver | None, refuses: Callable[[str], str | None]
) -> AddressBook:
    """The address book of a client; `resolver` None: the system's own."""
    kind = NamesAtProxy if rules.proxy and rules.proxy.looks_up_names else AddressBook
    return kind(resolver or SystemResolver(), refuses=refuses)
