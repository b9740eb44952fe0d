"""Lays out all names as a trie, in arrays that a kernel reads where they are mapped.

The nodes come level by level, so that the children of a node lie side by side; node 0 is the root.
The order of the names gives everything: a name begins new nodes from where it differs from the one
before it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from geoscout_places.gazetteer.arrays.file import ArrayFileWriter

_END = 0x8000  # added to the symbol of a node at which a name ends
_Symbols = NDArray[np.uint16]


def write_trie(writer: ArrayFileWriter, names: Sequence[str]) -> None:
    """Write the trie of names that differ, in the order of their code points."""
    letters = sorted(set("".join(names)))
    if len(letters) >= _END:
        raise ValueError(f"{len(letters)} letters are too many for the trie of names")
    symbols = np.zeros(ord(letters[-1]) + 1 if letters else 1, np.uint16)
    symbols[list(map(ord, letters))] = np.arange(1, len(letters) + 1)
    rows, lengths = _rows(names, symbols)
    shared = _shared(rows, lengths)
    labels, values, counts = [np.zeros(1, np.uint16)], [np.zeros(1, np.uint32)], []
    above = np.zeros(1, np.int64)  # by node of the level above, the first name that has it
    for depth in range(1, rows.shape[1] + 1):
        own = np.flatnonzero((lengths >= depth) & (shared < depth))
        counts.append(np.bincount(np.searchsorted(above, own, "right") - 1, minlength=len(above)))
        labels.append(rows[own, depth - 1] | np.where(lengths[own] == depth, _END, 0).astype("H"))
        values.append(own.astype(np.uint32))
        above = own
    counts.append(np.zeros(len(above), np.int64))
    first = 1 + np.concatenate([[0], np.cumsum(np.concatenate(counts))])
    writer.add("trie symbols", symbols.tobytes())
    writer.add("trie labels", np.concatenate(labels).tobytes())
    writer.add("trie values", np.concatenate(values).tobytes())
    writer.add("trie first", first.astype(np.uint32).tobytes())


def _rows(names: Sequence[str], symbols: _Symbols) -> tuple[_Symbols, NDArray[np.int64]]:
    """The symbols of each name, with 0 behind its last, and the lengths."""
    lengths = np.fromiter(map(len, names), np.int64, len(names))
    rows = np.zeros((len(names), int(lengths.max(initial=0))), np.uint16)
    codes = np.frombuffer("".join(names).encode("utf-32-le"), np.uint32)
    rows[np.arange(rows.shape[1]) < lengths[:, None]] = symbols[codes]
    return rows, lengths


def _shared(rows: _Symbols, lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """How many letters each name has in common with the one before it, from the first on."""
    differs = rows[1:] != rows[:-1]
    first = np.where(differs.any(axis=1), differs.argmax(axis=1), lengths[1:])
    return np.concatenate([[0], first])[: len(rows)]
