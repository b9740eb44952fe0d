"""Postal addresses in running text.

Each country is one file in `countries/`; docs/extend/address-format.md shows how to write one.
"""

from typing import TYPE_CHECKING, Any

from geoscout_places.geo.address.base import AddressFormat
from geoscout_places.geo.address.formats import known_formats

if TYPE_CHECKING:
    from geoscout_places.geo.address.entities import entity_form, has_unknown_street, is_entity
    from geoscout_places.geo.address.extract import extract_addresses

__all__ = [
    "AddressFormat",
    "entity_form",
    "extract_addresses",
    "has_unknown_street",
    "is_entity",
    "known_formats",
]


def __getattr__(name: str) -> Any:
    """Import what has patterns to compile when it is asked for."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from geoscout_places.geo.address import entities, extract  # noqa: PLC0415

    return getattr(extract if name == "extract_addresses" else entities, name)
