"""Says for which Python and system each pinned package has a wheel: `make wheels`.

uv lists the files of every pinned release without fetching them. Where a file fits, nothing has to
be compiled; where only the source is there, a compiler is needed, and where nothing is, the lock
cannot be installed.

    python -m tools.wheels [LOCK…]
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from packaging.markers import Marker
from packaging.tags import Tag, compatible_tags, cpython_tags, mac_platforms
from packaging.utils import parse_wheel_filename

_LOCKS = ("requirements.lock", "tools/locks/runtime.lock")
_PYTHONS = ((3, 11), (3, 12), (3, 13), (3, 14))
_OLDEST_GLIBC, _GLIBC = 5, 36  # manylinux1, and Debian 12: 2.36
_MACOS = (14, 0)
WHEEL, SOURCE, NOTHING, UNNEEDED = "wheel", "source", "nothing", "-"
_Machine = tuple[str, str]
MACHINES: tuple[_Machine, ...] = (("linux", "x86_64"), ("linux", "aarch64"), ("darwin", "arm64"))


def main(locks: Sequence[str]) -> None:
    """Print the gaps of each lock; ends with an error where something cannot be installed."""
    lacking = False
    for lock in locks or _LOCKS:
        packages = packages_of(Path(lock))
        rows = {str(package["name"]): answers(package) for package in packages}
        gaps = {name: row for name, row in rows.items() if {SOURCE, NOTHING} & set(row)}
        lacking |= any(NOTHING in row for row in rows.values())
        print(f"{lock}: {len(rows)} packages, {len(rows) - len(gaps)} with all wheels they need")
        if gaps:
            _show(gaps)
    sys.exit(lacking)


def packages_of(lock: Path) -> list[dict[str, Any]]:
    """What a lock pins, with the files of each release."""
    with tempfile.TemporaryDirectory() as scratch:
        target = Path(scratch) / "pylock.toml"
        command = [sys.executable, "-m", "uv", "pip", "compile", str(lock), "-q", "--no-deps"]
        command += ["--universal", "--python-version", "3.11", "--format", "pylock.toml"]
        subprocess.run([*command, "-o", str(target)], check=True, stdout=subprocess.DEVNULL)
        found: list[dict[str, Any]] = tomllib.loads(target.read_text())["packages"]
    return found


def answers(package: dict[str, Any]) -> list[str]:
    """What there is of a package for each Python and machine, in the order of the columns."""
    return [_answer(package, python, machine) for python, machine in _columns()]


def _answer(package: dict[str, Any], python: tuple[int, int], machine: _Machine) -> str:
    if not _is_needed(package.get("marker", ""), python, machine):
        return UNNEEDED
    fitting = frozenset(_tags(python, machine))
    names = [wheel["url"].rpartition("/")[2] for wheel in package.get("wheels", ())]
    if any(parse_wheel_filename(name)[3] & fitting for name in names):
        return WHEEL
    return SOURCE if "sdist" in package else NOTHING


def _is_needed(marker: str, python: tuple[int, int], machine: _Machine) -> bool:
    version = f"{python[0]}.{python[1]}"
    return not marker or Marker(marker).evaluate(
        {
            "python_version": version,
            "python_full_version": f"{version}.0",
            "sys_platform": machine[0],
            "platform_system": machine[0].capitalize(),
            "platform_machine": machine[1],
            "os_name": "posix",
            "implementation_name": "cpython",
            "platform_python_implementation": "CPython",
        }
    )


def _tags(python: tuple[int, int], machine: _Machine) -> Iterator[Tag]:
    system, processor = machine
    if system == "darwin":
        platforms = list(mac_platforms(_MACOS, processor))
    else:
        numbers = range(_OLDEST_GLIBC, _GLIBC + 1)
        platforms = [f"manylinux_2_{number}_{processor}" for number in numbers]
        platforms += [f"{old}_{processor}" for old in ("manylinux1", "manylinux2010")]
        platforms += [f"manylinux2014_{processor}", f"linux_{processor}"]
    yield from cpython_tags(python, platforms=platforms)
    yield from compatible_tags(python, f"cp{python[0]}{python[1]}", platforms)


def _columns() -> list[tuple[tuple[int, int], _Machine]]:
    return [(python, machine) for machine in MACHINES for python in _PYTHONS]


def _show(gaps: dict[str, list[str]]) -> None:
    width = max(len(name) for name in (*gaps, *map(" ".join, MACHINES)))
    for at, machine in enumerate(MACHINES):
        first = at * len(_PYTHONS)
        rows = {package: row[first : first + len(_PYTHONS)] for package, row in gaps.items()}
        lacking = {package: row for package, row in rows.items() if {SOURCE, NOTHING} & set(row)}
        if lacking:
            print(f"  {' '.join(machine):{width}}", *(f"{a}.{b:<5}" for a, b in _PYTHONS))
        for package, row in sorted(lacking.items()):
            print(f"  {package:{width}}", *(f"{cell:7}" for cell in row))


if __name__ == "__main__":
    main(sys.argv[1:])
