"""Corrects the words of a query that no page has: "muesum" where pages have "museum"."""

from __future__ import annotations

from dataclasses import replace

from geoscout.index.base import Index
from geoscout.search.base import Interpretation
from geoscout_places.toponyms.ordinary import is_known_word

_SHORTEST = 5  # letters of a word that is corrected
# A word is corrected to one that this many pages have. Rarer ones are other words that happen to be
# spelt alike: "schlafen" is not "schlagen".
_LEAST_PAGES, _LEAST_SHARE = 3, 0.01


def correct_words(interpretation: Interpretation, index: Index) -> Interpretation:
    """The interpretation with words that occur, and a note for each that was corrected."""
    spelt = {word: _corrected(word, index) for word in interpretation.words}
    changed = tuple((word, other) for word, other in spelt.items() if word != other)
    if not changed:
        return interpretation
    notes = tuple(f"no page has {word!r}; searched for {other!r}" for word, other in changed)
    return replace(
        interpretation,
        words=tuple(dict.fromkeys(spelt.values())),
        misspelt=changed,
        notes=(*interpretation.notes, *notes),
    )


def _corrected(word: str, index: Index) -> str:
    is_long = len(word) >= _SHORTEST and word.isalpha()
    if not is_long or is_known_word(word) or any(map(index.pages_with, index.with_forms(word))):
        return word
    other = index.spelt_like(word)
    is_usual = other and index.pages_with(other) >= max(
        _LEAST_PAGES, _LEAST_SHARE * index.page_count
    )
    return other if is_usual else word
