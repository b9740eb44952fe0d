"""Lists of captures: CDXJ files, and the JSON lines that the index of Common Crawl sends.

Each line names a WARC file and a place in it. Only these records are read, so that a few pages of
many files need no scan of them. The files must be here: next to the list, at the path that it
gives, or in a folder `archive` as in WACZ files and collections of pywb.
"""

from __future__ import annotations

import gzip
import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from geoscout.errors import UsageError

_log = logging.getLogger(__name__)
_LARGEST = 2**48  # bytes; an offset beyond it is damage

Captures = dict[Path, list[tuple[int, int]]]  # of each file, offset and length of its records


def is_capture_list(path: Path) -> bool:
    """Whether a file is a list, by its name: `x.cdxj`, `x.cdxj.gz`, or `cdx-00012.gz`."""
    name = path.name
    is_of_common_crawl = name.startswith("cdx-") and name.endswith(".gz")
    return name.endswith((".cdxj", ".cdxj.gz")) or is_of_common_crawl


def read_captures(path: Path) -> Captures:
    """The records that a list names, in files that are here; each file in the order of its bytes.

    Raises:
        UsageError: it cannot be read, names no record, or none of its files is here.
    """
    named: dict[str, set[tuple[int, int]]] = {}
    for entry in _entries(path):
        named.setdefault(entry[0], set()).add(entry[1:])
    if not named:
        raise UsageError(f"{path} names no records; a line has a file, an offset and a length")
    places = {name: _place(path.parent, name) for name in named}
    missing = sorted(name for name, place in places.items() if place is None)
    if len(missing) == len(named):
        raise UsageError(
            f"none of the {len(named)} files that {path} names is here, such as {missing[0]};"
            " put them next to it"
        )
    if missing:
        _log.warning("%d of %d files of %s are not here", len(missing), len(named), path)
    return {place: sorted(named[name]) for name, place in places.items() if place is not None}


def _place(folder: Path, name: str) -> Path | None:
    file = name.rpartition("/")[2]
    places = (
        folder / file,
        folder / name,
        folder / "archive" / file,
        folder.parent / "archive" / file,
    )
    return next((place for place in places if place.is_file()), None)


def _entries(path: Path) -> Iterator[tuple[str, int, int]]:
    opened = gzip.open if path.name.endswith(".gz") else open
    try:
        with opened(path, "rt", encoding="utf-8", errors="replace") as lines:
            for line in lines:
                if entry := _entry(line):
                    yield entry
    except (OSError, EOFError) as error:
        raise UsageError(f"cannot read the list {path}: {error}") from error


def _entry(line: str) -> tuple[str, int, int] | None:
    """File, offset and length of a line; None for a heading, or what is damaged."""
    start = line.find("{")
    if start < 0:
        return None
    try:
        found: dict[str, Any] = json.loads(line[start:])
        name, offset, length = str(found["filename"]), int(found["offset"]), int(found["length"])
    except (ValueError, OverflowError, KeyError, TypeError):
        return None
    is_sound = 0 <= offset < _LARGEST and 0 < length < _LARGEST
    return (name, offset, length) if is_sound and ".." not in name.split("/") else None
