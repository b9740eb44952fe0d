import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from types import ModuleType

import pytest

from geoscout_places._native import kernel

_ROOT = Path(__file__).parents[3]
_NAMES = sorted(one.stem for one in (_ROOT / "src/geoscout_places/_native").glob("*.pyx"))


def _can_compile() -> bool:
    header = Path(sysconfig.get_paths()["include"]) / "Python.h"
    return shutil.which("cc") is not None and header.exists()


@pytest.mark.skipif(
    not _can_compile() or os.environ.get("GEOSCOUT_NATIVE") == "0", reason="nothing to build with"
)
@pytest.mark.parametrize("name", _NAMES)
def test_kernels_are_in_use_where_they_can_be_built(name):
    assert kernel(name) is not None


def test_kernels_are_left_out_on_request(monkeypatch):
    monkeypatch.setenv("GEOSCOUT_NATIVE", "0")
    assert kernel(_NAMES[0]) is None


def test_kernels_older_than_their_source_are_left_out(tmp_path, monkeypatch, caplog):
    built, source = tmp_path / "one.so", tmp_path / "c" / "shared.h"
    source.parent.mkdir()
    for path in (built, source, tmp_path / "one.pyx"):
        path.touch()
        os.utime(path, (1_000, 1_000))
    module = ModuleType("geoscout_places._native.one")
    module.__file__ = str(built)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.delenv("GEOSCOUT_NATIVE", raising=False)
    os.utime(built, (2_000, 2_000))
    assert kernel("one") is module
    os.utime(source, (3_000, 3_000))
    assert kernel("one") is None
    assert "one was built from older source" in caplog.text


def test_unknown_kernels_are_missing():
    assert kernel("nothing_of_this_name") is None


def test_a_build_without_a_compiler_is_told(tmp_path):
    (tmp_path / "src/geoscout_places/_native/c").mkdir(parents=True)
    (tmp_path / "src/geoscout_places/_native/one.pyx").write_text("def one():\n    return 1\n")
    shutil.copy(_ROOT / "hatch_build.py", tmp_path)
    pytest.importorskip("Cython")
    run = subprocess.run(
        [sys.executable, "hatch_build.py"],
        cwd=tmp_path,
        env={**os.environ, "CC": "/nonexistent/cc"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode != 0
    assert not list(tmp_path.glob("src/geoscout_places/_native/*.so"))
