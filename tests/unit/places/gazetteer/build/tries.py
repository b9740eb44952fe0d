"""Tries of a few names, without a file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from geoscout_places.gazetteer.arrays.file import ArrayFileWriter
from geoscout_places.gazetteer.build.trie import write_trie

_PARTS = {
    "trie symbols": np.uint16,
    "trie labels": np.uint16,
    "trie values": np.uint32,
    "trie first": np.uint32,
}


class _Gathered(ArrayFileWriter):
    """Keeps the parts."""

    def __init__(self) -> None:
        self.parts: dict[str, bytes] = {}

    def add(self, name: str, content: bytes) -> None:
        self.parts[name] = content


def laid_out(names: Sequence[str]) -> list[NDArray[Any]]:
    """The symbols, labels, values and first children of a trie."""
    writer = _Gathered()
    write_trie(writer, names)
    return [np.frombuffer(writer.parts[name], kind) for name, kind in _PARTS.items()]
