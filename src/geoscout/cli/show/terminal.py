"""What people see: tables on standard output, progress on standard error.

With `--json` a command prints one JSON document on standard output and nothing else there.
rich draws the progress bars, and is imported when there is one to draw.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from math import inf

from geoscout.cli.show.logs import tells_by_lines
from geoscout.settings import Settings
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.gazetteer.home import compiled_file, open_gazetteer
from geoscout_places.terminal import print_json, print_table

__all__ = [
    "building", "converting", "counting", "gazetteer_for", "indexing", "print_json", "print_table",
    "printable", "reading",
]  # fmt: skip

_LINE_SECONDS = 5.0  # between two lines where a bar cannot be drawn
_LONG_WAY = 1000  # changes; fewer are followed before a bar is drawn

_log = logging.getLogger(__name__)


@contextmanager
def building() -> Iterator[Callable[[str, float], None]]:
    """Shows how far a build is; the function it gives takes what is done and the share of it."""
    title = "building the gazetteer"
    if not tells_by_lines():
        with _bar(title) as update:
            yield update
        return
    _log.info("%s, which is done once and takes a minute or two", title)
    with _clocked_lines(title) as update:
        yield update


@contextmanager
def reading(name: str) -> Iterator[Callable[[int, int], None]]:
    """Shows how far a file is read; the function it gives takes bytes done and bytes in all."""
    with _bar(f"reading {name}") as update:
        yield lambda done, total: update(f"{done / 1e6:,.0f} MB", done / max(total, 1))


@contextmanager
def converting() -> Iterator[Callable[[str, float], None]]:
    """Shows how far a batch of archives is; the function takes what is done and the share of it."""
    with _bar("geoparsing") as update:
        yield update


@contextmanager
def counting(
    title: str, things: str = "", *, least: int = 0, at_once: bool = False
) -> Iterator[Callable[[int, int], None]]:
    """Shows how many of some things are done; nothing before there is a number, of `least` in all.

    `at_once`: where a bar cannot be drawn, the first line does not wait.
    """
    with ExitStack() as shown:
        bars: list[Callable[[str, float], None]] = []

        def update(done: int, total: int) -> None:
            if total < least:
                return
            if not bars:
                bars.append(shown.enter_context(_bar(title, at_once=at_once)))
            bars[0](f"{done:,} of {total:,} {things}".rstrip(), done / max(total, 1))

        yield update


def indexing() -> AbstractContextManager[Callable[[int, int], None]]:
    """Shows how far an index or a directory follows a crawl, where that takes a while."""
    return counting("indexing", "visits", least=_LONG_WAY)


@contextmanager
def _clocked_lines(title: str) -> Iterator[Callable[[str, float], None]]:
    """Tells by the clock how far a work is whose steps take long."""
    now: dict[str, object] = {}
    done = threading.Event()
    thread = threading.Thread(target=_tell_by_clock, args=(title, now, done), daemon=True)
    thread.start()
    try:
        yield lambda what, share: now.update(step=what, share=round(share, 2))
    finally:
        done.set()
        thread.join()


def _tell_by_clock(title: str, now: dict[str, object], done: threading.Event) -> None:
    started = time.monotonic()
    while not done.wait(_LINE_SECONDS):
        _log.info(title, extra={**now, "seconds": round(time.monotonic() - started)})


@contextmanager
def _lines(title: str, *, at_once: bool) -> Iterator[Callable[[str, float], None]]:
    """Tells how far a work is when it says so, every few seconds."""
    last = -inf if at_once else time.monotonic()

    def update(what: str, share: float) -> None:
        nonlocal last
        if time.monotonic() - last >= _LINE_SECONDS:
            last = time.monotonic()
            _log.info(title, extra={"done": what, "share": round(share, 2)})

    yield update


@contextmanager
def _bar(title: str, *, at_once: bool = False) -> Iterator[Callable[[str, float], None]]:
    if tells_by_lines():
        with _lines(title, at_once=at_once) as update:
            yield update
        return
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn  # noqa: PLC0415

    columns = (TextColumn(title), BarColumn(), TextColumn("{task.description}"))
    console = Console(stderr=True)
    with Progress(*columns, TimeElapsedColumn(), console=console, transient=True) as bar:
        task = bar.add_task("", total=1.0)
        yield lambda what, share: bar.update(task, description=what, completed=share)


def gazetteer_for(settings: Settings) -> Gazetteer:
    """The gazetteer; the first call on a machine builds it and says so."""
    if compiled_file(settings).exists():
        return open_gazetteer(settings)

    with building() as progress:
        return open_gazetteer(settings, progress)


def printable(text: str) -> str:
    """A page's text without what could steer a terminal."""
    return "".join(c if c.isprintable() else " " for c in text)
