"""What a batch is asked for: archives in, and a folder of results with what was done in `_batch`.

    OUT/munich-00.parquet           the rows of munich-00.warc.gz
    OUT/_batch/options.json         what the folder was made with
    OUT/_batch/munich-00.json       the report of a file that is done
    OUT/_batch/munich-00.*.part     rows of a file that is not done

Programs that read folders of Parquet leave out names that begin with `_`. A file is done when its
report says so; the report is written after the rows have their name. There is no list of all files,
so every process and machine can finish a file on its own.

Files of rows are Parquet, or JSON lines compressed by gzip. Rows come as lines of JSON, made in
other processes. JSON lines are written as they come; Arrow reads the lines into the schema of
`rows` in C++, a group at a time, so that writing takes a small part of what making the rows takes.
A file gets its name when it is whole and on disk.
"""

import fcntl
import glob
import io
import os
import socket
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from types import ModuleType, UnionType
from typing import Any, BinaryIO, get_args, get_origin, get_type_hints

import msgspec
from isal import isal_zlib
from msgspec import Struct

from geoscout.batch.rows import BatchOptions, PageRow
from geoscout.store.export_tables import GEOMETRY, Extent, geo_metadata, with_points
from geoscout_places.errors import UsageError
from geoscout_places.extras import import_extra


class FileReport(Struct, frozen=True, kw_only=True):
    file: str
    bytes: int = 0
    pages: int = 0  # rows
    with_place: int = 0  # pages that are about a place
    relevant: int = 0
    addresses: int = 0
    skipped: Mapping[str, int] = {}  # records that gave no row, by reason
    seconds: float = 0.0
    error: str = ""  # why there are no rows; "" when it is done


class BatchFolder:
    def __init__(self, path: Path, format: str) -> None:
        self.path = path
        self._notes = path / "_batch"
        self._suffix = FORMATS[format][0]

    @contextmanager
    def opened(self, options: BatchOptions) -> Iterator[None]:
        """Keep the folder for one run, make it first where it is new."""
        try:
            self._notes.mkdir(parents=True, exist_ok=True)
            with (self._notes / "lock").open("wb") as lock:
                self._take(lock.fileno())
                self._check_options(options)
                for left_over in self._notes.glob("*.part"):
                    left_over.unlink(missing_ok=True)
                yield
        except OSError as error:
            raise UsageError(f"cannot write to {self.path}: {error.strerror or error}") from error

    def _take(self, lock: int) -> None:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise UsageError(f"another process is writing to {self.path}") from error

    def _check_options(self, options: BatchOptions) -> None:
        file = self._notes / "options.json"
        packed = msgspec.json.encode(options)
        if not file.exists():
            _write_whole(file, msgspec.json.format(packed))
            return
        made_with = _kept_options(file)
        for name, value in msgspec.json.decode(packed).items():
            if made_with.get(name) != value:
                raise UsageError(
                    f"{self.path} was made with {name} {made_with.get(name)!r}, not {value!r};"
                    " use another folder"
                )

    def rows_file(self, archive: Path) -> Path:
        return self.path / f"{result_name(archive)}{self._suffix}"

    def draft(self, archive: Path) -> Path:
        """A name for unfinished rows that no other process or machine has."""
        return self._notes / f"{result_name(archive)}.{socket.gethostname()}-{os.getpid()}.part"

    def report(self, archive: Path) -> FileReport | None:
        """The report of an archive that is done and has not changed since; None for others."""
        try:
            kept = (self._notes / f"{result_name(archive)}.json").read_bytes()
            report = msgspec.json.decode(kept, type=FileReport)
        except (OSError, msgspec.DecodeError):
            return None
        is_current = report.bytes == archive.stat().st_size and self.rows_file(archive).exists()
        return report if is_current else None

    def keep(self, archive: Path, report: FileReport) -> None:
        """Note that an archive is done."""
        _write_whole(self._notes / f"{result_name(archive)}.json", msgspec.json.encode(report))


def result_name(archive: Path) -> str:
    """The name of an archive's results, without the suffix of their format.

    >>> result_name(Path("a/crawl-00001.warc.gz")), result_name(Path("b/0.warc.wet.gz"))
    ('crawl-00001', '0.warc.wet')
    """
    return archive.name.removesuffix(".gz").removesuffix(".warc")


def _kept_options(file: Path) -> dict[str, object]:
    try:
        return msgspec.json.decode(file.read_bytes(), type=dict[str, object])
    except msgspec.DecodeError as error:
        raise UsageError(f"{file} is damaged; use another folder") from error


def _write_whole(file: Path, content: bytes) -> None:
    """Write a small file so that it is there whole or not at all."""
    draft = file.with_name(f"{file.name}.{socket.gethostname()}-{os.getpid()}.part")
    draft.write_bytes(content)
    draft.replace(file)


# Of folders; lists and shards are read where they are named: others lie in folders of results.
_ENDINGS = (".warc", ".warc.gz", ".wet", ".wet.gz", ".wacz")


def named_archives(names: Iterable[str]) -> list[Path]:
    """The archives, each once, in the order of the names.

    A name is a file, a folder (its archives, by name), a pattern such as `'crawl/*.warc.gz'`, or
    `@` and a file with one of these on each line.
    """
    archives = list(dict.fromkeys(path for name in names for path in _paths(name)))
    results: dict[str, Path] = {}
    for path in archives:
        first = results.setdefault(result_name(path), path)
        if first is not path:
            raise UsageError(
                f"{first} and {path} would have results of one name; use a folder for each"
            )
    return archives


def _paths(name: str) -> Iterator[Path]:
    path = Path(name)
    if name.startswith("@"):
        for line in _lines(Path(name[1:])):
            yield from _paths(line)
    elif path.is_dir():
        yield from _some((p for p in path.iterdir() if p.name.endswith(_ENDINGS)), name)
    elif path.exists() or not glob.has_magic(name):
        yield from _some([path] if path.exists() else [], name)
    else:
        yield from _some(map(Path, glob.glob(name, recursive=True)), name)


def _some(found: Iterable[Path], name: str) -> list[Path]:
    files = sorted(path for path in found if path.is_file())
    if not files:
        raise UsageError(
            f"there is no archive at {name}; give .warc, .warc.gz, .wet.gz, .wat.gz,"
            " .wacz, .cdxj or .parquet files"
        )
    return files


def _lines(file: Path) -> list[str]:
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read the list {file}: {error}") from error
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]


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
