"""Tells how frequent English words are on the web, to cut host names into words.

`words.tsv.xz` knows only words that are names of places or people; to cut "houstonchronicle" one
must know "chronicle". The counts are Peter Norvig's extract of the Google Web Trillion Word Corpus,
which has the words of host names (hotels, online) as often as they are used there. Each count is
kept in quarters of an order of magnitude. The table is not called .tsv, because the compiled
gazetteer is not made from it and must not be made again when it changes.
"""

import math
from collections.abc import Iterator, Mapping
from pathlib import Path

from tools.derive.pins import Source
from tools.derive.sources import Library, write_xz

WEB_WORDS = Source(
    "pypi",
    "wordsegment",
    "1.3.1",
    "wordsegment-1.3.1-py2.py3-none-any.whl",
    "dd10e32fdb890079532ddffc1d179f839627af8345ecf52b84627a536449648d",
    licence="Apache-2.0; counts: Google Web Trillion Word Corpus, by Peter Norvig",
)
_ALL_WORDS = 1_024_908_267_229  # the size of the corpus
_MOST = 60_000  # rarer ones are misprints, names and words run together
_SHORTEST = 3  # letters; shorter ones are mostly abbreviations, which fit anywhere
# The short words that stand in host names: "thriftshopofboston", "gotulsa", "mydallas".
_SHORT = frozenset(
    "of in to on at by my go us uk tv re la le de el no we is it or up do dr".split()
)


def derive(library: Library, data_folder: Path) -> None:
    """Write ``frequent_words.txt.xz``."""
    counts = read_counts(library.read(WEB_WORDS, "wordsegment/unigrams.txt").decode())
    lines = [f"{word}\t{quarters(count)}\n" for word, count in sorted(counts.items())]
    write_xz(data_folder / "frequent_words.txt.xz", "".join(lines).encode())


def read_counts(text: str) -> Mapping[str, int]:
    """The most frequent words with their counts; lines are a word, a tab, its count."""
    rows = (line.split("\t") for line in text.splitlines())
    ordered = sorted(((int(float(count)), word) for word, count in rows), reverse=True)
    return dict(_kept((word, count) for count, word in ordered[:_MOST]))


def _kept(counted: Iterator[tuple[str, int]]) -> Iterator[tuple[str, int]]:
    for word, count in counted:
        if word.isalpha() and (len(word) >= _SHORTEST or word in _SHORT):
            yield word, count


def quarters(count: int) -> int:
    """How rare a word is: four for each order of magnitude below the whole corpus.

    >>> quarters(_ALL_WORDS // 100), quarters(_ALL_WORDS // 1_000_000)
    (8, 24)
    """
    return round(4 * math.log10(_ALL_WORDS / count))
