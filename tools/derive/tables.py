"""Writes tables: tab-separated UTF-8 with a header row, the same bytes for the same rows.

Text and xz rather than SQLite or Parquet: the tables are read once, by the build, and a
reviewer can look at them with ``xz -dc``.
"""

import csv
import lzma
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

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
