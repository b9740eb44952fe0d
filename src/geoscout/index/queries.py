"""Builds Tantivy queries from words and places."""

from __future__ import annotations

from collections.abc import Sequence

import tantivy
from tantivy import Occur, Query

from geoscout.index.base import Wanted, Where, Word
from geoscout.index.schema import STATE_KEY

LEAD_BOOST = 1.5  # what a word in title, address or in-link adds to the same word in the text
PREFERENCE = 1024.0  # far above any score of words, and a float still tells those apart
OTHER_FORM_BOOST = 0.7  # a plural for a singular


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
    for word in wanted.named:
        named = Query.term_query(schema, "body", word, "freq")
        parts.append((Occur.Must, Query.const_score_query(named, 0.0)))
    if not parts:
        state = Query.term_query(schema, "key", STATE_KEY, "basic")
        parts = [(Occur.Must, Query.all_query()), (Occur.MustNot, state)]
    parts += [(Occur.MustNot, Query.term_query(schema, "node", id)) for id in wanted.without]
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
