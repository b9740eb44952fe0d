"""What users are told to type for an extra works where they are."""

import ast
import os
import re
import shlex
import subprocess
import sys
import tomllib
import venv
from collections.abc import Iterator

import pytest
from packaging.requirements import Requirement

from geoscout_places.errors import UsageError
from geoscout_places.extras import import_extra, install_command, require, source_of
from tests.conftest import PROJECT

EXTRAS = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
WHEEL = {"url": "https://example.org/geoscout-0.1.0-py3-none-any.whl", "archive_info": {}}
COMMIT = {
    "url": "https://example.org/geoscout.git",
    "vcs_info": {"vcs": "git", "commit_id": "a" * 40},
}


@pytest.mark.parametrize("extra", EXTRAS)
@pytest.mark.parametrize("origin", [None, WHEEL, COMMIT])
def test_pip_is_given_a_requirement_with_the_extra(extra, origin):
    (words,) = shlex.split(source_of(extra, origin))
    read = Requirement(words)

    assert (read.name, read.extras) == ("geoscout", {extra})
    assert (read.url is None) == (origin is None)


def test_a_folder_is_named_unless_one_is_in_it(tmp_path, monkeypatch):
    (tmp_path / "my clone").mkdir()
    origin = {"url": (tmp_path / "my clone").as_uri(), "dir_info": {}}

    assert source_of("lab", origin) == f"'{tmp_path}/my clone/[lab]'"
    monkeypatch.chdir(tmp_path / "my clone")
    assert source_of("lab", origin) == "'./[lab]'"
    assert source_of("lab", origin | {"dir_info": {"editable": True}}) == "-e './[lab]'"


def test_a_commit_is_installed_again_as_it_was():
    assert source_of("pdf", COMMIT).endswith(f"git+https://example.org/geoscout.git@{'a' * 40}'")


@pytest.mark.parametrize(
    ("marked", "on_the_path", "expected"),
    [
        (True, True, "pipx inject geoscout "),
        (False, True, "pip install "),
        (False, False, "{python} -m pip install "),
    ],
)
def test_the_program_is_the_one_of_the_environment(tmp_path, expected, *, marked, on_the_path):
    """Asks a process of an environment of its own, which runs geoscout from its source."""
    venv.create(tmp_path, symlinks=True)
    programs = tmp_path / "bin"
    for program in ("pip", "uv"):
        (programs / program).write_text("#!/bin/sh\n")
        (programs / program).chmod(0o755)
    (programs / "uv").unlink()
    if marked:
        (tmp_path / "pipx_metadata.json").write_text("{}")
    (tmp_path / "pip.py").touch()
    code = "from geoscout_places.extras import install_command; print(install_command('lab'))"
    path = str(programs) if on_the_path else "/nowhere"
    sources = os.pathsep.join(map(str, (PROJECT / "src", tmp_path)))
    said = subprocess.run(
        [programs / "python", "-c", code],
        env={"PATH": path, "PYTHONPATH": sources},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    ).stdout

    start = expected.format(python=programs / "python")
    assert said == f"{start}{shlex.quote(f'{PROJECT}/[lab]')}\n"


def test_what_is_missing_is_said_with_the_command(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    told = f"plots needs matplotlib: {install_command('lab')}"

    with pytest.raises(UsageError, match=re.escape(told)):
        require("plots", "lab", "matplotlib", "json")
    with pytest.raises(UsageError, match=re.escape(told)):
        import_extra("plots", "lab", "matplotlib.pyplot")
    assert import_extra("plots", "lab", "json.decoder").JSONDecoder


def test_every_extra_that_is_asked_for_exists():
    sources = [p for p in (PROJECT / "src").rglob("*.py") if p.name != "extras.py"]
    asked = {extra for p in sources for extra in _asked_for(ast.parse(p.read_text()))}

    assert {"pdf", "parquet", "ray", "socks", "postgres-server"} <= asked <= EXTRAS.keys()


def _asked_for(module: ast.Module) -> Iterator[str]:
    """The extras that the calls in a module name."""
    places = {"import_extra": 1, "require": 1, "install_command": 0}
    for node in ast.walk(module):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            named = node.args[places[node.func.id]] if node.func.id in places else None
            if isinstance(named, ast.Constant):
                yield named.value


def test_nobody_is_told_to_install_from_an_index():
    """The name alone is not ours there, so what it gets could be anybody's."""
    files = [*PROJECT.glob("*.md"), *(PROJECT / "docs").rglob("*.md")]
    files += [*(PROJECT / "src").rglob("*.py"), *(PROJECT / "examples").rglob("*.md")]
    wrong = re.compile(r"(?<!un)install (?:-\S+ )*['\"]?geoscout(?![\w/-])(?:\[[\w,-]+\])?+(?! @)")
    here = {str(p.relative_to(PROJECT)) for p in files if wrong.search(p.read_text())}

    assert here == set()
