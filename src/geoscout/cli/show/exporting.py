"""Writes rows to a file or to standard output."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from geoscout.store.export import ExportSource, load_format
from geoscout_places.errors import UsageError


def write_export(source: ExportSource, format: str, out: Path | None) -> None:
    """Write rows in the format of a name; a file that cannot be written whole is not left behind.

    Raises:
        UsageError: the format cannot have these rows, or the file cannot be written.
    """
    written = load_format(format)
    with opened_for_export(out) as stream:
        written.write(source, stream)


@contextmanager
def opened_for_export(out: Path | None) -> Iterator[BinaryIO]:
    """A stream to a file, or to standard output for None; half a file is not left behind.

    Raises:
        UsageError: the file cannot be written.
    """
    if out is None:
        yield sys.stdout.buffer
        return
    try:
        stream = out.open("wb")
    except OSError as error:
        raise UsageError(f"cannot write {out}: {error.strerror}") from error
    try:
        with stream:
            yield stream
    except BaseException:
        if out.is_file():  # not a device or a pipe
            out.unlink(missing_ok=True)
        raise
