"""What a crawl found, as rows for other programs, written in any format that is installed.

A source is one kind of row, made one by one, so that a crawl of any size can be exported; the
kinds of a crawl are in `export_rows.py`. A format is a module with `create()`, found by its
entry point; ours are in `exporters/`, and yours can be one of them: docs/extend/plugins.md.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import BinaryIO

from geoscout.store.export_rows import DISTINCT, KINDS, Row, Selection
from geoscout.store.reader import CrawlReader
from geoscout_places.errors import UsageError
from geoscout_places.plugins import load_plugin, plugin_names

GROUP = "geoscout.exporters"
_AGO = re.compile(r"(\d{1,6}(?:\.\d{1,3})?)([smhdw])")
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}


@dataclass(frozen=True, slots=True)
class ExportSource:
    """What is to be written: one kind of row."""

    what: str  # its name: a key of `KINDS`, or that of other rows
    columns: tuple[str, ...]  # the keys of every row, in order; those with a point have "lat"
    rows: Callable[[], Iterator[Row]]  # the rows, made one by one
    reader: CrawlReader | None = None  # of the crawl, when all of it is exported
    store: CrawlReader | None = None  # of the crawl, whatever is exported of it


@dataclass(frozen=True, slots=True)
class ExportFormat:
    """A format: how a source is written to a stream.

    `write` raises a `UsageError` for rows that the format, or this machine, cannot have.
    """

    media_type: str  # for a browser that is sent the file
    suffix: str  # of the file's name, without the dot
    write: Callable[[ExportSource, BinaryIO], None]


def format_names() -> tuple[str, ...]:
    """Every format that is installed."""
    return plugin_names(GROUP)


def load_format(name: str) -> ExportFormat:
    """The format of a name.

    Raises:
        UsageError: there is none.
    """
    format: ExportFormat = load_plugin(GROUP, name, "format").create()
    return format


def crawl_source(
    reader: CrawlReader, what: str, selection: Selection | None = None
) -> ExportSource:
    """Rows of a crawl; `what` is a key of `KINDS`.

    Raises:
        UsageError: there are no such rows, or they cannot be selected like this.
    """
    selection = selection or Selection()
    if what not in KINDS:
        raise UsageError(f"cannot export {what!r}; there are {', '.join(KINDS)}")
    if selection.distinct and what not in DISTINCT:
        raise UsageError(f"distinct is for {' and '.join(DISTINCT)}, not for {what}")
    kind = (DISTINCT if selection.distinct else KINDS)[what]
    whole = None if selection.since else reader
    rows = partial(kind.rows, reader, selection.since)
    return ExportSource(what, kind.columns, rows, whole, store=reader)


def read_since(text: str, now: float) -> float:
    """A time in seconds since the epoch: ISO 8601, in UTC where it has no zone, or how long ago.

    >>> read_since("2001-09-09T01:46:40Z", 0), read_since("2d", 1e6), read_since("90m", 1e6)
    (1000000000.0, 827200.0, 994600.0)

    Raises:
        UsageError: it is neither.
    """
    if ago := _AGO.fullmatch(text):
        return now - float(ago[1]) * _SECONDS[ago[2]]
    try:
        at = datetime.fromisoformat(text)
    except ValueError as error:
        raise UsageError(
            f"{text!r} is not a time: write 2026-03-01, 2026-03-01T08:30:00Z, or how long ago,"
            " such as 90m, 12h, 2d or 1w"
        ) from error
    return (at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp()
