"""Ranking on a synthetic web: queries by rule with known answers, next to the same engine on words.

    python -m benchmarks.search_quality                    a web of 8,000 pages, 160 queries
    python -m benchmarks.search_quality --random-seed 101  another web, to tune on

Pages go the whole way: rendered, parsed, geoparsed, stored, indexed. Of pages with the word, the
gain is 3 for one about the place with an address in it, 2 for either, 1 for what is only near where
that was asked for. Gains come from how the web was made, not from what the geoparser found, and
copies of a page count once. `words` is the same index asked for the whole query as words.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import log2
from pathlib import Path
from statistics import fmean

from benchmarks.search_parts.plain_words import find_plain_words
from benchmarks.search_parts.queries import Query, QueryMaker
from benchmarks.search_parts.truth import TruePage, gain_of, is_inside, store_web
from geoscout.search import Question, open_engine
from geoscout.search.base import Interpretation
from geoscout.search.engine import SearchEngine
from geoscout.search.updating import follow_crawl
from geoscout_lab.worlds.synthetic import WebPlan, make_web
from geoscout_places.gazetteer import Gazetteer, open_gazetteer
from geoscout_places.geo import Geoparser
from geoscout_places.parse import parse_html

DEPTH = 10
LEAST_READINGS, LEAST_RATIO = 0.95, 1.5


@dataclass(frozen=True)
class Outcome:
    """How one query went."""

    query: Query
    is_read: bool
    ndcg: float
    reciprocal_rank: float
    words_ndcg: float
    words_reciprocal_rank: float


@dataclass(frozen=True)
class Bed:
    """What queries are asked of."""

    engine: SearchEngine
    pages: dict[str, TruePage]
    gazetteer: Gazetteer

    def gains(self, query: Query) -> dict[int, int]:
        """The gain of every page that has one, by the page it repeats."""
        found: dict[int, int] = {}
        for page in self.pages.values():
            gain = gain_of(page, query.words, query.place, query.relation, self.gazetteer)
            if gain:
                found[page.original] = max(gain, found.get(page.original, 0))
        return found

    def ask(self, query: Query) -> Outcome:
        gains = self.gains(query)
        answer = self.engine.answer(Question(query.text, facets=False))
        got = [self._original(hit.url) for hit in answer.hits]
        plain = find_plain_words(self.engine.reader, query.text, DEPTH)
        words = [self._original(url) for url in plain]
        return Outcome(
            query, self.is_right(query, answer.interpretation),
            ndcg(got, gains), reciprocal(got, gains),
            ndcg(words, gains), words_reciprocal_rank=reciprocal(words, gains),
        )  # fmt: skip

    def _original(self, url: str) -> int:
        """The number of the page it repeats; one without truth repeats nothing."""
        return self.pages[url].original if url in self.pages else -1

    def is_right(self, query: Query, interpretation: Interpretation) -> bool:
        """Whether the place is the one that was meant, or its own district."""
        if query.place is None or interpretation.place is None:
            return query.place is interpretation.place
        there = is_inside(interpretation.place, query.place, self.gazetteer)
        back = is_inside(query.place, interpretation.place, self.gazetteer)
        return query.place.id == interpretation.place.id or (there and back)


def ndcg(pages: Sequence[int], gains: dict[int, int]) -> float:
    """Järvelin and Kekäläinen's measure with exponential gains, at ten hits."""
    seen = list(dict.fromkeys(pages))[:DEPTH]
    best = sorted(gains.values(), reverse=True)[:DEPTH]
    ideal = _discounted(best)
    return _discounted([gains.get(page, 0) for page in seen]) / ideal if ideal else 0.0


def reciprocal(pages: Sequence[int], gains: dict[int, int]) -> float:
    """One over the rank of the first page with words and place right; 0 when there is none."""
    ranks = [rank for rank, page in enumerate(pages, 1) if gains.get(page, 0) > 1]
    return 1 / ranks[0] if ranks else 0.0


def _discounted(gains: Sequence[int]) -> float:
    return sum((2.0**gain - 1) / log2(rank + 1) for rank, gain in enumerate(gains, 1))


def measure(plan: WebPlan, each: int, folder: Path, gazetteer: Gazetteer) -> list[Outcome]:
    """Make the web, index it, ask."""
    web = make_web(plan, gazetteer, parse_html)
    pages = store_web(web, folder, Geoparser(gazetteer))
    follow_crawl(folder, gazetteer)
    queries = QueryMaker(pages, gazetteer, plan.random_seed).make(each)
    bed = Bed(open_engine(folder, gazetteer), {page.url: page for page in pages}, gazetteer)
    return [bed.ask(query) for query in queries]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--profile", default="web2025")
    parser.add_argument("--pages", type=int, default=8000)
    parser.add_argument("--random-seed", type=int, default=1)
    parser.add_argument("--each", type=int, default=20, help="queries of each kind")
    parser.add_argument("--misses", action="store_true", help="print what went wrong")
    given = parser.parse_args()
    plan = WebPlan(given.profile, given.random_seed, given.pages)
    with tempfile.TemporaryDirectory() as folder:
        outcomes = measure(plan, given.each, Path(folder), open_gazetteer())
    if given.misses:
        print_misses(outcomes)
    return 0 if print_table(outcomes) else 1


def print_table(outcomes: list[Outcome]) -> bool:
    """The figures of every kind of query; whether they are as required."""
    kinds: dict[str, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        kinds[outcome.query.kind].append(outcome)
    head = ("queries", "reading", "nDCG@10", "words", "MRR", "words")
    print(f"{'':16}" + "".join(f"{name:>9}" for name in head))
    for kind, some in (*kinds.items(), ("all", outcomes)):
        print(f"{kind:16}{len(some):9}" + "".join(f"{value:9.3f}" for value in _means(some)))
    interpretations, quality, words, *_ = _means(outcomes)
    print(f"\nright interpretations {interpretations:.3f} (required {LEAST_READINGS})")
    print(f"nDCG@10 over words only {quality / words:.2f} (required {LEAST_RATIO})")
    return interpretations >= LEAST_READINGS and quality / words >= LEAST_RATIO


def _means(some: list[Outcome]) -> list[float]:
    return [
        fmean(o.is_read for o in some),
        fmean(o.ndcg for o in some),
        fmean(o.words_ndcg for o in some),
        fmean(o.reciprocal_rank for o in some),
        fmean(o.words_reciprocal_rank for o in some),
    ]


def print_misses(outcomes: list[Outcome]) -> None:
    """The queries that were read wrongly, or answered worse than by words."""
    for outcome in outcomes:
        if not outcome.is_read or outcome.ndcg < outcome.words_ndcg:
            name = outcome.query.place.name if outcome.query.place else "none"
            marks = f"{outcome.is_read!s:6}{outcome.ndcg:6.2f}{outcome.words_ndcg:6.2f}"
            print(f"{marks}  {outcome.query.text}  ({name})")


if __name__ == "__main__":
    sys.exit(main())
