"""How well the entries of a directory are read and merged, and what it costs.

    python -m benchmarks.directory labels ARCHIVE…     F1 on benchmarks/directory_labels.tsv
    python -m benchmarks.directory restaurants FILE    F1 on labelled restaurant pages (JSON lines)
    python -m benchmarks.directory cost CRAWL          time for a page, as a share of reading it
    python -m benchmarks.directory merging COUNT…      seconds and memory for synthetic statements

ARCHIVE are the WARC files that have the labelled pages; pages that they lack are left out.
`--part dev` takes only the sites that rules were made on, `--errors` lists what is wrong.
`directory_quality.py` tells how the labels were made.
"""

from __future__ import annotations

import json
import random
import resource
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec.structs import replace

from benchmarks.directory_quality import Counts, entries_of, is_alike, labels
from geoscout.directory.merging import merge_entries
from geoscout.directory.page_reader import EntryReader
from geoscout.directory.records import NamePlace, PageEntry
from geoscout.directory.updating import read_response
from geoscout.gazetteer import open_gazetteer
from geoscout.gazetteer.names import fold
from geoscout.geo import Geoparser
from geoscout.model import Address, Point, Precision
from geoscout.parse import parse_html, parse_text
from geoscout.parse.outline import Outline
from geoscout.state.base import open_state
from geoscout.store.base import StoredReading


def main(arguments: Sequence[str]) -> None:
    """Run one of the measurements."""
    command, *rest = arguments
    {"labels": labels, "restaurants": restaurants, "cost": cost, "merging": merging}[command](rest)


def restaurants(files: Sequence[str]) -> None:
    """F1 of (name, address) of pages that are plain text, by site; persons are kept."""
    geoparser = Geoparser(open_gazetteer())
    reader = EntryReader(geoparser.gazetteer, persons=True)
    sites: dict[str, Counts] = defaultdict(Counts)
    for line in Path(files[0]).read_text(encoding="utf-8").splitlines():
        document = json.loads(line)
        page = parse_text(document["text"], f"http://labelled.example/{document['doc_id']}")
        entries = [
            entry
            for entry in entries_of(reader, geoparser, page, Outline())
            if not any(_overlaps(entry, *span) for span in document["ignore"])
        ]
        hits = sum(
            any(_is_restaurant(entry, span, document["name"]) for entry in entries)
            for span in document["spans"]
        )
        for site in (document["doc_id"].partition("/")[0], "all"):
            sites[site].add("name and address", hits, len(entries), len(document["spans"]))
    for site, counts in sites.items():
        print(site, *counts.lines())


def _overlaps(entry: PageEntry, start: int, end: int) -> bool:
    return entry.address is not None and entry.address.start < end and start < entry.address.end


def _is_restaurant(entry: PageEntry, span: dict[str, str], names: Sequence[str]) -> bool:
    address = entry.address
    if address is None or not _overlaps(entry, int(span["start"]), int(span["end"])):
        return False
    if span["number"] and address.house_number.lower() != span["number"].lower():
        return False
    where = not span["postcode"] or address.postcode == span["postcode"]
    where = where or fold(address.city) == fold(span["city"] or "")
    return where and any(is_alike(entry.name, name) for name in names)


def cost(crawls: Sequence[str]) -> None:
    """Processor time for the pages of a crawl: what a crawl does, and what a directory adds."""
    gazetteer = open_gazetteer()
    geoparser, reader = Geoparser(gazetteer), EntryReader(gazetteer)
    with open_state(crawls[0]).reader as store:
        pages = {page.n: page for page in store.pages() if not page.noindex}
        chosen = random.Random(1).sample(sorted(pages), min(300, len(pages)))
        readings = store.readings_of(chosen)
        responses = list(store.responses(chosen))
    times: Counter[str] = Counter()
    entries = 0
    for n, response in responses:
        start = time.process_time()
        page = parse_html(response.body, response.url, response.header("content-type"))
        parsed = time.process_time()
        geoparser.read(page)
        read = time.process_time()
        entries += len(read_response(reader, response, readings.get(n, StoredReading()), 1_000_000))
        times["parse"] += parsed - start  # type: ignore[assignment]
        times["geoparse"] += read - parsed  # type: ignore[assignment]
        times["directory"] += time.process_time() - read  # type: ignore[assignment]
    whole = times["parse"] + times["geoparse"]
    for name, seconds in times.items():
        print(f"{name}: {1000 * seconds / len(responses):.1f} ms a page, {seconds / whole:.2f}")
    print(f"{len(responses)} pages, {entries} entries; shares are of parsing and geoparsing")


def merging(counts: Sequence[str]) -> None:
    """Merge synthetic statements: a third of the things have one page, others two to four."""
    for text in counts:
        statements = list(_statements(int(text)))
        start = time.process_time()
        merged = merge_entries(statements)
        seconds = time.process_time() - start
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(
            f"{len(statements):,} statements, {int(text):,} things, {len(merged):,} entries:"
            f" {seconds:.1f} s, {1e6 * seconds / len(statements):.0f} µs each, {peak:,.0f} MB"
        )


_WORDS = "Alpha Nord Stern Sonne Park Berg Tal Rose Adler Krone Linde Post Markt Brunnen".split()
_KINDS = "Apotheke Bäckerei Friseur Hotel Restaurant Metzgerei Autohaus Optik Museum Café".split()


def _statements(things: int) -> Iterator[PageEntry]:
    chance = random.Random(7)
    for thing in range(things):
        name = (
            f"{chance.choice(_WORDS)}-{chance.choice(_KINDS)} {chance.choice(_WORDS)} {thing % 997}"
        )
        postcode = f"{10000 + thing // 150:05}"  # a postal code has about 150 of them
        street, number = f"{chance.choice(_WORDS)}straße", str(chance.randrange(1, 200))
        phone = f"+4989{1000000 + thing}"
        address = Address(
            start=1, end=2, text=f"{street} {number}", house_number=number, street=street, unit="",
            city="Stadt", region="", postcode=postcode, country="DE", point=Point(48.0, 11.0),
            place=None, source="text", precision=Precision.POSTCODE,
        )  # fmt: skip
        entry = PageEntry(
            url=f"http://guide{thing % 50}.example/{thing}", name=name, evidence=NamePlace.LINE,
            address=address, phones=(phone,),
        )  # fmt: skip
        yield entry
        for copy in range(chance.choice((0, 1, 3))):
            yield replace(
                entry,
                url=f"http://other{copy}.example/{thing}",
                name=chance.choice((name, f"{name} GmbH", name.replace("-", " "))),
                phones=chance.choice(((phone,), ())),
            )


if __name__ == "__main__":
    main(sys.argv[1:])
