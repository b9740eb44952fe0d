"""One name for one thing: no public class name stands in two modules."""

from __future__ import annotations

import ast
from collections import defaultdict

from tests.conftest import PROJECT


def test_no_public_class_name_stands_for_two_things() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for file in (PROJECT / "src").rglob("*.py"):
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(str(file.relative_to(PROJECT)))

    assert {name: files for name, files in places.items() if len(files) > 1} == {}
