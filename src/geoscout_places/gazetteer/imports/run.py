"""Runs an import: reads the user's file line by line into a table of the imports folder.

The compiled gazetteer is not touched; the next build takes the table up. So an import that fails,
for whatever reason, changes nothing, and a compiled file that is lost loses no import.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from geoscout_places.errors import ImportFileError
from geoscout_places.gazetteer.imports.areas import shipped_areas
from geoscout_places.gazetteer.imports.base import (
    Importer,
    ImportReport,
    ImportTask,
    Outcome,
    Rejection,
)
from geoscout_places.gazetteer.imports.distinct import distinct
from geoscout_places.gazetteer.imports.folder import name_import, prepare_folder, write_table
from geoscout_places.gazetteer.imports.formats import choose_format, detect, wanted_members
from geoscout_places.gazetteer.imports.source import Member, find_members, readable
from geoscout_places.model import OnProgress

_REPORTED_REJECTIONS = 5
_LINES_BETWEEN_PROGRESS = 20_000
_HOPELESS_LINES = 10_000  # malformed ones, after which a file is given up if nearly all are
_REPEATING_TABLES = frozenset({"streets"})


def import_file(
    path: Path,
    home: Path,
    format: str | None = None,
    name: str | None = None,
    progress: OnProgress | None = None,
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
    found = find_members(path)
    importer, option = choose_format(format, found, path)
    members = wanted_members(importer, found)
    reading = _Reading(importer, option, members, progress or _show_nothing)
    folder = prepare_folder(home)
    lines: Iterator[str] = reading.lines(path)
    if importer.table in _REPEATING_TABLES:
        lines = distinct(lines, folder)
    file, rows = write_table(home, name_import(importer.name, path, name), importer.table, lines)
    return ImportReport(
        format=importer.name,
        rows=rows,
        rejected=reading.rejected,
        first_rejections=tuple(reading.first_rejections),
        tables=(file.name,),
        left_out=reading.left_out,
    )


class _Reading:
    """One pass over the members of an import, and what it has counted so far."""

    def __init__(
        self, importer: Importer, option: str, members: Sequence[Member], progress: OnProgress
    ) -> None:
        self._importer = importer
        self._option = option
        self._members = members
        self._progress = progress
        self._areas = shipped_areas()
        self.kept = 0
        self.left_out = 0
        self.rejected = 0
        self.first_rejections: list[Rejection] = []

    def lines(self, path: Path) -> Iterator[str]:
        """The rows as lines of the table.

        Raises:
            ImportFileError: a member cannot be read, or the whole is not what it should be.
        """
        done, total = 0, sum(member.size for member in self._members)
        for member in self._members:
            self._progress(done, total)
            for outcome, position in self._outcomes(member):
                self._count(outcome, member)
                for row in outcome.rows:
                    yield "\t".join(row)
                if position is not None:
                    self._progress(done + min(position, member.size), total)
                if self.rejected >= _HOPELESS_LINES and self.rejected > 10 * self._sound:
                    raise self._refusal(path)
            done += member.size
        if self.rejected > self._sound:
            raise self._refusal(path)
        if not self.kept:
            raise ImportFileError(f"{path} has nothing to import as {self._importer.name}")
        self._progress(total, total)

    def _outcomes(self, member: Member) -> Iterator[tuple[Outcome, int | None]]:
        """Outcomes, now and then with the position in the member."""
        task = ImportTask(
            member.name, self._areas, member.file.name, self._option, member.open_beside
        )
        with member.open() as opened:
            outcomes = readable(self._importer.read(opened.stream, task), member.file)
            for number, outcome in enumerate(outcomes, start=1):
                show = number % _LINES_BETWEEN_PROGRESS == 0
                yield outcome, opened.position() if show else None

    def _count(self, outcome: Outcome, member: Member) -> None:
        if outcome.rows:
            self.kept += 1
        elif not outcome.reason:
            self.left_out += 1
        else:
            self.rejected += 1
            if len(self.first_rejections) < _REPORTED_REJECTIONS:
                where = member.name if len(self._members) > 1 else ""
                self.first_rejections.append(Rejection(outcome.line, outcome.reason, where))

    @property
    def _sound(self) -> int:
        return self.kept + self.left_out

    def _refusal(self, path: Path) -> ImportFileError:
        looks = detect(self._members)
        other = looks.name if looks and looks is not self._importer else ""
        hint = f" It looks like {other}." if other else ""
        lines = self.rejected + self._sound
        return ImportFileError(
            f"{path} is not a {self._importer.name} file: {self.rejected:,} of {lines:,} lines are "
            f"malformed, the first: {self.first_rejections[0]}. "
            f"Expected {self._importer.expects}.{hint}"
        )


def _show_nothing(_done: int, _total: int) -> None:
    """For callers that do not want to know."""
