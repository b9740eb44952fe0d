"""What the machine cannot do, in one line: a full disk, a file or database that cannot be used.

The one place where such errors become sentences. They come up anywhere a file is written or read,
and whoever runs a command can do the same about each, so nothing below translates them.
"""

from __future__ import annotations

import errno
import sys

from geoscout.errors import last_line

_FULL = (errno.ENOSPC, errno.EDQUOT)


def machine_failure(error: Exception) -> str:
    """The line for an error of the disk or of a database; "" for any other error."""
    if isinstance(error, OSError):
        return _os_failure(error)
    if isinstance(error, MemoryError):
        return "there is not enough memory; what was committed is safe"
    return _database_failure(error)


def _os_failure(error: OSError) -> str:
    where = f" ({error.filename})" if error.filename else ""
    if error.errno in _FULL:
        return _full(where)
    return f"{error.strerror or last_line(error)}{where}"


def _database_failure(error: Exception) -> str:
    sqlite3 = sys.modules.get("sqlite3")  # not imported for this: an error of it has done so
    if sqlite3 is None or not isinstance(error, sqlite3.Error):
        return ""
    if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL:
        return _full("")
    return f"a database cannot be used: {last_line(error)}; copy or make it again"


def _full(where: str) -> str:
    return f"the disk is full{where}: make room and run it again; what was committed is safe"
