"""Where the index lies, what it has committed, and whether its bytes are those that were written.

Tantivy's commit is the one moment at which everything becomes true: the words, how far the change
log was followed and where the columns end, the last two in a document of their own. Tantivy writes
a checksum behind each of its files and never looks at it again; the columns have theirs in what
every commit keeps. Whoever opens an index only sees that a file is missing or short.
"""

from __future__ import annotations

import errno
import fcntl
import os
import struct
import zlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

import orjson
import tantivy
from tantivy import Query

from geoscout.crawl_folder import open_stream, require_plain
from geoscout.index.columns import FILES, Ends, sum_of
from geoscout.index.schema import STATE_KEY, VERSION, build_analyzer, build_schema
from geoscout_places.errors import DamagedDataError, DamagedIndexError

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


def open_words(folder: Path) -> tantivy.Index:
    """The Tantivy index of a folder, made if it is new.

    Raises:
        DamagedIndexError: it cannot be opened, or has other fields.
    """
    words = folder / WORDS
    require_plain(folder, inside=1)  # Tantivy opens its files by their paths
    words.mkdir(parents=True, exist_ok=True)
    with as_index_error(folder):
        index = tantivy.Index(build_schema(), str(words))
    index.register_tokenizer("words", build_analyzer())
    return index


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
