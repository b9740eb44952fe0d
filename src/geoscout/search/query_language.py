"""In which language a query is asked, by the pages that have its words.

"Biergarten" is on German and French pages, but a French one is rarely what is meant. No list of
words tells that; the pages do. By Bayes' rule: how many pages there are in a language, times, for
every word of the query, the share of them that have it. So "Munich" speaks for English and
"München" for German, without anybody having written that down.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce

from geoscout.index.base import Index
from geoscout_places.caches import BoundedCache

_LEAST_SHARE = 0.01  # of the pages that a language must have to be thought of
_MOST_PAGES = 50_000  # with a word that is looked at: more say little, and take milliseconds
_USUAL_PAGES = 20  # with the share of all languages, that are added to those of each language
_WORDS_REMEMBERED = 5000


class QueryLanguages:
    """Tells the languages of queries to one commit of an index."""

    def __init__(self, index: Index) -> None:
        pages = index.languages()
        least = max(1.0, _LEAST_SHARE * sum(pages.values()))
        self._index = index
        self._pages = {code: n for code, n in pages.items() if code and n >= least}
        self._profiles = BoundedCache(self._profile, _WORDS_REMEMBERED)

    def of_words(self, words: Iterable[str]) -> Mapping[str, float]:
        """How likely each language is, next to the likeliest; empty where there is one at most."""
        if len(self._pages) < 2:
            return {}
        start = {code: float(pages) for code, pages in self._pages.items()}
        weights = reduce(_times, (self._profiles[word] for word in words), start)
        best = max(weights.values())
        return {code: weight / best for code, weight in weights.items()}

    def _profile(self, word: str) -> Mapping[str, float]:
        """The share of the pages of each language that have a word; empty where it says nothing."""
        if not 0 < self._index.pages_with(word) <= _MOST_PAGES:
            return {}
        counts = self._index.languages_with(word)
        # Three of five French pages tell little: a language with few pages is taken as usual.
        usual = _USUAL_PAGES * sum(counts.values()) / self._index.page_count
        return {
            code: (counts.get(code, 0) + usual) / (pages + _USUAL_PAGES)
            for code, pages in self._pages.items()
        }


def _times(weights: dict[str, float], profile: Mapping[str, float]) -> dict[str, float]:
    if not profile:
        return weights
    found = {code: weight * profile[code] for code, weight in weights.items()}
    best = max(found.values())  # of long queries nothing would be left
    return {code: weight / best for code, weight in found.items()}
