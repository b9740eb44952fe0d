"""The vector space model: pages ordered by the angle between their words and the query's.

Weights are SMART's lnc.ltc, a usual form of tf-idf: 1 + log of the counts in pages, the same times
the rarity of the word in queries, both brought to length one. It is worked out for the candidates
that BM25 found: the published system has a few thousand pages, where one may compare with all.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log, sqrt

import numpy as np

from geoscout.index.base import Found, Index, Word
from geoscout.search.ranking import Scores

MOST = 300  # candidates that are compared; their texts are read again


def rescore(reader: Index, found: Found, words: Sequence[Word]) -> Found:
    """The best candidates again, with cosines for scores, the highest first."""
    rarities = [_rarity(reader, word) for word in words]
    length = sqrt(sum(rarity**2 for rarity in rarities)) or 1.0
    slots = found.slots[:MOST]
    scores = np.array([_dot(reader, int(slot), words, rarities) for slot in slots], np.float64)
    lengths: Scores = reader.lengths_of(slots).astype(np.float64)
    cosines = scores / np.maximum(lengths, 1e-9) / length
    order = np.argsort(-cosines, kind="stable")
    return Found(slots[order], cosines[order], found.total)


def _dot(reader: Index, slot: int, words: Sequence[Word], rarities: list[float]) -> float:
    counts = reader.word_counts(slot)
    times = [sum(counts[form] for form in word) for word in words]
    return sum(r * (1 + log(t)) for r, t in zip(rarities, times, strict=True) if t)


def _rarity(reader: Index, word: Word) -> float:
    pages = sum(reader.pages_with(form) for form in word)
    return log(1 + reader.page_count / max(pages, 1))
