"""Adds pages to the index and takes them out; nothing is seen before `commit`.

Adding a page replaces the one of the same URL, so following a part of the change log twice does no
harm. An index is started again if it is damaged, of another version or of another gazetteer. So is
one with three rows for every page, since the rows of replaced pages stay: everything in it can be
read from the crawl again.
"""

import fcntl
import shutil
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from hashlib import blake2b
from math import nan
from pathlib import Path
from typing import IO, Self

import numpy as np
import orjson
import tantivy

from geoscout.crawl_folder import open_stream, require_plain
from geoscout.index.base import DIRECT, Document, KnownSpot, Spot
from geoscout.index.files import (
    COLUMNS,
    KNOWN,
    LOCK,
    PAGE,
    PLACE,
    SPOT,
    UNFINISHED,
    WORDS,
    ColumnWriter,
    State,
    are_whole,
    as_index_error,
    open_words,
    read_state,
)
from geoscout.index.places import (
    STRONG,
    Ancestors,
    HierarchyRow,
    SynsetOf,
    hang,
    kinds_about,
    no_synset,
)
from geoscout.index.schema import (
    STATE_KEY,
    VERSION,
    build_analyzer,
    cells_of,
    host_names,
    language_code,
    lead_of,
    mark_of,
    simhash,
    vector_length,
)
from geoscout.warc import pack
from geoscout_places.errors import DamagedDataError
from geoscout_places.model import Precision
from geoscout_places.urls import host_of

_HEAP_BYTES = 128_000_000  # of one thread; more only makes the first commit later
_MOST_ROWS, _FEW = 3, 10_000  # rows for a page of an index that is not yet few
_PRECISIONS = tuple(Precision)
_MOST_LISTED = 65_535
_LONGEST_TEXT = 200_000  # characters of a page that are indexed


class IndexWriter:
    """The one who changes the index in a folder; implements `WritableIndex`. Use `open`."""

    def __init__(
        self,
        folder: Path,
        lock: IO[bytes],
        made_with: str,
        *,
        ancestors: Ancestors,
        synset_of: SynsetOf,
    ) -> None:
        self._folder = folder
        self._lock = lock
        self._ancestors, self._synset_of = ancestors, synset_of
        for left in (folder / WORDS).glob(f"{UNFINISHED}*"):  # by one that was killed
            left.unlink()
        index, self.state = _open_or_begin(folder, made_with)
        self._columns = ColumnWriter(folder / COLUMNS, self.state.ends, self.state.sums)
        self._words = index.writer(_HEAP_BYTES, 1)
        self._analyzer = build_analyzer()

    @classmethod
    def open(
        cls,
        folder: Path,
        ancestors: Ancestors,
        made_with: str = "",
        *,
        synset_of: SynsetOf = no_synset,
    ) -> Self | None:
        """Open an index to change it, made if it is new; None while someone else is changing it.

        `ancestors` gives what contains a place, `synset_of` what GeoWordNet knows of it;
        `made_with` names the gazetteer behind them.
        """
        require_plain(folder, inside=1)
        folder.mkdir(parents=True, exist_ok=True)
        lock = open_stream(folder / LOCK, "ab", inside=2)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock.close()
            return None
        try:
            return cls(folder, lock, made_with, ancestors=ancestors, synset_of=synset_of)
        except BaseException:
            lock.close()  # or nobody could try again while the error is looked at
            raise

    @property
    def cursor(self) -> str:
        return self.state.cursor

    def add(self, document: Document) -> None:
        document = _clean(document)
        lead = lead_of(document.title, document.anchor, document.url)
        rows = hang(document.places, self._ancestors, self._synset_of)
        entry = tantivy.Document()
        entry.add_text("key", document.url)
        entry.add_unsigned("slot", self._append(document, rows, lead))
        entry.add_text("body", f"{lead} {document.text}")
        entry.add_text("lead", lead)
        _add_places(entry, rows)
        for kind in kinds_about(document.places, self._synset_of):
            entry.add_integer("kind", kind)
        for cell in cells_of(spot.point for spot in document.spots):
            entry.add_unsigned("cell", cell)
        _add_filters(entry, document)
        self.remove(document.url)
        self._words.add_document(entry)

    def remove(self, url: str) -> None:
        self._words.delete_documents_by_term("key", url)

    def commit(self, cursor: str) -> None:
        with as_index_error(self._folder):
            ends, sums = self._columns.flush(), self._columns.sums
            self.state = replace(self.state, cursor=cursor, ends=ends, sums=sums)
            self.remove(STATE_KEY)
            self._words.add_document(self.state.to_document())
            self._words.commit()

    def close(self) -> None:
        try:
            self._words.rollback()
            self._words.wait_merging_threads()
        finally:  # they fail when a write has failed before
            try:
                self._columns.close()
            finally:  # or nobody could ever change the index again while this process runs
                self._lock.close()

    def _append(self, document: Document, rows: Sequence[HierarchyRow], lead: str) -> int:
        """Write the columns of a page; its slot."""
        counts = Counter(self._analyzer.analyze(document.text))
        alike = simhash(counts)  # of the text alone: copies have other addresses
        counts.update(self._analyzer.analyze(lead))
        places = np.array(
            [(r.place_id, r.share, r.mentions, r.flags, r.synset) for r in rows], PLACE
        )
        points = [_spot_row(spot) for spot in document.spots]
        text, head = pack(document.text.encode()), _head(document)
        append = self._columns.append
        page = (
            document.visit, int(document.fetched_at), int(document.dated_at), alike,
            _host(document.url), vector_length(counts),
            language_code(document.language).encode()[:8], min(document.listed, _MOST_LISTED),
            _main(document),
            append("heads", head), append("texts", text), len(text), len(head),
            append("nodes", places.tobytes()), append("spots", np.array(points, SPOT).tobytes()),
            len(rows), len(points),
        )  # fmt: skip
        append("known", np.array([_known_row(known) for known in document.known], KNOWN).tobytes())
        return append("pages", np.array([page], PAGE).tobytes())


def _open_or_begin(folder: Path, made_with: str) -> tuple[tantivy.Index, State]:
    try:
        with as_index_error(folder):
            index = open_words(folder)
            searcher = index.searcher()
            state = read_state(searcher)
    except DamagedDataError:
        state = State(version=0)
    is_ours = (
        state.version == VERSION
        and state.made_with in ("", made_with)
        and are_whole(folder / COLUMNS, state.ends)
    )
    if is_ours and state.ends.pages <= _MOST_ROWS * max(searcher.num_docs, _FEW):
        return index, replace(state, made_with=made_with)
    erase(folder)
    return open_words(folder), State(made_with=made_with)


def erase(folder: Path) -> None:
    """Forget everything an index has."""
    require_plain(folder, inside=1)
    for part in (WORDS, COLUMNS):
        shutil.rmtree(folder / part, ignore_errors=True)


def _clean(document: Document) -> Document:
    """The document without half characters, which neither JSON nor Tantivy can hold."""
    texts = (document.title, document.text[:_LONGEST_TEXT], document.anchor, document.language)
    title, text, anchor, language = (t.encode("utf-8", "replace").decode() for t in texts)
    return replace(document, title=title, text=text, anchor=anchor, language=language)


def _add_places(entry: tantivy.Document, rows: Sequence[HierarchyRow]) -> None:
    for row in rows:
        entry.add_integer("node", row.place_id)
        if row.flags & DIRECT:
            entry.add_integer("direct", row.place_id)
        if row.flags & STRONG:
            entry.add_integer("strong", row.place_id)
        if row.is_about:
            entry.add_integer("about", row.place_id)


def _add_filters(entry: tantivy.Document, document: Document) -> None:
    """What pages are chosen by besides their words and places."""
    entry.add_text("language", language_code(document.language))
    for name in host_names(host_of(document.url)):
        entry.add_text("host", name)
    for kind in document.evidence:
        entry.add_text("evidence", kind)
    entry.add_unsigned("fetched_at", int(document.fetched_at))
    if document.dated_at:
        entry.add_unsigned("dated_at", int(document.dated_at))
    for mark in {mark_of(key) for known in document.known for key in (known.key, known.wider)}:
        entry.add_integer("known", mark)


def _known_row(known: KnownSpot) -> tuple[int, int, int, float, float, float, int]:
    wider = mark_of(known.wider) if known.wider else 0
    if known.spot is None:
        return mark_of(known.key), wider, known.place_id, nan, nan, 0.0, 0
    spot = known.spot
    degrees = (spot.point.latitude, spot.point.longitude)
    precision = _PRECISIONS.index(spot.precision)
    return mark_of(known.key), wider, known.place_id, *degrees, spot.reach_km, precision


def _spot_row(spot: Spot) -> tuple[float, float, float, float, int]:
    point, precision = spot.point, _PRECISIONS.index(spot.precision)
    return (point.latitude, point.longitude, spot.strength, spot.reach_km, precision)


def _head(document: Document) -> bytes:
    return orjson.dumps([
        document.url, document.title, document.language, document.relevant, document.anchor,
        document.addresses,
    ])  # fmt: skip


def _host(url: str) -> int:
    return int.from_bytes(blake2b(host_of(url).encode(), digest_size=8).digest(), "big")


def _main(document: Document) -> int:
    return next((part.place_id for part in document.places if part.is_main), 0)
