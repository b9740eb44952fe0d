"""Whether a crawl folder was made in this place, or came from somebody else.

A folder says what a crawl may do when it goes on: ask private addresses, for example. One with a
PostgreSQL of its own has a database, and a database can run programs. Both are fine in a folder
that was made here. Whoever sends a folder must not decide it.

    DIR/crawl.origin     empty
    DIR/crawl.made-here  the inode and the time of the last change of that file

Nobody can write the second for a copy that is still to be made: the inode and the time are those of
the moment at which the copy is unpacked, to the nanosecond. A folder that is renamed keeps both. A
copy of one's own folder has to be trusted once (`geoscout check DIR --trust`). There is no list of
folders in the home of the user, since not every process that opens a folder has one.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from geoscout.errors import UsageError

ORIGIN, MADE_HERE = "crawl.origin", "crawl.made-here"


def mark_made_here(folder: Path) -> None:
    """Say that a folder was made here, or that its maker is trusted."""
    (folder / ORIGIN).touch()
    (folder / MADE_HERE).write_text(f"{_origin_of(folder)}\n", encoding="ascii")


def is_made_here(folder: Path) -> bool:
    """Whether it was made here, and not copied or unpacked."""
    with suppress(OSError, ValueError):
        return (folder / MADE_HERE).read_text(encoding="ascii").strip() == _origin_of(folder)
    return False


def require_made_here(folder: Path, danger: str) -> None:
    """Go on with a folder that was made here.

    Raises:
        UsageError: it was not; `danger` says what the folder can do.
    """
    if not is_made_here(folder):
        raise UsageError(
            f"{folder} was copied or comes from elsewhere, and {danger};"
            " if you trust it, say so with the option `trust` of `geoscout check`"
        )


def _origin_of(folder: Path) -> str:
    found = (folder / ORIGIN).stat()
    return f"{found.st_ino} {found.st_ctime_ns}"
