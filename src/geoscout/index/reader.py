"""Asks the index: candidates for words and places with their text scores, counts, page contents.

`build_query` makes the Tantivy query of the words and places that are wanted. What a reader sees is
one commit; `reload` goes on to the newest. Several threads may ask at once.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from math import ceil
from pathlib import Path

import numpy as np
import orjson
import tantivy
from tantivy import FieldType, Occur, Query

from geoscout.index.base import (
    ADDRESS,
    Found,
    KnownSpot,
    PageHead,
    PageSigns,
    PageTraits,
    PlaceField,
    PlaceRows,
    Spot,
    SpotRows,
    Wanted,
    Where,
    Word,
)
from geoscout.index.files import (
    COLUMNS,
    WORDS,
    Columns,
    Rows,
    State,
    as_index_error,
    open_words,
    read_state,
)
from geoscout.index.schema import (
    STATE_KEY,
    STEMMED,
    VERSION,
    build_analyzer,
    build_schema,
    inflections,
    language_code,
    lead_of,
    mark_of,
    stem_of,
)
from geoscout.warc import unpack
from geoscout_places.caches import BoundedCache
from geoscout_places.errors import DamagedIndexError, UsageError
from geoscout_places.model import Point, Precision

LEAD_BOOST = 1.5  # what a word in title, address or in-link adds to the same word in the text
PREFERENCE = 1024.0  # far above any score of words, and a float still tells those apart
OTHER_FORM_BOOST = 0.7  # a plural for a singular
_MOST_INSIDE = 4  # places of a question that limit every form of its words
# The name of the place asked for, next to a word: in title, address or in-link, and in the text.
LEAD_HINT_BOOST, HINT_BOOST = 0.25, 0.25

Part = tuple[Occur, Query]


def build_query(schema: tantivy.Schema, wanted: Wanted) -> Query:
    """The query for candidates; what its score has over a multiple of PREFERENCE is the words'."""
    limits = [_unscored(_where(schema, where)) for where in wanted.where]
    limits += [_unscored(query) for query in _filters(schema, wanted)]
    limits += [_unscored(_term(schema, "body", word)) for word in wanted.named]
    limits += [_unscored(_term(schema, "lead", word)) for word in wanted.titled]
    inner = limits if _is_limited_inside(wanted) else []
    parts = _words(schema, wanted, inner)
    if not inner or not wanted.words:
        parts += [(Occur.Must, limit) for limit in limits]
    for where in wanted.preferred:
        parts.append((Occur.Should, Query.const_score_query(_where(schema, where), PREFERENCE)))
    for word in wanted.hints:
        parts += [(Occur.Should, query) for query in _hints(schema, word)]
    parts += [(Occur.Should, _lead(schema, (word,), ())) for word in wanted.leads]
    if not wanted.words and not limits:
        state = Query.term_query(schema, "key", STATE_KEY, "basic")
        parts += [(Occur.Must, _unscored(Query.all_query())), (Occur.MustNot, state)]
    parts += [
        (Occur.MustNot, Query.term_query(schema, wanted.without_field, id)) for id in wanted.without
    ]
    return Query.boolean_query(parts)


def _is_limited_inside(wanted: Wanted) -> bool:
    """Whether the forms of words are each limited to the places, and not their union.

    To find the next page in a union Tantivy reads all that its lists have near there. Of a list
    that is limited to a town there is next to nothing to read: half the time for most questions.
    Cells are dozens, and would be a union in every form.
    """
    has_unions = not wanted.needs_all or any(len(word) > 1 for word in wanted.words)
    terms = (len(where.places) + len(where.cells) for where in wanted.where)
    return has_unions and max(terms, default=0) <= _MOST_INSIDE


def _words(schema: tantivy.Schema, wanted: Wanted, limits: Sequence[Query]) -> list[Part]:
    """The parts for the words; those that must be met are within the limits."""
    occur = Occur.Must if wanted.needs_all else Occur.Should
    parts = [(occur, _word(schema, word, limits)) for word in wanted.words]
    if wanted.words and not wanted.needs_all:
        parts = [(Occur.Must, Query.boolean_query(parts))]
    return parts + [(Occur.Should, _lead(schema, word, limits)) for word in wanted.words]


def _word(schema: tantivy.Schema, word: Word, limits: Sequence[Query]) -> Query:
    asked, *others = (_limited(_term(schema, "body", form), limits) for form in word)
    if not others:
        return asked
    return Query.disjunction_max_query(
        [asked, *(Query.boost_query(other, OTHER_FORM_BOOST) for other in others)]
    )


def _lead(schema: tantivy.Schema, word: Word, limits: Sequence[Query]) -> Query:
    if len(word) == 1:
        return Query.boost_query(_term(schema, "lead", word[0]), LEAD_BOOST)
    forms = [_limited(_term(schema, "lead", form), limits) for form in word]
    return Query.boost_query(Query.disjunction_max_query(forms), LEAD_BOOST)


def _limited(query: Query, limits: Sequence[Query]) -> Query:
    """The query where all limits hold too; they add nothing to its score."""
    if not limits:
        return query
    return Query.boolean_query([(Occur.Must, query), *((Occur.Must, limit) for limit in limits)])


def _unscored(query: Query) -> Query:
    return Query.const_score_query(query, 0.0)


def _term(schema: tantivy.Schema, field: str, word: str) -> Query:
    return Query.term_query(schema, field, word, "freq")


def _where(schema: tantivy.Schema, where: Where) -> Query:
    terms = [("cell", cell) for cell in where.cells]
    terms += [(where.field, place) for place in where.places]
    return _any_of([Query.term_query(schema, field, value) for field, value in terms])


def _any_of(queries: Sequence[Query]) -> Query:
    if len(queries) == 1:
        return queries[0]
    return Query.boolean_query([(Occur.Should, query) for query in queries])


def _hints(schema: tantivy.Schema, word: str) -> Iterator[Query]:
    for field, boost in (("lead", LEAD_HINT_BOOST), ("body", HINT_BOOST)):
        yield Query.boost_query(_term(schema, field, word), boost)


def _filters(schema: tantivy.Schema, wanted: Wanted) -> Iterator[Query]:
    filters = wanted.filters
    if not filters:
        return
    if filters.language:
        yield Query.term_query(schema, "language", language_code(filters.language), "basic")
    if filters.host:
        yield Query.term_query(schema, "host", filters.host.lower(), "basic")
    if filters.evidence:
        yield Query.term_query(schema, "evidence", filters.evidence, "basic")
    yield from _between(schema, "fetched_at", filters.since, filters.before)
    yield from _between(schema, "dated_at", filters.dated_since, filters.dated_before)


def _between(
    schema: tantivy.Schema, field: str, since: float | None, before: float | None
) -> Iterator[Query]:
    """Pages of a time, the first moment included, the last not."""
    if since is None and before is None:
        return
    first = 0 if since is None else max(0, ceil(since))
    last = None if before is None else max(0, ceil(before))
    yield Query.range_query(
        schema, field, FieldType.Unsigned, first, last, include_upper=last is None
    )


_MOST_FORMS = 3  # of a word besides itself
_MOST_STEMMED = 3  # languages whose stemmers are asked, those of the most pages
_FORMS_REMEMBERED = 5000  # words; a question asks for the forms of each of its words several times
_PAGES_COMPARED = 20  # that have a word spelt like one that was asked for
_MOST_PLACES = 20_000  # counted at a time
_MOST_LANGUAGES = 50  # counted at a time
_PRECISIONS = tuple(Precision)
_OF_HEAD = ("head", "head_size", "visit", "fetched_at", "dated_at")  # columns


class IndexReader:
    """The index in a folder as of its last commit; implements `Index`."""

    def __init__(self, folder: Path) -> None:
        """Open the index in a folder.

        Raises:
            UsageError: there is none.
            DamagedIndexError: it cannot be read, or is of another version.
        """
        if not (folder / WORDS).is_dir():
            raise UsageError(f"there is no index in {folder}; `geoscout index` makes it")
        self._folder = folder
        self._errors = as_index_error(folder)
        self._schema = build_schema()
        self._analyzer = build_analyzer()
        self._index = open_words(folder)
        self._addressed: tuple[State | None, dict[int, int]] = (None, {})
        self._languages: tuple[State | None, dict[str, int]] = (None, {})
        self.reload()

    def reload(self) -> bool:
        with self._errors:
            self._index.reload()
            searcher = self._index.searcher()
            state = read_state(searcher)
        if state.version != VERSION:
            raise DamagedIndexError(f"the index in {self._folder} is of another version; delete it")
        known = getattr(self, "state", None)
        if known != state:  # columns first: another thread may ask in between, and they only grow
            with self._errors:
                self._columns = Columns.open(self._folder / COLUMNS, state.ends)
        self._searcher = searcher
        self._forms = BoundedCache(partial(_find_forms, self._folder, searcher), _FORMS_REMEMBERED)
        self._leads = BoundedCache(partial(searcher.doc_freq, "lead"), _FORMS_REMEMBERED)
        self.state: State = state
        return known != state

    @property
    def cursor(self) -> str:
        return self.state.cursor

    @property
    def edition(self) -> State:
        return self.state

    @property
    def page_count(self) -> int:
        return max(0, self._searcher.num_docs - 1)  # one document is the state

    def words_of(self, text: str) -> list[str]:
        return list(self._analyzer.analyze(text))

    def with_forms(self, word: str) -> Word:
        return self._forms[word]

    def stems_of(self, word: str) -> list[str]:
        pages = self.languages()
        usual = sorted((code for code in pages if code in STEMMED), key=lambda code: -pages[code])
        stems = (stem_of(word, code) for code in usual[:_MOST_STEMMED])
        return [stem for stem in dict.fromkeys(stems) if stem != word]

    def pages_with(self, word: str) -> int:
        """How many pages have this very word; those just replaced may count twice."""
        with self._errors:
            return self._searcher.doc_freq("body", word)

    def spelt_like(self, word: str) -> str:
        """The word on the most pages that differs in one letter or two swapped ones; "" for none.

        Tantivy finds the pages, not the words, so the words of a few of them are compared.
        """
        # rapidfuzz takes 20 ms to import and is needed only when a word was mistyped.
        from rapidfuzz.distance import OSA  # noqa: PLC0415

        query = tantivy.Query.fuzzy_term_query(
            self._schema, "body", word, distance=1, transposition_cost_one=True
        )
        hits = self._searcher.search(query, _PAGES_COMPARED).hits
        slots = self._searcher.fast_field_values("slot", [at for _, at in hits]) if hits else []
        words = set().union(*(self.word_counts(int(slot or 0)) for slot in slots))
        near = [known for known in words if OSA.distance(known, word, score_cutoff=1) == 1]
        return max(near, key=lambda known: (self.pages_with(known), known), default="")

    def pages_at(self, place_id: int) -> int:
        """How many pages belong to a place or what lies in it; roughly, as `pages_with`."""
        with self._errors:
            return self._searcher.doc_freq("node", place_id)

    def pages_addressed_at(self, place_id: int) -> int:
        """How many pages have an address in a place; those replaced count as well.

        One pass over the rows of places for each commit that is asked about it, 10 ms a million.
        """
        state, counts = self._addressed
        if state != self.state:
            rows = self._columns.nodes
            places, pages = np.unique(
                rows["place"][rows["flags"] & ADDRESS > 0], return_counts=True
            )
            counts = dict(zip(places.tolist(), pages.tolist(), strict=True))
            self._addressed = self.state, counts
        return counts.get(place_id, 0)

    def find(self, wanted: Wanted, limit: int) -> Found:
        with self._errors:
            # Often no title has the name of a place, and to see that is a tenth of a search.
            if not all(self._leads[word] for word in wanted.titled):
                return Found(np.empty(0, np.int64), np.empty(0), 0)
            result = self._searcher.search(build_query(self._schema, wanted), limit)
            hits = result.hits  # a new list each time it is asked for
            addresses = [address for _, address in hits]
            slots = self._searcher.fast_field_values("slot", addresses) if addresses else []
            if None in slots:
                raise ValueError("a page has no slot")
        scores = np.array([score for score, _ in hits], np.float64) % PREFERENCE
        return Found(np.array(slots, np.int64), scores, _total(result))

    def count(self, wanted: Wanted) -> int:
        query = build_query(self._schema, wanted)
        with self._errors:
            return _total(self._searcher.search(query, 1))

    def count_places(self, wanted: Wanted, field: PlaceField = PlaceField.NAMED) -> dict[int, int]:
        terms = {"terms": {"field": field, "size": _MOST_PLACES, "segment_size": _MOST_PLACES}}
        query = build_query(self._schema, wanted)
        with self._errors:
            counted = self._searcher.aggregate(query, {"places": terms})["places"]["buckets"]
        return {int(bucket["key"]): int(bucket["doc_count"]) for bucket in counted}

    def languages(self) -> Mapping[str, int]:
        """How many pages there are in each language; those replaced count as well."""
        state, counts = self._languages
        if state != self.state:
            codes, pages = np.unique(self._columns.pages["language"], return_counts=True)
            counts = {c.decode(): p for c, p in zip(codes.tolist(), pages.tolist(), strict=True)}
            self._languages = self.state, counts
        return counts

    def languages_with(self, word: str) -> Mapping[str, int]:
        terms = {"terms": {"field": "language", "size": _MOST_LANGUAGES}}
        query = tantivy.Query.term_query(self._schema, "body", word, "freq")
        with self._errors:
            counted = self._searcher.aggregate(query, {"languages": terms})["languages"]["buckets"]
        return {str(bucket["key"]): int(bucket["doc_count"]) for bucket in counted}

    def known_spots(self, key: str) -> list[KnownSpot]:
        """What pages tell of a house, street or landmark; those replaced count as well."""
        mark, rows = mark_of(key), self._columns.known
        with self._errors:
            chosen = rows[(rows["key"] == mark) | (rows["wider"] == mark)]
        return [_known(key, row) for row in chosen]

    def is_known(self, key: str) -> bool:
        with self._errors:
            return self._searcher.doc_freq("known", mark_of(key)) > 0

    def slot_of(self, url: str) -> int | None:
        if url == STATE_KEY:
            return None
        query = tantivy.Query.term_query(self._schema, "key", url, "basic")
        with self._errors:
            hits = self._searcher.search(query, 1).hits
            found = self._searcher.fast_field_values("slot", [hits[0][1]]) if hits else [None]
        return None if found[0] is None else int(found[0])

    def head(self, slot: int) -> PageHead:
        return self.heads(np.array([slot]))[0]

    def heads(self, slots: Rows) -> list[PageHead]:
        with self._errors:
            rows, heads = self._columns.pages[slots], self._columns.heads
            parts = (rows[name].tolist() for name in _OF_HEAD)
            return [
                _head(_bytes(heads, start, size), *numbers)
                for start, size, *numbers in zip(*parts, strict=True)
            ]

    def urls_of(self, slots: Rows) -> list[str]:
        """The URLs of some pages; they begin their heads, of which no more is read."""
        with self._errors:
            rows, heads = self._columns.pages[slots], self._columns.heads
            starts = zip(rows["head"].tolist(), rows["head_size"].tolist(), strict=True)
            return [_url(_bytes(heads, start, size)) for start, size in starts]

    def text(self, slot: int) -> str:
        return self.texts(np.array([slot]))[0]

    def texts(self, slots: Rows) -> list[str]:
        with self._errors:
            rows, texts = self._columns.pages[slots], self._columns.texts
            starts = zip(rows["text"].tolist(), rows["text_size"].tolist(), strict=True)
            return [unpack(_bytes(texts, start, size)).decode() for start, size in starts]

    def word_counts(self, slot: int) -> Counter[str]:
        head = self.head(slot)
        lead = lead_of(head.title, head.anchor, head.url)
        return Counter(self._analyzer.analyze(f"{lead} {self.text(slot)}"))

    def places_of(self, slots: Rows) -> PlaceRows:
        with self._errors:
            return _places(*self._columns.places_of(slots))

    def places_at(self, slots: Rows, ids: Sequence[int]) -> PlaceRows:
        with self._errors:
            return _places(*self._columns.places_at(slots, ids))

    def main_places(self, slots: Rows) -> Rows:
        main: Rows = self._columns.pages["main"][slots]
        return main

    def spots_of(self, slots: Rows) -> SpotRows:
        with self._errors:
            rows, owners = self._columns.spots_of(slots)
        return SpotRows(
            owners, rows["latitude"], rows["longitude"],
            strengths=rows["strength"], precisions=rows["precision"], reaches_km=rows["reach_km"],
        )  # fmt: skip

    def signs_of(self, slots: Rows) -> PageSigns:
        rows = self._columns.pages[slots]
        return PageSigns(rows["simhash"].tolist(), rows["host"].tolist())

    def traits_of(self, slots: Rows) -> PageTraits:
        rows = self._columns.pages[slots]
        return PageTraits(rows["language"], rows["listed"])

    def lengths_of(self, slots: Rows) -> Rows:
        lengths: Rows = self._columns.pages["length"][slots]
        return lengths


def _find_forms(folder: Path, searcher: tantivy.Searcher, word: str) -> Word:
    with as_index_error(folder):
        pages = {form: searcher.doc_freq("body", form) for form in inflections(word)}
    others = sorted((form for form in pages if pages[form]), key=pages.__getitem__, reverse=True)
    return (word, *others[:_MOST_FORMS])


def _places(rows: Rows, owners: Rows) -> PlaceRows:
    return PlaceRows(owners, rows["place"], rows["share"], rows["flags"], rows["synset"])


def _known(key: str, row: Rows) -> KnownSpot:
    if np.isnan(row["latitude"]):
        return KnownSpot(key, int(row["place"]), None)
    point = Point(float(row["latitude"]), float(row["longitude"]))
    precision, reach_km = _PRECISIONS[row["precision"]], float(row["reach_km"])
    return KnownSpot(key, int(row["place"]), Spot(point, 1.0, precision, reach_km))


def _head(packed: bytes, visit: int, fetched_at: int, dated_at: int) -> PageHead:
    url, title, language, relevant, anchor, addresses = orjson.loads(packed)
    return PageHead(
        url,
        title,
        language,
        relevant,
        anchor,
        addresses=tuple(map(tuple, addresses)),
        visit=visit,
        fetched_at=float(fetched_at),
        dated_at=float(dated_at),
    )


def _url(head: bytes) -> str:
    """The URL of a packed head, which is a list in JSON."""
    start = len(b'["')
    plain = head[start : head.index(b'"', start)]
    return str(orjson.loads(head)[0]) if b"\\" in plain else plain.decode()


def _total(result: tantivy.SearchResult) -> int:
    return int(getattr(result, "count", 0) or 0)


def _bytes(heap: Rows, start: int, size: int) -> bytes:
    return heap[start : start + size].tobytes()
