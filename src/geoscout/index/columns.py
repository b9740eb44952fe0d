"""Columns next to Tantivy: what ranking, grouping and snippets need of a page, by its slot.

A slot is a row number that is never used twice. Files only grow; where they end is part of what
Tantivy commits, so after a crash whatever lies behind that is cut off. Readers map the files and
pay for the rows they touch. Tantivy's own document store would have to unpack a block of pages to
get at one, and has no arrays.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from geoscout.crawl_folder import open_stream

PAGE = np.dtype([
    ("visit", "<u8"), ("fetched_at", "<u4"), ("dated_at", "<u4"),
    ("simhash", "<u8"), ("host", "<u8"),
    ("length", "<f4"),  # of the vector of its words
    ("language", "S8"), ("listed", "<u2"),  # without its region; different addresses
    ("main", "<i8"),  # the main place; 0 for none
    ("head", "<u8"), ("text", "<u8"), ("text_size", "<u4"), ("head_size", "<u4"),
    ("node", "<u8"), ("spot", "<u8"), ("nodes", "<u2"), ("spots", "<u2"),
])  # fmt: skip
# A place of a page, its own or one that contains it; on disk it is called a node.
PLACE = np.dtype([
    ("place", "<i8"), ("share", "<f4"), ("mentions", "<u2"), ("flags", "<u2"),
    ("synset", "<u4"),  # of GeoWordNet; 0 for none
])  # fmt: skip
SPOT = np.dtype([
    ("latitude", "<f4"), ("longitude", "<f4"), ("strength", "<f4"), ("reach_km", "<f4"),
    ("precision", "u1"),  # its position in `Precision`
])  # fmt: skip
# A house, street or landmark that a page gives; keys are marks (`known_spots.mark_of`).
KNOWN = np.dtype([
    ("key", "<i8"), ("wider", "<i8"), ("place", "<i8"),
    ("latitude", "<f4"), ("longitude", "<f4"),  # not a number where the page does not tell
    ("reach_km", "<f4"), ("precision", "u1"),
])  # fmt: skip
BYTES = np.dtype("u1")
FILES = {
    "pages": PAGE, "nodes": PLACE, "spots": SPOT, "heads": BYTES, "texts": BYTES, "known": KNOWN,
}  # fmt: skip

_PIECE = 1024 * 1024  # bytes read at a time

Rows = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Ends:
    """How many rows of each file are committed."""

    pages: int = 0
    nodes: int = 0
    spots: int = 0
    heads: int = 0
    texts: int = 0
    known: int = 0


class ColumnWriter:
    """Appends rows to the files of a folder; what lies behind `ends` is cut off first."""

    def __init__(self, folder: Path, ends: Ends, sums: Sequence[int] = ()) -> None:
        """Go on at `ends`; `sums` are the checksums up to there, read where there are none."""
        folder.mkdir(parents=True, exist_ok=True)
        self._files: dict[str, IO[bytes]] = {}
        self._ends: dict[str, int] = asdict(ends)
        self._sums: dict[str, int] = dict(zip(self._ends, sums, strict=False))
        for name, rows in self._ends.items():
            path, size = folder / f"{name}.bin", rows * FILES[name].itemsize
            file = open_stream(path, "ab", inside=3)
            file.truncate(size)
            self._files[name] = file
            if name not in self._sums:
                self._sums[name] = sum_of(path, size)

    def append(self, name: str, rows: bytes) -> int:
        """Add whole rows; the number of the first."""
        first = self._ends[name]
        self._files[name].write(rows)
        self._sums[name] = zlib.crc32(rows, self._sums[name])
        self._ends[name] = first + len(rows) // FILES[name].itemsize
        return first

    def flush(self) -> Ends:
        """Make what was added last on disk; where the files end now."""
        for file in self._files.values():
            file.flush()
            os.fsync(file.fileno())
        return Ends(**self._ends)

    @property
    def sums(self) -> tuple[int, ...]:
        """The checksums of all files as they are now, in the order of `Ends`."""
        return tuple(self._sums.values())

    def close(self) -> None:
        """Close all files, also those after one that could not be written to its end."""
        with ExitStack() as closing:
            for file in self._files.values():
                closing.callback(file.close)


@dataclass(frozen=True, slots=True)
class Columns:
    """The committed rows of a folder, mapped into memory."""

    pages: Rows
    nodes: Rows
    spots: Rows
    heads: Rows
    texts: Rows
    known: Rows

    @classmethod
    def open(cls, folder: Path, ends: Ends) -> Columns:
        return cls(**{
            name: _mapped(folder / f"{name}.bin", FILES[name], rows)
            for name, rows in asdict(ends).items()
        })  # fmt: skip

    def places_of(self, slots: Rows) -> tuple[Rows, Rows]:
        """The place rows of some pages, and for each row which of the pages it belongs to."""
        chosen = self.pages[slots]
        rows, owners = spread(chosen["node"], chosen["nodes"])
        return self.nodes[rows], owners

    def places_at(self, slots: Rows, ids: Sequence[int]) -> tuple[Rows, Rows]:
        """Of the place rows of some pages those of a few places, and whose they are."""
        chosen = self.pages[slots]
        rows, owners = spread(chosen["node"], chosen["nodes"])
        places = self.nodes["place"][rows]  # alone: most rows are of other places
        there = places == ids[0]
        for id in ids[1:]:
            there |= places == id
        return self.nodes[rows[there]], owners[there]

    def spots_of(self, slots: Rows) -> tuple[Rows, Rows]:
        """The points of some pages, and for each which of the pages it belongs to."""
        chosen = self.pages[slots]
        rows, owners = spread(chosen["spot"], chosen["spots"])
        return self.spots[rows], owners


def are_whole(folder: Path, ends: Ends) -> bool:
    """Whether the files hold every committed row; one that was cut must not be written to."""
    sizes = {name: rows * FILES[name].itemsize for name, rows in asdict(ends).items() if rows}
    files = {folder / f"{name}.bin": size for name, size in sizes.items()}
    return all(file.is_file() and file.stat().st_size >= size for file, size in files.items())


def sum_of(file: Path, size: int) -> int:
    """The checksum of the first bytes of a file; of a file that is shorter, that of all it has."""
    total = 0
    if not file.is_file():
        return total
    with open_stream(file, "rb", inside=3) as stream:
        while size > 0 and (piece := stream.read(min(size, _PIECE))):
            total, size = zlib.crc32(piece, total), size - len(piece)
    return total


def spread(starts: Rows, counts: Rows) -> tuple[Rows, Rows]:
    """The row numbers of several runs of rows, and the number of the run each belongs to.

    >>> rows, owners = spread(np.array([5, 9]), np.array([2, 1]))
    >>> rows.tolist(), owners.tolist()
    ([5, 6, 9], [0, 0, 1])
    """
    counts = counts.astype(np.int64)
    owners = np.repeat(np.arange(len(counts)), counts)
    before = np.cumsum(counts) - counts
    rows = np.arange(int(counts.sum())) + np.repeat(starts.astype(np.int64) - before, counts)
    return rows, owners


def _mapped(file: Path, dtype: np.dtype[Any], rows: int) -> Rows:
    if rows == 0:
        return np.empty(0, dtype)
    # As a plain array: a memmap is asked about itself at every slice, which costs more than it.
    with open_stream(file, "rb", inside=3) as stream:
        return np.memmap(stream, dtype, mode="r", shape=(rows,)).view(np.ndarray)
