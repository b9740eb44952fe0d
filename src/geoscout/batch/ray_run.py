"""A batch on the machines of a Ray cluster: one task for each archive.

Tasks, and not Ray Data: nothing moves between archives, so there is nothing to shuffle or to
stream. A task takes the path of an archive and gives back its report, while the rows go straight
into their file, with the name that the other engine gives it. Ray Data would carry the same paths
through a dataset, and its writer names files by block, so a batch could not be continued archive
by archive. Ray starts a task again on another machine when one is lost, and a
second one does no harm: it writes a draft of its own.

Every machine must see the archives and the folder of results under the same paths, and have the
same geoscout and the same gazetteer; a task that finds another one refuses.
"""

from __future__ import annotations

import asyncio
import socket
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path
from typing import Any

from geoscout import __version__
from geoscout.batch.folder import BatchFolder, FileReport
from geoscout.batch.rows import BatchOptions, gazetteer_key, row_responder
from geoscout.batch.run import ArchiveConverter, Batch, BatchWatcher, PagePool
from geoscout.ray_cluster import connected_to_ray
from geoscout.settings import Settings
from geoscout_places.errors import GeoscoutError, UsageError, last_line
from geoscout_places.gazetteer import open_gazetteer

_MOST_TASKS = 1000  # that Ray has at a time, waiting ones too
_RETRIES = 3  # of an archive whose machine or process was lost


def run_batch_on_ray(batch: Batch, address: str, workers: int, watcher: BatchWatcher) -> None:
    """Geoparse the archives that are not done, on a Ray cluster.

    `address` is as Ray has it: `host:port`, "auto" for the cluster of this machine, or "local" for
    one that is started here with `workers` processors.

    Raises:
        UsageError: Ray is missing or cannot be reached, or a machine has another gazetteer.
        OSError: the folder cannot be written to.
    """
    with connected_to_ray(address, workers) as ray:
        convert = ray.remote(num_cpus=1, max_retries=_RETRIES)(convert_here)
        where = batch.folder.path.absolute()
        tasks = (
            (convert.remote(path.absolute(), where, batch.options, batch.settings), path)
            for path in batch.waiting()
        )
        running = dict(islice(tasks, _MOST_TASKS))
        while running:
            (done,), _ = ray.wait(list(running), num_returns=1)
            watcher.on_file(_report(ray, done, running.pop(done)))
            running.update(islice(tasks, 1))


def _report(ray: Any, task: Any, archive: Path) -> FileReport:
    """What a task gave back; a task that Ray has given up is a failure of its archive."""
    try:
        report: FileReport = ray.get(task)
    except ray.exceptions.RayTaskError as error:
        if isinstance(error.cause, GeoscoutError | OSError):
            raise error.cause from error
        return FileReport(file=str(archive), error=last_line(error))
    except ray.exceptions.RayError as error:
        return FileReport(file=str(archive), error=last_line(error))
    return report


def convert_here(archive: Path, out: Path, options: BatchOptions, settings: Settings) -> FileReport:
    """Write the rows of an archive on the machine where this is called, in a Ray task.

    Raises:
        UsageError: this machine has another geoscout or another gazetteer.
        OSError: the folder cannot be written to.
    """
    loop, converter = _converter_here(out, options, settings)
    return loop.run(converter.convert(archive))


@lru_cache(maxsize=1)
def _converter_here(
    out: Path, options: BatchOptions, settings: Settings
) -> tuple[asyncio.Runner, ArchiveConverter]:
    """Kept between the tasks of a process of Ray, so that a gazetteer is loaded once.

    Its process for pages ends with this one, because its line then closes.
    """
    if options.version != __version__:
        raise UsageError(
            f"{socket.gethostname()} has geoscout {__version__}, not {options.version}"
        )
    if options.gazetteer != gazetteer_key(settings):
        raise UsageError(
            f"{socket.gethostname()} has another gazetteer ({gazetteer_key(settings)}, not"
            f" {options.gazetteer}): the same imports and extras are needed everywhere"
        )
    open_gazetteer(settings).close()  # builds it if needed; a page would not wait
    loop = asyncio.Runner()
    pool = PagePool(partial(row_responder, options, settings), 1)
    return loop, ArchiveConverter(pool, BatchFolder(out, options.format), options)
