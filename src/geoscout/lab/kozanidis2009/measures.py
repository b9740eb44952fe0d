"""The measures of Kozanidis, Stamou and Spiros 2009, and what they say of a simulated crawl.

Their accuracy is not precision: it is the share of the geographic pages a crawl saw links to that
it also fetched (K-9), so it needs the truth about pages that were never fetched. Precision is
measured as well. Where the paper leaves a reading open, the name in brackets is its row in the
table of readings in docs/rank.md.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from geoscout.lab.kozanidis2009.truth import GeographicTruth
from geoscout.lab.measures.harvest import share_of
from geoscout.lab.simulation.trace import Trace
from geoscout.lab.worlds.base import OK, World

SAMPLE = 1265  # location entities, as many as they report on
SHARES = (0.05, 0.1, 0.25, 0.5, 1.0)  # of the visits, at which geographic pages are counted
_MOST_HOPS = 5  # of redirects


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
    """The share of the entities on pages seen that is also on a page fetched; each counts once."""
    available = {entity for page in seen for entity in page}
    return coverage(
        len(available & {entity for page in fetched for entity in page}), len(available)
    )


def coverage_of_sample(
    pages: Iterable[Sequence[str]], mentions: int, chance: random.Random
) -> float:
    """Coverage of pages drawn at random until they have `mentions` entities, each once a page."""
    drawn = list(pages)
    chance.shuffle(drawn)
    sample: list[str] = []
    for page in drawn:
        if len(sample) >= mentions:
            break
        sample += sorted(set(page))
    return coverage(len(set(sample[:mentions])), len(sample[:mentions]))


@dataclass(frozen=True, slots=True)
class Sighted:
    """What a crawl fetched and what it saw links to, both in order, each page once."""

    fetched: tuple[int, ...]
    seen: tuple[int, ...]


def sighted(world: World, trace: Trace) -> Sighted:
    """The pages of a crawl; a redirect counts as its target, and a dead link does not count."""
    fetched = [page for page in trace.pages.tolist() if world.status(page) == OK]
    seen = dict.fromkeys(int(page) for page in world.seeds)
    for page in fetched:
        seen.update(dict.fromkeys(world.targets(page)))
    ends = dict.fromkeys([*fetched, *(_end_of(world, page) for page in seen)])
    return Sighted(tuple(fetched), tuple(page for page in ends if world.status(page) == OK))


def _end_of(world: World, page: int) -> int:
    """Where redirects from a page lead."""
    for _ in range(_MOST_HOPS):
        targets = world.targets(page) if 300 <= world.status(page) < 400 else ()
        if not len(targets):
            break
        page = int(targets[0])
    return page


def measure_geographic(world: World, trace: Trace, truth: GeographicTruth) -> dict[str, Any]:
    """Their measures of a crawl, and the course of it."""
    pages = sighted(world, trace)
    found = [page for page in pages.fetched if truth.has_place(page)]
    seen = [page for page in pages.seen if truth.has_place(page)]
    entities = [truth.entities(page) for page in found]
    available = [truth.entities(page) for page in seen]
    mentions = [entity for page in entities for entity in page]
    return {
        "visits": len(trace),
        "fetched_pages": len(pages.fetched),
        "seen_pages": len(pages.seen),
        "retrieved_geo_pages": len(found),
        "visited_geo_pages": len(seen),
        "accuracy": accuracy(len(found), len(seen)),
        "precision": precision(len(found), len(pages.fetched)),
        "entities": len(mentions),
        "distinct_entities": len(set(mentions)),
        "coverage": coverage_of_occurrences(entities),
        "coverage_of_types": coverage_of_types(entities),
        "coverage_of_seen": coverage_of_seen(entities, available),
        "entities_seen": len({entity for page in available for entity in page}),
        "coverage_of_sample": coverage_of_sample(entities, SAMPLE, random.Random(0)),
        "geo_found_at": found_at(trace.pages.tolist(), truth.has_place),
        "geo_auc": area([truth.has_place(page) for page in trace.pages.tolist()]),
    }


def area(flags: Sequence[bool]) -> float:
    """The mean, over the visits of a crawl, of the share of its finds that it had by then.

    It tells orders of the same pages apart: a half where the finds are spread evenly.

    >>> area([True, False, False]), area([False, False, True])
    (1.0, 0.3333333333333333)
    """
    found = list(accumulate(flags, initial=0))[1:]
    return sum(found) / (found[-1] * len(found)) if found and found[-1] else 0.0


def found_at(pages: Sequence[int], has_place: Callable[[int], bool]) -> dict[str, float]:
    """The share of geographic pages among the first visits of a crawl."""
    flags = [has_place(page) for page in pages]
    return {f"{share:.0%}": _share(flags, share) for share in SHARES}


def _share(flags: Sequence[bool], share: float) -> float:
    first = flags[: max(1, round(share * len(flags)))]
    return share_of(sum(first), len(first))
