"""Whether somebody is writing to a crawl right now."""

from __future__ import annotations

import fcntl
from pathlib import Path

from geoscout.store.sqlite.database import LOCK_FILE


def is_running(folder: Path) -> bool:
    """Whether a crawl holds its folder.

    The lock is tried as one of many readers and given back within microseconds, so that a crawl
    about to start hardly ever meets it.
    """
    try:
        with (folder / LOCK_FILE).open("rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:  # no lock file: nobody ever wrote here, or it may not be read
        return False
    return False
