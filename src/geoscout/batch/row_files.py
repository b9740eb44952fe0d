"""Files of rows: Parquet, or JSON lines compressed by gzip.

Rows come as lines of JSON, made in other processes. JSON lines are written as they come. Arrow
reads the lines into the schema of `rows` in C++, a group at a time, so that writing takes a small
part of what making the rows takes.

A file gets its name when it is whole and on disk. Until then it has a name in another folder, and
whoever looks into the folder of results sees only whole files.
"""

import io
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from types import ModuleType, UnionType
from typing import Any, BinaryIO, get_args, get_origin, get_type_hints

from isal import isal_zlib
from msgspec import Struct

from geoscout.batch.rows import PageRow
from geoscout.store.export_tables import GEOMETRY, Extent, geo_metadata, with_points
from geoscout_places.errors import UsageError
from geoscout_places.extras import import_extra

_GZIP = 31  # zlib's name for gzip framing with the largest window
_LEVEL = 2  # of isal's four, the best value
_GROUP_BYTES = 32 * 1024 * 1024  # of lines; some thousand rows, a row group of a few MB
_GROUP_ROWS = 20_000
_TYPES = {str: "string", int: "int64", float: "float64", bool: "bool"}


class JsonLinesFile:
    """JSON lines in gzip; the same rows give the same bytes."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._deflate = isal_zlib.compressobj(_LEVEL, wbits=_GZIP)

    def write(self, line: bytes) -> None:
        """Add a row, a line of JSON."""
        self._stream.write(self._deflate.compress(line))

    def finish(self) -> None:
        """Write what is left; no row follows."""
        self._stream.write(self._deflate.flush())

    def abandon(self) -> None:
        """Let go of the stream; what was written is thrown away."""


class ParquetFile:
    """GeoParquet in zstd, a row group for some thousand pages."""

    def __init__(self, stream: BinaryIO) -> None:
        self._arrow, self._json = _arrow(), import_module("pyarrow.json")
        self._schema = arrow_schema(self._arrow)
        parquet = import_module("pyarrow.parquet")
        schema = self._schema.append(self._arrow.field(GEOMETRY, self._arrow.binary()))
        self._writer = parquet.ParquetWriter(stream, schema, compression="zstd")
        self._extent = Extent()
        self._lines: list[bytes] = []
        self._size = 0

    def write(self, line: bytes) -> None:
        self._lines.append(line)
        self._size += len(line)
        if self._size >= _GROUP_BYTES or len(self._lines) >= _GROUP_ROWS:
            self._write_group()

    def finish(self) -> None:
        if self._lines:
            self._write_group()
        self._writer.add_key_value_metadata({"geo": geo_metadata(self._extent)})
        self._writer.close()

    def abandon(self) -> None:
        with suppress(OSError):  # a full disk is perhaps why we are here
            self._writer.close()

    def _write_group(self) -> None:
        parse = self._json.ParseOptions(
            explicit_schema=self._schema, unexpected_field_behavior="error"
        )
        # One block, since a row may be longer than the blocks that Arrow reads by default.
        read = self._json.ReadOptions(use_threads=False, block_size=self._size + 1)
        rows = io.BytesIO(b"".join(self._lines))
        table = self._json.read_json(rows, read, parse)
        self._writer.write_table(with_points(self._arrow, table, self._extent))
        self._lines, self._size = [], 0


RowFile = JsonLinesFile | ParquetFile
# The ending of their names, and what writes them.
FORMATS: dict[str, tuple[str, Callable[[BinaryIO], RowFile]]] = {
    "parquet": (".parquet", ParquetFile),
    "jsonl": (".jsonl.gz", JsonLinesFile),
}


def check_format(name: str) -> None:
    """See that a format can be written on this machine."""
    if name not in FORMATS:
        raise UsageError(f"archives are geoparsed to {' or '.join(FORMATS)}, not {name!r}")
    if name == "parquet":
        _arrow()


@contextmanager
def writing_rows(draft: Path, target: Path, format: str) -> Iterator[RowFile]:
    """A file of rows that takes its name `target` at the end; after a failure nothing is left.

    Raises:
        OSError: it cannot be written.
    """
    try:
        with draft.open("wb") as stream:
            rows = FORMATS[format][1](stream)
            try:
                yield rows
                rows.finish()
            except BaseException:
                rows.abandon()
                raise
            stream.flush()
            os.fsync(stream.fileno())
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)


def arrow_schema(arrow: ModuleType) -> Any:
    """The Arrow schema of a page's row."""
    kinds = get_type_hints(PageRow)
    fields = [(name, _arrow_type(arrow, kind)) for name, kind in kinds.items()]
    seconds = arrow.timestamp("s", tz="UTC")
    return arrow.schema([(name, seconds if name == "date" else type) for name, type in fields])


def _arrow_type(arrow: ModuleType, kind: Any) -> Any:
    if get_origin(kind) is UnionType:  # every column may be null
        kind = next(part for part in get_args(kind) if part is not type(None))
    if get_origin(kind) is tuple:
        return arrow.list_(_arrow_type(arrow, get_args(kind)[0]))
    if issubclass(kind, Struct):
        inner = get_type_hints(kind).items()
        return arrow.struct([(name, _arrow_type(arrow, part)) for name, part in inner])
    return arrow.type_for_alias(_TYPES[kind])


def _arrow() -> Any:
    return import_extra("parquet, unlike jsonl,", "parquet", "pyarrow")
