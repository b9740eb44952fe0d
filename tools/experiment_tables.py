"""Prints the tables of a repeated experiment as Markdown, for the pages in docs/results.

    python -m tools.experiment_tables DIR

DIR is what `geoscout compare --experiment NAME --out DIR` wrote.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

from geoscout_lab.experiments import Table, load_experiment


def main() -> None:
    """Read the results and print every table that has rows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    print("\n".join(tables_of(parser.parse_args().folder)))


def tables_of(folder: Path) -> Iterator[str]:
    """The lines of every table that has rows."""
    results = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    experiment = load_experiment(results["settings"]["experiment"])
    for table in experiment.tables(results["runs"]):
        if table.rows:
            yield from lines_of(table)


def lines_of(table: Table) -> Iterator[str]:
    """A table as Markdown, with its title and note."""
    yield f"\n### {table.title}\n"
    yield f"| {' | '.join(table.columns)} |"
    yield "|" + "---|" * len(table.columns)
    for row in table.rows:
        yield f"| {' | '.join(map(text_of, row))} |"
    if table.note:
        yield f"\n{table.note}"


def text_of(cell: str | float | None) -> str:
    """A number with as many digits as say something."""
    if cell is None:
        return "–"
    if not isinstance(cell, float) or not cell:
        return str(cell or 0) if not isinstance(cell, str) else cell
    if abs(cell) >= 100:
        return f"{cell:,.0f}"
    return f"{cell:.2f}" if abs(cell) >= 1 else f"{cell:.3g}"


if __name__ == "__main__":
    main()
