from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import suppress

from geoscout.fetch.renderer import browser_processes, end_processes

# A process that has a child, as a browser has its renderers.
FAMILY = (
    "import subprocess, sys, time;"
    "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)']); time.sleep(60)"
)


def test_processes_are_found_by_their_mark_and_ended():
    mark = f"--geoscout=test-{os.getpid()}"
    process = subprocess.Popen([sys.executable, "-c", FAMILY, mark])
    try:
        until = time.monotonic() + 20
        while len(found := browser_processes(mark)) < 2 and time.monotonic() < until:
            time.sleep(0.02)
        assert process.pid in found
        assert len(found) == 2
        assert all(size > 1_000_000 for size in found.values())
    finally:
        end_processes(list(browser_processes(mark)))
        with suppress(subprocess.TimeoutExpired):
            process.wait(10)
    assert browser_processes(mark) == {}


def test_mark_that_nobody_has_finds_nothing():
    assert browser_processes("--geoscout=nobody") == {}
