"""Reads the texts of pages from the Parquet metadata of the Open Web Index."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from geoscout.shards.owi import load_arrow
from geoscout_places.errors import UsageError

_GROUP = 256  # rows that are in memory at a time
_NEEDED = ("url", "plain_text")
_READ = (*_NEEDED, "title", "language", "warc_date")


class ShardRow(NamedTuple):
    """A page of a shard."""

    number: int  # from 0
    position: int  # bytes of the file that are read, about
    url: str
    text: bytes  # title and text, in UTF-8
    language: str  # three letters; "" for none
    date: str  # as the shard has it; "" for none


def is_shard(path: Path) -> bool:
    """Whether a file is a table of pages, by its name."""
    return path.name.endswith(".parquet")


def read_shard(path: Path) -> Iterator[ShardRow]:
    """Every page with a text, in the order of the shard.

    Raises:
        UsageError: it is not a table of pages, or the package for Parquet is missing.
    """
    arrow, parquet = load_arrow()
    try:
        file = parquet.ParquetFile(path)
    except (arrow.ArrowException, OSError) as error:
        raise UsageError(f"{path} cannot be read as Parquet: {error}") from error
    with file:
        names = set(file.schema_arrow.names)
        if missing := [name for name in _NEEDED if name not in names]:
            raise UsageError(
                f"{path} is not a shard of the Open Web Index: it has no column {missing[0]!r}"
            )
        total, size, number = max(file.metadata.num_rows, 1), path.stat().st_size, 0
        columns = [name for name in _READ if name in names]
        for batch in file.iter_batches(_GROUP, columns=columns):
            for row in batch.to_pylist():
                number += 1
                if row["url"] and row["plain_text"]:
                    yield _row(row, number - 1, size * number // total)


def _row(row: dict[str, object], number: int, position: int) -> ShardRow:
    lines = (row.get("title"), row["plain_text"])
    text = "\n\n".join(str(line) for line in lines if line)
    return ShardRow(
        number, position, str(row["url"]), text.encode("utf-8", "replace"),
        language=str(row.get("language") or ""), date=str(row.get("warc_date") or ""),
    )  # fmt: skip
