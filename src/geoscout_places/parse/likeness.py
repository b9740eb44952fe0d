"""Tells pages that are the same but for details, and pages that only say that there is none.

Servers give one text under many URLs: printer views, session ids, calendars without events. They
also answer "not found" with status 200. Both make a crawl run in circles, and neither can be seen
in the URL.
"""

import re
from functools import cache
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from geoscout_places.language import merge
from geoscout_places.model import Page, Part

NEAR = 3  # bits of 64 that may differ between near-duplicates (Manku, Jain, Das Sarma 2007)
_SHORTEST_TEXT = 200  # bytes; fewer are too few to tell texts apart
_IS_SHORT = 1 << 63  # in the fingerprints of short texts
_LONGEST_TEXT = 30_000  # characters that are looked at
_SHORT_TEXT = 2000  # characters of a page that only says that there is none
_HEADLINE = 200  # characters in which it says so

_WORD = r"\b"
# The number alone, unless something is 404 kilometres away.
_STATUS = r"\b(?:error\s*)?404\b(?!\s*(?:km|m|miles|euro|eur|usd|main|street|avenue|road))"


@cache
def _missing() -> re.Pattern[str]:
    """What a page says that only says that there is none, in any language and in lower case."""
    patterns = (_STATUS, *merge(lambda language: language.missing_page))
    # Most begin with a word. To look for its beginning once takes a third of the time, and to
    # look in lower case half as long as to ignore case.
    words = [one.removeprefix(_WORD) for one in patterns if one.startswith(_WORD)]
    others = [one for one in patterns if not one.startswith(_WORD)]
    return re.compile("|".join((f"{_WORD}(?:{'|'.join(words)})", *others)))


def fingerprint(page: Page) -> int:
    """64 bits of what a page says: `are_near` tells from them whether two pages are copies.

    Long texts that differ in few words have bits that differ in few places. A text too short for
    that has bits of its own, so only the same text is near it. A page without any text, such as a
    set of frames, is known by its title. Never 0.
    """
    data = page.text[:_LONGEST_TEXT].lower().encode("utf-8", "replace")
    if len(data) >= _SHORTEST_TEXT:
        return _simhash(data) % _IS_SHORT or 1
    words = page.text.casefold().split() or page.title.casefold().split()
    exact = " ".join(words).encode("utf-8", "replace")
    return int.from_bytes(blake2b(exact, digest_size=8).digest(), "big") | _IS_SHORT


def is_long(mark: int) -> bool:
    """Whether a fingerprint is that of a long text, which does not come twice by chance."""
    return mark < _IS_SHORT


def _simhash(data: bytes) -> int:
    """A hash that differs in few bits where texts differ in few words.

    Its features are runs of eight bytes, an eighth of them chosen by their hash: with arrays that
    takes a sixth of the time that words would.
    """
    runs = np.ndarray(len(data) - 7, "<u8", data, strides=1)  # one begins at every byte
    features = _mixed(runs)
    features = np.sort(features[features & np.uint64(7) == 0])
    features = features[np.diff(features, prepend=features[:1] + np.uint64(1)) != 0]
    bits = np.unpackbits(features.view(np.uint8)).reshape(-1, 64)
    votes = bits.sum(axis=0, dtype=np.uint32) * 2 > len(features)
    return int.from_bytes(np.packbits(votes).tobytes(), "big")


def are_near(one: int, other: int) -> bool:
    """Whether two pages say the same but for details, by their fingerprints."""
    return (one ^ other).bit_count() <= NEAR


def says_missing(page: Page) -> bool:
    """Whether a page that came with status 200 only says that there is no such page."""
    own = _own_text(page, _SHORT_TEXT)
    if own is None:
        return False
    if _missing().search(page.title[:_HEADLINE].lower()):
        return True
    is_short = len(own) <= _SHORT_TEXT // 4
    return is_short and bool(_missing().search(own[:_HEADLINE].lower()))


def _own_text(page: Page, longest: int) -> str | None:
    """The text that is not menu, header or footer; None when it is longer than that."""
    own = []
    length = -1  # the first needs no newline before it
    for block in page.blocks:
        if block.part is Part.MAIN:
            length += 1 + block.end - block.start
            if length > longest:
                return None
            own.append(page.text[block.start : block.end])
    return "\n".join(own)


def _mixed(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Spread each value over all 64 bits (the finaliser of splitmix64)."""
    mixed = values + np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))
