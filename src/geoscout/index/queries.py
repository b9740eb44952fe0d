"""Builds Tantivy queries from words and places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil

import tantivy
from tantivy import FieldType, Occur, Query

from geoscout.index.base import Wanted, Where, Word
from geoscout.index.schema import STATE_KEY, language_code

LEAD_BOOST = 1.5  # what a word in title, address or in-link adds to the same word in the text
PREFERENCE = 1024.0  # far above any score of words, and a float still tells those apart
OTHER_FORM_BOOST = 0.7  # a plural for a singular
# The name of the place asked for, next to a word: in title, address or in-link, and in the text.
LEAD_HINT_BOOST, HINT_BOOST = 0.25, 0.25


def build_query(schema: tantivy.Schema, wanted: Wanted) -> Query:
    """The query for candidates; what its score has over a multiple of PREFERENCE is the words'."""
    occur = Occur.Must if wanted.needs_all else Occur.Should
    parts = [(occur, _word(schema, word)) for word in wanted.words]
    if wanted.words and not wanted.needs_all:
        parts = [(Occur.Must, Query.boolean_query(parts))]
    parts += [(Occur.Should, _lead(schema, word)) for word in wanted.words]
    for where in wanted.where:
        parts.append((Occur.Must, Query.const_score_query(_where(schema, where), 0.0)))
    for where in wanted.preferred:
        parts.append((Occur.Should, Query.const_score_query(_where(schema, where), PREFERENCE)))
    for word in wanted.hints:
        parts += [(Occur.Should, query) for query in _hints(schema, word)]
    parts += [(Occur.Must, Query.const_score_query(q, 0.0)) for q in _filters(schema, wanted)]
    named = [("body", word) for word in wanted.named] + [("lead", w) for w in wanted.titled]
    for field, word in named:
        has = Query.term_query(schema, field, word, "freq")
        parts.append((Occur.Must, Query.const_score_query(has, 0.0)))
    if not any(occur == Occur.Must for occur, _ in parts):
        state = Query.term_query(schema, "key", STATE_KEY, "basic")
        everything = Query.const_score_query(Query.all_query(), 0.0)
        parts += [(Occur.Must, everything), (Occur.MustNot, state)]
    parts += [
        (Occur.MustNot, Query.term_query(schema, wanted.without_field, id)) for id in wanted.without
    ]
    return Query.boolean_query(parts)


def _word(schema: tantivy.Schema, word: Word) -> Query:
    asked = Query.term_query(schema, "body", word[0], "freq")
    if len(word) == 1:
        return asked
    others = [Query.term_query(schema, "body", form, "freq") for form in word[1:]]
    return Query.disjunction_max_query(
        [asked, *(Query.boost_query(other, OTHER_FORM_BOOST) for other in others)]
    )


def _lead(schema: tantivy.Schema, word: Word) -> Query:
    forms = [Query.term_query(schema, "lead", form, "freq") for form in word]
    lead = forms[0] if len(forms) == 1 else Query.disjunction_max_query(forms)
    return Query.boost_query(lead, LEAD_BOOST)


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
        yield Query.boost_query(Query.term_query(schema, field, word, "freq"), boost)


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
