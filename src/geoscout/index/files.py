"""Where the index lies, and what it has committed.

Tantivy's commit is the one moment at which everything becomes true: the words, how far the change
log was followed and where the columns end, the last two in a document of their own.
"""

from __future__ import annotations

import errno
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path

import orjson
import tantivy
from tantivy import Query

from geoscout.crawl_folder import require_plain
from geoscout.index.columns import Ends
from geoscout.index.schema import STATE_KEY, VERSION, build_analyzer, build_schema
from geoscout_places.errors import DamagedIndexError

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
