"""Records are built from at most five arguments by position; the others go by name.

A record that is built from nine values in a row cannot be read, and a field put in between breaks
it unseen. A whole row may fill a record of up to five fields, as in `Point(*degrees)`.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.conftest import PROJECT

FOLDERS = ("src", "benchmarks", "tools")
OURS = {"geoscout", "benchmarks", "tools"}
BASES = {"NamedTuple", "Struct"}
MOST = 5  # arguments by position


def fields_of(record: ast.ClassDef) -> int:
    return sum(isinstance(line, ast.AnnAssign) for line in record.body)


def is_record(found: ast.AST) -> bool:
    if not isinstance(found, ast.ClassDef):
        return False
    marks = [ast.unparse(mark) for mark in found.decorator_list]
    return any(mark.startswith("dataclass") for mark in marks) or any(
        ast.unparse(base) in BASES for base in found.bases
    )


def is_obscure(call: ast.Call, fields: int) -> bool:
    """Whether a reader has to count to see which value goes into which field."""
    if any(isinstance(argument, ast.Starred) for argument in call.args):
        return fields > MOST or len(call.args) > 1
    return len(call.args) > MOST


def names_of_others(tree: ast.AST) -> Iterator[str]:
    """Names a module imports from libraries, which may be those of records of ours."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] not in OURS:
            yield from (alias.asname or alias.name for alias in node.names)


def obscure_calls(trees: dict[Path, ast.AST]) -> Iterator[str]:
    records = {
        node.name: fields_of(node)
        for tree in trees.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef) and is_record(node)
    }
    for path, tree in trees.items():
        foreign = set(names_of_others(tree))
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                fields = None if node.func.id in foreign else records.get(node.func.id)
                if fields is not None and is_obscure(node, fields):
                    yield f"{path.relative_to(PROJECT)}:{node.lineno} {node.func.id}"


def test_no_record_is_built_from_more_than_five_values_by_position():
    files = [file for folder in FOLDERS for file in (PROJECT / folder).rglob("*.py")]
    trees = {file: ast.parse(file.read_text(encoding="utf-8")) for file in files}

    assert list(obscure_calls(trees)) == []
