"""Location-specific crawling after Kozanidis, Stamou and Spiros (2009).

A link is worth following when the places its URL and surroundings name lie near each other
(`corr`), or when its anchor is about a place (`focus`); `Rank` is their mean. Nothing is learned.
How the paper was read is in docs/rank.md and `ranking.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property

from geoscout.model import Link
from geoscout.strategy.base import DROP, Aim, Reason, Scored, Source, Strategy
from geoscout.strategy.options import read_options
from geoscout.strategy.ranking import NOWHERE, Ranked, Ranking, RankOptions, check_options

UNADMITTED = -1e12  # below every admitted link, in either order
ADMISSIONS = ("admitted", "no place", "far apart")  # what can become of a link


def create(aim: Aim) -> Strategy:
    """The strategy for an aim; its gazetteer is opened when the first page comes."""
    options = read_options("rank", RankOptions, aim.options)
    check_options(options)
    return Rank(aim, options)


class Rank(Strategy):
    """Rank for what is admitted; the rest is dropped, or waits at the end."""

    ties_in_order = True  # they sort a queue: links of the same Rank stay as they were found

    def __init__(self, aim: Aim, options: RankOptions) -> None:
        self._aim = aim
        self._options = options
        self._found = 0  # links put so far, which is the order of a queue
        self.links: Counter[str] = Counter()  # met so far, by `ADMISSIONS`

    @cached_property
    def _ranking(self) -> Ranking:
        return Ranking(self._aim, self._options)

    def score(self, source: Source, links: Sequence[Link]) -> Sequence[Scored]:  # noqa: ARG002
        """One pass over all texts of the links; the page itself is not looked at."""
        ranked = self._ranking.of_links(links)
        self.links.update(map(_admission, ranked))
        nothing = self._scored(NOWHERE) if self._options.epsilon else DROP
        return [nothing if r is NOWHERE else self._scored(r) for r in ranked]

    def _scored(self, ranked: Ranked) -> Scored:
        if not ranked.is_admitted and not self._options.epsilon:
            return DROP
        self._found += 1
        priority = ranked.rank if self._options.order == "rank" else -float(self._found)
        return Scored(priority if ranked.is_admitted else UNADMITTED + priority)

    def explain(self, source: Source, link: Link) -> Reason:  # noqa: ARG002
        """Rank with its two parts, the places and where each was found."""
        ranked = self._ranking.of_links([link])[0]
        found = tuple(
            Reason(f"{piece.source} {piece.toponym.name!r}", 1.0, piece.toponym.senses[0].name)
            for piece in ranked.evidence
        )
        apart = f"{len(ranked.places)} places, {ranked.mean_km:.0f} km apart on average"
        corr = Reason("corr", ranked.correlation, apart, found)
        focus = Reason("focus", ranked.focus, f"share of place names in {link.anchor!r}")
        verdict = "admitted" if ranked.is_admitted else "not admitted"
        return Reason("rank", ranked.rank, verdict, (corr, focus))

    def save(self) -> bytes:
        """How far the queue has got."""
        return str(self._found).encode()

    def load(self, state: bytes) -> None:
        """Go on behind it."""
        self._found = int(state or b"0")


def _admission(ranked: Ranked) -> str:
    if ranked is NOWHERE:
        return "no place"
    return "admitted" if ranked.is_admitted else "far apart"
