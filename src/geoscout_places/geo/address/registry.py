"""Which countries' addresses can be read.

A country is a module with `create()`, which returns its `AddressFormat`. Ours are the modules in
`countries/`; putting a file there is all it takes. Another package adds one by an entry point of
the group `geoscout.address_formats`, as every plug-in is added.
"""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module

from geoscout_places.geo.address import countries
from geoscout_places.geo.address.base import AddressFormat
from geoscout_places.plugins import load_plugins

GROUP = "geoscout.address_formats"


@cache
def known_formats() -> tuple[AddressFormat, ...]:
    """The formats of all countries, in the order they are asked."""
    ours = [
        import_module(f"{countries.__name__}.{module.name}")
        for module in pkgutil.iter_modules(countries.__path__)
    ]
    formats = [module.create() for module in (*ours, *load_plugins(GROUP).values())]
    return tuple(sorted(formats, key=_reading_order))


def _reading_order(format: AddressFormat) -> tuple[bool, str]:
    """By country, but the United States first: their reader rejects a foreign number at once."""
    return format.country != "US", format.country
