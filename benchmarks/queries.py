"""How a thousand queries are read: what is asked, the words pages must have, and the place.

    python -m benchmarks.queries [CRAWL] [--half first|second|later] [--wrong]

The queries in queries.tsv were written down with what they mean before any was read: kinds after a
study of what people ask of the web, seven languages, places of all sizes on all continents. In a
query `{words}` are those that pages must have (`{~sight}` may be read as a place instead),
`[place|countries/region]` and `<street>` are what is to be found, and words in round brackets may
be kept or not. What is asked follows from the kind; of routes nothing else is judged. The rules
were made on the first half, by a sum of the query's letters, then on both; the later queries were
written after that, and read once. Without a crawl the index has no page, so that nothing but the
query speaks for a place.
"""

from __future__ import annotations

import argparse
import csv
import re
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from zlib import crc32

from msgspec import Struct

from geoscout.index.reader import IndexReader
from geoscout.index.writer import IndexWriter
from geoscout.search import Question, open_engine
from geoscout.search.base import Interpretation
from geoscout.search.engine import SearchEngine
from geoscout.search.query_words import single_prepositions, stop_words
from geoscout_places.gazetteer import Gazetteer, open_gazetteer
from geoscout_places.gazetteer.names import fold
from geoscout_places.model import Kind, Place

QUERIES = Path(__file__).with_suffix(".tsv")
_MARKS = re.compile(r"\{(~?)([^}]*)\}|\[([^]|]*)\|([^]]*)\]|<([^>]*)>|\(([^)]*)\)")
_ASKS = {
    "hours": {"hours"},
    "price": {"price"},
    "contact": {"contact", "phone", "mail", "address", "website"},
    "route": {"route"},
    "weather": {"weather"},
}
_NOT_PAGES = {"route", "weather"}


class Meant(Struct):
    """A query and what it means."""

    kind: str
    language: str
    text: str
    words: str
    sights: tuple[str, ...]
    optional: str
    street: str
    place: str
    countries: tuple[str, ...]
    region: str
    half: str


def main() -> None:
    """Print the share that is read rightly, by kind and language."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("crawl", nargs="?", type=Path)
    parser.add_argument("--half", choices=("first", "second", "later"), default="")
    parser.add_argument("--wrong", action="store_true", help="print those read wrongly")
    given = parser.parse_args()
    gazetteer = open_gazetteer()
    with tempfile.TemporaryDirectory() as folder:
        engine = open_engine(given.crawl, gazetteer) if given.crawl else _empty(folder, gazetteer)
        rights: dict[str, list[bool]] = defaultdict(list)
        for meant in queries():
            if given.half and meant.half != given.half:
                continue
            read = engine.read(Question(meant.text))
            wrong = list(mistakes(read, meant, engine, gazetteer))
            for unit in ("all", meant.half, meant.kind, meant.language):
                rights[unit].append(not wrong)
            if wrong and given.wrong:
                print(f"{meant.kind} {meant.language}: {meant.text}: {'; '.join(wrong)}")
    for unit, found in rights.items():
        print(f"{unit:8} {sum(found) / len(found):.3f} of {len(found)}")


def _empty(folder: str, gazetteer: Gazetteer) -> SearchEngine:
    if writer := IndexWriter.open(Path(folder), lambda _: [], gazetteer.identity):
        writer.commit("")
        writer.close()
    return SearchEngine(IndexReader(Path(folder)), gazetteer)


def queries() -> Iterator[Meant]:
    """All queries with what they mean."""
    with QUERIES.open(encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            yield _meant(row["kind"], row["language"], row["query"], row["set"])


def _meant(kind: str, language: str, marked: str, part: str) -> Meant:
    words, sights, optional = list[str](), list[str](), list[str]()
    street = place = where = ""
    for sight, word, name, at, line, other in _MARKS.findall(marked):
        (sights if sight else words).append(word)
        optional.append(other)
        street, place, where = street or line, place or name, where or at
    countries, _, region = where.partition("/")
    text = _MARKS.sub(
        lambda found: "".join(found.group(2, 3, 5, 6)[n] or "" for n in range(4)), marked
    )
    return Meant(
        kind=kind,
        language=language,
        text=text.strip(),
        words=" ".join(words),
        sights=tuple(filter(None, sights)),
        optional=" ".join(optional),
        street=street,
        place=place,
        countries=tuple(filter(None, countries.split(","))),
        region=region,
        half=part if part == "later" else ("first", "second")[crc32(text.strip().encode()) % 2],
    )


def mistakes(
    read: Interpretation, meant: Meant, engine: SearchEngine, gazetteer: Gazetteer
) -> Iterator[str]:
    """What is wrong with a reading."""
    asks = set(getattr(read, "asks", ()))
    wanted = _ASKS.get(meant.kind, set())
    if (wanted and not wanted & asks) or (asks & _NOT_PAGES) - wanted:
        yield f"asks {sorted(asks)}"
    if meant.kind == "route":
        return
    if (meant.kind == "near") != read.asks_here:
        yield "here"
    is_sight = read.place is not None and any(fold(read.name) in fold(s) for s in meant.sights)
    if (
        meant.place
        and not is_sight
        and not is_place(read.place if read.relation else None, meant, gazetteer)
    ):
        yield f"place {read.label or '-'}"
    if not meant.place and read.relation and meant.kind != "near" and not is_sight:
        yield f"place {read.label}"
    if meant.street and not read.street:
        yield "no street"
    small = stop_words() | single_prepositions()
    words = {word for word in engine.reader.words_of(meant.words) if word not in small}
    town = meant.place if is_sight else ""
    known = set(engine.reader.words_of(f"{meant.optional} {town} {' '.join(meant.sights)}"))
    got = {*read.words, *read.missing} - small
    if meant.kind != "weather" and (words - got or got - words - known):
        yield f"words {' '.join((*read.words, *read.missing))}"


def is_place(place: Place | None, meant: Meant, gazetteer: Gazetteer) -> bool:
    """Whether a place is the one that is meant: of its name, country and region."""
    if place is None:
        return False
    bearers = {found.place.id for found in gazetteer.search(meant.place.partition(",")[0])}
    is_wide = place.kind in (Kind.AREA, Kind.WATER, Kind.LANDMARK)
    in_country = place.country in meant.countries or (is_wide and not place.country)
    in_region = not meant.region or meant.region in gazetteer.path(place)
    return in_country and in_region and (place.id in bearers or not bearers or "," in meant.place)


if __name__ == "__main__":
    main()
