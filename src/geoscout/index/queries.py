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
