"""No file can make geoscout run code: archives, crawl folders, homes and settings come from others.

A `geoscout.toml` in the working directory may name any home, so what lies there counts as well.
"""

import ast

import pytest

from geoscout_lab.worlds.archive_pages import LINKS, PAGES, READINGS
from geoscout_places.errors import DamagedDataError
from tests.conftest import PROJECT

PACKAGE = PROJECT / "src"
# They run what the bytes that they read name, or make a program of a text.
MODULES = {"pickle", "_pickle", "cPickle", "marshal", "shelve", "dill", "cloudpickle", "joblib"}
CALLS = {"eval", "exec", "compile", "execfile", "__import__", "enable_load_extension"}
FLAGS = {("allow_pickle", True), ("shell", True)}


def trees() -> list[tuple[str, ast.Module]]:
    return [
        (str(path.relative_to(PACKAGE)), ast.parse(path.read_text(encoding="utf-8")))
        for path in sorted(PACKAGE.rglob("*.py"))
    ]


def imported(node: ast.AST) -> set[str]:
    if isinstance(node, ast.Import):
        return {alias.name.partition(".")[0] for alias in node.names}
    if isinstance(node, ast.ImportFrom):
        return {(node.module or "").partition(".")[0]}
    return set()


def is_dangerous(node: ast.AST) -> bool:
    if imported(node) & MODULES:
        return True
    if not isinstance(node, ast.Call):
        return False
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    if isinstance(node.func, ast.Attribute) and node.func.attr == "enable_load_extension":
        return True
    flags = {(k.arg, getattr(k.value, "value", None)) for k in node.keywords}
    return name in CALLS or bool(flags & FLAGS)


def test_the_package_never_runs_what_it_reads():
    found = [
        f"{name}:{node.lineno}"
        for name, tree in trees()
        for node in ast.walk(tree)
        if is_dangerous(node) and isinstance(node, ast.stmt | ast.expr)
    ]

    assert found == []


@pytest.mark.parametrize(
    "code",
    [
        "import pickle",
        "from marshal import loads",
        "eval(text)",
        "np.load(file, allow_pickle=True)",
        "subprocess.run(text, shell=True)",
        "connection.enable_load_extension(True)",
    ],
)
def test_the_look_finds_what_it_looks_for(code):
    assert any(map(is_dangerous, ast.walk(ast.parse(code))))


@pytest.mark.parametrize("codec", [PAGES, READINGS, LINKS])
def test_a_pickle_in_the_place_of_kept_pages_is_refused_and_not_run(codec, tmp_path):
    mark = tmp_path / "run"
    bomb = f"cos\nsystem\n(S'touch {mark}'\ntR.".encode()  # a pickle that runs a command

    with pytest.raises(DamagedDataError):
        codec.decode(bomb)
    assert not mark.exists()
