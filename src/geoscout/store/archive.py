"""The archive of a crawl: numbered files in its folder, or segments anywhere.

To a numbered file records are only ever appended. The writer knows to the byte where it is. That
position is committed with the facts and the frontier, and after a crash everything behind it is set
aside, so no half-written record is ever served. It is never deleted: when the database is an old
copy, those bytes are the only ones.

`sync` has the bytes reach the disk, and comes before the commit of the rows that name them: after a
power failure there may be bytes without rows, which are set aside, but no rows without bytes.
Writing goes by position, so that a write that failed, as on a full disk, is repeated in place.

A crawl on a server has one WARC file for each group of visits. Such a segment is written whole and
is on the disk before the rows that point into it are committed; after that it never changes. So it
can lie in a folder that several machines share or in object storage, where nothing can be appended.
A segment whose group was never committed belongs to no row. It stays, some hundred KB for each
death of an owner: a copy of the crawl that was restored from a dump, and shares the archive, would
take segments that the other one wrote later for such, and delete them. Folders are written here,
because nothing else promises that a file has reached the disk. All other addresses, such as
"s3://bucket/crawl", are left to fsspec, if that is installed.
"""

import errno
import logging
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import unquote, urlsplit

from msgspec import Struct

from geoscout.crawl_folder import (
    make_folder,
    open_file,
    open_stream,
    rename_file,
    sync_file,
    sync_folder,
    write_all,
)
from geoscout.machine import is_full
from geoscout.store.records import pack_info
from geoscout.warc import WarcRecord, read_record
from geoscout_places.caches import BoundedCache
from geoscout_places.errors import DamagedDataError, NoRoomError, UsageError
from geoscout_places.extras import import_extra

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


_SEGMENTS_KEPT = 8  # whole ones of object storage, some MB each
_ENDING = ".warc.gz"


@dataclass(frozen=True, slots=True)
class ArchiveSegment:
    """A file of the archive, whole."""

    name: str
    data: bytes


class Segments(Protocol):
    """Where the segments of a crawl are."""

    def prepare(self) -> None:
        """Make the place before the first segment comes.

        Raises:
            UsageError: nothing can be written there.
        """

    def write(self, segment: ArchiveSegment) -> None:
        """Keep a segment, so that it outlasts a power failure.

        Raises:
            UsageError: that is not possible there.
        """

    def read(self, spot: RecordSpot) -> bytes:
        """Some bytes of a segment.

        Raises:
            DamagedDataError: they are not there.
        """


def segment_name(partition: int, epoch: int, group: int, mark: str) -> str:
    """The name of a segment. `mark` is that of its owner, and no other owner has it.

    So nobody writes over a segment of another: neither an owner that was replaced, nor one of a
    copy of the crawl, where epochs and groups are counted from the same numbers on.

    >>> segment_name(3, 1, 7, "c0ffee42")
    '0003/000001-0000000007-c0ffee42.warc.gz'
    """
    return f"{partition:04}/{epoch:06}-{group:010}-{mark}{_ENDING}"


class GrowingSegment:
    """The segment of a group that is not yet complete, in memory."""

    def __init__(self, name: str, about: Sequence[tuple[str, str]] = ()) -> None:
        """Begin a segment; `about` is what it says of the crawl."""
        self.name = name
        self._about = about
        self._data = bytearray()

    def append(self, record: bytes, at: float) -> RecordSpot:
        if not self._data:
            self._data += pack_info(self.name.rpartition("/")[2], at, self._about)
        spot = RecordSpot(self.name, len(self._data), len(record))
        self._data += record
        return spot

    def read(self, spot: RecordSpot) -> bytes:
        return bytes(self._data[spot.offset : spot.offset + spot.length])

    def whole(self) -> ArchiveSegment | None:
        return ArchiveSegment(self.name, bytes(self._data)) if self._data else None


def open_segments(where: str) -> Segments:
    """The archive at an address: a folder, "file:///…", or whatever fsspec can open.

    Raises:
        UsageError: it cannot be used.
    """
    parts = urlsplit(where)
    if not parts.scheme or parts.scheme == "file":
        return FolderSegments(Path(unquote(parts.path) if parts.scheme else where))
    if parts.password:
        raise UsageError("the address of an archive is kept with the crawl: leave the password out")
    return RemoteSegments(where)


class FolderSegments:
    """Segments in a folder; implements `Segments`."""

    def __init__(self, folder: Path) -> None:
        self._folder = self.folder = folder.expanduser().absolute()

    def prepare(self) -> None:
        try:
            make_folder(self._folder)
        except OSError as error:
            raise _unwritable(self._folder, error) from error
        if not os.access(self._folder, os.W_OK):
            raise _unwritable(self._folder, PermissionError(errno.EACCES, "Permission denied"))

    def write(self, segment: ArchiveSegment) -> None:
        path = self._folder / segment.name
        part = path.with_name(f"{path.name}.part")
        try:
            make_folder(path.parent)
            with open_stream(part, "wb", inside=2) as file:
                file.write(segment.data)
                file.flush()
                os.fsync(file.fileno())
            part.replace(path)
            sync_folder(path.parent)
        except OSError as error:
            raise _unwritable(path, error) from error

    def read(self, spot: RecordSpot) -> bytes:
        path = self._folder / str(spot.file)
        try:
            with open_stream(path, "rb", inside=2) as file:
                return os.pread(file.fileno(), spot.length, spot.offset)
        except OSError as error:
            raise DamagedDataError(f"cannot read {path}: {error.strerror}") from error


class RemoteSegments:
    """Segments wherever fsspec can write; implements `Segments`.

    Segments are read whole and the last ones are kept: asking for one record takes as long as
    asking for all of them.
    """

    def __init__(self, where: str) -> None:
        """Find what knows such addresses.

        Raises:
            UsageError: nothing does.
        """
        self._files, self._root = _file_system(where)
        self._where = where
        self._read: BoundedCache[str, bytes] = BoundedCache(self._read_whole, _SEGMENTS_KEPT)

    def prepare(self) -> None:
        try:
            self._files.makedirs(self._root, exist_ok=True)
        except Exception as error:  # whatever the library of a storage raises
            raise _unwritable(self._where, error) from error

    def write(self, segment: ArchiveSegment) -> None:
        path = f"{self._root}/{segment.name}"
        try:
            self._put(path, segment.data)
        except Exception as error:
            raise _unwritable(self._where, error) from error

    def _put(self, path: str, data: bytes) -> None:
        try:
            self._files.pipe_file(path, data)
        except FileNotFoundError:  # only where there are folders, as object storage has none
            self._files.makedirs(path.rpartition("/")[0], exist_ok=True)
            self._files.pipe_file(path, data)

    def read(self, spot: RecordSpot) -> bytes:
        return self._read[str(spot.file)][spot.offset : spot.offset + spot.length]

    def _read_whole(self, name: str) -> bytes:
        try:
            return bytes(self._files.cat_file(f"{self._root}/{name}"))
        except Exception as error:
            raise DamagedDataError(f"cannot read {self._where}/{name}: {error}") from error


def _file_system(where: str) -> tuple[Any, str]:
    """What opens files at an address, and the address as it wants it."""
    fsspec = import_extra(f"the archive {where}", "object-storage", "fsspec")
    try:
        files, root = fsspec.url_to_fs(where)
    except (ImportError, ValueError) as error:
        raise UsageError(f"the archive {where} needs a package: {error}") from error
    return files, str(root).rstrip("/")


def _unwritable(where: Path | str, error: Exception) -> UsageError:
    why = getattr(error, "strerror", None) or " ".join(str(error).split())
    kind = NoRoomError if is_full(error) else UsageError
    return kind(f"cannot write to the archive {where}: {why}")
