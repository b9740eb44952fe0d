"""What everything is compared with: the same index, asked for the whole query as words.

No place is read and no spelling corrected. Pages come by BM25, those with all words first asked
for; nearly equal ones are left out, as everywhere.
"""

from __future__ import annotations

from geoscout.index.base import Index
from geoscout.search.candidates import Wish, gather_candidates
from geoscout.search.grouping import group
from geoscout.search.query_words import single_prepositions, stop_words


def find_plain_words(index: Index, text: str, count: int) -> list[str]:
    """The URLs of the best pages for the words of a query."""
    words = list(dict.fromkeys(index.words_of(text)))
    ignored = stop_words() | single_prepositions()
    kept = [word for word in words if word not in ignored] or words
    wish = Wish(tuple(index.with_forms(word) for word in kept), None, count)
    found = gather_candidates(index, wish, []).found
    signs = index.signs_of(found.slots)
    hosts = range(len(found.slots))  # each its own, so that none gives way to another
    grouped = group(signs.texts, hosts, found.scores.tolist(), count)
    return [index.head(int(found.slots[each.position])).url for each in grouped.groups]
