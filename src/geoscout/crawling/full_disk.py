"""A disk that was full in the middle of a commit: wait for room, and open the crawl again.

Usually a crawl pauses before that (`machine_watch.py`). But others fill disks too, and a commit can
be larger than the room that was left. SQLite then takes all of the transaction back, while frontier
and strategy in memory already go by it, so the same crawl cannot go on. It is opened again instead,
as after a crash: nothing that was committed is lost, and the rest is fetched again.
"""

from __future__ import annotations

import asyncio
import logging
import shutil
import time
from collections.abc import Callable
from pathlib import Path

from geoscout.crawling.machine_watch import ROOM_SECONDS
from geoscout.machine import is_full
from geoscout.settings import Settings
from geoscout.state.base import CrawlState, Writing, resume_state

_LOOK_SECONDS = 2.0
_MEGABYTE = 1e6

_log = logging.getLogger(__name__)


async def open_when_there_is_room(
    folder: Path, writing: Writing, settings: Settings, is_stopped: Callable[[], bool]
) -> CrawlState | None:
    """The crawl in a folder, opened again; None when it was stopped or has waited too long."""
    _log.warning("the disk of %s is full: the crawl pauses until there is room", folder)
    give_up_at = time.monotonic() + ROOM_SECONDS
    while time.monotonic() < give_up_at and not is_stopped():
        if shutil.disk_usage(folder).free >= settings.disk_megabytes * _MEGABYTE:
            try:
                state = resume_state(folder, writing)
            except Exception as error:
                if not is_full(error):  # opening it needs room, too
                    raise
            else:
                _log.info("there is room again: the crawl goes on from its last commit")
                return state
        await asyncio.sleep(_LOOK_SECONDS)
    return None
