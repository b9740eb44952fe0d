"""Whether names of cities are found in host names whose words are run together.

    python -m benchmarks.host_names

`host_names.tsv` has every label of a host name, among all hosts that the pages of the archives
link to, that has the name of a US city of 50,000 people inside a longer word. One reader judged
each: `city`, a town of that name is meant (uchicago); `word`, the name is a word of the label but a
person, a state or a thing is meant (jacksonhole); `no`, the letters only happen to stand there
(challenge). The rule was made on the rows marked `development` (munich, philde, usdirs), the
figures to quote are those of `test` (webkb).
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from geoscout.collaborate.owned_names import OwnedNames
from geoscout.collaborate.partition import read_partition
from geoscout.collaborate.url import UrlWords
from geoscout_places.gazetteer import open_gazetteer

LABELLED = Path(__file__).with_suffix(".tsv")
NODES = '[nodes]\nall = ["United States"]'
JOINED = 6  # letters, the default of the assignment
LEAST_PRECISION, LEAST_RECALL = 0.95, 0.85  # on the test rows


class LabelledHost(NamedTuple):
    """A label of a host name with a city inside a word, and what a reader says of it."""

    group: str
    host: str
    token: str
    name: str  # without blanks
    verdict: str


def main() -> None:
    """Print precision and recall for each group; exit 1 when the test rows fall below."""
    gazetteer = open_gazetteer()
    names = OwnedNames(read_partition(NODES, gazetteer).targets, gazetteer)
    words = UrlWords(names, gazetteer, JOINED)
    figures = {}
    for group in ("development", "test"):
        rows = [row for row in read_rows() if row.group == group]
        figures[group] = scores(rows, words)
    precision, recall = figures["test"]
    sys.exit(precision < LEAST_PRECISION or recall < LEAST_RECALL)


def read_rows() -> Iterator[LabelledHost]:
    """The labelled hosts."""
    for line in LABELLED.read_text().splitlines()[1:]:
        yield LabelledHost(*line.split("\t"))


def scores(rows: list[LabelledHost], words: UrlWords) -> tuple[float, float]:
    """Precision (the name is a word there) and recall (of the labels where a town is meant)."""
    found = Counter(row.verdict for row in rows if is_found(row, words))
    there = Counter(row.verdict for row in rows)
    precision = (found["city"] + found["word"]) / found.total()
    recall = found["city"] / there["city"]
    print(
        f"{rows[0].group}: {len(rows)} labels; precision {precision:.3f} of {found.total()} found"
        f" (a town is meant in {found['city'] / found.total():.3f});"
        f" recall {recall:.3f} of {there['city']}"
    )
    wrong = [row.token for row in rows if row.verdict == "no" and is_found(row, words)]
    missed = [row.token for row in rows if row.verdict == "city" and not is_found(row, words)]
    print(f"  wrong: {', '.join(wrong) or 'none'}\n  missed: {', '.join(missed) or 'none'}")
    return precision, recall


def is_found(row: LabelledHost, words: UrlWords) -> bool:
    """Whether the name is among the words, of which a name of several words has several."""
    found = words.of(f"http://{row.token}.example/")
    spans = ("".join(found[i:j]) for i in range(len(found)) for j in range(i + 1, i + 4))
    return row.name in spans and found[0] != row.token


if __name__ == "__main__":
    main()
