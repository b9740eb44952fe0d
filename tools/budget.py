"""Holds every house to its size: what `budget.toml` allows, and a name for one thing only.

    python -m tools.budget           complain of what is too large; part of `make check`
    python -m tools.budget --show    the table of what is there and what may be
    python -m tools.budget --lower   make every budget what is there now, where that is less

A budget that is more than 2 % above what is there is complained of too: what was taken away stays
away. Records are dataclasses, Structs, NamedTuples and TypedDicts; kernels are C and Cython. A
public class or function of a house has a name that no other of that house has.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from math import ceil
from pathlib import Path

PROJECT = Path(__file__).parent.parent
FILE = Path(__file__).with_suffix(".toml")
SLACK = 0.02
KERNELS = {".c", ".h", ".pxd", ".pyx"}
NAMES = {"kernels": "lines of kernels", "lines": "lines of Python"}
# What several modules of a house have because each of them is one of a kind: a plug-in, a command,
# a part of a page that structured data is read from, an exporter, the streets of a language.
ONE_OF_A_KIND = {
    *("create", "run", "add_arguments"),
    *("read", "read_rows", "write"),
    *("read_box", "is_unit", "read_street", "read_unnumbered", "read_pair"),
    *("read_line", "read_with_postcode", "read_without_postcode", "read_with_town"),
}
REPEATS_PUBLICATIONS = "lab"  # each with its own tables and measures, which are functions
Sizes = dict[str, Counter[str]]
_Function = (ast.FunctionDef, ast.AsyncFunctionDef)


def main() -> int:
    """Print what is wrong, a line each; 1 when there is something."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--show", action="store_true", help="print the table")
    parser.add_argument("--lower", action="store_true", help="lower budgets to what is there")
    given = parser.parse_args()
    plan = tomllib.loads(FILE.read_text(encoding="utf-8"))
    sizes = measure(PROJECT, plan["houses"])
    if given.show:
        print("\n".join(table(sizes, plan["budget"])))
    if given.lower:
        FILE.write_text(lowered(FILE.read_text(encoding="utf-8"), sizes), encoding="utf-8")
        plan = tomllib.loads(FILE.read_text(encoding="utf-8"))
    lines = [*complaints(sizes, plan["budget"]), *twins(PROJECT / "src", plan["houses"])]
    print("\n".join(lines) if lines else "every house keeps its budget")
    return 1 if lines else 0


def measure(project: Path, houses: Mapping[str, Sequence[str]]) -> Sizes:
    """What is there, by house and kind."""
    sizes: Sizes = defaultdict(Counter)
    for house, file in _files(project / "src", houses):
        text = file.read_text(encoding="utf-8")
        if file.suffix == ".py":
            records = sum(map(_is_record, ast.walk(ast.parse(text))))
            counts = {"modules": 1, "lines": text.count("\n"), "records": records}
            sizes[house].update(counts)
        else:
            sizes[house]["kernels"] += text.count("\n")
    for file in (project / "tests").rglob("*.py"):
        sizes["tests"]["lines"] += file.read_text(encoding="utf-8").count("\n")
    for file in (project / "docs").rglob("*.md"):
        sizes["docs"]["words"] += len(file.read_text(encoding="utf-8").split())
    return sizes


def house_of(path: str, houses: Mapping[str, Sequence[str]]) -> str:
    """The house of a file below src/.

    >>> house_of("app/web/map.py", {"core": ["app"], "maps": ["app/web/map"]})
    'maps'
    """
    fits = [
        (len(start), name)
        for name, all in houses.items()
        for start in all
        if path.startswith(start)
    ]
    if not fits:
        raise SystemExit(f"src/{path} is in no house: name one in {FILE.name}")
    return max(fits)[1]


def complaints(sizes: Sizes, budget: Mapping[str, Mapping[str, int]]) -> Iterator[str]:
    """What is larger than its budget, and budgets that are larger than they need be."""
    for house in sorted({*sizes, *budget}):
        for kind in sorted({*sizes[house], *budget.get(house, {})}):
            there, most = sizes[house][kind], budget.get(house, {}).get(kind, 0)
            what = f"{house}: {there:,} {NAMES.get(kind, kind)}"
            if there > most:
                yield (
                    f"{what}, {there - most:,} more than its budget: take something away, or raise"
                    f" it in tools/budget.toml with the reason in the commit"
                )
            elif most > there + ceil(SLACK * there):
                yield f"{what}, its budget is {most:,}: `python -m tools.budget --lower`"


def lowered(text: str, sizes: Sizes) -> str:
    """The text of the budgets, with lower numbers where less is there."""
    house, lines = "", []
    for line in text.splitlines():
        if head := re.fullmatch(r"\[budget\.(\w+)\]", line):
            house = head[1]
        elif house and (number := re.fullmatch(r"(\w+) = (\d+)", line)):
            kind, most = number[1], int(number[2])
            lines.append(f"{kind} = {min(most, sizes[house][kind])}")
            continue
        lines.append(line)
    return "\n".join(lines) + "\n"


def table(sizes: Sizes, budget: Mapping[str, Mapping[str, int]]) -> Iterator[str]:
    """What is there, and what may be."""
    yield f"{'':11}{'':10}{'there':>9}{'budget':>9}"
    for house in budget:
        for kind, most in budget[house].items():
            yield f"{house:11}{kind:10}{sizes[house][kind]:9,}{most:9,}"
    for kind in ("modules", "lines", "records", "kernels"):
        there = sum(sizes[house][kind] for house in sizes if house not in ("tests", "docs"))
        yield f"{'all houses':11}{kind:10}{there:9,}"


def twins(source: Path, houses: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Public names that stand for two things of a house."""
    places: dict[tuple[str, str], list[str]] = defaultdict(list)
    for house, file in _files(source, houses):
        for name in _public_names(file, house) if file.suffix == ".py" else ():
            places[house, name].append(str(file.relative_to(source)))
    for (house, name), found in sorted(places.items()):
        if len(found) > 1:
            yield f"{house}: {name} is the name of two things, in {' and '.join(found)}"


def _public_names(file: Path, house: str) -> Iterator[str]:
    kinds = ast.ClassDef if house == REPEATS_PUBLICATIONS else (ast.ClassDef, *_Function)
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, kinds):
            name = node.name
            if not name.startswith("_") and name not in ONE_OF_A_KIND:
                yield name


def _files(source: Path, houses: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, Path]]:
    for file in sorted(source.rglob("*.*")):
        if file.suffix in {".py", *KERNELS}:
            yield house_of(file.relative_to(source).as_posix(), houses), file


def _is_record(node: ast.AST) -> bool:
    if not isinstance(node, ast.ClassDef):
        return False
    bases = [ast.unparse(base) for base in node.bases]
    marks = [ast.unparse(mark).split("(")[0] for mark in node.decorator_list]
    return "dataclass" in marks or any(
        base.endswith("Struct") or base == "NamedTuple" or "TypedDict" in base for base in bases
    )


if __name__ == "__main__":
    sys.exit(main())
