"""The archive of a crawl that is not in a folder: one WARC file for each group of visits.

A segment is written whole and is on the disk before the rows that point into it are committed;
after that it never changes. So it can lie in a folder that several machines share or in object
storage, where nothing can be appended. A segment whose group was never committed belongs to no row.
It stays, some hundred KB for each death of an owner: a copy of the crawl that was restored from a
dump, and shares the archive, would take segments that the other one wrote later for such, and
delete them.

Folders are written here, because nothing else promises that a file has reached the disk. All other
addresses, such as "s3://bucket/crawl", are left to fsspec, if that is installed.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import unquote, urlsplit

from geoscout.crawl_folder import open_stream
from geoscout.store.archive import RecordSpot
from geoscout.store.disk import make_folder, sync_folder
from geoscout.store.records import pack_info
from geoscout_places.caches import BoundedCache
from geoscout_places.errors import DamagedDataError, UsageError
from geoscout_places.extras import import_extra

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
        ...

    def write(self, segment: ArchiveSegment) -> None:
        """Keep a segment, so that it outlasts a power failure.

        Raises:
            UsageError: that is not possible there.
        """
        ...

    def read(self, spot: RecordSpot) -> bytes:
        """Some bytes of a segment.

        Raises:
            DamagedDataError: they are not there.
        """
        ...


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
        """Add a packed record; `at`, seconds since the epoch, dates a segment it starts."""
        if not self._data:
            self._data += pack_info(self.name.rpartition("/")[2], at, self._about)
        spot = RecordSpot(self.name, len(self._data), len(record))
        self._data += record
        return spot

    def read(self, spot: RecordSpot) -> bytes:
        return bytes(self._data[spot.offset : spot.offset + spot.length])

    def whole(self) -> ArchiveSegment | None:
        """All of it; None when nothing was added."""
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
        self._folder = folder.expanduser().absolute()

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
    return UsageError(f"cannot write to the archive {where}: {why}")
