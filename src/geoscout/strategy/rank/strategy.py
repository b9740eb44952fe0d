"""Location-specific crawling after Kozanidis, Stamou and Spiros (2009).

A link is worth following when its anchor or the 50 words around it name a place (`focus`). It is
fetched the earlier, the more of these words are places, and the nearer to each other the places are
that its URL and surroundings name (`corr`): `Rank` is the mean of the two. Nothing is learned. How
the paper was read is in docs/rank.md and `formulas.py`.

Seeds are chosen and ordered alike (figures 1 and 2 of the paper). The meta-terms of a seed are the
place fields of its registration record, the tokens of its URL, and the terms around the links of
its page. One without a toponym among them is dropped, and so is one whose toponyms lie far apart.
The first test is made of every page that is fetched: one that passes it is a geographic page.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

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
from geoscout.strategy.rank.formulas import (
    NOWHERE,
    Ranked,
    Ranking,
    RankOptions,
    check_rank_options,
    pack_clues,
)
from geoscout.strategy.rank.measures import Clue
from geoscout.strategy.registrants import RegistrantQuestions
from geoscout_places.model import HELD, Link, Page, Request
from geoscout_places.plugins import read_options
from geoscout_places.windows import widened

_WINDOW = frozenset({"anchor", "before", "after"})


@dataclass(frozen=True, slots=True)
class Seed:
    """A seed URL in normal form, with the widened links of its page if that has been fetched."""

    url: str
    links: tuple[Link, ...] = ()


def filter_seeds(seeds: Sequence[Seed], ranking: Ranking) -> dict[str, tuple[Clue, ...]]:
    """Figure 1: the toponyms of each seed that has any, in the order given."""
    evidence = {seed.url: _evidence(seed, ranking) for seed in seeds}
    return {url: found for url, found in evidence.items() if found}


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


UNADMITTED = -1e12  # below every admitted link, in either order
# What can become of a link. "not around it": its URL alone names a place; "far apart": the
# variant `either` asks for that or for places near each other; "seed": `good-seeds` asks more of
# the seed that it is on.
ADMISSIONS = ("admitted", "no place", "not around it", "far apart", "seed")


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

    Where registries are asked, links that a reply may admit are held, not dropped.
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

    def score(self, source: Source, links: Sequence[Link]) -> Scores:
        """One pass over all texts of the links; the page itself is not looked at.

        Only links of geographic pages count (figure 2). A page with a link that is among places is
        one by the test of figure 1, so nothing else of it is looked at. The test of seeds stands
        beside that of links in the figure, not above it: a variant has it there.
        """
        links = self._widened(links, source.page)
        if self._is_refused(source, links):
            self.links["seed"] += len(links)
            return [self._scored(NOWHERE)] * len(links)
        ranked = self._ranking.of_links(links)
        self.links.update(map(self._admission, ranked))
        if self._questions is not None:
            return self._scored_with_questions(ranked, links)
        nothing = self._scored(NOWHERE)
        return [nothing if r is NOWHERE else self._scored(r) for r in ranked]

    def _is_refused(self, source: Source, links: Sequence[Link]) -> bool:
        """Whether it is a seed that figure 2 does not admit, where that counts."""
        if source.request.depth or self._options.admission != "good-seeds":
            return False
        return not order_seeds([Seed(source.request.url, tuple(links))], self._ranking)

    def best_first(self, pages: Iterable[Page]) -> list[str]:
        """The URLs of the seeds that figure 2 admits, the highest Rank first."""
        seeds = [Seed(page.url, tuple(self._widened(page.links, page))) for page in pages]
        return [url for url, _ in order_seeds(seeds, self._ranking)]

    def _widened(self, links: Sequence[Link], page: Page) -> Sequence[Link]:
        return widened(links, page, self._options.window)

    def is_geographic(self, page: Page, links: Sequence[Link]) -> bool:
        """The test of figure 1: its URL, its registration or its links name a place."""
        seed = Seed(page.url, tuple(self._widened(links, page)))
        return bool(filter_seeds([seed], self._ranking))

    def _scored_with_questions(self, ranked: Sequence[Ranked], links: Sequence[Link]) -> Scores:
        """Ask about the domains of links that a reply can still admit or move."""
        asked = [
            self._options.admission == "either" or self._ranking.admits_link(one) for one in ranked
        ]
        urls = [link.url for link, counts in zip(links, asked, strict=True) if counts]
        waits = iter(self._questions.add(urls) if self._questions is not None else ())
        return [
            self._scored(one, is_awaited=counts and next(waits))
            for one, counts in zip(ranked, asked, strict=True)
        ]

    def _scored(self, ranked: Ranked, *, is_awaited: bool = False) -> Scored | None:
        """`is_awaited`: it may be ranked again when a registry has answered, so it is kept."""
        if not (is_awaited or self._options.epsilon or self._ranking.admits_link(ranked)):
            return None
        return self._kept(ranked, is_awaited=is_awaited)

    def _kept(self, ranked: Ranked, *, is_awaited: bool) -> Scored:
        self._found += 1
        score = ranked.rank if self._options.order == "rank" else -float(self._found)
        if not self._ranking.admits_link(ranked):
            score = UNADMITTED + score if self._options.epsilon else HELD
        kept = (
            pack_clues(ranked.focus, [place.id for place in ranked.places]) if is_awaited else b""
        )
        return Scored(score, kept)

    def _admission(self, ranked: Ranked) -> str:
        if self._ranking.admits_link(ranked):
            return "admitted"
        if ranked is NOWHERE:
            return "no place"
        return "far apart" if self._options.admission == "either" else "not around it"

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

    def explain(self, source: Source, link: Link) -> Reason:
        """Rank with its two parts, the places and where each was found."""
        ranked = self._ranking.of_links(self._widened([link], source.page))[0]
        found = tuple(
            Reason(
                f"{piece.source} {piece.toponym.name!r}", 1.0, self._ranking.label(piece, ranked)
            )
            for piece in ranked.evidence
        )
        apart = f"{len(ranked.places)} places, {ranked.mean_km:.0f} km apart on average"
        corr = Reason("corr", ranked.correlation, apart, found)
        focus = Reason("focus", ranked.focus, f"share of place names in {link.anchor!r}")
        admission = "admitted" if self._ranking.admits_link(ranked) else "not admitted"
        return Reason("rank", ranked.rank, admission, (corr, focus))

    def save(self) -> bytes:
        """How far the queue has got."""
        return str(self._found).encode()

    def load(self, state: bytes) -> None:
        """Go on behind it."""
        self._found = int(state or b"0")
