"""What a batch is asked for: archives in, and a folder of results with what was done in `_batch`.

    OUT/munich-00.parquet           the rows of munich-00.warc.gz
    OUT/_batch/options.json         what the folder was made with
    OUT/_batch/munich-00.json       the report of a file that is done
    OUT/_batch/munich-00.*.part     rows of a file that is not done

Programs that read folders of Parquet leave out names that begin with `_`. A file is done when its
report says so; the report is written after the rows have their name. There is no list of all files,
so every process and machine can finish a file on its own.
"""

import fcntl
import glob
import os
import socket
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import msgspec
from msgspec import Struct

from geoscout.batch.row_files import FORMATS
from geoscout.batch.rows import BatchOptions
from geoscout_places.errors import UsageError


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
