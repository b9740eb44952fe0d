"""The archive of a crawl: numbered files to which records are only ever appended.

The writer knows to the byte where it is. That position is committed with the facts and the
frontier, and after a crash everything behind it is set aside, so no half-written record is ever
served. It is never deleted: when the database is an old copy, those bytes are the only ones.
Nothing is synchronised to the disk: what was written survives the death of the process, and only
a power failure can take more, which the store notices when it opens.
"""

from __future__ import annotations

import logging
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import BinaryIO

from geoscout.errors import DamagedDataError
from geoscout.store.records import pack_info
from geoscout.warc import WarcRecord, read_record

ARCHIVE_FOLDER = "archive"  # in that of the crawl
LARGEST_FILE = 1024 * 1024 * 1024  # bytes; the usual size of archive files
_PIECE = 1024 * 1024  # bytes read at a time when all are read
_BUFFER = 1024 * 1024
_ASIDE = ".uncommitted"  # what the names of files end in that belong to no row

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """Where the next record goes; file 0 is before the first."""

    file: int
    offset: int


@dataclass(frozen=True, slots=True)
class RecordSpot:
    """Where a record lies."""

    file: int
    offset: int
    length: int


def archive_file(folder: Path, number: int) -> Path:
    return folder / f"crawl-{number:05}.warc.gz"


def archive_numbers(folder: Path) -> Iterator[int]:
    """The numbers of the files that are there, in no order."""
    for path in folder.glob("crawl-*.warc.gz"):
        digits = path.name.removeprefix("crawl-").removesuffix(".warc.gz")
        if digits.isdecimal():
            yield int(digits)


class ArchiveWriter:
    """Appends records to the archive of a crawl."""

    def __init__(self, folder: Path, end: Position, largest_file: int = LARGEST_FILE) -> None:
        """Go on at `end`; what lies behind it was never committed and is set aside."""
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._largest_file = largest_file
        self._file: BinaryIO | None = None
        self._finished: list[Position] = []
        self.end = end
        self._set_rest_aside()

    def append(self, record: bytes, at: float) -> RecordSpot:
        """Add a packed record; `at`, seconds since the epoch, dates a file that starts with it."""
        if self._file is None or self.end.offset >= self._largest_file:
            self._start_file(at)
        return self._write(record)

    def flush(self) -> None:
        """Hand everything to the system: it survives the death of the process from here on."""
        if self._file is not None:
            self._file.flush()

    def take_ends(self) -> list[Position]:
        """The ends of all files written to since this was last asked; flush first."""
        ends = [*self._finished, self.end]
        self._finished.clear()
        return ends

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def _set_rest_aside(self) -> None:
        for number in sorted(archive_numbers(self._folder)):
            if number > self.end.file:
                path = archive_file(self._folder, number)
                _tell(path.rename(_free_name(path)))
        if self.end.file:
            path = archive_file(self._folder, self.end.file)
            _copy_tail(path, self.end.offset)
            self._file = path.open("ab", _BUFFER)
            self._file.truncate(self.end.offset)

    def _start_file(self, at: float) -> None:
        self.close()
        if self.end.file:
            self._finished.append(self.end)
        path = archive_file(self._folder, self.end.file + 1)
        self._file = path.open("xb", _BUFFER)
        self.end = Position(self.end.file + 1, 0)
        self._write(pack_info(path.name, at))

    def _write(self, record: bytes) -> RecordSpot:
        assert self._file is not None
        self._file.write(record)
        spot = RecordSpot(self.end.file, self.end.offset, len(record))
        self.end = Position(spot.file, spot.offset + spot.length)
        return spot


def _copy_tail(path: Path, offset: int) -> None:
    """Keep what lies behind an offset in a file of its own; it begins with a whole record."""
    if not path.exists() or path.stat().st_size <= offset:
        return
    aside = _free_name(path)
    with path.open("rb") as source, aside.open("xb") as target:
        source.seek(offset)
        shutil.copyfileobj(source, target, _PIECE)
    _tell(aside)


def _free_name(path: Path) -> Path:
    """Where a file is set aside: a name that no earlier one has."""
    names = (path.with_name(f"{path.name}{_ASIDE}{n or ''}") for n in count())
    return next(name for name in names if not name.exists())


def _tell(aside: Path) -> None:
    _log.warning("uncommitted responses set aside in %s", aside)


class ArchiveReader:
    """Reads records and whole files of an archive; files stay open until it is closed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files: dict[int, int] = {}  # open descriptors by number of the file

    def read(self, spot: RecordSpot) -> WarcRecord:
        """The record that lies at a spot.

        Raises:
            DamagedDataError: it cannot be read.
        """
        return read_record(self._open(spot.file), spot.offset, spot.length)

    def pieces(self, end: Position) -> Iterator[bytes]:
        """The bytes of a file up to a position.

        Raises:
            DamagedDataError: it cannot be read.
        """
        path, left = archive_file(self._folder, end.file), end.offset
        try:
            with path.open("rb") as file:
                while left > 0 and (piece := file.read(min(left, _PIECE))):
                    yield piece
                    left -= len(piece)
        except OSError as error:
            raise DamagedDataError(f"cannot read {path}: {error.strerror}") from error

    def close(self) -> None:
        for file in self._files.values():
            os.close(file)
        self._files.clear()

    def _open(self, number: int) -> int:
        if number not in self._files:
            path = archive_file(self._folder, number)
            try:
                self._files[number] = os.open(path, os.O_RDONLY)
            except OSError as error:
                raise DamagedDataError(f"cannot read {path}: {error.strerror}") from error
        return self._files[number]
