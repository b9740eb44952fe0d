"""What is built for others holds what it should and nothing else."""

from pathlib import Path
from zipfile import ZipFile

import pytest
from tools import dist

PROJECT = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"
[project]
name = "lakes"
version = "1.2.3"
requires-python = ">=3.11"
[tool.hatch.build.targets.wheel]
packages = ["src/lakes"]
"""
PURE, FAST = "lakes-1-py3-none-any.whl", "lakes-1-cp311-cp311-manylinux2014_x86_64.whl"
CODE, KERNEL = "lakes/__init__.py", "lakes/_native/fast.cpython-311-x86_64-linux-gnu.so"


def wheel(folder: Path, name: str, *files: str) -> Path:
    with ZipFile(folder / name, "w") as archive:
        for file in files:
            archive.writestr(file, "")
    return folder / name


def test_a_project_without_git_becomes_a_source_and_a_wheel(tmp_path):
    project, out = tmp_path / "project", tmp_path / "out"
    (project / "src/lakes").mkdir(parents=True)
    (project / "tests").mkdir()
    (project / "pyproject.toml").write_text(PROJECT)
    (project / "src/lakes/__init__.py").write_text("DEEPEST = 1642\n")
    (project / "tests/test_lakes.py").touch()

    source = dist.build(project, "sdist", out)
    pure, fast = dist.wheels_of(source, out)

    assert source.name == "lakes-1.2.3.tar.gz"
    assert pure == fast == out / "lakes-1.2.3-py3-none-any.whl"  # it has no kernels
    assert dist.unfit(pure) == []


@pytest.mark.parametrize(
    ("name", "files", "told"),
    [
        (PURE, [CODE], ""),
        (FAST, [CODE, KERNEL], ""),
        (FAST, [CODE], "no kernels"),
        (PURE, [CODE, KERNEL], "though pure"),
        (PURE, [CODE, "lakes/tests/test_lakes.py"], "test_lakes.py does not belong"),
        (PURE, [CODE, "tests/test_lakes.py"], "test_lakes.py does not belong"),
        (PURE, [CODE, "corpora/pages.warc.gz"], "pages.warc.gz does not belong"),
        (FAST, [CODE, KERNEL, "lakes/_native/fast.pyx"], "fast.pyx does not belong"),
    ],
)
def test_what_does_not_belong_into_a_wheel_is_found(tmp_path, name, files, told):
    wrong = dist.unfit(wheel(tmp_path, name, *files))

    assert told in "".join(wrong)
    assert bool(wrong) == bool(told)
