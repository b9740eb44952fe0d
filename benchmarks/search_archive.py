"""Ranking on a real archive: queries by rule with known answers, next to the same engine on words.

    geoscout crawl --region Texas --strategy breadth --replay A --seeds A/seeds.txt --out D
    geoscout index D
    python -m benchmarks.search_archive D --labels A/labels.json
    python -m benchmarks.search_archive D                           only the paper's examples

Labels say of each URL its state, and county and city where it has them; they were made from where
the pages stand in the directories, not by the geoparser. A listing has the gain 3 for its places,
a list of them 2, and 1 is for what is only near where that was asked for. Words are drawn from the
pages: those that some pages have and most have not, and that name no labelled place. An archive
below GEOSCOUT_CORPORA may be given by name: `--labels usdirs`.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from benchmarks.search_parts.examples import print_examples
from benchmarks.search_parts.queries import QueryMaker
from benchmarks.search_parts.truth import TruePage
from benchmarks.search_quality import Bed, print_misses, print_table
from geoscout.index.base import Index
from geoscout.search import open_engine
from geoscout_places.gazetteer import Gazetteer, open_gazetteer
from geoscout_places.model import Kind, Place

LEAST_PAGES, MOST_SHARE = 20, 0.1  # with a word that is asked for
_WORD = re.compile(r"[a-z]{5,}")
_PARTS = ("city", "county", "state")
Label = Mapping[str, str]


class Labelled:
    """The pages of an index that labels say the place of."""

    def __init__(self, labels: Mapping[str, Label], reader: Index) -> None:
        self._labels = labels
        self._reader = reader
        self._named = {w for label in labels.values() for w in _WORD.findall(_names(label))}
        self._is_asked: dict[str, bool] = {}

    def pages(self, gazetteer: Gazetteer) -> Iterator[TruePage]:
        """What is true of each."""
        known: dict[str, Place | None] = {}
        for number, (url, label) in enumerate(self._labels.items()):
            slot = self._reader.slot_of(url)
            if slot is None or not label.get("state"):
                continue
            name = _names(label)
            if name not in known:
                known[name] = _find(label, gazetteer)
            if place := known[name]:
                yield self._page(number, url, slot, place)

    def _page(self, number: int, url: str, slot: int, place: Place) -> TruePage:
        label, words = self._labels[url], frozenset(self._reader.word_counts(slot))
        is_city = bool(label.get("city"))
        is_listing = bool(label.get("business")) or not is_city
        shown = (place,) if is_listing else ()
        return TruePage(
            url, words, "", "en", place if is_city else None, addressed=shown, original=number
        )

    def words_of(self, page: TruePage) -> list[str]:
        """The words of a page that can be asked for."""
        return sorted(word for word in page.words if self._can_be_asked(word))

    def _can_be_asked(self, word: str) -> bool:
        if word not in self._is_asked:
            is_word = bool(_WORD.fullmatch(word)) and word not in self._named
            most = MOST_SHARE * self._reader.page_count
            self._is_asked[word] = is_word and (
                LEAST_PAGES <= self._reader.pages_with(word) <= most
            )
        return self._is_asked[word]


def _names(label: Label) -> str:
    return ", ".join(label[part].replace("-", " ") for part in _PARTS if label.get(part))


def _find(label: Label, gazetteer: Gazetteer) -> Place | None:
    """The smallest place of a label, in its state; None where the gazetteer has none."""
    kind, part = (Kind.CITY, "city") if label.get("city") else (Kind.REGION, "county")
    name = label.get(part, "").replace("-", " ")
    state = label["state"].replace("-", " ")
    text = f"{name}, {state}" if name else state
    found = [c.place for c in gazetteer.search(text, "US") if c.place.kind is kind]
    return found[0] if found else None


def read_labels(text: str) -> dict[str, Label]:
    """The labels of a file, or of an archive below GEOSCOUT_CORPORA."""
    file = Path(text)
    if not file.is_file():
        file = Path(os.environ.get("GEOSCOUT_CORPORA", "")) / "archives" / text / "labels.json"
    labels: dict[str, Label] = json.loads(file.read_text(encoding="utf-8"))
    return labels


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("crawl", type=Path)
    parser.add_argument("--labels", default="", metavar="FILE")
    parser.add_argument("--random-seed", type=int, default=1)
    parser.add_argument("--each", type=int, default=20, help="queries of each kind")
    parser.add_argument("--misses", action="store_true", help="print what went wrong")
    given = parser.parse_args()
    gazetteer = open_gazetteer()
    engine = open_engine(given.crawl, gazetteer)
    is_right = print_examples(engine)
    if not given.labels:
        return 0 if is_right else 1
    labelled = Labelled(read_labels(given.labels), engine.reader)
    pages = list(labelled.pages(gazetteer))
    maker = QueryMaker(pages, gazetteer, given.random_seed, labelled.words_of)
    bed = Bed(engine, {page.url: page for page in pages}, gazetteer)
    outcomes = [bed.ask(query) for query in maker.make(given.each)]
    if given.misses:
        print_misses(outcomes)
    return 0 if print_table(outcomes) and is_right else 1


if __name__ == "__main__":
    sys.exit(main())
