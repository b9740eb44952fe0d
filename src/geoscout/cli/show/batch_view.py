"""`geoscout geoparse --warc` in the terminal: how far it is, and what came out."""

import argparse
import logging
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from geoscout.batch.folder import BatchFolder, FileReport, check_format, named_archives
from geoscout.batch.rows import batch_options
from geoscout.batch.run import Batch, run_batch
from geoscout.cli.show.logs import tell
from geoscout.cli.show.terminal import converting, gazetteer_for, print_json, print_table
from geoscout.crawling.options import relevance_rule
from geoscout.machine import processor_count
from geoscout.on_ray import run_batch_on_ray
from geoscout.settings import Settings
from geoscout_places.errors import UsageError
from geoscout_places.gazetteer import Region

_log = logging.getLogger(__name__)
_COUNTS = ("files", "pages", "with_place", "relevant", "addresses")


def run_shown(arguments: argparse.Namespace, settings: Settings) -> int:
    """Run a batch and show it; 1 when archives have failed."""
    workers = _workers(arguments, settings)
    batch = _batch(arguments, settings)
    with batch.folder.opened(batch.options):
        waiting = batch.waiting()
        if done := len(batch.archives) - len(waiting):
            tell(f"{done:,} of {len(batch.archives):,} archives are done")
        with converting() as show:
            progress = BatchProgress(len(waiting), sum(p.stat().st_size for p in waiting), show)
            if arguments.ray:
                run_batch_on_ray(batch, arguments.ray, workers, progress.on_file)
            else:
                run_batch(batch, workers, progress.on_file, progress.on_bytes)
        _print_summary(_summary(batch, progress.failed), as_json=arguments.json)
    return 1 if progress.failed else 0


def _batch(arguments: argparse.Namespace, settings: Settings) -> Batch:
    """Everything that can be wrong is found here, before the work starts."""
    format = arguments.format or "parquet"
    check_format(format)
    archives = named_archives(arguments.warc)
    rule = relevance_rule(settings.relevance)
    gazetteer = gazetteer_for(settings)
    region = tuple(arguments.region or ())
    if region:
        Region.parse(region, gazetteer)
    options = batch_options(
        settings, format=format, region=region, relevance=rule, sites=arguments.sites
    )
    return Batch(archives, BatchFolder(arguments.out, format), options, settings)


def _workers(arguments: argparse.Namespace, settings: Settings) -> int:
    """As many as the flag says, else the setting, else one for each processor.

    The setting is 1 unless somebody changes it, because a crawl rarely needs more.
    """
    if arguments.workers is not None and arguments.workers < 1:
        raise UsageError(f"--workers is at least 1, not {arguments.workers}")
    if arguments.workers:
        return int(arguments.workers)
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
