"""Imports several files one after the other, so that one build at the end serves them all.

Each file is complete or not there at all (`run.import_file`), and one that cannot be imported does
not keep the others from it. So whoever is interrupted keeps the files that were done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from geoscout_places.errors import ImportFileError
from geoscout_places.gazetteer.imports.base import ImportReport
from geoscout_places.gazetteer.imports.folder import name_import
from geoscout_places.gazetteer.imports.formats import choose_format
from geoscout_places.gazetteer.imports.run import import_file
from geoscout_places.gazetteer.imports.source import find_members
from geoscout_places.model import OnProgress

# Shows the reading of one file; takes the file and which of how many it is.
ShowFile = Callable[[Path, int, int], AbstractContextManager[OnProgress]]


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
    importer, _ = choose_format(format, find_members(file), file)
    first = taken.setdefault(name_import(importer.name, file, None), file)
    if first != file:
        raise ImportFileError(
            f"{file} has the same name as {first} and would replace it; "
            "import it on its own with --name"
        )
