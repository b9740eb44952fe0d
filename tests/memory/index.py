"""An index in memory: every question is answered by looking at every page."""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from geoscout.index.base import (
    ADDRESS,
    DIRECT,
    MAIN,
    Document,
    Found,
    KnownSpot,
    PageFilters,
    PageHead,
    PageSigns,
    PageTraits,
    PlaceField,
    PlaceRows,
    SpotRows,
    Wanted,
    Where,
    Word,
)
from geoscout.index.places import (
    Ancestors,
    HierarchyRow,
    SynsetOf,
    hang,
    kinds_about,
    no_synset,
)
from geoscout.index.schema import (
    cells_of,
    host_names,
    inflections,
    language_code,
    mark_of,
    simhash,
    vector_length,
)
from geoscout_places.model import Precision
from geoscout_places.urls import host_of

Slots = npt.NDArray[np.int64]
_FIELDS = {PlaceField.DIRECT: DIRECT, PlaceField.STRONG: ADDRESS | MAIN}


@dataclass(frozen=True)
class Shelf:
    """What is committed; a page that is replaced leaves its slot empty."""

    pages: tuple[Document | None, ...] = ()
    cursor: str = ""


@dataclass
class IndexHome:
    """Where an index is kept."""

    newest: Shelf = field(default_factory=Shelf)


class MemoryWritableIndex:
    """Implements `WritableIndex`."""

    def __init__(self, home: IndexHome) -> None:
        self.home = home
        self.pages = list(home.newest.pages)

    @property
    def cursor(self) -> str:
        return self.home.newest.cursor

    def add(self, document: Document) -> None:
        self.remove(document.url)
        self.pages.append(document)

    def remove(self, url: str) -> None:
        self.pages = [None if page and page.url == url else page for page in self.pages]

    def commit(self, cursor: str) -> None:
        self.home.newest = Shelf(tuple(self.pages), cursor)

    def close(self) -> None:
        """Nothing is held."""


class MemoryIndex:
    """Implements `Index`."""

    def __init__(
        self, home: IndexHome, ancestors: Ancestors, synset_of: SynsetOf = no_synset
    ) -> None:
        self._home = home
        self._ancestors = ancestors
        self._synset_of = synset_of
        self._seen = home.newest

    @property
    def cursor(self) -> str:
        return self._seen.cursor

    @property
    def edition(self) -> int:
        return id(self._seen)

    @property
    def page_count(self) -> int:
        return len(list(self._slots()))

    def reload(self) -> bool:
        is_newer = self._seen is not self._home.newest
        self._seen = self._home.newest
        return is_newer

    def words_of(self, text: str) -> list[str]:
        plain = unicodedata.normalize("NFKD", text.lower())
        return re.findall(r"\w+", "".join(c for c in plain if not unicodedata.combining(c)))

    def with_forms(self, word: str) -> Word:
        return (word, *(form for form in inflections(word) if self.pages_with(form)))

    def pages_with(self, word: str) -> int:
        return sum(word in self.word_counts(slot) for slot in self._slots())

    def pages_at(self, place_id: int) -> int:
        return self.count(Wanted(where=(Where((place_id,)),)))

    def pages_addressed_at(self, place_id: int) -> int:
        return sum(
            row.place_id == place_id and bool(row.flags & ADDRESS)
            for slot in self._slots()
            for row in self._rows(slot)
        )

    def find(self, wanted: Wanted, limit: int) -> Found:
        fitting = [slot for slot in self._slots() if self._fits(slot, wanted)]
        scores = {slot: self._score(slot, wanted.words) for slot in fitting}
        preferred = {s: all(self._is_at(s, w) for w in wanted.preferred) for s in fitting}
        order = sorted(fitting, key=lambda slot: (not preferred[slot], -scores[slot]))[:limit]
        found = np.array([scores[slot] for slot in order], np.float64)
        return Found(np.array(order, np.int64), found, len(fitting))

    def count(self, wanted: Wanted) -> int:
        return self.find(wanted, 0).total

    def count_places(self, wanted: Wanted, field: PlaceField = PlaceField.NAMED) -> dict[int, int]:
        fitting = (slot for slot in self._slots() if self._fits(slot, wanted))
        rows = (row for slot in fitting for row in self._rows(slot))
        is_any = field is PlaceField.NAMED
        return dict(Counter(row.place_id for row in rows if is_any or row.is_about))

    def languages(self) -> Counter[str]:
        return Counter(language_code(self._page(slot).language) for slot in self._slots())

    def languages_with(self, word: str) -> Counter[str]:
        having = (slot for slot in self._slots() if word in self.word_counts(slot))
        return Counter(language_code(self._page(slot).language) for slot in having)

    def known_spots(self, key: str) -> list[KnownSpot]:
        known = (known for slot in self._slots() for known in self._page(slot).known)
        return [replace(one, key=key, wider="") for one in known if key in (one.key, one.wider)]

    def is_known(self, key: str) -> bool:
        return bool(self.known_spots(key))

    def slot_of(self, url: str) -> int | None:
        return next((slot for slot in self._slots() if self._page(slot).url == url), None)

    def heads(self, slots: Slots) -> list[PageHead]:
        return [self.head(slot) for slot in slots.tolist()]

    def texts(self, slots: Slots) -> list[str]:
        return [self.text(slot) for slot in slots.tolist()]

    def head(self, slot: int) -> PageHead:
        page = self._page(slot)
        return PageHead(
            page.url,
            page.title,
            page.language,
            page.relevant,
            page.anchor,
            addresses=page.addresses,
            visit=page.visit,
            fetched_at=page.fetched_at,
            dated_at=page.dated_at,
        )

    def urls_of(self, slots: Slots) -> list[str]:
        return [self._page(int(slot)).url for slot in slots]

    def text(self, slot: int) -> str:
        return self._page(slot).text

    def word_counts(self, slot: int) -> Counter[str]:
        page = self._page(slot)
        return Counter(self.words_of(f"{page.title} {page.anchor} {page.url} {page.text}"))

    def places_of(self, slots: Slots) -> PlaceRows:
        rows = [(n, row) for n, slot in enumerate(slots) for row in self._rows(int(slot))]
        return PlaceRows(
            _array(n for n, _ in rows),
            _array(row.place_id for _, row in rows),
            np.array([row.share for _, row in rows], np.float64),
            _array(row.flags for _, row in rows),
            _array(row.synset for _, row in rows),
        )

    def places_at(self, slots: Slots, ids: Sequence[int]) -> PlaceRows:
        rows = self.places_of(slots)
        return rows.taken(np.isin(rows.places, ids))

    def main_places(self, slots: Slots) -> npt.NDArray[Any]:
        places = (self._page(int(slot)).places for slot in slots)
        return _array(next((p.place_id for p in of if p.is_main), 0) for of in places)

    def spots_of(self, slots: Slots) -> SpotRows:
        rows = [(n, spot) for n, slot in enumerate(slots) for spot in self._page(int(slot)).spots]
        return SpotRows(
            _array(n for n, _ in rows),
            np.array([spot.point.latitude for _, spot in rows]),
            np.array([spot.point.longitude for _, spot in rows]),
            strengths=np.array([spot.strength for _, spot in rows]),
            precisions=_array([*Precision].index(spot.precision) for _, spot in rows),
            reaches_km=np.array([spot.reach_km for _, spot in rows]),
        )

    def signs_of(self, slots: Slots) -> PageSigns:
        pages = [self._page(int(slot)) for slot in slots]
        hosts = sorted({host_of(page.url) for page in pages})
        texts = [simhash(Counter(self.words_of(page.text))) for page in pages]
        return PageSigns(texts, [hosts.index(host_of(page.url)) for page in pages])

    def traits_of(self, slots: Slots) -> PageTraits:
        pages = [self._page(int(slot)) for slot in slots]
        languages = np.array([language_code(page.language).encode() for page in pages], "S8")
        return PageTraits(languages, _array(page.listed for page in pages))

    def lengths_of(self, slots: Slots) -> npt.NDArray[Any]:
        return np.array([vector_length(self.word_counts(int(slot))) for slot in slots])

    def _slots(self) -> Iterable[int]:
        return (slot for slot, page in enumerate(self._seen.pages) if page is not None)

    def _page(self, slot: int) -> Document:
        page = self._seen.pages[slot]
        assert page is not None
        return page

    def _rows(self, slot: int) -> list[HierarchyRow]:
        return hang(self._page(slot).places, self._ancestors, self._synset_of)

    def _score(self, slot: int, words: Sequence[Word]) -> float:
        counts = self.word_counts(slot)
        lead = self.words_of(self._page(slot).title)
        return math.fsum(
            counts[form] / (1 + counts[form]) + 2 * (form in lead)
            for word in words
            for form in word
        )

    def _fits(self, slot: int, wanted: Wanted) -> bool:
        if not _passes(self._page(slot), wanted.filters):
            return False
        counts = self.word_counts(slot)
        has = [any(form in counts for form in word) for word in wanted.words]
        if has and not (all(has) if wanted.needs_all else any(has)):
            return False
        if not all(word in counts for word in wanted.named):
            return False
        page = self._page(slot)
        lead = self.words_of(f"{page.title} {page.anchor} {page.url}")
        if not all(word in lead for word in wanted.titled):
            return False
        is_out = wanted.without and self._is_at(
            slot, Where(wanted.without, (), wanted.without_field)
        )
        return not is_out and all(self._is_at(slot, where) for where in wanted.where)

    def _is_at(self, slot: int, where: Where) -> bool:
        rows = self._rows(slot)
        if where.field is PlaceField.NAMED:
            at = {row.place_id for row in rows}
        elif where.field is PlaceField.KIND:
            at = kinds_about(self._page(slot).places, self._synset_of)
        elif where.field is PlaceField.KNOWN:
            known = self._page(slot).known
            at = {mark_of(key) for one in known for key in (one.key, one.wider)}
        elif where.field is PlaceField.ABOUT:
            at = {row.place_id for row in rows if row.is_about}
        else:
            at = {row.place_id for row in rows if row.flags & _FIELDS[where.field]}
        cells = cells_of(spot.point for spot in self._page(slot).spots)
        return not at.isdisjoint(where.places) or not set(cells).isdisjoint(where.cells)


def _passes(page: Document, filters: PageFilters) -> bool:
    since, before = filters.since or 0, filters.before or math.inf
    dated_since, dated_before = filters.dated_since or 0, filters.dated_before or math.inf
    asks_date = (filters.dated_since, filters.dated_before) != (None, None)
    return (
        filters.language in ("", language_code(page.language))
        and (not filters.host or filters.host in host_names(host_of(page.url)))
        and (not filters.evidence or filters.evidence in page.evidence)
        and since <= page.fetched_at < before
        and (not asks_date or (page.dated_at > 0 and dated_since <= page.dated_at < dated_before))
    )


def _array(numbers: Iterable[int]) -> npt.NDArray[Any]:
    return np.array(list(numbers), np.int64)
