"""Limits of waiting that a busy machine does not reach.

A second counts as much as there is of a processor for us: at a load of 20 on two of them, a tenth.
"""

import os
import subprocess
import time
from collections.abc import Callable

_PAUSE = 0.1


def wait_until(is_so: Callable[[], object], seconds: float) -> None:
    """Wait for something, so long at most as an idle machine needs."""
    left, before = seconds, time.monotonic()
    while not is_so():
        assert left > 0, f"not so after {seconds:g} seconds of an idle machine"
        time.sleep(_PAUSE)
        now = time.monotonic()
        left -= (now - before) / max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))
        before = now


def status_of(process: subprocess.Popen[bytes], seconds: float) -> int:
    """The exit status of a process that is to end within so long."""
    wait_until(lambda: process.poll() is not None, seconds)
    return process.wait()
