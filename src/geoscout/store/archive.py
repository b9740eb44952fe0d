"""The archive of a crawl: numbered files to which records are only ever appended.

The writer knows to the byte where it is. That position is committed with the facts and the
frontier, and after a crash everything behind it is set aside, so no half-written record is ever
served. It is never deleted: when the database is an old copy, those bytes are the only ones.

`sync` has the bytes reach the disk, and comes before the commit of the rows that name them: after a
power failure there may be bytes without rows, which are set aside, but no rows without bytes.
Writing goes by position, so that a write that failed, as on a full disk, is repeated in place.
"""

from __future__ import annotations

import logging
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path

from msgspec import Struct

from geoscout.crawl_folder import open_file, open_stream, rename_file
from geoscout.store.disk import make_folder, sync_file, sync_folder, write_all
from geoscout.store.records import pack_info
from geoscout.warc import WarcRecord, read_record
from geoscout_places.errors import DamagedDataError

ARCHIVE_FOLDER = "archive"  # in that of the crawl
LARGEST_FILE = 1024 * 1024 * 1024  # bytes; the usual size of archive files
_PIECE = 1024 * 1024  # bytes read at a time when all are read
_MOST_PENDING = 1024 * 1024  # bytes in memory before they are handed to the system
_ASIDE = ".uncommitted"  # what the names of files end in that belong to no row

_log = logging.getLogger(__name__)


class Position(Struct, frozen=True, order=True):
    """Where the next record goes; file 0 is before the first."""

    file: int
    offset: int


class RecordSpot(Struct, frozen=True):
    """Where a record lies."""

    file: int | str  # the number of a file, or the name of a segment
    offset: int
    length: int


def archive_file(folder: Path, number: int) -> Path:
    """A file of an archive; a database of somebody else may have anything for a number.

    Raises:
        DamagedDataError: it is none.
    """
    if not isinstance(number, int):
        raise DamagedDataError(f"{number!a:.40} is not the number of a file of the archive")
    return folder / f"crawl-{number:05}.warc.gz"


def archive_numbers(folder: Path) -> Iterator[int]:
    """The numbers of the files that are there, in no order."""
    for path in folder.glob("crawl-*.warc.gz"):
        digits = path.name.removeprefix("crawl-").removesuffix(".warc.gz")
        if digits.isdecimal():
            yield int(digits)


class ArchiveWriter:
    """Appends records to the archive of a crawl.

    What must stay true: `end` is where the next record goes, and the last bytes before it are
    `_pending` while the system does not have them.
    """

    def __init__(
        self,
        folder: Path,
        end: Position,
        largest_file: int = LARGEST_FILE,
        about: Callable[[], Sequence[tuple[str, str]]] = tuple,
    ) -> None:
        """Go on at `end`; what lies behind it was never committed and is set aside.

        `about` gives what a new file says of the crawl.
        """
        make_folder(folder)
        self._folder = folder
        self._largest_file = largest_file
        self._about = about
        self._file: int | None = None  # the descriptor of the last file
        self._pending = bytearray()
        self._is_new = False  # the name of the last file may not be on the disk
        self._is_synced = True  # everything that the system has is on the disk
        self._failed: OSError | None = None
        self._finished: list[Position] = []
        self.end = end
        self._set_rest_aside()

    def append(self, record: bytes, at: float) -> RecordSpot:
        """Add a packed record; `at`, seconds since the epoch, dates a file that starts with it."""
        if self._file is None or self.end.offset >= self._largest_file:
            self._start_file(at)
        spot = self._add(record)
        if len(self._pending) > _MOST_PENDING:
            with suppress(OSError):  # the next `flush` tries again, and tells
                self.flush()
        return spot

    def flush(self) -> None:
        """Hand everything to the system: it survives the death of the process from here on."""
        if self._failed is not None:
            raise self._failed
        if self._file is not None and self._pending:
            self._is_synced = False
            write_all(self._file, bytes(self._pending), self.end.offset - len(self._pending))
            self._pending.clear()

    def sync(self) -> None:
        """Have everything reach the disk: it survives a power failure from here on.

        After a failed sync nobody knows what is on the disk, and the next one would not tell. So
        nothing can be written any more; whoever opens the archive again goes on from `end` of the
        last commit.
        """
        self.flush()
        if self._file is None or self._is_synced:
            return
        try:
            sync_file(self._file)
            if self._is_new:
                sync_folder(self._folder)
        except OSError as error:
            self._failed = error
            raise
        self._is_new, self._is_synced = False, True

    def take_ends(self) -> list[Position]:
        """The ends of all files written to since this was last asked; sync first."""
        ends = [*self._finished, self.end]
        self._finished.clear()
        return ends

    def close(self) -> None:
        """Hand over what is left, if that is possible; it was not committed."""
        if self._file is not None:
            with suppress(OSError):
                self.flush()
            os.close(self._file)
            self._file = None

    def _set_rest_aside(self) -> None:
        for number in sorted(archive_numbers(self._folder)):
            if number > self.end.file:
                set_aside(archive_file(self._folder, number))
        if self.end.offset:
            path = archive_file(self._folder, self.end.file)
            cut_archive_file(path, self.end.offset)
            self._file = open_file(path, os.O_WRONLY, inside=2)

    def _start_file(self, at: float) -> None:
        if self._file is not None:
            self.sync()  # the next one is that of another file
            self._finished.append(self.end)
            os.close(self._file)
            self._file = None
        path = archive_file(self._folder, self.end.file + 1)
        self._file = open_file(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, inside=2)
        self._is_new, self._is_synced = True, False
        self.end = Position(self.end.file + 1, 0)
        self._add(pack_info(path.name, at, self._about()))

    def _add(self, record: bytes) -> RecordSpot:
        self._pending += record
        file, offset = self.end.file, self.end.offset
        self.end = Position(file, offset + len(record))
        return RecordSpot(file, offset, len(record))


def cut_archive_file(path: Path, offset: int) -> None:
    """End a file at an offset; what lies behind it is set aside."""
    with open_stream(path, "r+b", inside=2) as file:
        file.seek(offset)
        if rest := file.read(_PIECE):
            target = _free_name(path, _ASIDE)
            with open_stream(target, "xb", inside=2) as aside:
                aside.write(rest)
                shutil.copyfileobj(file, aside, _PIECE)
                aside.flush()
                sync_file(aside.fileno())  # before the bytes are cut off here
            sync_folder(path.parent)
            _tell(target)
            file.truncate(offset)


def set_aside(path: Path, data: bytes | None = None, ending: str = _ASIDE) -> None:
    """Keep a file, or some bytes of it, under a name of its own that no reader looks for."""
    target = _free_name(path, ending)
    if data is None:
        rename_file(path, target.name, inside=2)
    else:
        try:
            with open_stream(target, "xb", inside=2) as aside:
                aside.write(data)
                aside.flush()
                sync_file(aside.fileno())
        except OSError:  # half of it would only take room; all bytes are still where they were
            target.unlink(missing_ok=True)
            raise
    sync_folder(path.parent)
    _tell(target)


def _free_name(path: Path, ending: str) -> Path:
    """Where a file is set aside: a name that no earlier one has."""
    names = (path.with_name(f"{path.name}{ending}{n or ''}") for n in count())
    return next(name for name in names if not os.path.lexists(name))


def _tell(aside: Path) -> None:
    what = "uncommitted" if _ASIDE in aside.name else "damaged"
    _log.warning("%s responses set aside in %s", what, aside)


class ArchiveReader:
    """Reads records and whole files of an archive; files stay open until it is closed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files: dict[int, int] = {}  # open descriptors by number of the file

    def read(self, file: int, offset: int, length: int) -> WarcRecord:
        """The record that lies there.

        Raises:
            DamagedDataError: it cannot be read.
        """
        return read_record(self._open(file), offset, length)

    def pieces(self, end: Position) -> Iterator[bytes]:
        """The bytes of a file up to a position.

        Raises:
            DamagedDataError: it cannot be read.
        """
        path, left = archive_file(self._folder, end.file), end.offset
        try:
            with open_stream(path, "rb", inside=2) as file:
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
                self._files[number] = open_file(path, os.O_RDONLY, inside=2)
            except OSError as error:
                raise DamagedDataError(f"cannot read {path}: {error.strerror}") from error
        return self._files[number]
