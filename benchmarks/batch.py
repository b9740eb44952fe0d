"""What `geoscout geoparse --warc` makes of archives, next to a plain loop over their records.

    python benchmarks/batch.py [ARCHIVE...] [--format jsonl]

The plain loop is what one would write first: `warcio` for the records, our parser and geoparser,
one process, nothing written. Without archives, those of munich and webkb are looked for in
GEOSCOUT_CORPORA or ../shared/corpora. Each contender is a process of its own that reads each
archive once. Processor time is that of all its processes; on a busy machine only that can be
compared, and the wall clock says how it went that day.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import warcio

from geoscout_places.geo import load_geoparser
from geoscout_places.parse import parse_html

USUAL = ("munich/munich-00.warc.gz", "webkb/webkb-00.warc.gz")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("archives", nargs="*", type=Path)
    parser.add_argument("--format", default="parquet")
    parser.add_argument("--plain", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    archives = given.archives or usual_archives()
    if given.plain:
        print(sum(read_plainly(path) for path in archives))
    elif not archives:
        print("no archives here: name some, or set GEOSCOUT_CORPORA; nothing was measured")
    for path in archives if not given.plain else ():
        compare(path, given.format)


def usual_archives() -> list[Path]:
    corpora = Path(os.environ.get("GEOSCOUT_CORPORA", "../shared/corpora"))
    return [path for name in USUAL if (path := corpora / "archives" / name).is_file()]


def read_plainly(path: Path) -> int:
    """Geoparse an archive in a loop; the number of its pages."""
    geoparser, pages = load_geoparser(), 0
    with path.open("rb") as stream:
        for record in warcio.ArchiveIterator(stream):
            if record.rec_type != "response" or record.http_headers.get_statuscode() != "200":
                continue
            content_type = record.http_headers.get_header("Content-Type") or ""
            if not content_type.startswith(("text/html", "application/xhtml+xml")):
                continue
            url = record.rec_headers.get_header("WARC-Target-URI")
            geoparser.read(parse_html(record.content_stream().read(), url, content_type))
            pages += 1
    return pages


def compare(path: Path, format: str) -> None:
    size = path.stat().st_size / 1e6
    print(f"{path.name}, {size:.1f} MB, first pass, {format}")
    print(f"{'':22}{'pages':>7}{'ms CPU/page':>13}{'ratio':>7}{'pages/s':>9}{'MB/s':>7}")
    plain = [sys.executable, __file__, "--plain", str(path)]
    base = show("plain loop", size, plain, 0.0)
    for workers in (1, 2):
        with tempfile.TemporaryDirectory() as out:
            ours = ["geoparse", "--warc", str(path), "--out", out, "--format", format]
            geoscout = str(Path(sys.executable).with_name("geoscout"))
            command = [geoscout, *ours, "--workers", str(workers), "--json"]
            show(f"geoscout, workers {workers}", size, command, base)


def show(name: str, size: float, command: Sequence[str], base: float) -> float:
    """Run a contender and print its row; its processor time for a page in milliseconds."""
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    seconds, after = time.monotonic() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    counted = json.loads(done.stdout)
    pages = counted if isinstance(counted, int) else counted["pages"]
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    cost = used / pages * 1000
    ratio = f"{cost / base:.2f}" if base else ""
    speed = f"{pages / seconds:>9.0f}{size / seconds:>7.2f}"
    print(f"{name:22}{pages:>7}{cost:>13.2f}{ratio:>7}{speed}", flush=True)
    return cost


if __name__ == "__main__":
    main()
