"""Which countries' addresses can be read.

A country is a row of a table, or a module with `create()`, which returns its `AddressFormat` or
several. Ours are in `countries/`; putting a file there is all it takes. Another package adds one by
an entry point of the group `geoscout.address_formats`, as every plug-in is added.

The formats have many lists of words and take a tenth of a second to load. A crawl reads addresses
in other processes, so what the one that only has to tell what is read needs does not load them.
"""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from geoscout_places.geo.address import countries
from geoscout_places.geo.address.base import AddressFormat
from geoscout_places.model import RelevanceRule
from geoscout_places.plugins import load_plugins

if TYPE_CHECKING:
    from geoscout_places.gazetteer.areas.region import Region

GROUP = "geoscout.address_formats"
# An address of each country. Its codes tell what is read, and reading it makes ready for more.
# With a door where people write one, for it has patterns of its own.
EXAMPLES = {
    "AT": "Schwindgasse 14, Top 6\n1040 Wien",
    "AU": "Level 5/123 Pitt St\nSydney NSW 2000",
    "BE": "Wetstraat 16 bus 3\n1000 Brussel",
    "BR": "Av. Paulista, 1578 - Bela Vista\nSão Paulo - SP, 01310-200",
    "CA": "365 Bloor St East, Suite 1600\nToronto, ON M4W 3L4",
    "CH": "Bahnhofstrasse 5\nCH-8001 Zürich",
    "CZ": "Národní 9\n110 00 Praha",
    "DE": "Gasthaus Adler\nHauptstr. 5, Hinterhaus\n10117 Berlin",
    "DK": "Vesterbrogade 4 A, 2. tv.\n1620 København",
    "ES": "Calle Mayor, 5, 3º B\n28013 Madrid",
    "FI": "Mannerheimintie 12 B\n00100 Helsinki",
    "FR": "12 bis, rue de la Paix, Bâtiment B\n75002 Paris",
    "GB": "Unit 5, 71-75 Shelton Street\nLondon WC2H 9JQ",
    "HR": "Ilica 10\n10000 Zagreb",
    "HU": "1051 Budapest, Nádor utca 11",
    "IE": "8 Hanover Quay\nDublin 2\nD02 DP23",
    "IN": "No. 14, Vedavinayagar Street, Avadi\nChennai - 600054",
    "IT": "Via Giuseppe Garibaldi n. 42\n20121 Milano (MI)",
    "JP": "1-2-3 Shibuya, Shibuya-ku\nTokyo 150-0002, Japan",
    "LI": "Städtle 5\n9490 Vaduz",
    "LU": "12, rue de la Gare\nL-1611 Luxembourg",
    "MX": "Av. Insurgentes Sur 1234, Col. Del Valle\nC.P. 03100, Ciudad de México",
    "NL": "Damrak 1-5\n1012 LG Amsterdam",
    "NO": "Storgata 10 B\n0155 Oslo",
    "NZ": "Level 10, 120 Albert Street\nAuckland 1010",
    "PL": "ul. Marszałkowska 12/5\n00-624 Warszawa",
    "PT": "Rua Augusta, 100, 2.º Esq.\n1100-053 Lisboa",
    "SE": "Storgatan 14\n114 55 Stockholm",
    "SI": "Slovenska cesta 10\n1000 Ljubljana",
    "SK": "Hlavná 5\n811 01 Bratislava",
    "US": "123 N. Main St, Suite 5\nSpringfield, IL 62701",
    "ZA": "23 Long Street\nCape Town, 8001",
}


@cache
def known_formats() -> tuple[AddressFormat, ...]:
    """The formats of all countries, in the order they are asked."""
    ours = [
        import_module(f"{countries.__name__}.{module.name}")
        for module in pkgutil.iter_modules(countries.__path__)
    ]
    modules = (*ours, *load_plugins(GROUP).values())
    formats = (format for module in modules for format in _formats_of(module))
    return tuple(sorted(formats, key=_reading_order))


def _formats_of(module: Any) -> tuple[AddressFormat, ...]:
    made: AddressFormat | tuple[AddressFormat, ...] = module.create()
    return made if isinstance(made, tuple) else (made,)


def _reading_order(format: AddressFormat) -> tuple[bool, str]:
    """By country, but the United States first: their reader rejects a foreign number at once."""
    return format.country != "US", format.country


def countries_read() -> frozenset[str]:
    """The codes of the countries whose addresses are read by a format of their own."""
    others = (format for module in load_plugins(GROUP).values() for format in _formats_of(module))
    return frozenset((*EXAMPLES, *(format.country for format in others)))


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
