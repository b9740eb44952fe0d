"""The measures of Kozanidis, Stamou and Spiros 2009 (SPEC 3.4).

Their accuracy is not precision: it is the share of the geographic pages a crawl saw links to that
it also fetched (K-9), so it needs the truth about pages that were never fetched. Precision is
given beside it.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

from geoscout.lab.measures.harvest import share_of


def accuracy(retrieved_geo_pages: int, visited_geo_pages: int) -> float:
    """Geographic pages fetched over geographic pages seen.

    >>> round(accuracy(2_500_000, 2_800_000), 6)
    0.892857
    """
    return share_of(retrieved_geo_pages, visited_geo_pages)


def precision(retrieved_geo_pages: int, retrieved_pages: int) -> float:
    """Geographic pages fetched over all pages fetched."""
    return share_of(retrieved_geo_pages, retrieved_pages)


def coverage(distinct_entities: int, entities: int) -> float:
    """Distinct location entities over all location entities.

    >>> round(coverage(1029, 1265), 6)
    0.813439
    """
    return share_of(distinct_entities, entities)


def coverage_of_occurrences(pages: Iterable[Sequence[str]]) -> float:
    """Coverage with every mention counted (K-11 a)."""
    mentions = [entity for page in pages for entity in page]
    return coverage(len(set(mentions)), len(mentions))


def coverage_of_types(pages: Iterable[Sequence[str]]) -> float:
    """Coverage with an entity counted once a page (K-11 b)."""
    return coverage_of_occurrences([sorted(set(page)) for page in pages])


def coverage_of_seen(fetched: Iterable[Sequence[str]], seen: Iterable[Sequence[str]]) -> float:
    """The entities of the pages a crawl saw that it also has a page of, each counted once."""
    available = {entity for page in seen for entity in page}
    return coverage(
        len(available & {entity for page in fetched for entity in page}), len(available)
    )


def coverage_of_sample(
    pages: Iterable[Sequence[str]], mentions: int, chance: random.Random
) -> float:
    """Coverage of pages drawn at random until they have so many entities, each once a page."""
    drawn = list(pages)
    chance.shuffle(drawn)
    sample: list[str] = []
    for page in drawn:
        if len(sample) >= mentions:
            break
        sample += sorted(set(page))
    return coverage(len(set(sample[:mentions])), len(sample[:mentions]))
