"""Which countries' addresses are read, told without loading their formats.

The formats are sixty modules with many lists of words. A crawl reads addresses in other processes,
so the one that only has to tell what is read need not load them.
"""

from __future__ import annotations

import pkgutil
from importlib import import_module

from geoscout_places.gazetteer.areas.region import Region
from geoscout_places.geo.address import countries
from geoscout_places.geo.address.registry import GROUP
from geoscout_places.model import RelevanceRule
from geoscout_places.plugins import load_plugins

# The countries of our modules. One that is missing here is loaded to be told.
_CODES = {
    "australia": "AU", "austria": "AT", "belgium": "BE", "brazil": "BR", "canada": "CA",
    "croatia": "HR", "czechia": "CZ", "denmark": "DK", "elsewhere": "ZZ", "finland": "FI",
    "france": "FR", "germany": "DE", "hungary": "HU", "india": "IN", "ireland": "IE",
    "italy": "IT", "japan": "JP", "liechtenstein": "LI", "luxembourg": "LU", "mexico": "MX",
    "netherlands": "NL", "new_zealand": "NZ", "norway": "NO", "poland": "PL", "portugal": "PT",
    "slovakia": "SK", "slovenia": "SI", "south_africa": "ZA", "spain": "ES", "sweden": "SE",
    "switzerland": "CH", "united_kingdom": "GB", "united_states": "US",
}  # fmt: skip


def countries_read() -> frozenset[str]:
    """The codes of the countries whose addresses are read."""
    ours = (module.name for module in pkgutil.iter_modules(countries.__path__))
    others = (module.create().country for module in load_plugins(GROUP).values())
    return frozenset((*map(_country, ours), *others))


def _country(name: str) -> str:
    if name in _CODES:
        return _CODES[name]
    return str(import_module(f"{countries.__name__}.{name}").create().country)


def note_on_addresses(region: Region, rule: str) -> str:
    """What a user should know of a region whose country has no address format; "" for nothing.

    Addresses in the markup are read everywhere.
    """
    unread = region.countries - countries_read()
    if not unread or rule == RelevanceRule.SCOPE:
        return ""
    where = (
        f"there is no address format for {', '.join(sorted(unread))}: only addresses in the markup,"
        " or with the name of the country, are read there"
    )
    if rule == RelevanceRule.ADDRESS:
        return f"{where}; try the rule scope"
    return f"{where}, so pages are judged by the places they name, their titles and URLs"
