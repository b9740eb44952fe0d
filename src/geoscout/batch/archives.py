"""The archives that a user names: files, folders, patterns, and lists of them."""

from __future__ import annotations

import glob
from collections.abc import Iterable, Iterator
from pathlib import Path

from geoscout.batch.folder import result_name
from geoscout_places.errors import UsageError

# Of folders; lists and shards are read where they are named: others lie in folders of results.
_ENDINGS = (".warc", ".warc.gz", ".wet", ".wet.gz", ".wacz")


def named_archives(names: Iterable[str]) -> list[Path]:
    """The archives, each once, in the order of the names.

    A name is a file, a folder (its archives, by name), a pattern such as `'crawl/*.warc.gz'`, or
    `@` and a file with one of these on each line.

    Raises:
        UsageError: a name that leads to no archive, or two archives whose results would have one
            name.
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
