"""The budget of the houses: what is counted, and what is complained of."""

from collections import Counter
from pathlib import Path

from tools.budget import complaints, lowered, measure, twins

HOUSES = {"core": ["app"], "maps": ["app/maps"]}
MODULE = '''"""Two records and one class that is none."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Place:
    """A record."""


class Box(msgspec.Struct, frozen=True):
    """A record."""


class Finder:
    """None."""
'''


def project(folder: Path) -> Path:
    files = {
        "src/app/places.py": MODULE,
        "src/app/maps/drawing.py": MODULE.replace("Place", "Line"),
        "src/app/maps/lines.pyx": "cdef int a\ncdef int b\n",
        "tests/test_places.py": "def test() -> None:\n    pass\n",
        "docs/maps.md": "# Maps\n\nDraw a map.\n",
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def test_every_house_is_counted(tmp_path: Path) -> None:
    sizes = measure(project(tmp_path), HOUSES)

    lines = MODULE.count("\n")
    assert sizes == {
        "core": {"modules": 1, "lines": lines, "records": 2},
        "maps": {"modules": 1, "lines": lines, "records": 2, "kernels": 2},
        "tests": {"lines": 2},
        "docs": {"words": 5},
    }


def test_more_than_the_budget_and_a_budget_that_is_too_large_are_told() -> None:
    sizes = {"core": Counter(lines=1000, records=10)}

    assert not list(complaints(sizes, {"core": {"lines": 1020, "records": 10}}))
    (large,) = complaints(sizes, {"core": {"lines": 1000, "records": 9}})
    (small,) = complaints(sizes, {"core": {"lines": 1021, "records": 10}})
    assert large.startswith("core: 10 records, 1 more than its budget: take something away")
    assert small.startswith("core: 1,000 lines of Python, its budget is 1,021")


def test_what_has_no_budget_has_none_to_spend() -> None:
    assert len(list(complaints({"new": Counter(lines=1)}, {}))) == 1


def test_budgets_are_lowered_and_never_raised() -> None:
    text = "# why\n[budget.core]\nlines = 10\nrecords = 3\n"

    assert lowered(text, {"core": Counter(lines=8, records=5)}) == (
        "# why\n[budget.core]\nlines = 8\nrecords = 3\n"
    )


def test_a_name_stands_for_one_thing_in_a_house_and_may_be_used_in_another(tmp_path: Path) -> None:
    source = project(tmp_path) / "src"
    assert not list(twins(source, {**HOUSES, "core": ["app"]}))

    (source / "app/boxes.py").write_text("def Box() -> None: ...\n")

    (line,) = twins(source, HOUSES)
    assert line == "core: Box is the name of two things, in app/boxes.py and app/places.py"
