"""What the machine cannot do, in one line: a full disk, a file or database that cannot be used.

The one place where such errors become sentences. They come up anywhere a file is written or read,
and whoever runs a command can do the same about each, so nothing below translates them. Also what
the machine has for us: processors, memory, open files, an event loop.
"""

from __future__ import annotations

import errno
import os
import re
import resource
import subprocess
import sys
from collections.abc import Callable, Coroutine
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from geoscout_places.errors import UsageError, last_line

if TYPE_CHECKING:
    import asyncio

_FULL = (errno.ENOSPC, errno.EDQUOT)
# Of files, memory, sockets and threads.
_LACKS = (errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOBUFS, errno.EAGAIN)
_FILES_OF_A_LOOK_UP = 4
_FILES_OF_A_CRAWL = 24  # databases, archives and lines to other processes that are opened later
_FILES_OF_A_REQUEST = 3  # its connection, one that stays open for the next, and a look-up
_OPEN_FILES = Path("/dev/fd")
PROCESSES = Path("/proc")  # of Linux
_TICKS = os.sysconf("SC_CLK_TCK")  # of processor time in a second
_SIZE = re.compile(r"([0-9]+(?:\.[0-9]+)?) ?([KMG])B?")
_UNITS = {"K": 10**3, "M": 10**6, "G": 10**9}


_Result = TypeVar("_Result")


def run_on_loop(main: Coroutine[None, None, _Result]) -> _Result:
    """Run a coroutine to its end, like asyncio.run: on uvloop where there is one."""
    import asyncio  # noqa: PLC0415 - `geoscout --help` needs none

    factory: Callable[[], asyncio.AbstractEventLoop] | None = None
    with suppress(ImportError):  # there is none for Windows and PyPy
        import uvloop  # noqa: PLC0415 - takes long to import

        factory = uvloop.new_event_loop
    with asyncio.Runner(loop_factory=factory) as runner:
        return runner.run(main)


def is_lack(error: BaseException | None) -> bool:
    """Whether an error says that this machine has none left of what it needs."""
    if isinstance(error, RuntimeError):
        return "can't start new thread" in str(error)
    return isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno in _LACKS)


def lacks_files() -> bool:
    """Whether this process can open no more files; look-ups of names do not tell that."""
    opened: list[int] = []
    try:
        opened.extend(os.open(os.devnull, os.O_RDONLY) for _ in range(_FILES_OF_A_LOOK_UP))
    except OSError as error:
        return is_lack(error)
    finally:
        for number in opened:
            os.close(number)
    return False


def requests_possible(asked_for: int) -> int:
    """How many requests at a time the limit of open files allows; it is raised if it may be."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
            soft = hard
    if soft == resource.RLIM_INFINITY:
        return asked_for
    opened = len(list(_OPEN_FILES.iterdir())) if _OPEN_FILES.is_dir() else 0
    return max(min(asked_for, (soft - opened - _FILES_OF_A_CRAWL) // _FILES_OF_A_REQUEST), 1)


def is_full(error: BaseException) -> bool:
    """Whether an error says that a disk is full."""
    if isinstance(error, OSError):
        return error.errno in _FULL
    sqlite3 = sys.modules.get("sqlite3")  # not imported for this: an error of it has done so
    if sqlite3 is None or not isinstance(error, sqlite3.Error):
        return False
    return bool(getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL)


def machine_failure(error: Exception) -> str:
    """The line for an error of the disk or of a database; "" for any other error."""
    if is_full(error):
        filename = getattr(error, "filename", None)
        where = f" ({filename})" if filename else ""
        return f"the disk is full{where}: make room and run it again; what was committed is safe"
    if isinstance(error, OSError):
        return _os_failure(error)
    if isinstance(error, MemoryError):
        return "there is not enough memory; what was committed is safe"
    return _database_failure(error)


def is_interrupted(error: BaseException | None) -> bool:
    """Whether a query of SQLite was ended by a signal, or because it took too long."""
    while error is not None:
        if getattr(error, "sqlite_errorname", "") == "SQLITE_INTERRUPT":
            return True
        error = error.__cause__
    return False


def _os_failure(error: OSError) -> str:
    where = f" ({error.filename})" if error.filename else ""
    return f"{error.strerror or last_line(error)}{where}"


def _database_failure(error: Exception) -> str:
    sqlite3 = sys.modules.get("sqlite3")  # not imported for this: an error of it has done so
    if sqlite3 is None or not isinstance(error, sqlite3.Error):
        return ""
    return f"a database cannot be used: {last_line(error)}; copy or make it again"


def processor_count() -> int:
    """How many processors this process may use; all of the machine where that is not known."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def memory_of(pid: int, processes: Path = PROCESSES) -> int:
    """Bytes that a process takes; 0: it has ended.

    What several share is divided among them, and counted for each where the system cannot do that.
    """
    rollup = processes / str(pid) / "smaps_rollup"
    with suppress(OSError):
        for line in rollup.read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    return 0 if processes.is_dir() else int(_ask_ps(pid, "rss") or 0) * 1024


def processor_seconds(pid: int, processes: Path = PROCESSES) -> float:
    """What a process has used so far, to a hundredth of a second; 0.0 when it is gone."""
    try:
        fields = (processes / str(pid) / "stat").read_bytes().rpartition(b")")[2].split()
    except OSError:
        return 0.0 if processes.is_dir() else read_duration(_ask_ps(pid, "time"))
    return (int(fields[11]) + int(fields[12])) / _TICKS


def idle_seconds(processes: Path = PROCESSES) -> float:
    """How long the processors of this machine have been idle, together; 0.0: nobody knows."""
    try:
        fields = (processes / "stat").read_bytes().split(maxsplit=5)
    except OSError:
        return 0.0
    return int(fields[4]) / _TICKS


def read_duration(text: str) -> float:
    """Seconds, as the program `ps` writes them on all systems.

    >>> read_duration("1-02:03:04"), read_duration("61:02.50"), read_duration("")
    (93784.0, 3662.5, 0.0)
    """
    days, _, rest = text.rpartition("-")
    seconds = 0.0
    for part in rest.split(":"):
        seconds = seconds * 60 + float(part or 0)
    return int(days or 0) * 86_400 + seconds


def _ask_ps(pid: int, field: str) -> str:
    """What the program of every POSIX system says of a process; macOS has no files for it."""
    command = ["ps", "-o", f"{field}=", "-p", str(pid)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    except OSError:
        return ""
    return done.stdout.strip()


def read_size(text: str) -> int:
    """Bytes as people write them.

    >>> read_size("800M"), read_size("1.5 GB"), read_size("")
    (800000000, 1500000000, 0)
    """
    if not text:
        return 0
    match = _SIZE.fullmatch(text.strip().upper())
    if match is None:
        raise UsageError(f"a size is a number with K, M or G, such as 800M, not {text!r}")
    return int(float(match[1]) * _UNITS[match[2]])
