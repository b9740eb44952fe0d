"""One writer for a crawl, and a way to see whether there is one without getting in its way.

Two files: only writers lock the first, so whoever fails to get it met another writer. The writer
then locks the second, which those who only want to look try as one of many readers. A look holds
that lock for microseconds, and a writer that meets it waits that long. The second file also says
who writes: a mark of the run, by which others can ask for its end, and its process, for people.
"""

from __future__ import annotations

import fcntl
import json
import os
import secrets
import socket
import time
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO

from geoscout.crawl_folder import open_stream
from geoscout_places.errors import UsageError

LOCK_FILE = "crawl.lock"
MARK_FILE = "crawl.running"
_LONGEST_MARK = 10_000  # bytes
_LOOKS = 1000  # a millisecond each; whoever looks for longer than a second has been stopped


@dataclass(frozen=True, slots=True)
class RunMark:
    """One run of a crawl, as its folder names it."""

    run: str  # no other run has it
    pid: int  # of its process, on its machine
    machine: str
    since: float  # seconds since the epoch, UTC


class WriterLock:
    """Keeps other writers out of a folder until it is closed, be it by the death of the process."""

    def __init__(self, folder: Path) -> None:
        """Take the lock.

        Raises:
            UsageError: another process has it, or the folder cannot be written to.
        """
        with ExitStack() as on_error:
            self._files = [on_error.enter_context(_open(folder / LOCK_FILE))]
            if not _try(self._files[0], fcntl.LOCK_EX):
                raise UsageError(f"another process is writing to the crawl in {folder}")
            self._files.append(on_error.enter_context(_open(folder / MARK_FILE)))
            _wait(self._files[1])
            self.mark = _mark(self._files[1])
            on_error.pop_all()

    def close(self) -> None:
        for file in reversed(self._files):
            file.close()


def is_written(folder: Path) -> bool:
    """Whether a process writes to the crawl in a folder."""
    try:
        with open_stream(folder / MARK_FILE, "rb") as mark:
            return not _try(mark, fcntl.LOCK_SH)
    except OSError:  # no such file: nobody ever wrote here, or it may not be read
        return False


def read_mark(folder: Path) -> RunMark | None:
    """The run that writes to a folder now; None when none does, or one of an earlier version."""
    if not is_written(folder):
        return None
    try:
        with open_stream(folder / MARK_FILE, "rb") as mark:
            return RunMark(**json.loads(mark.read(_LONGEST_MARK)))
    except (OSError, ValueError, TypeError):
        return None


def _mark(file: IO[bytes]) -> RunMark:
    mark = RunMark(secrets.token_hex(8), os.getpid(), socket.gethostname(), time.time())
    try:
        file.write(json.dumps(asdict(mark)).encode())
        file.flush()
    except OSError:  # a full disk: the crawl says so itself, and others see that somebody writes
        pass
    return mark


def _open(path: Path) -> IO[bytes]:
    try:
        return open_stream(path, "wb")
    except OSError as error:
        raise UsageError(f"cannot write to {path}: {error.strerror}") from error


def _try(file: IO[bytes], kind: int) -> bool:
    try:
        fcntl.flock(file, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _wait(mark: IO[bytes]) -> None:
    """Let those pass who are looking; one that never ends only hides that we are running."""
    for _ in range(_LOOKS):
        if _try(mark, fcntl.LOCK_EX):
            return
        time.sleep(0.001)
