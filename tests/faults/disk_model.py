"""A disk of which only what was synced is sure: rebuilds a folder as a power failure may leave it.

Reads what `disk_log.c` wrote down. Between two syncs a disk may have any part of what was written,
in any order: the bytes of a file are sure after a sync of the file, its name after one of its
folder. (Real file systems promise more; a program must not count on that.)
"""

import random
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import NamedTuple

_HEAD = struct.Struct("<c7xQQQQ")
_SECTOR = 512  # bytes that a disk writes at once
FOLDER = -1  # stands for a file, where a name is that of a folder


class Entry(NamedTuple):
    """Something that was done to a file: created, written, truncated, synced, renamed, unlinked."""

    kind: str  # c, w, t, s, r, u, or m for a new folder
    name: str  # below the folder that was watched
    other: str  # the new name of what was renamed
    offset: int  # of bytes written; the new size of what was truncated
    data: bytes


def read_log(path: Path, below: Path) -> list[Entry]:
    """Everything that was done, in order."""
    return list(_entries(path.read_bytes(), str(below)))


def _entries(log: bytes, below: str) -> Iterator[Entry]:
    at = 0
    while at < len(log):
        kind, name_size, other_size, offset, data_size = _HEAD.unpack_from(log, at)
        at += _HEAD.size
        ends = at + name_size, at + name_size + other_size, at + name_size + other_size + data_size
        name, other = log[at : ends[0]].decode(), log[ends[0] : ends[1]].decode()
        data = log[ends[1] : ends[2]]
        short = [part.removeprefix(below).lstrip("/") for part in (name, other)]
        yield Entry(kind.decode(), *short, offset, data)
        at = ends[2]


@dataclass
class DiskFile:
    """The bytes of a file: those that are sure, and what was done to them since."""

    sure: bytes = b""
    since: list[tuple[int, bytes | None]] = field(default_factory=list)  # None: truncated there


class Keeps(NamedTuple):
    """What a disk has of what was not synced."""

    names: float = 0.0  # the share of the changes of names, the first ones
    archive: float = 0.0  # the share of the sectors in the archive
    rows: float = 0.0  # those in all other files
    in_order: bool = False  # the first sectors instead of any


class Disk:
    """Files below a folder, and what would be left of them after a power failure."""

    def __init__(self) -> None:
        self._files: list[DiskFile] = []
        self._names: dict[str, int] = {"": FOLDER}
        self._sure_names: dict[str, int] = {"": FOLDER}
        # Changes of names that are not synced: the folder, and what the change does.
        self._since: list[tuple[str, Callable[[dict[str, int]], None]]] = []

    def apply(self, entry: Entry) -> None:
        """Do what was done."""
        if entry.kind == "s" and self._names[entry.name] == FOLDER:
            self._sync_names(entry.name)
        elif entry.kind in "wts":
            self._change(self._files[self._names[entry.name]], entry)
        else:
            self._rename(entry)

    def files(self) -> dict[str, bytes]:
        """All files as the programs see them."""
        return {name: content(self._files[n]) for name, n in self._names.items() if n != FOLDER}

    def rebuild(self, folder: Path, keeps: Keeps, chance: random.Random) -> None:
        """Write what a power failure leaves into a new folder."""
        names = dict(self._sure_names)
        for _, change in self._since[: round(len(self._since) * keeps.names)]:
            change(names)
        for name, number in sorted(names.items()):
            path = folder / name
            if number == FOLDER:
                path.mkdir(parents=True)
            elif path.parent.is_dir():
                share = keeps.archive if "archive/" in name else keeps.rows
                path.write_bytes(_left(self._files[number], share, keeps.in_order, chance))

    def _change(self, file: DiskFile, entry: Entry) -> None:
        if entry.kind == "s":
            file.sure, file.since = content(file), []
        else:
            file.since.append((entry.offset, entry.data if entry.kind == "w" else None))

    def _rename(self, entry: Entry) -> None:
        if entry.kind == "c":
            self._files.append(DiskFile())
        number = FOLDER if entry.kind == "m" else len(self._files) - 1

        def change(names: dict[str, int]) -> None:
            if entry.kind in "cm":
                names[entry.name] = number
            elif entry.name in names:
                moved = names.pop(entry.name)
                if entry.kind == "r":
                    names[entry.other] = moved

        change(self._names)
        self._since.append((str(PurePosixPath(entry.name).parent), change))

    def _sync_names(self, folder: str) -> None:
        kept = []
        for where, change in self._since:
            if where == (folder or "."):
                change(self._sure_names)
            else:
                kept.append((where, change))
        self._since = kept


def content(file: DiskFile) -> bytes:
    """The bytes of a file with all that was done to it."""
    data = bytearray(file.sure)
    for offset, written in file.since:
        _write(data, offset, written)
    return bytes(data)


def _left(file: DiskFile, share: float, in_order: bool, chance: random.Random) -> bytes:
    """The bytes of a file with a share of the sectors that were written since the last sync."""
    data = bytearray(file.sure)
    pieces = list(_sectors(file.since))
    limit = len(pieces) * share
    for n, (offset, written) in enumerate(pieces):
        if (n < limit) if in_order else (chance.random() < share):
            _write(data, offset, written)
    return bytes(data)


def _sectors(
    changes: list[tuple[int, bytes | None]],
) -> Iterator[tuple[int, bytes | None]]:
    for offset, written in changes:
        if written is None:
            yield offset, None
            continue
        start = 0
        while start < len(written):
            end = start + _SECTOR - (offset + start) % _SECTOR
            yield offset + start, written[start:end]
            start = end


def _write(data: bytearray, offset: int, written: bytes | None) -> None:
    if written is None:
        del data[offset:]
        data.extend(bytes(max(offset - len(data), 0)))
        return
    data.extend(bytes(max(offset - len(data), 0)))
    data[offset : offset + len(written)] = written
