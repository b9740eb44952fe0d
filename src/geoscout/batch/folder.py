"""A folder of results: one file of rows for each archive, and what was done in `_batch`.

    OUT/munich-00.parquet           the rows of munich-00.warc.gz
    OUT/_batch/options.json         what the folder was made with
    OUT/_batch/munich-00.json       the report of a file that is done
    OUT/_batch/munich-00.*.part     rows of a file that is not done

Programs that read folders of Parquet leave out names that begin with `_`. A file is done when its
report says so; the report is written after the rows have their name. There is no list of all files,
so every process and machine can finish a file on its own.
"""

from __future__ import annotations

import fcntl
import os
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import msgspec
from msgspec import Struct

from geoscout.batch.options import BatchOptions
from geoscout.batch.row_files import FORMATS
from geoscout_places.errors import UsageError


class FileReport(Struct, frozen=True, kw_only=True):
    """What became of one archive."""

    file: str
    bytes: int = 0
    pages: int = 0  # rows
    with_place: int = 0  # pages that are about a place
    relevant: int = 0
    addresses: int = 0
    skipped: Mapping[str, int] = {}  # records that gave no row, by reason
    seconds: float = 0.0
    error: str = ""  # why there are no rows; "" when it is done


class BatchFolder:
    """The folder of results of one batch."""

    def __init__(self, path: Path, format: str) -> None:
        self.path = path
        self._notes = path / "_batch"
        self._suffix = FORMATS[format].suffix

    @contextmanager
    def opened(self, options: BatchOptions) -> Iterator[None]:
        """Keep the folder for one run, make it first where it is new.

        Raises:
            UsageError: it was made with other options, another process is at work in it, or it
                cannot be written to.
        """
        try:
            self._notes.mkdir(parents=True, exist_ok=True)
            with (self._notes / "lock").open("wb") as lock:
                self._take(lock.fileno())
                self._check_options(options)
                for left_over in self._notes.glob("*.part"):
                    left_over.unlink(missing_ok=True)
                yield
        except OSError as error:
            raise UsageError(f"cannot write to {self.path}: {error.strerror or error}") from error

    def _take(self, lock: int) -> None:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise UsageError(f"another process is writing to {self.path}") from error

    def _check_options(self, options: BatchOptions) -> None:
        file = self._notes / "options.json"
        packed = msgspec.json.encode(options)
        if not file.exists():
            _write_whole(file, msgspec.json.format(packed))
            return
        made_with = _kept_options(file)
        for name, value in msgspec.json.decode(packed).items():
            if made_with.get(name) != value:
                raise UsageError(
                    f"{self.path} was made with {name} {made_with.get(name)!r}, not {value!r};"
                    " use another folder"
                )

    def rows_file(self, archive: Path) -> Path:
        """Where the rows of an archive go."""
        return self.path / f"{result_name(archive)}{self._suffix}"

    def draft(self, archive: Path) -> Path:
        """A name for unfinished rows that no other process or machine has."""
        return self._notes / f"{result_name(archive)}.{socket.gethostname()}-{os.getpid()}.part"

    def report(self, archive: Path) -> FileReport | None:
        """The report of an archive that is done and has not changed since; None for others."""
        try:
            kept = (self._notes / f"{result_name(archive)}.json").read_bytes()
            report = msgspec.json.decode(kept, type=FileReport)
        except (OSError, msgspec.DecodeError):
            return None
        is_current = report.bytes == archive.stat().st_size and self.rows_file(archive).exists()
        return report if is_current else None

    def keep(self, archive: Path, report: FileReport) -> None:
        """Note that an archive is done."""
        _write_whole(self._notes / f"{result_name(archive)}.json", msgspec.json.encode(report))


def result_name(archive: Path) -> str:
    """The name of an archive's results, without the suffix of their format.

    >>> result_name(Path("a/crawl-00001.warc.gz")), result_name(Path("b/0.warc.wet.gz"))
    ('crawl-00001', '0.warc.wet')
    """
    return archive.name.removesuffix(".gz").removesuffix(".warc")


def _kept_options(file: Path) -> dict[str, object]:
    try:
        return msgspec.json.decode(file.read_bytes(), type=dict[str, object])
    except msgspec.DecodeError as error:
        raise UsageError(f"{file} is damaged; use another folder") from error


def _write_whole(file: Path, content: bytes) -> None:
    """Write a small file so that it is there whole or not at all."""
    draft = file.with_name(f"{file.name}.{socket.gethostname()}-{os.getpid()}.part")
    draft.write_bytes(content)
    draft.replace(file)
