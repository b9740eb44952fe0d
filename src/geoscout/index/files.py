"""The files of an index: where they lie, what is committed, and whether they are whole.

Tantivy's commit is the one moment at which everything becomes true: the words, how far the change
log was followed and where the columns end, the last two in a document of their own.

Columns have what ranking, grouping and snippets need of a page, by its slot: a row number that is
never used twice. Files only grow, so after a crash whatever lies behind their end is cut off.
Readers map the files and pay for the rows they touch. Tantivy's own document store would have to
unpack a block of pages to get at one, and has no arrays.

Tantivy writes a checksum behind each of its files and never looks at it again; the columns have
theirs in what every commit keeps. Whoever opens an index only sees that a file is missing or short.
"""

from __future__ import annotations

import errno
import fcntl
import os
import struct
import zlib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt
import orjson
import tantivy
from tantivy import Query

from geoscout.crawl_folder import open_stream, require_plain
from geoscout.index.schema import STATE_KEY, VERSION, build_analyzer, build_schema
from geoscout_places.errors import DamagedDataError, DamagedIndexError

PAGE = np.dtype([
    ("visit", "<u8"), ("fetched_at", "<u4"), ("dated_at", "<u4"),
    ("simhash", "<u8"), ("host", "<u8"),
    ("length", "<f4"),  # of the vector of its words
    ("language", "S8"), ("listed", "<u2"),  # without its region; different addresses
    ("main", "<i8"),  # the main place; 0 for none
    ("head", "<u8"), ("text", "<u8"), ("text_size", "<u4"), ("head_size", "<u4"),
    ("node", "<u8"), ("spot", "<u8"), ("nodes", "<u2"), ("spots", "<u2"),
])  # fmt: skip
# A place of a page, its own or one that contains it; on disk it is called a node.
PLACE = np.dtype([
    ("place", "<i8"), ("share", "<f4"), ("mentions", "<u2"), ("flags", "<u2"),
    ("synset", "<u4"),  # of GeoWordNet; 0 for none
])  # fmt: skip
SPOT = np.dtype([
    ("latitude", "<f4"), ("longitude", "<f4"), ("strength", "<f4"), ("reach_km", "<f4"),
    ("precision", "u1"),  # its position in `Precision`
])  # fmt: skip
# A house, street or landmark that a page gives; keys are marks (`known_spots.mark_of`).
KNOWN = np.dtype([
    ("key", "<i8"), ("wider", "<i8"), ("place", "<i8"),
    ("latitude", "<f4"), ("longitude", "<f4"),  # not a number where the page does not tell
    ("reach_km", "<f4"), ("precision", "u1"),
])  # fmt: skip
BYTES = np.dtype("u1")
FILES = {
    "pages": PAGE, "nodes": PLACE, "spots": SPOT, "heads": BYTES, "texts": BYTES, "known": KNOWN,
}  # fmt: skip

_PIECE = 1024 * 1024  # bytes read at a time

Rows = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Ends:
    """How many rows of each file are committed."""

    pages: int = 0
    nodes: int = 0
    spots: int = 0
    heads: int = 0
    texts: int = 0
    known: int = 0


class ColumnWriter:
    """Appends rows to the files of a folder; what lies behind `ends` is cut off first."""

    def __init__(self, folder: Path, ends: Ends, sums: Sequence[int] = ()) -> None:
        """Go on at `ends`; `sums` are the checksums up to there, read where there are none."""
        folder.mkdir(parents=True, exist_ok=True)
        self._files: dict[str, IO[bytes]] = {}
        self._ends: dict[str, int] = asdict(ends)
        self._sums: dict[str, int] = dict(zip(self._ends, sums, strict=False))
        for name, rows in self._ends.items():
            path, size = folder / f"{name}.bin", rows * FILES[name].itemsize
            file = open_stream(path, "ab", inside=3)
            file.truncate(size)
            self._files[name] = file
            if name not in self._sums:
                self._sums[name] = sum_of(path, size)

    def append(self, name: str, rows: bytes) -> int:
        """Add whole rows; the number of the first."""
        first = self._ends[name]
        self._files[name].write(rows)
        self._sums[name] = zlib.crc32(rows, self._sums[name])
        self._ends[name] = first + len(rows) // FILES[name].itemsize
        return first

    def flush(self) -> Ends:
        """Make what was added last on disk; where the files end now."""
        for file in self._files.values():
            file.flush()
            os.fsync(file.fileno())
        return Ends(**self._ends)

    @property
    def sums(self) -> tuple[int, ...]:
        """The checksums of all files as they are now, in the order of `Ends`."""
        return tuple(self._sums.values())

    def close(self) -> None:
        """Close all files, also those after one that could not be written to its end."""
        with ExitStack() as closing:
            for file in self._files.values():
                closing.callback(file.close)


@dataclass(frozen=True, slots=True)
class Columns:
    """The committed rows of a folder, mapped into memory."""

    pages: Rows
    nodes: Rows
    spots: Rows
    heads: Rows
    texts: Rows
    known: Rows

    @classmethod
    def open(cls, folder: Path, ends: Ends) -> Columns:
        return cls(**{
            name: _mapped(folder / f"{name}.bin", FILES[name], rows)
            for name, rows in asdict(ends).items()
        })  # fmt: skip

    def places_of(self, slots: Rows) -> tuple[Rows, Rows]:
        """The place rows of some pages, and for each row which of the pages it belongs to."""
        chosen = self.pages[slots]
        rows, owners = spread(chosen["node"], chosen["nodes"])
        return self.nodes[rows], owners

    def places_at(self, slots: Rows, ids: Sequence[int]) -> tuple[Rows, Rows]:
        """Of the place rows of some pages those of a few places, and whose they are."""
        chosen = self.pages[slots]
        rows, owners = spread(chosen["node"], chosen["nodes"])
        places = self.nodes["place"][rows]  # alone: most rows are of other places
        there = places == ids[0]
        for id in ids[1:]:
            there |= places == id
        return self.nodes[rows[there]], owners[there]

    def spots_of(self, slots: Rows) -> tuple[Rows, Rows]:
        """The points of some pages, and for each which of the pages it belongs to."""
        chosen = self.pages[slots]
        rows, owners = spread(chosen["spot"], chosen["spots"])
        return self.spots[rows], owners


def are_whole(folder: Path, ends: Ends) -> bool:
    """Whether the files hold every committed row; one that was cut must not be written to."""
    sizes = {name: rows * FILES[name].itemsize for name, rows in asdict(ends).items() if rows}
    files = {folder / f"{name}.bin": size for name, size in sizes.items()}
    return all(file.is_file() and file.stat().st_size >= size for file, size in files.items())


def sum_of(file: Path, size: int) -> int:
    """The checksum of the first bytes of a file; of a file that is shorter, that of all it has."""
    total = 0
    if not file.is_file():
        return total
    with open_stream(file, "rb", inside=3) as stream:
        while size > 0 and (piece := stream.read(min(size, _PIECE))):
            total, size = zlib.crc32(piece, total), size - len(piece)
    return total


def spread(starts: Rows, counts: Rows) -> tuple[Rows, Rows]:
    """The row numbers of several runs of rows, and the number of the run each belongs to.

    >>> rows, owners = spread(np.array([5, 9]), np.array([2, 1]))
    >>> rows.tolist(), owners.tolist()
    ([5, 6, 9], [0, 0, 1])
    """
    counts = counts.astype(np.int64)
    owners = np.repeat(np.arange(len(counts)), counts)
    before = np.cumsum(counts) - counts
    rows = np.arange(int(counts.sum())) + np.repeat(starts.astype(np.int64) - before, counts)
    return rows, owners


def _mapped(file: Path, dtype: np.dtype[Any], rows: int) -> Rows:
    if rows == 0:
        return np.empty(0, dtype)
    # As a plain array: a memmap is asked about itself at every slice, which costs more than it.
    with open_stream(file, "rb", inside=3) as stream:
        return np.memmap(stream, dtype, mode="r", shape=(rows,)).view(np.ndarray)


WORDS, COLUMNS, LOCK = "words", "columns", "lock"
UNFINISHED = ".tmp"  # how the files begin that Tantivy renames when they are whole


@dataclass(frozen=True, slots=True)
class State:
    """What an index has committed."""

    cursor: str = ""  # how far it has followed the changes of the store, in the store's words
    ends: Ends = field(default_factory=Ends)
    made_with: str = ""  # the gazetteer whose hierarchy the pages hang in
    version: int = VERSION
    sums: tuple[int, ...] = ()  # the checksums of the columns; none in an older index

    def to_document(self) -> tantivy.Document:
        document = tantivy.Document()
        document.add_text("key", STATE_KEY)
        document.add_text("state", orjson.dumps(asdict(self)).decode())
        return document


class _IndexErrors:
    """A class, since a search enters it fifty times and a generator takes six times as long."""

    __slots__ = ("_folder",)

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __enter__(self) -> None:
        pass

    def __exit__(self, _: object, error: BaseException | None, traceback: object) -> None:
        if error is None:
            return
        if isinstance(error, (ValueError, OSError, IndexError)) and _is_full_disk(error):
            text = os.strerror(errno.ENOSPC)
            raise OSError(errno.ENOSPC, text, str(self._folder)) from error
        if isinstance(error, (ValueError, OSError, IndexError)) or _is_panic(error):
            raise _damaged(self._folder, error) from error


def as_index_error(folder: Path) -> _IndexErrors:
    """Turn what Tantivy and damaged columns raise in a `with` block into errors of ours.

    Raises:
        OSError: the disk is full.
        DamagedIndexError: after any other error, since the index can be made again.
    """
    return _IndexErrors(folder)


def _damaged(folder: Path, error: BaseException) -> DamagedIndexError:
    return DamagedIndexError(
        f"the index in {folder} is damaged: {error}; `geoscout index --rebuild` makes it again"
    )


def _is_panic(error: BaseException) -> bool:
    """Whether Tantivy met what cannot be; no module has the class of that error, to be imported."""
    return type(error).__name__ == "PanicException"


def _is_full_disk(error: Exception) -> bool:
    """Tantivy has the number of an error in its text only."""
    told = (f"code: {errno.ENOSPC},", f"os error {errno.ENOSPC})")
    return getattr(error, "errno", None) == errno.ENOSPC or any(part in str(error) for part in told)


_MANAGED = ".managed.json"  # the files that Tantivy has made
_LONGEST_MANAGED = 1 << 24  # bytes


def open_words(folder: Path) -> tantivy.Index:
    """The Tantivy index of a folder, made if it is new.

    Raises:
        DamagedIndexError: it cannot be opened, or has other fields.
    """
    words = folder / WORDS
    require_plain(folder, inside=1)  # Tantivy opens its files by their paths
    words.mkdir(parents=True, exist_ok=True)
    with as_index_error(folder):
        _check_managed(words / _MANAGED)
        index = tantivy.Index(build_schema(), str(words))
    index.register_tokenizer("words", build_analyzer())
    return index


def _check_managed(file: Path) -> None:
    """Refuse a list of files that leads out of its folder: Tantivy deletes what it no longer needs.

    Raises:
        ValueError: it does, or is no list of names.
    """
    names = []
    with suppress(FileNotFoundError), open_stream(file, "rb", inside=3) as listed:
        names = orjson.loads(listed.read(_LONGEST_MANAGED) or b"[]")
    for name in names if isinstance(names, list) else [os.sep]:
        if os.sep in str(name):
            raise ValueError(f"it would delete {name!a}")


def read_state(searcher: tantivy.Searcher) -> State:
    """What the index has committed; of an empty one nothing."""
    query = Query.term_query(build_schema(), "key", STATE_KEY, "basic")
    found = searcher.search(query, 1).hits
    if not found:
        return State(version=VERSION if searcher.num_docs == 0 else 0)
    text = searcher.doc(found[0][1]).get_first("state")
    facts = orjson.loads(str(text))
    if facts["version"] != VERSION:
        return State(version=facts["version"])
    return State(
        facts["cursor"],
        Ends(**facts["ends"]),
        facts["made_with"],
        facts["version"],
        tuple(facts.get("sums", ())),
    )


_MAGIC = 1337  # the last four bytes of a file of Tantivy
_TAIL = struct.Struct("<II")  # the length of the checksum's JSON before it, and `_MAGIC`
_NO_SUM = {".json", ".lock"}  # what Tantivy writes without one


def damage_of_index(folder: Path) -> list[str]:
    """A line for each file of an index that is damaged.

    None when there is no index, or while another process changes it: then files come and go.
    """
    if not (folder / WORDS).is_dir():
        return []
    require_plain(folder, inside=1)
    with open_stream(folder / LOCK, "ab", inside=2) as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return []
        try:
            found = [*_columns(folder), *_words(folder / WORDS)]
        except DamagedDataError as error:
            return [str(error)]
    return [f"{folder.name}/{line}" for line in found]


def _words(folder: Path) -> Iterator[str]:
    for path in sorted(folder.iterdir()):
        has_sum = path.suffix not in _NO_SUM and not path.name.startswith(UNFINISHED)
        if has_sum:
            with open_stream(path, "rb", inside=3) as file:
                is_whole = _has_its_sum(file.read())
            if not is_whole:
                yield f"{WORDS}/{path.name} is damaged"


def _has_its_sum(data: bytes) -> bool:
    if len(data) < _TAIL.size:
        return False
    size, magic = _TAIL.unpack_from(data, len(data) - _TAIL.size)
    end = len(data) - _TAIL.size - size
    if magic != _MAGIC or end < 0:
        return False
    try:
        told = orjson.loads(data[end : -_TAIL.size])["crc"]
    except (ValueError, KeyError, TypeError):
        return False
    return bool(zlib.crc32(data[:end]) == told)


def _columns(folder: Path) -> Iterator[str]:
    with as_index_error(folder):
        state = read_state(open_words(folder).searcher())
    for (name, rows), told in zip(asdict(state.ends).items(), state.sums, strict=False):
        path = folder / COLUMNS / f"{name}.bin"
        if rows and sum_of(path, rows * FILES[name].itemsize) != told:
            yield f"{COLUMNS}/{name}.bin is damaged"
