"""What to ask instead, where a question has no hits: one word less, no place, the place alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from geoscout.search.base import WORDS_ONLY, Interpretation, Question

_MOST = 5


def similar_questions(question: Question, interpretation: Interpretation) -> list[Question]:
    """Questions to try, the nearest to what was asked first."""
    plain = replace(question, place_id=None, offset=0, facets=False)
    return list(islice(_variants(plain, interpretation), _MOST))


def _variants(question: Question, interpretation: Interpretation) -> Iterator[Question]:
    words, place = interpretation.words, _place_text(interpretation)
    if len(words) > 1:
        for left_out in range(len(words) - 1, -1, -1):
            rest = " ".join((*words[:left_out], *words[left_out + 1 :]))
            yield replace(question, text=f"{rest} {place}".strip())
    if words and place:
        yield replace(question, text=" ".join(words), place_id=WORDS_ONLY)
        yield replace(question, text=place.partition(" ")[2])


def _place_text(interpretation: Interpretation) -> str:
    """The place of a query with its preposition, to be read in the same way again."""
    if not interpretation.relation or not interpretation.place_name:
        return ""
    return f"{interpretation.relation} {interpretation.place_name}"
