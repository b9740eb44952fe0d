"""The processes of a browser: found by a mark on its command line, measured, and ended."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path

_PROC = Path("/proc")


def browser_processes(mark: str) -> dict[int, int]:
    """The browser that was started with a mark and its descendants, with their bytes of memory.

    Empty where there is no /proc: then the limits of the browser itself have to do.
    """
    parents, marked = {}, set()
    for entry in _entries():
        with suppress(OSError, ValueError, IndexError):
            stat = (entry / "stat").read_bytes().rpartition(b")")[2].split()
            parents[int(entry.name)] = int(stat[1])
            if mark.encode() in (entry / "cmdline").read_bytes().split(b"\0"):
                marked.add(int(entry.name))
    family = set(marked)
    while more := {pid for pid, parent in parents.items() if parent in family} - family:
        family |= more
    return {pid: _resident(pid) for pid in family}


def end_processes(pids: list[int]) -> None:
    """End processes by force."""
    for pid in pids:
        with suppress(OSError):
            os.kill(pid, signal.SIGKILL)


def _entries() -> list[Path]:
    try:
        return [entry for entry in _PROC.iterdir() if entry.name.isdigit()]
    except OSError:
        return []


def _resident(pid: int) -> int:
    with suppress(OSError, ValueError, IndexError):
        pages = int((_PROC / str(pid) / "statm").read_bytes().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
    return 0
