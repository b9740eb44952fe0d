"""Reads MaxMind DB files: a binary tree over the bits of addresses, with records behind it.

The format is small and its specification public (maxmind.github.io/MaxMind-DB), so this is the
whole reader and one dependency less. A look-up follows at most 128 bits and decodes one record in
a fraction of a millisecond, for an address that is asked about once.
"""

from __future__ import annotations

import ipaddress
import mmap
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

from geoscout.errors import DamagedDataError

_MARKER = b"\xab\xcd\xefMaxMind.com"
_LARGEST_METADATA = 128 * 1024
_GAP = 16  # zero bytes between tree and records
_DEEPEST = 32  # maps in maps; a hostile file must not exhaust the stack
_IPV4_BITS, _IPV6_BITS = 32, 128


class AddressDatabase:
    """An open MaxMind DB file.

    Raises:
        DamagedDataError: it is no such file.
    """

    def __init__(self, path: Path) -> None:
        try:
            with path.open("rb") as file:
                self._content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError) as error:
            raise DamagedDataError(f"address database {path} cannot be read: {error}") from error
        start = self._content.rfind(_MARKER, max(0, len(self._content) - _LARGEST_METADATA))
        if start < 0:
            raise DamagedDataError(f"{path} is no MaxMind DB file")
        decoder = _Decoder(self._content, start + len(_MARKER))
        try:
            metadata, _ = decoder.value(start + len(_MARKER))
            self._nodes = int(metadata["node_count"])
            self._record_bits = int(metadata["record_size"])
            self._bits = _IPV6_BITS if metadata["ip_version"] == 6 else _IPV4_BITS
            self.kind = str(metadata.get("database_type", ""))
            self._read = {24: self._read_24, 28: self._read_28, 32: self._read_32}[
                self._record_bits
            ]
        except (KeyError, TypeError, IndexError, struct.error) as error:
            raise DamagedDataError(f"the metadata of {path} are damaged") from error
        self._records = self._nodes * self._record_bits // 4 + _GAP
        self._decoder = _Decoder(self._content, self._records)

    def close(self) -> None:
        self._content.close()

    def find(self, address: str) -> Any:
        """The record of an address; None when it has none, or is no address.

        Raises:
            DamagedDataError: the file ends where a record should be.
        """
        try:
            parsed = ipaddress.ip_address(address)
        except ValueError:
            return None
        if parsed.max_prefixlen > self._bits:
            return None
        try:
            found = self._walk(int(parsed))
            if found <= self._nodes:
                return None
            return self._decoder.value(found - self._nodes - _GAP + self._records)[0]
        except (IndexError, struct.error, RecursionError, UnicodeDecodeError) as error:
            raise DamagedDataError("the address database is damaged") from error

    def _walk(self, number: int) -> int:
        """The record at the leaf of an address; IPv4 addresses lie below 96 zeros."""
        node = 0
        for shift in range(self._bits - 1, -1, -1):
            if node >= self._nodes:
                break
            node = self._read(node, number >> shift & 1)
        return node

    def _read_24(self, node: int, side: int) -> int:
        start = node * 6 + side * 3
        return int.from_bytes(self._content[start : start + 3])

    def _read_28(self, node: int, side: int) -> int:
        start = node * 7
        middle = self._content[start + 3]
        if side:
            return (middle & 0x0F) << 24 | int.from_bytes(self._content[start + 4 : start + 7])
        return (middle & 0xF0) << 20 | int.from_bytes(self._content[start : start + 3])

    def _read_32(self, node: int, side: int) -> int:
        start = node * 8 + side * 4
        return int.from_bytes(self._content[start : start + 4])


class _Decoder:
    """Decodes the values of a data section."""

    def __init__(self, content: mmap.mmap, base: int) -> None:
        self._content = content
        self._base = base
        self._kinds: dict[int, Callable[[int, int, int], tuple[Any, int]]] = {
            7: self._map,
            11: self._array,
        }

    def value(self, start: int, depth: int = 0) -> tuple[Any, int]:
        """The value at an offset and where the next one begins."""
        if depth > _DEEPEST:
            raise IndexError("nested too deep")
        control = self._content[start]
        start += 1
        kind = control >> 5
        if kind == 1:
            target, start = self._pointer(control, start)
            return self.value(target, depth + 1)[0], start
        if kind == 0:
            kind = self._content[start] + 7
            start += 1
        size, start = self._size(control & 0x1F, start)
        if kind in self._kinds:
            return self._kinds[kind](start, size, depth + 1)
        if kind == 14:  # a boolean has its value where others have their size
            return bool(size), start
        return _scalar(kind, self._content[start : start + size]), start + size

    def _pointer(self, control: int, start: int) -> tuple[int, int]:
        length = (control >> 3 & 0x3) + 1
        offset = int.from_bytes(self._content[start : start + length])
        if length < 4:
            offset += (control & 0x7) << 8 * length
        return self._base + offset + (0, 2048, 526336, 0)[length - 1], start + length

    def _size(self, size: int, start: int) -> tuple[int, int]:
        if size < 29:
            return size, start
        length = size - 28
        more = int.from_bytes(self._content[start : start + length])
        return (29, 285, 65821)[length - 1] + more, start + length

    def _map(self, start: int, size: int, depth: int) -> tuple[dict[str, Any], int]:
        found = {}
        for _ in range(size):
            key, start = self.value(start, depth)
            found[str(key)], start = self.value(start, depth)
        return found, start

    def _array(self, start: int, size: int, depth: int) -> tuple[list[Any], int]:
        found = []
        for _ in range(size):
            item, start = self.value(start, depth)
            found.append(item)
        return found, start


def _scalar(kind: int, content: bytes) -> Any:
    if kind == 2:
        return content.decode()
    if kind == 3:
        return struct.unpack(">d", content)[0]
    if kind == 15:
        return struct.unpack(">f", content)[0]
    if kind == 8:  # a signed number; leading zeros are left out
        return int.from_bytes(content.rjust(4, b"\0"), signed=True)
    return content if kind == 4 else int.from_bytes(content)
