"""Opens what the user has: a file, plain or compressed, a zip archive, or a folder of these.

Everything is read as a stream, so a dump of the world needs no more memory than a village, and
nothing is unpacked to disk. Errors of the libraries below become `ImportFileError` here.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, BinaryIO, NamedTuple, TypeVar, cast

from geoscout_places.errors import ImportFileError
from geoscout_places.gazetteer.imports.base import Sample

_HEAD_BYTES = 65_536
_BUFFER_BYTES = 1 << 20
_ENCRYPTED = 0x1  # bit of a zip member's flags
_DECOMPRESSORS: dict[str, Callable[[IO[bytes]], io.BufferedIOBase]] = {
    ".gz": lambda raw: gzip.GzipFile(fileobj=raw),
    ".bz2": bz2.BZ2File,
    ".xz": lzma.LZMAFile,
}
_UNREADABLE = (OSError, EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile)

_Item = TypeVar("_Item")


class Opened(NamedTuple):
    """A stream of bytes, and how far into its member it has come."""

    stream: BinaryIO
    position: Callable[[], int]


@dataclass(frozen=True, slots=True)
class Member:
    """One file to read: the user's own, or one inside an archive or folder."""

    name: str  # path inside the archive or folder, without a suffix of compression
    size: int  # in the bytes that `Opened.position` counts
    file: Path
    inner: str = ""  # its name in the zip archive `file`; "" where that is not an archive

    @contextmanager
    def open(self) -> Iterator[Opened]:
        """Open it for reading from the start.

        Raises:
            ImportFileError: it cannot be opened.
        """
        with ExitStack() as stack:
            with _translated(self.file):
                opened = self._open(stack)
            yield opened

    def sample(self) -> Sample:
        """How it looks at its start."""
        with self.open() as opened, _translated(self.file):
            return Sample(self.name, opened.stream.read(_HEAD_BYTES))

    @contextmanager
    def open_beside(self, suffix: str) -> Iterator[BinaryIO | None]:
        """The file of the same name with another suffix; None where there is none.

        Raises:
            ImportFileError: it cannot be opened.
        """
        with _translated(self.file):
            beside = self._beside(suffix)
        if beside is None:
            yield None
            return
        with beside.open() as opened:
            yield opened.stream

    def _beside(self, suffix: str) -> Member | None:
        if not self.inner:
            file = self.file.with_suffix(suffix)
            return Member(file.name, 0, file) if file.is_file() else None
        wanted = str(PurePosixPath(self.inner).with_suffix(suffix))
        with zipfile.ZipFile(self.file) as archive:
            return Member(wanted, 0, self.file, wanted) if wanted in archive.namelist() else None

    def _open(self, stack: ExitStack) -> Opened:
        if self.inner:
            archive = stack.enter_context(zipfile.ZipFile(self.file))
            unpacked = stack.enter_context(archive.open(self.inner))
            return Opened(_buffered(unpacked), unpacked.tell)
        raw = stack.enter_context(self.file.open("rb"))
        decompress = _DECOMPRESSORS.get(self.file.suffix.lower())
        if decompress is None:
            return Opened(raw, raw.tell)
        return Opened(_buffered(stack.enter_context(decompress(raw))), raw.tell)


def find_members(path: Path) -> list[Member]:
    """The files to read, in the order of their names.

    Raises:
        ImportFileError: there is nothing at the path, or it cannot be read.
    """
    if path.is_dir():
        files = sorted(file for file in path.rglob("*") if file.is_file())
        visible = [file for file in files if not file.name.startswith(".")]
        found = [member for file in visible for member in _members_of(file, path)]
    else:
        found = _members_of(path, path.parent)
    if not found:
        raise ImportFileError(f"{path} is empty: there is nothing to import")
    return found


def readable(items: Iterable[_Item], file: Path) -> Iterator[_Item]:
    """The items, with errors of reading them translated.

    Raises:
        ImportFileError: the file is damaged or cut short.
    """
    with _translated(file):
        yield from items


def _members_of(file: Path, folder: Path) -> list[Member]:
    with _translated(file):
        if file.suffix.lower() == ".zip" or zipfile.is_zipfile(file):
            with zipfile.ZipFile(file) as archive:
                return [_member_in(file, entry) for entry in archive.infolist() if _is_file(entry)]
        name = file.relative_to(folder).as_posix()
        if file.suffix.lower() in _DECOMPRESSORS:
            name = name.removesuffix(file.suffix)
        return [Member(name, file.stat().st_size, file)]


def _member_in(file: Path, entry: zipfile.ZipInfo) -> Member:
    if entry.flag_bits & _ENCRYPTED:
        raise ImportFileError(f"{file} is encrypted; unpack it first")
    return Member(entry.filename, entry.file_size, file, entry.filename)


def _is_file(entry: zipfile.ZipInfo) -> bool:
    return not entry.is_dir() and not entry.filename.startswith("__MACOSX/")


def _buffered(stream: IO[bytes] | io.BufferedIOBase) -> BinaryIO:
    """Small reads of a decompressor are slow; the standard library's buffer is not."""
    return io.BufferedReader(cast("io.RawIOBase", stream), _BUFFER_BYTES)


@contextmanager
def _translated(file: Path) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError as error:
        raise ImportFileError(f"there is no file {file}") from error
    except NotImplementedError as error:
        raise ImportFileError(f"{file} is compressed in a way unknown here; unpack it") from error
    except _UNREADABLE as error:
        raise ImportFileError(f"{file} cannot be read: {error or 'it is cut short'}") from error
