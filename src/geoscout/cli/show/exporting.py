"""Writes rows to a file or to standard output."""

from __future__ import annotations

import sys
from pathlib import Path

from geoscout.errors import UsageError
from geoscout.store.export import ExportSource, load_format


def write_export(source: ExportSource, format: str, out: Path | None) -> None:
    """Write rows in the format of a name; a file that cannot be written whole is not left behind.

    Raises:
        UsageError: the format cannot have these rows, or the file cannot be written.
    """
    written = load_format(format)
    if out is None:
        written.write(source, sys.stdout.buffer)
        return
    try:
        stream = out.open("wb")
    except OSError as error:
        raise UsageError(f"cannot write {out}: {error.strerror}") from error
    try:
        with stream:
            written.write(source, stream)
    except BaseException:
        if out.is_file():  # not a device or a pipe
            out.unlink(missing_ok=True)
        raise
