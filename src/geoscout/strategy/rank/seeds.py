"""Which seeds speak of a place, and in which order to begin (figures 1 and 2 of the paper).

The meta-terms of a seed are the place fields of its registration record, the tokens of its URL,
and the terms around the links of its page. A seed whose meta-terms hold no toponym is dropped, and
so is one whose toponyms lie far apart. The first test is made of every page that is fetched: one
that passes it is a geographic page.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from geoscout.strategy.rank.formulas import Ranked, Ranking
from geoscout.strategy.rank.structure import Clue
from geoscout_places.model import Link

_WINDOW = frozenset({"anchor", "before", "after"})


@dataclass(frozen=True, slots=True)
class Seed:
    """A seed URL in normal form, with the links of its page where that has been fetched."""

    url: str
    links: tuple[Link, ...] = ()


def filter_seeds(seeds: Sequence[Seed], ranking: Ranking) -> dict[str, tuple[Clue, ...]]:
    """Figure 1: the toponyms of each seed that has any, in the order given."""
    evidence = {seed.url: _evidence(seed, ranking) for seed in seeds}
    return {url: found for url, found in evidence.items() if found}


def is_geographic(url: str, links: Sequence[Link], ranking: Ranking) -> bool:
    """The test of figure 1 for any page: its URL, its registration or its links name a place."""
    return bool(filter_seeds([Seed(url, tuple(links))], ranking))


def order_seeds(seeds: Sequence[Seed], ranking: Ranking) -> list[tuple[str, Ranked]]:
    """Figure 2: the admitted seeds, the highest Rank first; ties keep their order.

    A seed has no anchor of its own, so its focus is the mean of that of its links (K-4).
    """
    kept = filter_seeds(seeds, ranking)
    focuses = [_focus(seed.links, ranking) for seed in seeds if seed.url in kept]
    ranked = ranking.of_evidence(list(kept.values()), focuses)
    admitted = [(u, r) for u, r in zip(kept, ranked, strict=True) if ranking.admits_seed(r)]
    return sorted(admitted, key=lambda pair: -pair[1].rank)


def _evidence(seed: Seed, ranking: Ranking) -> tuple[Clue, ...]:
    around = ranking.read_links(seed.links)
    in_windows = (e for context in around for e in context.evidence if e.source in _WINDOW)
    return (*ranking.read_url(seed.url), *in_windows)


def _focus(links: Sequence[Link], ranking: Ranking) -> float:
    focuses = [ranking.focus(context) for context in ranking.read_links(links)]
    return sum(focuses) / len(focuses) if focuses else 0.0
