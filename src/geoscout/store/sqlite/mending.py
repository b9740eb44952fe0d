"""Compares the archive of a crawl with the rows that name its records, and mends what differs.

Commits are made so that a power failure cannot take bytes that a row names. But disks lie, folders
are copied in part, and bits rot. So the end of the archive is looked at whenever a crawl is opened
for writing, and all of it when somebody asks for that.

What is gone is gone: a damaged record is copied to a file next to the archive and replaced by one
that says nothing, so that every program can read the archive; a file that is too short is cut
behind its last whole record. The visits are forgotten, and the caller has their URLs fetched again.
Whatever is done here can be done again after a crash: the commit of the caller comes last.
"""

import math
import os
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct, field

from geoscout.crawl_folder import open_file, open_stream, sync_file, write_all
from geoscout.store.archive import LARGEST_FILE, Position, archive_file, cut_archive_file, set_aside
from geoscout.store.records import digest_text, pack_filler
from geoscout.warc import LARGEST_RECORD, parse_packed, whole_members
from geoscout_places.errors import DamagedDataError
from geoscout_places.model import OnProgress

ENOUGH = 256  # whole records in a row, from the end of the archive, before the rest is believed
_MOST_TOLD = 20  # visits
_LARGEST_GAP = LARGEST_FILE + LARGEST_RECORD  # bytes read at once
_DAMAGED = ".damaged"  # what the names of files end in that have what was replaced
_PIECE = 1000  # rows read at a time
_VISITS = """SELECT n, archive_file, archive_offset, archive_length, body_of, digest
    FROM visit WHERE n < ? ORDER BY n DESC LIMIT ?"""

_VisitSpot = tuple[int, int, int, int, int, bytes]


class ArchivePart(NamedTuple):
    file: int
    start: int
    end: int


class ArchiveFindings(Struct):
    """What is wrong with an archive."""

    looked_at: int = 0  # visits whose records were read
    lost: set[int] = field(default_factory=set)  # visits whose responses cannot be had
    damaged: list[ArchivePart] = field(default_factory=list)
    short: dict[int, int] = field(default_factory=dict)  # files, and where they are whole up to
    nowhere: list[int] = field(default_factory=list)  # visits whose records cannot be anywhere
    ends: list[Position] = field(default_factory=list)  # where they should end, in order

    def whole_end(self) -> Position:
        """Where the next record can go."""
        if not self.ends:
            return Position(0, 0)
        last = self.ends[-1]
        return Position(last.file, self.short.get(last.file, last.offset))

    def lines(self) -> list[str]:
        """What is wrong with each file, in words."""
        lines = [f"visit {n} has no place in the archive" for n in self.nowhere[:_MOST_TOLD]]
        if len(self.nowhere) > _MOST_TOLD:
            lines.append(f"{len(self.nowhere) - _MOST_TOLD:,} visits more have none")
        for end in self.ends:
            name = archive_file(Path(), end.file).name
            damaged = sum(part.end - part.start for part in self.damaged if part.file == end.file)
            if end.file in self.short:
                lines.append(
                    f"{name} is whole up to {self.short[end.file]:,} of {end.offset:,} bytes"
                )
            elif damaged:
                lines.append(f"{name} has {damaged:,} damaged bytes")
        return lines


def examine_archive(
    connection: sqlite3.Connection,
    folder: Path,
    enough: float = ENOUGH,
    progress: OnProgress = lambda _done, _all: None,
) -> ArchiveFindings:
    """Compare an archive with the rows, from its end on; nothing is changed.

    It ends after this many whole records in a row. Files that are too short are always found.
    """
    examination = _Examination(connection, folder)
    examination.look(enough, progress)
    return examination.findings


class _Examination:
    """One look at an archive, from the last record to the first."""

    def __init__(self, connection: sqlite3.Connection, folder: Path) -> None:
        self._connection = connection
        self._folder = folder
        rows = connection.execute("SELECT file, size FROM archive ORDER BY file")
        self.findings = ArchiveFindings(ends=[Position(*row) for row in rows])
        self._sizes = {end.file: _size(folder, end.file) for end in self.findings.ends}
        for end in self.findings.ends:
            if self._sizes[end.file] < end.offset:
                self.findings.short[end.file] = 0  # until a whole record is found in it
        self._committed = {end.file: end.offset for end in self.findings.ends}
        self._next = dict(self._committed)

    def look(self, enough: float, progress: OnProgress) -> None:
        query = "SELECT ifnull(max(n), 0) FROM visit"
        (in_all,) = self._connection.execute(query).fetchone()
        in_a_row, unseen = 0, set(self.findings.short)
        for n, file, offset, length, body_of, digest in self._rows():
            unseen.discard(file)
            is_whole = self._can_be(n, file, offset, length) and self._is_whole(
                ArchivePart(file, offset, offset + length), digest
            )
            if not is_whole or body_of in self.findings.lost:
                self.findings.lost.add(n)
            in_a_row = in_a_row + 1 if is_whole else 0
            self.findings.looked_at += 1
            progress(self.findings.looked_at, in_all)
            if in_a_row >= enough and not unseen:
                break
        else:
            self._look_at_beginnings()
        self._add_repeats()

    def _rows(self) -> Iterator[_VisitSpot]:
        """In pieces: whoever looks for long must not keep a crawl from emptying its log."""
        before = math.inf
        while piece := self._connection.execute(_VISITS, (before, _PIECE)).fetchall():
            yield from piece
            before = piece[-1][0]

    def _can_be(self, n: int, file: int, offset: int, length: int) -> bool:
        """Whether a record can lie at a place; whoever sends a crawl may write anything there."""
        are_numbers = all(isinstance(number, int) for number in (offset, length))
        ends = self._committed.get(file, -1)
        if are_numbers and 0 <= offset <= offset + length <= ends and length <= _LARGEST_GAP:
            return True
        self.findings.nowhere.append(n)
        return False

    def _is_whole(self, record: ArchivePart, digest: bytes) -> bool:
        """Whether a response can be had; notes damage there and up to the next one."""
        end = min(self._next.get(record.file, record.end), self._sizes.get(record.file, 0))
        self._next[record.file] = record.start
        if record.end > end or record.end == record.start:
            return False  # in a file that is too short, or noted as lost by an earlier version
        data = _read(self._folder, ArchivePart(record.file, record.start, end))
        length = record.end - record.start
        is_whole = _is_response(data[:length], digest)
        if not is_whole:
            self.findings.damaged.append(record)
        whole = whole_members(data[length:])
        if record.file in self.findings.short and not self.findings.short[record.file]:
            if is_whole:
                self.findings.short[record.file] = record.end + whole
        elif whole < len(data) - length:
            self.findings.damaged.append(ArchivePart(record.file, record.end + whole, end))
        return is_whole

    def _look_at_beginnings(self) -> None:
        """Read what each file has before the first response."""
        for file, first in self._next.items():
            if first and file not in self.findings.short:
                whole = whole_members(_read(self._folder, ArchivePart(file, 0, first)))
                if whole < first:
                    self.findings.damaged.append(ArchivePart(file, whole, first))

    def _add_repeats(self) -> None:
        """Visits whose body is that of a visit that is lost are lost with it."""
        if self.findings.lost:
            rows = self._connection.execute("SELECT n, body_of FROM visit WHERE n <> body_of")
            self.findings.lost.update(n for n, body_of in rows if body_of in self.findings.lost)


def mend_archive(
    connection: sqlite3.Connection, folder: Path, findings: ArchiveFindings
) -> Position:
    """Make the files of an archive whole; returns where the next record goes.

    The rows of the archive are brought up to date; those of lost visits are left to the caller,
    who commits.
    """
    for file, whole in findings.short.items():
        path = archive_file(folder, file)
        if whole:
            cut_archive_file(path, whole)
            connection.execute("UPDATE archive SET size = ? WHERE file = ?", (whole, file))
        else:
            connection.execute("DELETE FROM archive WHERE file = ?", (file,))
            if path.exists():
                set_aside(path)
    damaged: dict[int, list[ArchivePart]] = {}
    for part in sorted(findings.damaged):
        if findings.short.get(part.file, part.end) >= part.end:
            damaged.setdefault(part.file, []).append(part)
    for file, parts in damaged.items():
        _replace_parts(folder, file, parts)
    return findings.whole_end()


def _replace_parts(folder: Path, number: int, parts: list[ArchivePart]) -> None:
    contents = [(part, _read(folder, part)) for part in parts]
    lost = b"".join(data for _, data in contents if any(data))
    path = archive_file(folder, number)
    if lost:
        set_aside(path, lost, _DAMAGED)
    file = open_file(path, os.O_WRONLY, inside=2)
    try:
        for part, data in contents:
            if filler := pack_filler(len(data), time.time()):
                write_all(file, filler, part.start)
        sync_file(file)
    finally:
        os.close(file)


def _is_response(data: bytes, digest: bytes) -> bool:
    """Whether some bytes are the record of a response, or of a repeated one, with this body."""
    try:
        record = parse_packed(data)
    except DamagedDataError:
        return False
    return record.fields.get("warc-payload-digest") == digest_text(digest)


def _size(folder: Path, number: int) -> int:
    path = archive_file(folder, number)
    return path.stat().st_size if path.exists() else 0


def _read(folder: Path, part: ArchivePart) -> bytes:
    """Some bytes of an archive.

    Raises:
        DamagedDataError: there are more than could be between two records.
    """
    path = archive_file(folder, part.file)
    if not 0 <= part.start <= part.end <= part.start + _LARGEST_GAP:
        raise DamagedDataError(f"{path} cannot have a record from {part.start:,} to {part.end:,}")
    with open_stream(path, "rb", inside=2) as file:
        return os.pread(file.fileno(), part.end - part.start, part.start)
