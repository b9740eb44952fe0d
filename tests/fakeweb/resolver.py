"""A stand-in for DNS: it knows the hosts it was told, and counts who asks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from geoscout_places.errors import TryLaterError


class FakeResolver:
    """The Resolver of fake webs."""

    def __init__(self, addresses: Mapping[str, str | tuple[str, ...]]) -> None:
        self.addresses = dict(addresses)
        self.asked: Counter[str] = Counter()

    async def look_up(self, host: str) -> tuple[str, ...]:
        self.asked[host] += 1
        known = self.addresses.get(host)
        if known is None:
            raise TryLaterError("dns", f"{host} is not known here")
        return (known,) if isinstance(known, str) else known
