"""Everyday queries whose hits were judged by reading them, next to the same index on words alone.

    python -m benchmarks.judged_search munich=CRAWL usdirs=CRAWL
    python -m benchmarks.judged_search munich=CRAWL usdirs=CRAWL --webs   and two synthetic webs

How judged_queries.tsv was made: for each query, the ten best pages of three orders were put
together (words alone, the order before, the order of now; 15 pages on average) and each was graded
from its title, address, number of addresses and the piece of its text that has the words, by one
reader: 3 answers the query, 2 is good (a wider list, or a page in a language other than the
query's that would answer it), 1 helps a little (related, near, a list of lists), 0 does not. A
page that nobody judged counts as 0, so another engine has to be judged before it is compared.
Queries without any page of a grade above 0 are left out.

The order was developed on `dev`. Of `test` the figures of each query were seen once, near the end;
two small changes came after that (names of places in texts count, names of squares and quarters
count more). `held` was chosen and judged after the last change.
The crawls are those of docs/results/search.md.
"""

from __future__ import annotations

import argparse
import csv
import sys
import tempfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log2
from pathlib import Path
from statistics import fmean

from benchmarks.everyday_queries import QUERIES, is_read_as
from benchmarks.search_parts.plain_words import find_plain_words
from benchmarks.search_quality import measure
from geoscout.search import Question, open_engine
from geoscout.search.engine import SearchEngine
from geoscout_lab.worlds.synthetic import WebPlan
from geoscout_places.gazetteer import Gazetteer, open_gazetteer

JUDGED = Path(__file__).parent / "judged_queries.tsv"
PARTS = ("dev", "test", "held")
DEPTH = 10
WEBS = (WebPlan("web2025", 2, 2500), WebPlan("ahlers2009", 3, 2500))
EACH = 5  # queries of each of eight kinds for a synthetic web


@dataclass(frozen=True)
class JudgedQuery:
    """A query and how good pages are for it."""

    index: str
    part: str
    text: str
    grades: Mapping[str, int]  # by URL


@dataclass(frozen=True)
class JudgedOutcome:
    """How one query went."""

    query: JudgedQuery
    words: float  # nDCG@10 of words alone
    ours: float


def read_judged(file: Path = JUDGED) -> list[JudgedQuery]:
    """The queries that have a page of a grade above 0."""
    grades: dict[tuple[str, str, str], dict[str, int]] = defaultdict(dict)
    with file.open(encoding="utf-8") as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            key = (row["index"], row["part"], row["query"])
            grades[key][row["url"]] = int(row["grade"])
    return [
        JudgedQuery(index, part, text, of)
        for (index, part, text), of in grades.items()
        if any(of.values())
    ]


def graded_ndcg(urls: Sequence[str], grades: Mapping[str, int]) -> float:
    """NDCG with exponential gains at ten hits."""
    best = sorted(grades.values(), reverse=True)
    return _discounted([grades.get(url, 0) for url in urls]) / _discounted(best)


def _discounted(grades: Sequence[int]) -> float:
    return sum((2.0**g - 1) / log2(rank + 1) for rank, g in enumerate(grades[:DEPTH], 1))


def ask(query: JudgedQuery, engine: SearchEngine) -> JudgedOutcome:
    answer = engine.answer(Question(query.text, limit=DEPTH, facets=False))
    words = find_plain_words(engine.reader, query.text, DEPTH)
    ours = [hit.url for hit in answer.hits]
    return JudgedOutcome(query, graded_ndcg(words, query.grades), graded_ndcg(ours, query.grades))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("crawls", nargs="*", metavar="NAME=CRAWL", help="munich=DIR usdirs=DIR")
    parser.add_argument("--webs", action="store_true", help="two synthetic webs, too")
    parser.add_argument("--queries", action="store_true", help="print each query of dev")
    given = parser.parse_args()
    gazetteer = open_gazetteer()
    crawls = dict(text.split("=", 1) for text in given.crawls)
    engines = {name: open_engine(Path(folder), gazetteer) for name, folder in crawls.items()}
    outcomes = [
        ask(query, engines[query.index]) for query in read_judged() if query.index in engines
    ]
    if given.queries:
        print_queries(outcomes)
    print_parts(outcomes)
    print_readings(engines)
    if given.webs:
        print_webs(gazetteer)
    return 0


def print_queries(outcomes: Sequence[JudgedOutcome]) -> None:
    for one in sorted(outcomes, key=lambda one: one.ours - one.words):
        if one.query.part == "dev":
            print(f"{one.words:.2f} {one.ours:.2f} {one.query.index}: {one.query.text}")


def print_parts(outcomes: Sequence[JudgedOutcome]) -> None:
    print(f"{'':16}{'queries':>8}{'words':>8}{'ours':>8}{'ratio':>8}")
    for part in (*PARTS, ""):
        for index in ("munich", "usdirs", ""):
            some = [
                o for o in outcomes if part in ("", o.query.part) and index in ("", o.query.index)
            ]
            if some:
                words, ours = fmean(o.words for o in some), fmean(o.ours for o in some)
                name = f"{part or 'all'} {index}"
                print(f"{name:16}{len(some):8}{words:8.3f}{ours:8.3f}{ours / words:8.2f}")


def print_readings(engines: Mapping[str, SearchEngine]) -> None:
    """How many everyday queries are read as they are meant."""
    with QUERIES.open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if row["index"] in engines]
    reads = [(row, engines[row["index"]].read(Question(row["query"]))) for row in rows]
    right = [is_read_as(read, row["read"]) for row, read in reads]
    if right:
        print(f"read rightly: {sum(right)} of {len(right)} ({fmean(right):.3f})")


def print_webs(gazetteer: Gazetteer) -> None:
    for plan in WEBS:
        with tempfile.TemporaryDirectory() as folder:
            outcomes = measure(plan, EACH, Path(folder), gazetteer)
        words, ours = fmean(o.words_ndcg for o in outcomes), fmean(o.ndcg for o in outcomes)
        read = fmean(o.is_read for o in outcomes)
        print(
            f"{plan.profile} {plan.random_seed}: {len(outcomes)} queries, words {words:.3f},"
            f" ours {ours:.3f}, ratio {ours / words:.2f}, read {read:.3f}"
        )


if __name__ == "__main__":
    sys.exit(main())
