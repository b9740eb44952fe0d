"""Tries of a few names, without a file."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from geoscout_places.gazetteer.build.arrays import write_trie

_PARTS = {
    "trie symbols": np.uint16,
    "trie labels": np.uint16,
    "trie values": np.uint32,
    "trie first": np.uint32,
}


def laid_out(names: Sequence[str]) -> list[NDArray[Any]]:
    """The symbols, labels, values and first children of a trie."""
    parts: dict[str, bytes] = {}
    write_trie(parts.__setitem__, names)
    return [np.frombuffer(parts[name], kind) for name, kind in _PARTS.items()]
