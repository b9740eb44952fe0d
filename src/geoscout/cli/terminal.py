"""What people see: tables on standard output, progress on standard error.

With `--json` a command prints one JSON document on standard output and nothing else there.
rich is imported when something is shown, not before: it takes longer than most answers.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager


def print_json(document: object) -> None:
    """One JSON document on standard output."""
    print(json.dumps(document, ensure_ascii=False, indent=2))


def print_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table; a column whose name ends in `>` is aligned to the right."""
    from rich.console import Console  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415

    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    for column in columns:
        right = column.endswith(">")
        table.add_column(column.rstrip(">"), justify="right" if right else "left")
    for row in rows:
        table.add_row(*row)
    console = Console(width=None if sys.stdout.isatty() else 160)
    console.print(table, markup=False)


@contextmanager
def building() -> Iterator[Callable[[str, float], None]]:
    """Shows how far a build is; the function it gives takes what is done and the share of it."""
    with _bar("building the gazetteer") as update:
        yield update


@contextmanager
def reading(name: str) -> Iterator[Callable[[int, int], None]]:
    """Shows how far a file is read; the function it gives takes bytes done and bytes in all."""
    with _bar(f"reading {name}") as update:
        yield lambda done, total: update(f"{done / 1e6:,.0f} MB", done / max(total, 1))


@contextmanager
def _bar(title: str) -> Iterator[Callable[[str, float], None]]:
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn  # noqa: PLC0415

    columns = (TextColumn(title), BarColumn(), TextColumn("{task.description}"))
    console = Console(stderr=True)
    with Progress(*columns, TimeElapsedColumn(), console=console, transient=True) as bar:
        task = bar.add_task("", total=1.0)
        yield lambda what, share: bar.update(task, description=what, completed=share)
