"""Which countries' addresses can be read.

A country is a module in `countries/` with a `FORMAT`; putting the file there is all it takes. A
package of its own adds one by an entry point of the group `geoscout.address_formats`.
"""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points

from geoscout.geo.address import countries
from geoscout.geo.address.base import AddressFormat

ENTRY_POINT_GROUP = "geoscout.address_formats"


@cache
def known_formats() -> tuple[AddressFormat, ...]:
    """The formats of all countries, in the order they are asked."""
    modules = [
        import_module(f"{countries.__name__}.{module.name}")
        for module in pkgutil.iter_modules(countries.__path__)
    ]
    formats = [module.FORMAT for module in modules]
    formats += [entry.load() for entry in entry_points(group=ENTRY_POINT_GROUP)]
    return tuple(sorted(formats, key=_reading_order))


def _reading_order(format: AddressFormat) -> tuple[bool, str]:
    """By country, but the United States first: their reader rejects a foreign number at once."""
    return format.country != "US", format.country
