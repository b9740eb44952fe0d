"""Where servers and registrants of domains are, as tables have it, with their errors.

Both are clues that crawlers have used for the place of a page. In a synthetic web they are as
unreliable as published: most servers are in a data centre, and a registrant may live anywhere.
"""

from __future__ import annotations

from ipaddress import IPv4Address

from geoscout_lab.worlds.synthetic.chance import Chance
from geoscout_lab.worlds.synthetic.register.register import Register
from geoscout_lab.worlds.synthetic.structure.cities import City
from geoscout_lab.worlds.synthetic.structure.hosts import LOCAL

_FIRST_ADDRESS = int(IPv4Address("198.18.0.0"))  # a network kept for tests, RFC 2544
_ADDRESSES = 1 << 17
_DATA_CENTRES = 5  # cities of a country, the most populous ones
_SERVER, _OWNER = 41, 43  # purposes of chance


class Locations:
    """The tables of a web, by the number of the host."""

    def __init__(self, register: Register) -> None:
        self._register = register

    def address(self, host: int) -> str:
        """The address of a host's server."""
        return str(IPv4Address(_FIRST_ADDRESS + host % _ADDRESSES))

    def server(self, host: int) -> City | None:
        """The location of the server in the table; None if the table does not have it."""
        profile, site = self._register.profile, self._register.sites[host]
        chance = self._chance(host, _SERVER)
        is_local = site.type in LOCAL
        if chance.hits(profile.server_unknown if is_local else profile.server_unknown_national):
            return None
        right = profile.server_right / (1 - profile.server_unknown)
        if is_local and chance.hits(right):
            return site.city
        return chance.pick(self._cities_of(site.city.country)[:_DATA_CENTRES])

    def owner(self, host: int) -> City:
        """The city in the registration of the domain."""
        site = self._register.sites[host]
        chance = self._chance(host, _OWNER)
        if chance.hits(self._register.profile.whois_wrong):
            others = [c for c in self._cities_of(site.city.country) if c is not site.city]
            return chance.pick(others or [site.city])
        return site.city

    def _cities_of(self, country: str) -> list[City]:
        return [city for city in self._register.structure.cities if city.country == country]

    def _chance(self, host: int, purpose: int) -> Chance:
        return Chance(self._register.random_seed * 1009 + purpose, host)
