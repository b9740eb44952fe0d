"""The folder of imported tables: what is in it, and how a table gets there whole.

A table is written under a hidden name and renamed when it is complete, so a reader sees the old
table or the new one, never half of one. What a killed import left is removed by the next.
"""

from __future__ import annotations

import gzip
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from geoscout_places.errors import GeoscoutError, UsageError
from geoscout_places.gazetteer.tables import NameRow, PlaceRow, PostcodeRow, StreetRow

FOLDER = "imports"
COLUMNS: dict[str, tuple[str, ...]] = {
    "places": PlaceRow._fields,
    "names": NameRow._fields,
    "postcodes": PostcodeRow._fields,
    "streets": StreetRow._fields,
}
_SUFFIX = ".tsv.gz"
_PART = re.compile(r"\..+\.(\d+)\.part")
_NAME = re.compile(r"[A-Za-z0-9_-]{1,80}")
_BATCH_LINES = 5_000
_LEVEL = 1  # of compression: the table is read once or twice, so the fastest


@dataclass(frozen=True, slots=True)
class ImportedTable:
    """A table in the folder."""

    name: str  # of the import
    table: str
    file: Path


def list_imports(home: Path) -> tuple[ImportedTable, ...]:
    """The tables that were imported, in the order of their names."""
    found = []
    for file in sorted((home / FOLDER).glob(f"[!.]*{_SUFFIX}")):
        name, _, table = file.name.removesuffix(_SUFFIX).partition(".")
        if table in COLUMNS:
            found.append(ImportedTable(name, table, file))
    return tuple(found)


def name_import(format: str, file: Path, name: str | None) -> str:
    """The name of an import: as given, or from its format and file.

    Raises:
        UsageError: the given name cannot be part of a file's name.
    """
    if name is None:
        stem = re.sub(r"[^A-Za-z0-9_-]+", "-", file.name.partition(".")[0]).strip("-")
        return f"{format}-{stem or 'file'}"[:80]
    if not _NAME.fullmatch(name):
        raise UsageError(f"an import cannot be called {name!r}; take letters, digits, - and _")
    return name


def write_table(home: Path, name: str, table: str, lines: Iterable[str]) -> tuple[Path, int]:
    """Write a table; it gets its final name only when `lines` has come to its end.

    Returns the file and how many lines it has below its header.

    Raises:
        GeoscoutError: the disk does not take it.
    """
    folder = home / FOLDER
    target = folder / f"{name}.{table}{_SUFFIX}"
    part = folder / f".{name}.{table}.{os.getpid()}.part"
    try:
        count = _write(part, table, lines)
        part.replace(target)
    except OSError as error:
        raise GeoscoutError(f"cannot write {target}: {error.strerror or error}") from error
    finally:
        part.unlink(missing_ok=True)
    return target, count


def prepare_folder(home: Path) -> Path:
    """Make the folder and remove what killed imports left in it.

    Raises:
        GeoscoutError: the folder cannot be made.
    """
    folder = home / FOLDER
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise GeoscoutError(f"cannot make {folder}: {error.strerror or error}") from error
    for left in folder.glob(".*.part"):
        found = _PART.fullmatch(left.name)
        if found and not _is_running(int(found[1])):
            left.unlink(missing_ok=True)
    return folder


def _write(part: Path, table: str, lines: Iterable[str]) -> int:
    count = 0
    with part.open("wb") as raw:
        with gzip.GzipFile("", "wb", _LEVEL, raw, mtime=0) as stream:  # same rows, same bytes
            stream.write(("\t".join(COLUMNS[table]) + "\n").encode())
            for batch in _batches(lines):
                stream.write(("\n".join(batch) + "\n").encode())
                count += len(batch)
        raw.flush()
        os.fsync(raw.fileno())
    return count


def _batches(lines: Iterable[str]) -> Iterator[list[str]]:
    remaining = iter(lines)
    while batch := list(islice(remaining, _BATCH_LINES)):
        yield batch


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
