"""Names of types and properties without the vocabulary in front of them."""

from __future__ import annotations


def local_name(name: str) -> str:
    """The name itself.

    >>> local_name("http://schema.org/PostalAddress"), local_name("v:street-address")
    ('PostalAddress', 'street-address')
    """
    return name.rstrip("/#").rpartition("/")[2].rpartition("#")[2].rpartition(":")[2]
