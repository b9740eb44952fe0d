"""geoscout with a wall clock that can be set while it runs.

    python -m tests.faults.set_clock crawl …   # FAULTS_CLOCK: a file with the seconds to add

The real clock of a machine cannot be set for one process, so its readings are changed before any
module of geoscout is imported. What counts seconds (`time.monotonic`, event loops) stays as it is.
"""

import contextlib
import os
import sys
import time
from pathlib import Path

VARIABLE = "FAULTS_CLOCK"
_real_time = time.time


def shifted() -> float:
    """The time of a clock that somebody has set."""
    shift = 0.0
    with contextlib.suppress(OSError, ValueError):
        shift = float(Path(os.environ[VARIABLE]).read_text(encoding="ascii"))
    return _real_time() + shift


if VARIABLE in os.environ:
    time.time = shifted

if __name__ == "__main__":
    from geoscout.cli.main import main

    sys.exit(main())
