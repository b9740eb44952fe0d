"""Keys of what pages know the spot of: houses, streets and landmarks.

The gazetteer has no houses, but the pages of a crawl have thousands of addresses. A key is kept as
a mark of 63 bits: rows of numbers are searched at a gigabyte a second, and Tantivy takes them as
they are. Two keys share a mark once in a thousand million indexes.
"""

from __future__ import annotations

import re
from hashlib import blake2b

from geoscout_places.gazetteer.names import fold, fold_street

_NUMBER = re.compile(r"(\d+)\s*([a-z]?)(?![a-z])")


def street_key(street: str) -> str:
    """The key of a street, however it is abbreviated.

    >>> street_key("Leopoldstraße") == street_key("Leopoldstr."), street_key("")
    (True, '')
    """
    folded = fold_street(street)
    return f"street {folded}" if folded else ""


def house_key(street: str, number: str) -> str:
    """The key of a house; "" without a street or number.

    >>> house_key("Leopoldstr.", "50 a"), house_key("Leopoldstr.", "50A-52")
    ('house leopoldst 50a', 'house leopoldst 50a')
    """
    folded, found = fold_street(street), _NUMBER.search(number.lower())
    return f"house {folded} {found[1]}{found[2]}" if folded and found else ""


def landmark_key(name: str) -> str:
    """The key of something that has a name."""
    folded = fold(name)
    return f"landmark {folded}" if folded else ""


def mark_of(key: str) -> int:
    """The number that stands for a key."""
    digest = blake2b(key.encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 1
