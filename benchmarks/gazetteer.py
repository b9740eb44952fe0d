"""How fast the gazetteer is built, opened and asked.

    python benchmarks/gazetteer.py

Prints each figure next to its limit: building, a fresh `geoscout place Lisbon` against a bare
interpreter that imports sqlite3 and json, loading what the geoparser needs, and single questions.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BUILD = (
    "import resource, sys, time; start = time.perf_counter();"
    "from geoscout_places.gazetteer import build_gazetteer;"
    "from geoscout.settings import load_settings;"
    "build_gazetteer(load_settings());"
    "print(time.perf_counter() - start,"
    " resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)"
)
LOAD = (
    "import resource, time; start = time.perf_counter();"
    "from geoscout_places.geo import load_geoparser; load_geoparser();"
    "print(time.perf_counter() - start,"
    " resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)"
)
QUESTIONS = (
    "import time; from geoscout_places.gazetteer import open_gazetteer;"
    "from geoscout.settings import load_settings; g = open_gazetteer(load_settings());"
    "from geoscout_places.model import Point;"
    "names = [r[0] for r in g._connection.execute("
    " 'SELECT folded FROM name WHERE role = \"name\" LIMIT 20000 OFFSET 50000')];"
    "start = time.perf_counter();"
    "[g.candidates(n) for n in names]; first = time.perf_counter();"
    "[g.candidates(n) for n in names]; second = time.perf_counter();"
    "[g.nearest(Point(i % 60, i % 170)) for i in range(500)]; third = time.perf_counter();"
    "print((first - start) / len(names) * 1e6, (second - first) / len(names) * 1e6,"
    " (third - second) / 500 * 1e3)"
)
REPEATS = 7


def run(*command: str) -> tuple[float, str]:
    """Wall-clock seconds of a command, and what it printed."""
    start = time.perf_counter()
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return time.perf_counter() - start, done.stdout


def median_seconds(*command: str) -> float:
    return statistics.median(run(*command)[0] for _ in range(REPEATS))


def show(what: str, value: str, limit: str = "") -> None:
    print(f"{what:<52} {value:>14}   {limit}")


def main() -> None:
    with tempfile.TemporaryDirectory() as home:
        os.environ["GEOSCOUT_HOME"] = home
        os.environ["GEOSCOUT_EXTRAS"] = "no"
        seconds, megabytes = run(sys.executable, "-c", BUILD)[1].split()
        show("build", f"{float(seconds):.1f} s", "limit 120 s")
        show("build, peak memory", f"{float(megabytes):.0f} MB", "limit 2,000 MB")
        size = sum(file.stat().st_size for file in Path(home).glob("*.sqlite"))
        show("compiled file", f"{size / 1e6:.0f} MB")

        bare = median_seconds(sys.executable, "-c", "import sqlite3, json")
        command = str(Path(sys.executable).with_name("geoscout"))
        asked = median_seconds(command, "place", "Lisbon")
        show("python importing sqlite3 and json", f"{bare * 1e3:.0f} ms")
        limit = f"limit {(3 * bare + 0.15) * 1e3:.0f} ms (3 x bare + 150)"
        show("geoscout place Lisbon, fresh process", f"{asked * 1e3:.0f} ms", limit)
        show("geoscout --help", f"{median_seconds(command, '--help') * 1e3:.0f} ms", "limit 150 ms")

        seconds, megabytes = run(sys.executable, "-c", LOAD)[1].split()
        show("load all the geoparser needs", f"{float(seconds):.2f} s", "limit 1 s")
        show("memory with it loaded", f"{float(megabytes):.0f} MB", "limit 300 MB")

        first, again, nearest = run(sys.executable, "-c", QUESTIONS)[1].split()
        show("a name, first time", f"{float(first):.1f} us")
        show("a name, again", f"{float(again):.2f} us")
        show("nearest place to a point", f"{float(nearest):.2f} ms")


if __name__ == "__main__":
    main()
