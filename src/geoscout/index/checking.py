"""Finds damage in an index: bytes that are not those that were written.

Tantivy writes a checksum behind each of its files, and never looks at it again; the columns have
theirs in what every commit keeps. Whoever opens an index only sees that a file is missing or short.
"""

from __future__ import annotations

import fcntl
import struct
import zlib
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import orjson

from geoscout.crawl_folder import open_stream, require_plain
from geoscout.index.columns import FILES, sum_of
from geoscout.index.files import (
    COLUMNS,
    LOCK,
    UNFINISHED,
    WORDS,
    as_index_error,
    open_words,
    read_state,
)
from geoscout_places.errors import DamagedDataError

_MAGIC = 1337  # the last four bytes of a file of Tantivy
_TAIL = struct.Struct("<II")  # the length of the checksum's JSON before it, and `_MAGIC`
_NO_SUM = {".json", ".lock"}  # what Tantivy writes without one


def damage_of_index(folder: Path) -> list[str]:
    """A line for each file of an index that is damaged.

    None when there is no index, or while another process changes it: then files come and go.
    """
    if not (folder / WORDS).is_dir():
        return []
    require_plain(folder, inside=1)
    with open_stream(folder / LOCK, "ab", inside=2) as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return []
        try:
            found = [*_columns(folder), *_words(folder / WORDS)]
        except DamagedDataError as error:
            return [str(error)]
    return [f"{folder.name}/{line}" for line in found]


def _words(folder: Path) -> Iterator[str]:
    for path in sorted(folder.iterdir()):
        has_sum = path.suffix not in _NO_SUM and not path.name.startswith(UNFINISHED)
        if has_sum:
            with open_stream(path, "rb", inside=3) as file:
                is_whole = _has_its_sum(file.read())
            if not is_whole:
                yield f"{WORDS}/{path.name} is damaged"


def _has_its_sum(data: bytes) -> bool:
    if len(data) < _TAIL.size:
        return False
    size, magic = _TAIL.unpack_from(data, len(data) - _TAIL.size)
    end = len(data) - _TAIL.size - size
    if magic != _MAGIC or end < 0:
        return False
    try:
        told = orjson.loads(data[end : -_TAIL.size])["crc"]
    except (ValueError, KeyError, TypeError):
        return False
    return bool(zlib.crc32(data[:end]) == told)


def _columns(folder: Path) -> Iterator[str]:
    with as_index_error(folder):
        state = read_state(open_words(folder).searcher())
    for (name, rows), told in zip(asdict(state.ends).items(), state.sums, strict=False):
        path = folder / COLUMNS / f"{name}.bin"
        if rows and sum_of(path, rows * FILES[name].itemsize) != told:
            yield f"{COLUMNS}/{name}.bin is damaged"
