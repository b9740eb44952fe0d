"""Postal addresses in running text.

Each country is one file in `countries/`; docs/extend/address-format.md shows how to write one.
"""

from geoscout.geo.address.base import AddressFormat
from geoscout.geo.address.entities import entity_form, has_unknown_street, is_entity
from geoscout.geo.address.extract import extract_addresses
from geoscout.geo.address.registry import known_formats

__all__ = [
    "AddressFormat",
    "entity_form",
    "extract_addresses",
    "has_unknown_street",
    "is_entity",
    "known_formats",
]
