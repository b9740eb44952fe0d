"""Find the addresses, place names and scope of texts and web pages.

Reads files or standard input (-): text, PDF, or HTML with --html. With --jsonl each line of input
is a document {"id", "text"} or {"id", "html", "url"}, and each line of output is its result.

With --warc it reads whole archives (WARC, and WET of Common Crawl) and writes a file for each to
the folder --out, with a row for each page. The same command continues a batch that was stopped.

With --set sites=yes each page is read with what the other pages of its site, the host of its URL,
name and repeat.
"""

from __future__ import annotations

import argparse
import logging
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryFile
from typing import IO, Any

from geoscout.batch.folder import BatchFolder, FileReport, named_archives
from geoscout.batch.ray_run import run_batch_on_ray
from geoscout.batch.row_files import check_format
from geoscout.batch.rows import batch_options
from geoscout.batch.run import Batch, BatchWatcher, run_batch
from geoscout.cli.command import Command, add_option
from geoscout.cli.show.logs import tell
from geoscout.cli.show.terminal import converting, gazetteer_for, print_json, print_table
from geoscout.crawling.options import relevance_rule
from geoscout.machine import processor_count
from geoscout.settings import Settings
from geoscout_places.errors import UsageError
from geoscout_places.gazetteer import Region

EXAMPLE = (
    "  geoscout geoparse --html --url https://www.example.de/ page.html\n"
    "  echo 'Pizza in Lisbon' | geoscout geoparse -\n"
    "  geoscout geoparse --jsonl documents.jsonl > places.jsonl\n"
    "  geoscout geoparse --warc archives/ --out places --region Munich --workers 8"
)
_SHOWN = ("table", "json", "html")  # formats of texts, the default first
_WRITTEN = ("parquet", "jsonl")  # formats of archives


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files", nargs="*", metavar="FILE", help="files to read; - or none reads standard input"
    )
    parser.add_argument("--html", action="store_true", help="the files are HTML, not text")
    parser.add_argument("--url", default="", help="address of the page; its country is a clue")
    parser.add_argument("--jsonl", action="store_true", help="read and write JSON lines")
    parser.add_argument(
        "--region",
        action="append",
        metavar="R",
        help="mark what is inside a region: a place, lat,lon,radius_km, a box or a GeoJSON file;"
        " with --warc, judge whether pages are about it",
    )
    parser.add_argument(
        "--format",
        choices=(*_SHOWN, *_WRITTEN),
        help="html shows the text with its places highlighted and a map (default: table);"
        " with --warc: parquet or jsonl (default: parquet)",
    )
    parser.add_argument(
        "--json",
        action="store_true",
        help="the same as --format json; with --warc, print the counts as one JSON document",
    )
    about = (
        "yes, with --jsonl and --warc: read each page with what the other pages of its site name"
        " and repeat; takes twice the time"
    )
    add_option(parser, "sites", bool, about, default=False)
    _add_batch_arguments(parser)


def _add_batch_arguments(parser: argparse.ArgumentParser) -> None:
    batch = parser.add_argument_group("whole archives")
    batch.add_argument(
        "--warc",
        nargs="+",
        metavar="FILE",
        help="WARC or WET files, folders, patterns in quotes, or @LIST with one of these on a line",
    )
    batch.add_argument("--out", type=Path, metavar="DIR", help="folder for the results")
    batch.add_argument(
        "--workers", type=int, help="processes that read pages (default: one for each processor)"
    )
    batch.add_argument(
        "--ray",
        metavar="ADDRESS",
        help="run on a Ray cluster: host:port, auto, or local for one of this machine alone",
    )


def run(arguments: argparse.Namespace, settings: Settings) -> int:
    if arguments.warc:
        return _run_batch(arguments, settings)
    if arguments.out or arguments.ray or arguments.format in _WRITTEN:
        raise UsageError(
            "--out, --ray and --format parquet or jsonl are for archives: --warc FILES"
        )
    return _run_texts(arguments, settings)


def _run_batch(arguments: argparse.Namespace, settings: Settings) -> int:

    if arguments.out is None:
        raise UsageError("--warc needs a folder for the results: --out DIR")
    if arguments.files or arguments.html or arguments.jsonl or arguments.url:
        raise UsageError("--warc does not go with FILE, --html, --url or --jsonl")
    if arguments.format in _SHOWN:
        raise UsageError("--warc writes files: --format parquet or jsonl")
    request = BatchRequest(
        names=tuple(arguments.warc),
        out=arguments.out,
        format=arguments.format or _WRITTEN[0],
        region=tuple(arguments.region or ()),
        workers=arguments.workers,
        sites=arguments.sites,
        ray=arguments.ray,
        json=arguments.json,
    )
    return run_shown(request, settings)


def _run_texts(arguments: argparse.Namespace, settings: Settings) -> int:
    from geoscout.cli.show.readings import TextReader  # noqa: PLC0415 - loads the geoparser

    reader = TextReader(
        gazetteer_for(settings), arguments.region or (), strict_streets=settings.strict_streets
    )
    if arguments.jsonl:
        _convert_lines(reader, arguments.files, with_sites=arguments.sites)
        return 0
    if arguments.sites:
        raise UsageError("sites is for many pages: --jsonl or --warc")
    shape = "json" if arguments.json else arguments.format or _SHOWN[0]
    for name in arguments.files or ["-"]:
        content = _read(name)
        document = reader.document(content, arguments.url, html=arguments.html)
        reader.show(document, shape)
    return 0


def _convert_lines(reader: Any, names: Sequence[str], *, with_sites: bool) -> None:
    import orjson  # noqa: PLC0415

    with ExitStack() as stack:
        streams = [stack.enter_context(_open(name)) for name in names or ["-"]]
        if with_sites:  # a site is known only after its last page, so all are read twice
            copy = stack.enter_context(TemporaryFile())
            for stream in streams:
                copyfileobj(stream, copy)
                copy.write(b"\n")
            copy.seek(0)
            for _ in _results(_lines(copy), reader.learn_line):
                pass
            copy.seek(0)
            streams = [copy]
        for found in _results(chain.from_iterable(map(_lines, streams)), reader.read_line):
            sys.stdout.buffer.write(orjson.dumps(found, option=orjson.OPT_APPEND_NEWLINE))
    sys.stdout.buffer.flush()


def _open(name: str) -> AbstractContextManager[IO[bytes]]:
    if name == "-":
        return nullcontext(sys.stdin.buffer)
    try:
        return Path(name).open("rb")
    except OSError as error:
        raise UsageError(f"cannot read {name}: {error.strerror}") from error


def _results(lines: Iterable[bytes], read: Callable[[Any], Any]) -> Iterator[Any]:
    """What a function makes of each line."""
    import orjson  # noqa: PLC0415

    for number, line in enumerate(lines, start=1):
        try:
            yield read(orjson.loads(line))
        except (orjson.JSONDecodeError, AttributeError, TypeError) as error:
            raise UsageError(
                f'line {number} is not {{"id", "text"}} or {{"id", "html", "url"}}: {error}'
            ) from error


def _lines(stream: IO[bytes]) -> Iterator[bytes]:
    return (line for line in stream if line.strip())


def _read(name: str) -> bytes:
    if name == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(name).read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read {name}: {error.strerror}") from error


_log = logging.getLogger(__name__)
_COUNTS = ("files", "pages", "with_place", "relevant", "addresses")


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchRequest:
    """What a user asks for."""

    names: tuple[str, ...]
    out: Path
    format: str
    region: tuple[str, ...]
    workers: int | None  # None: one for each processor
    sites: bool  # read pages with what others tell of their sites
    ray: str | None  # address of a Ray cluster; None: processes of this machine
    json: bool


def run_shown(request: BatchRequest, settings: Settings) -> int:
    """Run a batch and show it; 1 when archives have failed.

    Raises:
        UsageError: something that was asked for cannot be had.
    """
    workers = _workers(request, settings)
    batch = _batch(request, settings)
    with batch.folder.opened(batch.options):
        waiting = batch.waiting()
        if done := len(batch.archives) - len(waiting):
            tell(f"{done:,} of {len(batch.archives):,} archives are done")
        with converting() as show:
            progress = BatchProgress(len(waiting), sum(p.stat().st_size for p in waiting), show)
            watcher = BatchWatcher(progress.on_file, progress.on_bytes)
            if request.ray:
                run_batch_on_ray(batch, request.ray, workers, watcher)
            else:
                run_batch(batch, workers, watcher)
        _print_summary(_summary(batch, progress.failed), as_json=request.json)
    return 1 if progress.failed else 0


def _batch(request: BatchRequest, settings: Settings) -> Batch:
    """Everything that can be wrong is found here, before the work starts."""
    check_format(request.format)
    archives = named_archives(request.names)
    rule = relevance_rule(settings.relevance)
    gazetteer = gazetteer_for(settings)
    if request.region:
        Region.parse(request.region, gazetteer)
    options = batch_options(
        settings,
        format=request.format,
        region=request.region,
        relevance=rule,
        sites=request.sites,
    )
    return Batch(archives, BatchFolder(request.out, request.format), options, settings)


def _workers(request: BatchRequest, settings: Settings) -> int:
    """As many as the flag says, else the setting, else one for each processor.

    The setting is 1 unless somebody changes it, because a crawl rarely needs more.
    """
    if request.workers is not None and request.workers < 1:
        raise UsageError(f"--workers is at least 1, not {request.workers}")
    if request.workers:
        return request.workers
    return settings.workers if settings.workers > 1 else processor_count()


class BatchProgress:
    """How far a batch is: a bar on a terminal, and a line for each archive everywhere."""

    def __init__(self, files: int, size: int, show: Callable[[str, float], None]) -> None:
        self._files = files
        self._size = size  # bytes of all archives that wait
        self._show = show
        self._started = time.monotonic()
        self._done_files = 0
        self._done_bytes = 0
        self._pages = 0
        self.failed: list[FileReport] = []

    def on_file(self, report: FileReport) -> None:
        """An archive is done or has failed."""
        name = Path(report.file).name
        self._done_files += 1
        self._done_bytes += report.bytes
        self._pages += report.pages
        if report.error:
            self.failed.append(report)
            _log.warning("%s failed: %s", name, report.error)
        else:
            left_out = sum(report.skipped.values())
            _log.info(
                f"{name}: {report.pages:,} pages, {report.addresses:,} addresses,"
                f" {left_out:,} records left out, {report.seconds:,.0f} s"
            )
        self.on_bytes(0)

    def on_bytes(self, read: int) -> None:
        """Part of the present archive is read."""
        size, seconds = self._done_bytes + read, time.monotonic() - self._started
        text = f"{self._done_files:,} of {self._files:,} files, {size / 1e6:,.0f} MB"
        speed = f"{self._pages / seconds:,.0f} pages/s" if self._pages and seconds else ""
        self._show(", ".join(filter(None, (text, speed))), size / max(self._size, 1))


def _summary(batch: Batch, failed: Sequence[FileReport]) -> dict[str, object]:
    """The counts of all archives that are done, now or before."""
    reports = [r for path in batch.archives if (r := batch.folder.report(path)) is not None]
    skipped: Counter[str] = Counter()
    for report in reports:
        skipped.update(report.skipped)
    return {
        "out": str(batch.folder.path),
        "files": len(reports),
        "bytes": sum(report.bytes for report in reports),
        "pages": sum(report.pages for report in reports),
        "with_place": sum(report.with_place for report in reports),
        "relevant": sum(report.relevant for report in reports) if batch.options.region else None,
        "addresses": sum(report.addresses for report in reports),
        "skipped": dict(sorted(skipped.items())),
        "failed": {report.file: report.error for report in failed},
    }


def _print_summary(summary: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        print_json(summary)
        return
    flat = {name: summary[name] for name in _COUNTS if summary[name] is not None}
    left_out = {f"left out: {reason}": n for reason, n in summary["skipped"].items()}
    counts = {**flat, **left_out, "failed files": len(summary["failed"])}
    print_table("", ("", ">"), [(name, f"{n:,}") for name, n in counts.items()])


COMMANDS = {
    "geoparse": Command(
        description=__doc__ or "",
        example=EXAMPLE,
        add_arguments=add_arguments,
        run=run,
    ),
}
