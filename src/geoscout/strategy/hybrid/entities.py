"""The entities that a crawl has seen, to tell a new one: what counts with `aim=entities`.

An entity is a business, club or office. It comes as the numbers of its keys, such as its telephone
number and its name with its postal code; it is known if one of its numbers is. The table is of
fixed size, and a later number replaces an earlier one in its place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

_BITS = 22  # of the numbers remembered: 16 MB
_MASK = (1 << _BITS) - 1


class SeenEntities:
    """Every entity that pages have named so far."""

    def __init__(self) -> None:
        # By the lower bits of a key's number: the whole number.
        self._seen = np.zeros(1 << _BITS, np.uint32)

    def add(self, entities: Iterable[tuple[int, ...]]) -> int:
        """Remember the entities of a page; returns how many of them are new."""
        new = 0
        for keys in entities:
            new += not any(self._seen[key & _MASK] == key for key in keys)
            for key in keys:
                self._seen[key & _MASK] = key
        return new

    def save(self) -> dict[str, NDArray[Any]]:
        """Everything, as an array."""
        return {"seen-entities": self._seen[np.flatnonzero(self._seen)]}

    def load(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Go on from what `save` gave; a crawl with another aim has seen none."""
        numbers = arrays.get("seen-entities", np.zeros(0, np.uint32))
        self._seen[numbers & _MASK] = numbers
