"""A batch on one machine: the archives one after another, each by all processes.

All processes work on one archive, so that a single large file uses every core and an interruption
costs one file at most. This process reads the archives and writes the rows, which takes a small
part of a core (docs/batch.md has the figures).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from geoscout.batch.convert import ArchiveConverter
from geoscout.batch.folder import BatchFolder, FileReport
from geoscout.batch.options import BatchOptions
from geoscout.batch.page_pool import PagePool
from geoscout.batch.page_reader import row_responder
from geoscout.machine import run_on_loop
from geoscout.settings import Settings


@dataclass(frozen=True, slots=True)
class Batch:
    """Archives and what is to be made of them."""

    archives: Sequence[Path]  # each with another name; see `archives.named_archives`
    folder: BatchFolder
    options: BatchOptions
    settings: Settings

    def waiting(self) -> list[Path]:
        """The archives that are not done."""
        return [path for path in self.archives if self.folder.report(path) is None]


@dataclass(frozen=True, slots=True)
class BatchWatcher:
    """What is told while a batch runs."""

    on_file: Callable[[FileReport], None]  # an archive is done, or has failed
    on_bytes: Callable[[int], None] = lambda _: None  # so much of the present one is read


def run_batch(batch: Batch, workers: int, watcher: BatchWatcher) -> None:
    """Geoparse the archives that are not done, in a number of processes.

    Raises:
        OSError: the folder cannot be written to.
    """
    run_on_loop(_convert_all(batch, workers, watcher))


async def _convert_all(batch: Batch, workers: int, watcher: BatchWatcher) -> None:
    prepare = partial(row_responder, batch.options, batch.settings)
    with closing(PagePool(prepare, workers)) as pool:
        converter = ArchiveConverter(pool, batch.folder, batch.options)
        for archive in batch.waiting():
            watcher.on_file(await converter.convert(archive, watcher.on_bytes))
