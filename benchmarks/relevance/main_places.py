"""Scores every judge on pages of sites that none was made on: web pages with a labelled main place.

    python -m benchmarks.relevance.main_places [--corpora DIR]

Each page of `geoeval/scope_tudloc_main.jsonl` is judged twice: for the place that a reader found
it to be about, and for the main place of another page, one that it names where there is one.
The first should be relevant and the second should not. The pages are plain text without titles.
"""

from __future__ import annotations

import argparse
import json
import os
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from geoscout_places.errors import UsageError
from geoscout_places.gazetteer import Region, open_gazetteer
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.geo import Geoparser
from geoscout_places.geo.relevance import Judge, RelevanceRule
from geoscout_places.model import Page, Place, Reading
from geoscout_places.parse.document import parse_text


@dataclass(frozen=True, slots=True)
class PageOfPlace:
    """A page, and the place it is mainly about."""

    page: Page
    reading: Reading
    place: Place
    region: Region

    def is_relevant(self, region: Region, rule: RelevanceRule) -> bool:
        """What a judge says of the page for a region."""
        return Judge(region, rule).judge(self.page, self.reading).relevant

    def is_apart(self, other: PageOfPlace) -> bool:
        """Whether neither main place lies in the other."""
        return not (
            self.region.contains_place(other.place) or other.region.contains_place(self.place)
        )


def main() -> None:
    """Score and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpora", type=Path, help="the folder with geoeval/")
    given = parser.parse_args().corpora or os.environ.get("GEOSCOUT_CORPORA")
    corpora = Path(given or Path(__file__).parents[3] / "shared" / "corpora")
    file = corpora / "geoeval" / "scope_tudloc_main.jsonl"
    if not file.is_file():
        print(f"no {file}: nothing to score")
        return
    pages = list(read_pages(file, open_gazetteer()))
    pairs = list(with_another_place(pages))
    print(f"{len(pages)} pages")
    for rule in RelevanceRule:
        found = sum(page.is_relevant(page.region, rule) for page in pages)
        wrong = sum(page.is_relevant(other.region, rule) for page, other in pairs)
        print(f"{rule:8} recall {found / len(pages):.2f}, wrong {wrong} of {len(pairs)}")


def read_pages(file: Path, gazetteer: Gazetteer) -> Iterator[PageOfPlace]:
    """The pages whose main place is in the gazetteer and can be written as a region."""
    geoparser = Geoparser(gazetteer)
    for line in file.read_text(encoding="utf-8").splitlines():
        document = json.loads(line)
        place = gazetteer.place(int((document["scope"] or {}).get("geonames_id") or 0))
        region = _region(place, gazetteer) if place else None
        if place and region:
            page = parse_text(document["text"], document["url"])
            yield PageOfPlace(page, geoparser.read(page), place, region)


def with_another_place(
    pages: Sequence[PageOfPlace],
) -> Iterator[tuple[PageOfPlace, PageOfPlace]]:
    """Each page with one whose place is another, if possible one that the first page names."""
    chance = random.Random(1)
    for page in pages:
        others = [other for other in pages if page.is_apart(other)]
        named = [o for o in others if o.place.name.lower() in page.page.text.lower()]
        yield page, chance.choice(named or others)


def _region(place: Place, gazetteer: Gazetteer) -> Region | None:
    """The region of a place's own label; None where that names another place."""
    try:
        region = Region.parse(gazetteer.label(place), gazetteer)
    except UsageError:
        return None
    return region if place in region.places else None


if __name__ == "__main__":
    main()
