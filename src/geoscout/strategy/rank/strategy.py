"""Location-specific crawling after Kozanidis, Stamou and Spiros (2009).

A link is worth following when the places its URL and surroundings name lie near each other
(`corr`), or when its anchor is about a place (`focus`); `Rank` is their mean. Nothing is learned.
How the paper was read is in docs/rank.md and `options.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path

from geoscout.model import HELD, Link, Request
from geoscout.plugins import read_options
from geoscout.registrations import RegistrationRecord, read_registrations
from geoscout.strategy.base import (
    Reason,
    Scored,
    Scores,
    Source,
    Strategy,
    StrategyAim,
    StrategyTraits,
)
from geoscout.strategy.rank.formulas import NOWHERE, Ranked, Ranking, pack_clues
from geoscout.strategy.rank.options import RankOptions, check_rank_options
from geoscout.strategy.registrants import RegistrantQuestions

UNADMITTED = -1e12  # below every admitted link, in either order
ADMISSIONS = ("admitted", "no place", "far apart")  # what can become of a link


def create(aim: StrategyAim) -> Strategy:
    """The strategy for an aim; it looks into its gazetteer when the first page comes.

    Raises:
        UsageError: an option is none of its choices, or there is no such table.
    """
    options = read_options("rank", RankOptions, aim.options)
    check_rank_options(options)
    table = options.registrations
    return Rank(aim, options, read_registrations(Path(table)) if table else {})


class Rank(RegistrantQuestions):
    """Rank for what is admitted; the rest is dropped, or waits at the end.

    Where registries are asked, links whose domain nobody has asked for are held, not dropped.
    """

    # They sort a queue: links of the same Rank stay as they were found.
    traits = StrategyTraits(ties_in_order=True)

    def __init__(
        self,
        aim: StrategyAim,
        options: RankOptions,
        registrations: Mapping[str, RegistrationRecord] | None = None,
    ) -> None:
        """`registrations`: what is known before the crawl, by domain."""
        self._aim = aim
        self._options = options
        self._registrations = registrations or {}
        self._found = 0  # links put so far, which is the order of a queue
        self.links: Counter[str] = Counter()  # met so far, by `ADMISSIONS`

    @cached_property
    def _ranking(self) -> Ranking:
        ranking = Ranking(self._aim, self._options)
        ranking.add_registrations(self._registrations)
        return ranking

    def score(self, source: Source, links: Sequence[Link]) -> Scores:  # noqa: ARG002
        """One pass over all texts of the links; the page itself is not looked at."""
        ranked = self._ranking.of_links(links)
        self.links.update(map(_admission, ranked))
        if self._questions is not None:
            awaited = self._questions.add(link.url for link in links)
            pairs = zip(ranked, awaited, strict=True)
            return [self._scored(r, is_awaited=waits) for r, waits in pairs]
        nothing = self._scored(NOWHERE) if self._options.epsilon else None
        return [nothing if r is NOWHERE else self._scored(r) for r in ranked]

    def _scored(self, ranked: Ranked, *, is_awaited: bool = False) -> Scored | None:
        """`is_awaited`: it may be ranked again when a registry has answered, so it is kept."""
        if not (ranked.is_admitted or is_awaited or self._options.epsilon):
            return None
        return self._kept(ranked, is_awaited=is_awaited)

    def _kept(self, ranked: Ranked, *, is_awaited: bool) -> Scored:
        self._found += 1
        score = ranked.rank if self._options.order == "rank" else -float(self._found)
        if not ranked.is_admitted:
            score = UNADMITTED + score if self._options.epsilon else HELD
        kept = (
            pack_clues(ranked.focus, [place.id for place in ranked.places]) if is_awaited else b""
        )
        return Scored(score, kept)

    def due(self, responses: int) -> int:  # noqa: ARG002
        """None: only the reply of a registry changes a rank."""
        return 0

    def rescore(self, waiting: Sequence[Request]) -> Sequence[float]:
        """Rank what waits by what registries have told since."""
        return list(map(self._priority_now, waiting))

    def _priority_now(self, request: Request) -> float:
        was_admitted = request.priority > UNADMITTED / 2
        if was_admitted and not request.features:
            return request.priority  # a seed, a sitemap, or nobody had to be asked
        scored = self._kept(self._ranking.again(request.url, request.features), is_awaited=True)
        if was_admitted and self._options.order == "fifo":
            return request.priority  # it keeps its place in the queue
        return scored.score

    def add_registrations(self, records: Mapping[str, RegistrationRecord]) -> None:
        """Take records into account, by domain."""
        self._ranking.add_registrations(records)

    def add_reply(self, record: RegistrationRecord) -> Sequence[str]:
        """Take a reply into account; returns the hosts whose links must be scored again."""
        if record.has_place:
            self._ranking.add_registrations({record.domain: record})
        return () if self._questions is None else self._questions.close(record.domain)

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
        admission = "admitted" if ranked.is_admitted else "not admitted"
        return Reason("rank", ranked.rank, admission, (corr, focus))

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
