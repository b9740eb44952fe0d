"""Builds the compiled kernels in src/geoscout_places/_native: run by the installation, or by hand.

Each `_native/NAME.pyx` and the C for it (`_native/c/NAME.c`, `NAME_*.c`) become the module
`geoscout_places._native.NAME`. Where no compiler or no Python.h is found, the installation goes on
without them: every kernel has a form in Python. By hand (`python hatch_build.py`), a failure is an
error.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import sys
import tempfile
from pathlib import Path
from typing import Any

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # by hand, in an environment that holds only what geoscout needs at run time
    BuildHookInterface = object

_FOLDER = Path("src/geoscout_places/_native")
# Sums in the order in which they are written, so that a crawl is the same with and without kernels.
_FLAGS = ["-O3", "-g0", "-ffp-contract=off", "-Wall", "-Wextra", "-Wno-unused-parameter"]


class KernelsHook(BuildHookInterface):  # type: ignore[misc, valid-type]
    """Puts the kernels into a wheel, or beside the source for an editable installation."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """Build before the files are gathered; without a compiler, gather none."""
        if self.target_name != "wheel" or not _are_wanted():
            return
        root = Path(self.root)
        try:
            build(root)
        except Exception as error:
            remove(root)
            self.app.display_warning(f"geoscout runs without compiled kernels: {error}")
            return
        build_data["pure_python"] = False
        build_data["infer_tag"] = True


def build(root: Path) -> list[Path]:
    """Build what is older than its source; gives the modules there are then."""
    names = sorted(one.stem for one in (root / _FOLDER).glob("*.pyx"))
    stale = [name for name in names if not _is_fresh(root, name)]
    if stale:
        with tempfile.TemporaryDirectory() as scratch, contextlib.chdir(root):
            _compile(stale, scratch)
    return [_module(root, name) for name in names]


def remove(root: Path) -> None:
    """Delete what was built, which may be of another source."""
    for old in (root / _FOLDER).glob("*.so"):
        old.unlink()


def _compile(names: list[str], scratch: str) -> None:
    from Cython.Build import cythonize  # noqa: PLC0415 - only where something is built
    from setuptools import Distribution  # noqa: PLC0415

    extensions = cythonize(
        [_extension(name) for name in names],
        build_dir=scratch,
        quiet=True,
        compiler_directives={"language_level": 3, "boundscheck": False, "wraparound": False},
    )
    command = Distribution({"ext_modules": extensions}).get_command_obj("build_ext")
    command.build_temp, command.build_lib = scratch, scratch
    command.ensure_finalized()
    command.run()
    for extension in extensions:
        built = Path(command.get_ext_fullpath(extension.name))
        # Replaced, never written over: a process that uses the old one keeps it.
        target = _FOLDER / built.name
        target.with_suffix(".new").write_bytes(built.read_bytes())
        target.with_suffix(".new").replace(target)


def _extension(name: str) -> Any:
    from setuptools import Extension  # noqa: PLC0415

    own = sorted(map(str, (_FOLDER / "c").glob(f"{name}_*.c")))
    own += map(str, (_FOLDER / "c").glob(f"{name}.c"))
    more = shlex.split(os.environ.get("GEOSCOUT_NATIVE_FLAGS", ""))
    return Extension(
        f"geoscout_places._native.{name}",
        [str(_FOLDER / f"{name}.pyx"), *own],
        include_dirs=[str(_FOLDER / "c")],
        extra_compile_args=[*_FLAGS, *more],
        extra_link_args=more,
    )


def _is_fresh(root: Path, name: str) -> bool:
    module = _module(root, name)
    sources = [root / _FOLDER / f"{name}.pyx", root / "hatch_build.py"]
    for one in (f"{name}*.c", "*.h"):
        sources += (root / _FOLDER / "c").glob(one)
    return module.exists() and all(
        module.stat().st_mtime_ns >= source.stat().st_mtime_ns for source in sources
    )


def _module(root: Path, name: str) -> Path:
    from sysconfig import get_config_var  # noqa: PLC0415

    return root / _FOLDER / f"{name}{get_config_var('EXT_SUFFIX')}"


def _are_wanted() -> bool:
    return os.environ.get("GEOSCOUT_NATIVE", "1") != "0"


if __name__ == "__main__":
    for path in build(Path(__file__).parent):
        sys.stdout.write(f"{path.name}\n")
