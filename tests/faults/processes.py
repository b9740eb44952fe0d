"""Commands of geoscout as processes of their own: waited for, stopped, killed, and measured."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Self

from tests.faults.scenario import BrokenPromiseError


class Command:
    """A running command, in a process group of its own."""

    def __init__(self, words: Sequence[str], environment: Mapping[str, str], output: Path) -> None:
        self.output = output
        with output.open("wb") as file:
            self.process = subprocess.Popen(
                words, env=dict(environment), stdout=file, stderr=file, start_new_session=True
            )

    @property
    def status(self) -> int | None:
        """The exit status; None while it runs."""
        return self.process.poll()

    def ends_within(self, seconds: float) -> bool:
        """Wait for the end, at most so long."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(seconds)
        return self.status is not None

    def wait(self, seconds: float) -> int:
        """Wait for the end.

        Raises:
            BrokenPromiseError: it does not end.
        """
        if not self.ends_within(seconds):
            where = self.abort()
            raise BrokenPromiseError(f"no end after {seconds:.0f} s, in {where}")
        return int(self.status or 0)

    def stop(self, seconds: float) -> float:
        """Send SIGTERM; the seconds until it ended.

        Raises:
            BrokenPromiseError: it did not end in that time.
        """
        begin = time.monotonic()
        if self.status is None:
            self.process.send_signal(signal.SIGTERM)
            self.wait(seconds)
        return time.monotonic() - begin

    def kill(self) -> None:
        """SIGKILL to the command and all that it has started."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def abort(self) -> str:
        """End it so that it says where it is; the innermost lines of that."""
        with contextlib.suppress(ProcessLookupError):
            self.process.send_signal(signal.SIGABRT)
        self.ends_within(5)
        self.kill()
        lines = [line.strip() for line in self.text().splitlines() if line.startswith("  File ")]
        return "; ".join(lines[:2]) or "an unknown place"

    def text(self) -> str:
        """What it has printed so far."""
        return self.output.read_text(encoding="utf-8", errors="replace")

    def last_line(self) -> str:
        """The last line that it has printed."""
        lines = self.text().strip().splitlines()
        return lines[-1][:300] if lines else "nothing was printed"

    def has_traceback(self) -> bool:
        """Whether it ended as a program should not."""
        return "Traceback (most recent call last)" in self.text()


class MemoryWatch:
    """Measures the memory of a process and its children while its `with` block runs."""

    def __init__(self, command: Command, every: float = 0.5) -> None:
        self._pid = command.process.pid
        self._every = every
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self.megabytes: list[float] = []  # in the order of time

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    @property
    def most(self) -> float:
        """The most that was seen, in megabytes."""
        return max(self.megabytes, default=0.0)

    def _watch(self) -> None:
        while not self._done.wait(self._every):
            total = sum(map(megabytes_of, [self._pid, *children_of(self._pid)]))
            if total:
                self.megabytes.append(total)


def children_of(pid: int) -> list[int]:
    """All processes below one."""
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            found += map(int, task.read_text().split())
    return [below for child in found for below in (child, *children_of(child))]


def megabytes_of(pid: int) -> float:
    """The memory of a process; what it shares with others counts by its share."""
    with contextlib.suppress(OSError, IndexError, ValueError):
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        return next(float(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1000
    return 0.0
