"""Files as streams of bytes, whatever they are compressed with."""

from __future__ import annotations

import bz2
import gzip
import lzma
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from geoscout_places.errors import ImportFileError

_OPENERS = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """The bytes of a file, without gzip, bzip2 or xz.

    Raises:
        ImportFileError: it cannot be read, also in the middle.
    """
    opener = _OPENERS.get(path.suffix.lower(), open)
    try:
        with opener(path, "rb") as stream:  # type: ignore[operator]
            yield cast("BinaryIO", stream)
    except (OSError, EOFError, lzma.LZMAError, zlib.error) as error:
        raise ImportFileError(f"cannot read {path}: {error}") from error


def beginning(path: Path, length: int = 4096) -> bytes:
    """The first bytes of a file.

    Raises:
        ImportFileError: it cannot be read.
    """
    with opened(path) as stream:
        return stream.read(length)


def bare_suffix(path: Path) -> str:
    """What a file's name ends in, without the ending of a compression: ".json" of "a.json.gz"."""
    name = path.with_suffix("") if path.suffix.lower() in _OPENERS else path
    return name.suffix.lower()
