"""Writes the tables of the pages in docs/results again, from the committed runs; or prints some.

    python -m tools.experiment_tables          the tables of the pages
    python -m tools.experiment_tables DIR      those of what `geoscout compare --experiment` wrote

In a page, `<!-- table PART: TITLE -->` begins a table and `<!-- end -->` ends it: PART names the
runs (`tools/reproduce.py`), TITLE the table of their experiment. `row PART: TITLE | NAME` is one
row of it, `rows PART: TITLE` all without the note, `note PART: TITLE` what stands below it, and
`made PART` a sentence about how the runs came about. A test compares the pages with the runs, so no
number is typed there.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from tools.reproduce import PARTS, RAW, unpack

from geoscout_lab.experiments import Cell, Run, Table, load_experiment

PAGES = RAW.parent
_MARKED = re.compile(
    r"(<!-- (table|rows|row|note|made) ([\w-]+)(?:: (.*?))? -->\n).*?(<!-- end -->)", re.DOTALL
)


def main() -> None:
    """Print the tables of a folder, or renew those of the pages."""
    if sys.argv[1:]:
        print("\n".join(tables_of(Path(sys.argv[1]))))
        return
    for page in PAGES.glob("*.md"):
        text = page.read_text(encoding="utf-8")
        page.write_text(renewed(text), encoding="utf-8")


def tables_of(folder: Path) -> Iterator[str]:
    """The lines of every table that has rows."""
    results = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    experiment = load_experiment(results["settings"]["experiment"])
    for table in experiment.tables(results["runs"]):
        if table.rows:
            yield from (f"\n### {table.title}\n", *lines_of(table))


def renewed(page: str) -> str:
    """A page with its tables as the committed runs give them.

    Raises:
        KeyError: there is no table of that title.
    """
    return _MARKED.sub(_renewed, page)


def _renewed(found: re.Match[str]) -> str:
    begin, kind, part, title, end = found.groups()
    if kind == "made":
        return "\n".join([begin, _made(part), "", end])
    title, _, name = title.partition(" | ")
    table = _tables(part)[title]
    if kind == "row":
        table = replace(table, rows=tuple(row for row in table.rows if row[0] == name), note="")
    if kind == "rows":
        table = replace(table, note="")
    lines = [table.note] if kind == "note" else lines_of(table)
    return "\n".join([begin, *lines, "", end])


@cache
def _tables(part: str) -> Mapping[str, Table]:
    (name,) = (one.experiment for one in PARTS if one.name == part)
    runs: Sequence[Run] = _committed(part)["runs"]
    return {table.title: table for table in load_experiment(name).tables(runs)}


@cache
def _committed(part: str) -> dict[str, Any]:
    return unpack(RAW / f"{part}.json.xz")


def _made(part: str) -> str:
    """How the runs of a part came about, as a sentence."""
    made, runs = _committed(part)["made"], _committed(part)["runs"]
    minutes, commits = made["processor_minutes"], [made["commit"][:10]]
    while earlier := made.get("earlier"):
        made = {**earlier, "megabytes": made.get("megabytes", 0)}
        minutes, commits = (
            minutes + earlier["processor_minutes"],
            [earlier["commit"][:10], *commits],
        )
    webs = len({run["web"] for run in runs})
    memory = f" {made['megabytes']:,} MB a process," if made.get("megabytes") else ""
    return (
        f"`{part}`: {len(runs)} runs on {webs} web{'s' * (webs > 1)}, budget {made['budget']},"
        f" {minutes:g} minutes of processor time,{memory} commit"
        f" `{'` and `'.join(commits)}`, Python {made['python']}."
    )


def lines_of(table: Table) -> Iterator[str]:
    """A table as Markdown, with its note."""
    yield f"|{'|'.join(table.columns)}|"
    yield "|" + "---|" * len(table.columns)
    for row in table.rows:
        yield f"|{'|'.join(map(text_of, row))}|"
    if table.note:
        yield f"\n{table.note}"


def text_of(cell: Cell) -> str:
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
