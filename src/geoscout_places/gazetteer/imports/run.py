"""Runs imports: reads the user's files line by line into tables of the imports folder.

The compiled gazetteer is not touched; the next build takes the tables up. So an import that fails,
for whatever reason, changes nothing, and a compiled file that is lost loses no import. A table is
written under a hidden name and renamed when it is complete, so a reader sees the old table or the
new one, never half of one. What a killed import left is removed by the next.
"""

import difflib
import gzip
import io
import os
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from geoscout_places.errors import GeoscoutError, ImportFileError, UsageError
from geoscout_places.gazetteer.home import IMPORTS_FOLDER
from geoscout_places.gazetteer.imports.files import (
    MalformedLineError,
    Member,
    find_members,
    readable,
)
from geoscout_places.gazetteer.imports.formats import ImportFormat, ImportRow
from geoscout_places.gazetteer.imports.geonames import ALTERNATE_NAMES, DUMP, POSTAL_CODES
from geoscout_places.gazetteer.imports.streets import STREET_LIST, TIGER
from geoscout_places.gazetteer.tables import NameRow, PlaceRow, PostcodeRow, StreetRow
from geoscout_places.model import OnProgress

# In the order in which they are tried: a TIGER table would pass for a street list.
FORMATS: tuple[ImportFormat, ...] = (DUMP, ALTERNATE_NAMES, POSTAL_CODES, TIGER, STREET_LIST)
COLUMNS: dict[str, tuple[str, ...]] = {
    "places": PlaceRow._fields,
    "names": NameRow._fields,
    "postcodes": PostcodeRow._fields,
    "streets": StreetRow._fields,
}
_REPEATING_TABLES = frozenset({"streets"})
_REPORTED_REJECTIONS = 5
_LINES_BETWEEN_PROGRESS = 20_000
_HOPELESS_LINES = 10_000  # malformed ones, after which a file is given up if nearly all are
_SUFFIX = ".tsv.gz"
_PART = re.compile(r"\..+\.(\d+)\.part")
_NAME = re.compile(r"[A-Za-z0-9_-]{1,80}")
_LEVEL = 1  # of compression: the table is read once or twice, so the fastest
_SORTED_AT_ONCE = 500_000  # lines; about 80 MB of street names

# Shows the reading of one file; takes the file and which of how many it is.
ShowFile = Callable[[Path, int, int], AbstractContextManager[OnProgress]]


@dataclass(frozen=True, slots=True)
class Rejection:
    """A malformed line of the user's file."""

    line: int  # the first line is 1
    reason: str
    member: str = ""  # which file of an archive or folder; "" where there is only one

    def __str__(self) -> str:
        where = f"{self.member}, line" if self.member else "line"
        return f"{where} {self.line}: {self.reason}"


@dataclass(frozen=True, slots=True)
class ImportReport:
    """How an import went."""

    format: str
    rows: int  # rows written
    rejected: int  # malformed lines
    first_rejections: tuple[Rejection, ...]
    tables: tuple[str, ...]  # files written, below the imports folder
    left_out: int = 0  # sound lines that are not wanted, such as links among alternate names


@dataclass(frozen=True, slots=True)
class FileImport:
    """What became of one of several files."""

    file: Path
    report: ImportReport | None
    error: str = ""  # why there is no report


def import_files(
    files: Sequence[Path], home: Path, show: ShowFile, format: str | None = None
) -> Iterator[FileImport]:
    """Import files, archives or folders; gives the outcome of each when it is done.

    One that cannot be imported does not keep the others from it.

    Raises:
        UsageError: there is no such format, or its option makes no sense.
        GeoscoutError: a table cannot be written.
    """
    taken: dict[str, Path] = {}
    for number, file in enumerate(files, start=1):
        try:
            _take_name(taken, file, format)
            with show(file, number, len(files)) as progress:
                report = import_file(file, home, format=format, progress=progress)
        except ImportFileError as error:
            yield FileImport(file, None, str(error))
        else:
            yield FileImport(file, report)


def _take_name(taken: dict[str, Path], file: Path, format: str | None) -> None:
    """Note the name a file's import will have; two of one name would replace each other."""
    chosen, _ = choose_format(format, find_members(file), file)
    first = taken.setdefault(name_import(chosen.name, file, None), file)
    if first != file:
        raise ImportFileError(
            f"{file} has the same name as {first} and would replace it; "
            "import it on its own with --set name=NAME"
        )


def import_file(
    path: Path,
    home: Path,
    format: str | None = None,
    name: str | None = None,
    progress: OnProgress = lambda _done, _total: None,
) -> ImportReport:
    """Import a file, archive or folder into the imports folder of `home`.

    `format` may carry an option after a colon (`streets:DE`); None means to tell it from the look
    of the file. `name` None means to derive it from format and file; an import of the same name and
    table is replaced. The imported rows count when the gazetteer is built next.

    Raises:
        UsageError: there is no such format, or the option or name makes no sense.
        ImportFileError: the file cannot be read, or most of its lines are malformed.
        GeoscoutError: the table cannot be written.
    """
    members = find_members(path)
    chosen, option = choose_format(format, members, path)
    # All of them when none looks like the format, for the reading to judge.
    members = [m for m in members if chosen.recognises(m.sample())] or members
    reading = _Reading(chosen, option, members, progress)
    folder = prepare_folder(home)
    lines: Iterator[str] = reading.lines(path)
    if chosen.table in _REPEATING_TABLES:
        lines = distinct(lines, folder)
    file, rows = write_table(home, name_import(chosen.name, path, name), chosen.table, lines)
    return ImportReport(
        format=chosen.name,
        rows=rows,
        rejected=reading.rejected,
        first_rejections=tuple(reading.first_rejections),
        tables=(file.name,),
        left_out=reading.left_out,
    )


def choose_format(
    format: str | None, members: Sequence[Member], path: Path
) -> tuple[ImportFormat, str]:
    """The format with its option: as the user wrote them, or from the look of the file."""
    known = {found.name: found for found in FORMATS}
    if format is None:
        detected = _detect(members)
        if detected is None:
            names = ", ".join(known)
            raise ImportFileError(f"{path} is of no known format ({names}); name one with --format")
        return detected, ""
    name, _, option = format.partition(":")
    if name in known:
        return known[name], option
    near = difflib.get_close_matches(name, known, n=1)
    hint = f"did you mean {near[0]!r}" if near else f"formats are {', '.join(known)}"
    raise UsageError(f"no import format is called {name!r}; {hint}")


def _detect(members: Sequence[Member]) -> ImportFormat | None:
    """The format of the first member that is of any."""
    samples = (member.sample() for member in members)
    return next((f for sample in samples for f in FORMATS if f.recognises(sample)), None)


class _Reading:
    """One pass over the members of an import, and what it has counted so far."""

    def __init__(
        self, chosen: ImportFormat, option: str, members: Sequence[Member], progress: OnProgress
    ) -> None:
        self._format = chosen
        self._option = option
        self._members = members
        self._progress = progress
        self.kept = 0
        self.left_out = 0
        self.rejected = 0
        self.first_rejections: list[Rejection] = []

    def lines(self, path: Path) -> Iterator[str]:
        """The rows as lines of the table."""
        done, total = 0, sum(member.size for member in self._members)
        for member in self._members:
            self._progress(done, total)
            for rows, position in self._rows(member):
                yield from map("\t".join, rows)
                if position is not None:
                    self._progress(done + min(position, member.size), total)
                if self.rejected >= _HOPELESS_LINES and self.rejected > 10 * self._sound:
                    raise self._refusal(path)
            done += member.size
        if self.rejected > self._sound:
            raise self._refusal(path)
        if not self.kept:
            raise ImportFileError(f"{path} has nothing to import as {self._format.name}")
        self._progress(total, total)

    def _rows(self, member: Member) -> Iterator[tuple[Sequence[ImportRow], int | None]]:
        """The rows of each record, now and then with the position in the member."""
        with member.open() as opened:
            found = self._format.read(opened.stream, member, self._option)
            for number, (line, rows) in enumerate(readable(found, member.file), start=1):
                show = number % _LINES_BETWEEN_PROGRESS == 0
                yield self._count(line, rows, member), opened.position() if show else None

    def _count(
        self, line: int, rows: Sequence[ImportRow] | MalformedLineError, member: Member
    ) -> Sequence[ImportRow]:
        if isinstance(rows, MalformedLineError):
            self.rejected += 1
            if len(self.first_rejections) < _REPORTED_REJECTIONS:
                where = member.name if len(self._members) > 1 else ""
                self.first_rejections.append(Rejection(line, str(rows), where))
            return ()
        if rows:
            self.kept += 1
        else:
            self.left_out += 1
        return rows

    @property
    def _sound(self) -> int:
        return self.kept + self.left_out

    def _refusal(self, path: Path) -> ImportFileError:
        looks = _detect(self._members)
        hint = f" It looks like {looks.name}." if looks and looks is not self._format else ""
        lines = self.rejected + self._sound
        return ImportFileError(
            f"{path} is not a {self._format.name} file: {self.rejected:,} of {lines:,} lines are "
            f"malformed, the first: {self.first_rejections[0]}. "
            f"Expected {self._format.expects}.{hint}"
        )


def name_import(format: str, file: Path, name: str | None) -> str:
    """The name of an import: as given, or from its format and file."""
    if name is None:
        stem = re.sub(r"[^A-Za-z0-9_-]+", "-", file.name.partition(".")[0]).strip("-")
        return f"{format}-{stem or 'file'}"[:80]
    if not _NAME.fullmatch(name):
        raise UsageError(f"an import cannot be called {name!r}; take letters, digits, - and _")
    return name


def prepare_folder(home: Path) -> Path:
    """Make the folder of imports and remove what killed ones left in it.

    Raises:
        GeoscoutError: the folder cannot be made.
    """
    folder = home / IMPORTS_FOLDER
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise GeoscoutError(f"cannot make {folder}: {error.strerror or error}") from error
    for left in folder.glob(".*.part"):
        found = _PART.fullmatch(left.name)
        if found and not _is_running(int(found[1])):
            left.unlink(missing_ok=True)
    return folder


def write_table(home: Path, name: str, table: str, lines: Iterable[str]) -> tuple[Path, int]:
    """Write a table; it gets its final name only when `lines` has come to its end.

    Returns the file and how many lines it has below its header.

    Raises:
        GeoscoutError: the disk does not take it.
    """
    folder = home / IMPORTS_FOLDER
    target = folder / f"{name}.{table}{_SUFFIX}"
    part = folder / f".{name}.{table}.{os.getpid()}.part"
    try:
        count = _write(part, COLUMNS[table], lines)
        part.replace(target)
    except OSError as error:
        raise GeoscoutError(f"cannot write {target}: {error.strerror or error}") from error
    finally:
        part.unlink(missing_ok=True)
    return target, count


def _write(part: Path, columns: Sequence[str], lines: Iterable[str]) -> int:
    count = 0
    with part.open("wb") as raw:
        packed = gzip.GzipFile("", "wb", _LEVEL, raw, mtime=0)  # same rows, same bytes
        with io.TextIOWrapper(packed, encoding="utf-8", newline="\n") as stream:
            stream.write("\t".join(columns) + "\n")
            for line in lines:
                stream.write(f"{line}\n")
                count += 1
        raw.flush()
        os.fsync(raw.fileno())
    return count


def distinct(lines: Iterable[str], folder: Path, most: int = _SORTED_AT_ONCE) -> Iterator[str]:
    """Each of the lines once, sorted; at most `most` of them in memory.

    A list of addresses names a street once for each house, in no order to rely on, and a country
    has more streets than one wants to hold in memory. So SQLite sorts them on the disk that
    `folder` is on, and gets them in sorted bunches, which it can add in one pass. Its file has no
    name: nothing of it is left when the process is killed.
    """
    remaining, part = iter(lines), folder / f".distinct.{os.getpid()}.part"
    with closing(sqlite3.connect(part, isolation_level=None)) as held:
        held.executescript(
            "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
            "CREATE TABLE held (line TEXT PRIMARY KEY) WITHOUT ROWID; BEGIN;"
        )
        part.unlink()
        while bunch := sorted(set(islice(remaining, most))):
            held.executemany("INSERT OR IGNORE INTO held VALUES (?)", ((line,) for line in bunch))
        yield from (line for (line,) in held.execute("SELECT line FROM held ORDER BY line"))


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except OSError as error:
        return isinstance(error, PermissionError)  # it is somebody else's
    return True
