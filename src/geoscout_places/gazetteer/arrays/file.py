"""A file of named parts that is mapped into memory: opened at once, and shared by processes.

The parts come first. A directory of them is at the end, so that a file that was cut off has none
and is refused.
"""

from __future__ import annotations

import mmap
import os
from pathlib import Path
from types import TracebackType
from typing import Literal, Self

from msgspec import DecodeError, json

from geoscout_places.errors import DamagedDataError

_MAGIC = b"geoscout arrays 1\n"
_ALIGNED = 8  # bytes, so that numbers can be read where they lie
_LENGTH_BYTES = 4  # of the directory's length, after the directory
_Directory = dict[str, tuple[int, int]]  # the first byte of a part, and how many it has


class ArrayFileWriter:
    """Writes parts one after the other; the file is whole when the `with` block ends well."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("wb")
        self._directory: _Directory = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._file as file:
            if error is None:
                directory = json.encode(self._directory)
                file.write(directory + len(directory).to_bytes(_LENGTH_BYTES, "little") + _MAGIC)
                file.flush()
                os.fsync(file.fileno())

    def add(self, name: str, content: bytes) -> None:
        """Add a part."""
        self._directory[name] = (self._file.tell(), len(content))
        self._file.write(content + bytes(-len(content) % _ALIGNED))


class ArrayFile:
    """The parts of a mapped file."""

    def __init__(self, path: Path) -> None:
        """Raises: DamagedDataError when the file is missing, cut off or another one."""
        try:
            with path.open("rb") as file:
                self.content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            self._directory = _read_directory(self.content)
        except (OSError, ValueError, DecodeError) as error:
            raise DamagedDataError(f"gazetteer {path} cannot be read: {error}") from error
        self._views: list[memoryview[int]] = []

    def start(self, name: str) -> int:
        """Where in `content` a part begins."""
        return self._directory[name][0]

    def part(self, name: str) -> bytes:
        """A copy of a part."""
        start, length = self._directory[name]
        return self.content[start : start + length]

    def numbers(self, name: str, format: Literal["B", "H", "I", "q"]) -> memoryview[int]:
        """A part that is numbers of one format, as `struct` names it."""
        start, length = self._directory[name]
        view = memoryview(self.content)[start : start + length].cast(format)
        self._views.append(view)
        return view

    def close(self) -> None:
        """Let go of the file; what still asks gets a ValueError."""
        for view in self._views:
            view.release()
        self.content.close()


def _read_directory(content: mmap.mmap) -> _Directory:
    end = len(content) - len(_MAGIC)
    if content[max(end, 0) :] != _MAGIC:
        raise ValueError("its end is missing")
    length = int.from_bytes(content[end - _LENGTH_BYTES : end], "little")
    end -= _LENGTH_BYTES
    return json.decode(content[end - length : end], type=_Directory)
