"""What the index notes of a page's words besides the words: a vector's length and a fingerprint.

The length belongs to the vector space model (SMART's lnc.ltc: the weights of a page are 1 + log of
the counts, and the rarity of a word counts in the query only). It then does not depend on the
other pages and stays right while the index grows, which plain tf-idf lengths do not.

The fingerprint is Charikar's simhash of the words: pages that differ in a few words differ in a
few bits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from hashlib import blake2b

import numpy as np

from geoscout_places.caches import BoundedCache
from geoscout_places.language import merge

_SHORTEST_INFLECTED = 4
_INFLECTED_REMEMBERED = 5000
_WORDS_REMEMBERED = 200_000  # about 20 MB


def vector_length(counts: Counter[str]) -> float:
    """The length of a page's vector of 1 + log(count); 0 without words."""
    weights = 1 + np.log(np.fromiter(counts.values(), np.float64, len(counts)))
    return float(np.sqrt(weights @ weights))


def simhash(counts: Counter[str]) -> int:
    """64 bits that near-duplicates nearly share; 0 without words."""
    if not counts:
        return 0
    hashes = np.fromiter(map(_HASHES.__getitem__, counts), ">u8", len(counts))
    bits = np.unpackbits(hashes.view(np.uint8)).reshape(-1, 64)
    weights = np.fromiter(counts.values(), np.float32, len(counts))
    packed = np.packbits(weights @ bits * 2 > weights.sum())
    return int.from_bytes(packed.tobytes(), "big")


def _hash(word: str) -> int:
    return int.from_bytes(blake2b(word.encode(), digest_size=8).digest(), "big")


_HASHES = BoundedCache(_hash, _WORDS_REMEMBERED)


def inflections(word: str) -> list[str]:
    """Other forms a word may have in any language: plurals, mostly.

    They are guesses; the index keeps those that occur in its pages.

    >>> inflections("bakeries"), inflections("museo")
    (['bakeriess', 'bakerieses', 'bakeriesn', 'bakeriesen', 'bakerie', 'bakeri', 'bakery'], \
['museos', 'museoes', 'museon', 'museoen', 'musei'])
    """
    return list(_INFLECTIONS[word])


def _inflections(word: str) -> tuple[str, ...]:
    if len(word) < _SHORTEST_INFLECTED or not word.isalpha():
        return ()
    return tuple(dict.fromkeys((*_longer(word), *_shorter(word), *_swapped(word))))


_INFLECTIONS = BoundedCache(_inflections, _INFLECTED_REMEMBERED)


@cache
def _endings() -> tuple[str, ...]:
    return merge(lambda language: language.inflection.endings)


@cache
def _swaps() -> tuple[tuple[str, str], ...]:
    """Endings with what they turn into: pizza, pizze; museo, musei; bakery, bakeries."""
    pairs = (swap.split(">") for swap in merge(lambda language: language.inflection.swaps))
    return tuple((old, new) for old, new in pairs)


def _longer(word: str) -> Iterator[str]:
    for ending in _endings():
        yield f"{word}{ending}"


def _shorter(word: str) -> Iterator[str]:
    for ending in _endings():
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_INFLECTED - 1:
            yield word.removesuffix(ending)


def _swapped(word: str) -> Iterator[str]:
    for old, new in _swaps():
        if word.endswith(old):
            yield f"{word.removesuffix(old)}{new}"
