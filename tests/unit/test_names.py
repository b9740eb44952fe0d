"""One name for one thing: no public class or function name stands in two modules."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Container, Iterable
from pathlib import Path

from tests.conftest import PROJECT

SOURCE = PROJECT / "src/geoscout"
# What several modules have because each of them is one of a kind: a plug-in, a command, a part of
# a page that structured data is read from, an exporter, an extra, the streets of a language.
ONE_OF_A_KIND = {
    *("create", "run", "add_arguments"),
    *("read", "read_rows", "write"),
    *("read_box", "is_unit", "read_street", "read_unnumbered", "read_pair"),
    *("read_line", "read_with_postcode", "read_without_postcode", "read_with_town"),
}


def test_no_public_class_name_stands_for_two_things() -> None:
    assert _twins(SOURCE.rglob("*.py"), (ast.ClassDef,), set()) == {}


def test_no_public_function_name_stands_for_two_things() -> None:
    """The laboratory repeats publications, each with its own tables and measures."""
    product = [file for file in SOURCE.rglob("*.py") if SOURCE / "lab" not in file.parents]

    assert _twins(product, (ast.FunctionDef, ast.AsyncFunctionDef), ONE_OF_A_KIND) == {}


def _twins(
    files: Iterable[Path], kinds: tuple[type[ast.stmt], ...], allowed: Container[str]
) -> dict[str, list[str]]:
    """The public names that several modules define at their top, with those modules."""
    places: dict[str, list[str]] = defaultdict(list)
    for file in files:
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            name = getattr(node, "name", "_")
            if isinstance(node, kinds) and not name.startswith("_") and name not in allowed:
                places[name].append(str(file.relative_to(PROJECT)))
    return {name: found for name, found in places.items() if len(found) > 1}


def test_messages_of_a_crawl_name_options_and_not_flags() -> None:
    """Users of Python read them too; `max_pages` is the name in both."""
    rooms = [SOURCE / name for name in ("crawling", "state", "store", "strategy", "collaborate")]
    raised = [
        ast.unparse(node)
        for room in rooms
        for file in room.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Raise)
    ]

    assert [text for text in raised if re.search(r"(?<!-)--[a-z]", text)] == []
