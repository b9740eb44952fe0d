"""Finds the row of a string in a mapped file, and the string of a row.

Rows lie in the order of a checksum of their strings, and a table says where the rows of each
checksum begin. So a string is found with one look at the table and mostly one comparison.
"""

from __future__ import annotations

from zlib import crc32

from geoscout_places.gazetteer.arrays.file import ArrayFile


class StringIndex:
    """The strings of one part of a file."""

    __slots__ = ("_content", "_ends", "_first", "_mask", "_start")

    def __init__(self, file: ArrayFile, name: str) -> None:
        self._first = file.numbers(f"{name} buckets", "I")
        self._mask = len(self._first) - 2
        self._ends = file.numbers(f"{name} ends", "I")
        self._start = file.start(f"{name} strings")
        self._content = file.content

    def find(self, string: str) -> int:
        """The row of a string; -1 when it is not there."""
        key = string.encode("utf-8", "surrogatepass")
        bucket = crc32(key) & self._mask
        ends, start = self._ends, self._start
        for row in range(self._first[bucket], self._first[bucket + 1]):
            if self._content[start + ends[row] : start + ends[row + 1]] == key:
                return row
        return -1

    def string(self, row: int) -> str:
        """The string of a row."""
        start, ends = self._start, self._ends
        packed = self._content[start + ends[row] : start + ends[row + 1]]
        return packed.decode("utf-8", "surrogatepass")
