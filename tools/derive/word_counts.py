"""Reads how often words are used in each language, from the lists of wordfreq."""

import gzip
from collections.abc import Iterator

from tools.derive.pins import Source
from tools.derive.sources import Library

from geoscout_places.language import Language, shipped_languages

COUNTS = Source(
    "pypi",
    "wordfreq",
    "3.1.1",
    "wordfreq-3.1.1-py3-none-any.whl",
    "4b1c6ecffc6198be3396d5cf871c4423ca71c907c231348d352dd54d62b97473",
    licence="package Apache-2.0; data CC BY-SA 4.0",
)
# Languages of which most names are kept; of all others only what is more than a name.
KEPT = frozenset("en cs da de es fi fr it nl no pl pt sv".split())
_UNCOUNTED = {"et"}  # languages that geoscout knows, but not wordfreq
_OTHER_CODES = {"no": "nb", "hr": "sh", "sr": "sh"}
_ZIPF_OF_ALL = 9.0  # a word that is all words; each bin of the lists is a hundredth less
_BINS = 100


def counted_languages() -> list[Language]:
    """The languages whose words are counted, in the order of geoscout's."""
    return [language for language in shipped_languages() if language.code not in _UNCOUNTED]


def word_list(library: Library, members: set[str], code: str) -> bytes:
    """The larger of the lists there are; Danish has a small one only."""
    code = _OTHER_CODES.get(code, code)
    sizes = (f"wordfreq/data/{size}_{code}.msgpack.gz" for size in ("large", "small"))
    return library.read(COUNTS, next(name for name in sizes if name in members))


def read_counts(packed: bytes) -> Iterator[tuple[str, float]]:
    """Words with the order of magnitude of their count among a thousand million words.

    A list is a header and then bins of words, each a hundredth of an order below the one before.
    """
    import msgpack  # noqa: PLC0415 - only this derivation needs it

    _, *bins = msgpack.unpackb(gzip.decompress(packed), raw=False)
    for number, words in enumerate(bins):
        for word in words:
            if word.isalpha():
                yield word, _ZIPF_OF_ALL - number / _BINS
