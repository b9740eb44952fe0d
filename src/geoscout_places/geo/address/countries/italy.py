"""Addresses of Italy: "Via Giuseppe Garibaldi n. 42, 20121 Milano (MI)"."""

from __future__ import annotations

from geoscout_places.geo.address.base import AddressFormat
from geoscout_places.geo.address.code_patterns import FIVE_DIGITS
from geoscout_places.geo.address.continental import PostalCountry, postal_format
from geoscout_places.geo.address.countries import germany
from geoscout_places.geo.address.left_walk import combined
from geoscout_places.geo.address.word_streets import street_grammar
from geoscout_places.geo.lazy_patterns import lazy_pattern

_ITALY = PostalCountry(
    "IT",
    frozenset(("I", "IT")),
    combined(street_grammar("it"), germany.GRAMMAR, strangers=2),  # South Tyrol writes German
    region=lazy_pattern(r"\s(?:\((?P<bracketed>[A-Z]{2})\)|(?P<plain>[A-Z]{2}))(?!\w)"),
)


def create() -> AddressFormat:
    """The format of Italy."""
    return postal_format(_ITALY, FIVE_DIGITS)
