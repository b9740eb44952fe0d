"""How everyday queries are read: words that are words, places, postal codes, "near me".

    python -m benchmarks.everyday_queries munich=CRAWL usdirs=CRAWL

The queries in everyday_queries.tsv were written down as people type them, and what each means was
labelled by reading it. The rules were made while looking at the first set; the second was written
afterwards, and what it is read as was looked at only once before the rules changed again. `-` is
for words alone, `me` for where the user is, and a label need only begin as it stands there; a
sight may be words, as the gazetteer has the best known only. A reading is absurd if it has a place
where none is meant.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from geoscout.search import Question, open_engine
from geoscout.search.base import Interpretation
from geoscout.search.engine import SearchEngine
from geoscout_places.gazetteer import open_gazetteer

QUERIES = Path(__file__).with_suffix(".tsv")
_LEAST, _NONE, _ME = 0.97, "-", "me"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("crawls", nargs="+", metavar="NAME=CRAWL", help="munich=DIR usdirs=DIR")
    crawls = dict(text.split("=", 1) for text in parser.parse_args().crawls)
    gazetteer = open_gazetteer()
    engines = {name: open_engine(Path(folder), gazetteer) for name, folder in crawls.items()}
    with QUERIES.open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if row["index"] in engines]
    results = [score(rows, engines, part) for part in ("first", "second")]
    return 0 if all(results) else 1


def score(
    rows: Sequence[Mapping[str, str]], engines: Mapping[str, SearchEngine], part: str
) -> bool:
    """Print how the queries of a set are read; whether that is as required."""
    right = absurd = count = 0
    for row in rows:
        if row["set"] != part:
            continue
        read = engines[row["index"]].read(Question(row["query"]))
        is_right = is_read_as(read, row["read"])
        count += 1
        right += is_right
        absurd += not is_right and row["read"] == _NONE
        if not is_right:
            print(f"{row['query']}: {as_text(read)}, not {row['read']}")
    print(f"{part} set: {right} of {count} read rightly ({right / count:.3f}), {absurd} absurdly")
    return right / count >= _LEAST and not absurd


def is_read_as(read: Interpretation, meant: str) -> bool:
    """Whether a reading is one of those that "|" parts."""
    if meant == _ME:
        return read.asks_here
    text = as_text(read)
    return any(text == one if one == _NONE else text.startswith(one) for one in meant.split("|"))


def as_text(read: Interpretation) -> str:
    return f"{read.relation} {read.label}" if read.relation else _NONE


if __name__ == "__main__":
    sys.exit(main())
