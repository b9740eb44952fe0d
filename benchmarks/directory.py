"""How well the entries of a directory are read and merged, and what it costs.

    python -m benchmarks.directory labels ARCHIVE…     F1 on benchmarks/directory_labels.tsv
    python -m benchmarks.directory pairs               merging of labelled pairs
    python -m benchmarks.directory hours ARCHIVE…      opening hours on benchmarks/hours_labels.tsv
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
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec.structs import replace

from benchmarks.directory_quality import Counts, entries_of, hours, is_alike, labels, pairs
from benchmarks.listing import NoPages
from geoscout.state.base import open_state
from geoscout.state.changes import read_again
from geoscout.store.base import StoredReading
from geoscout_directory.page_reader import EntryReader, PlacedAddress
from geoscout_directory.records import NamePlace, PageEntry
from geoscout_directory.storage import DirectoryFile
from geoscout_places.gazetteer import open_gazetteer
from geoscout_places.gazetteer.names import fold
from geoscout_places.geo import Geoparser
from geoscout_places.model import Address, Outline, Point, Precision
from geoscout_places.parse import parse_html, parse_text


def main(arguments: Sequence[str]) -> None:
    """Run one of the measurements."""
    command, *rest = arguments
    commands = (labels, pairs, hours, restaurants, cost, merging)
    {each.__name__: each for each in commands}[command](rest)


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
        kept = read_again(response)
        found = readings.get(n, StoredReading()).addresses
        known = [PlacedAddress(stored.address, stored.place_id) for stored in found]
        begun = time.process_time()
        entries += len(reader.read(kept.page, known, kept.outline))
        times["parse"] += parsed - start  # type: ignore[assignment]
        times["geoparse"] += read - parsed  # type: ignore[assignment]
        times["directory"] += time.process_time() - begun  # type: ignore[assignment]
    whole = times["parse"] + times["geoparse"]
    for name, seconds in times.items():
        print(f"{name}: {1000 * seconds / len(responses):.1f} ms a page, {seconds / whole:.2f}")
    print(f"{len(responses)} pages, {entries} entries; shares are of parsing and geoparsing")


def merging(counts: Sequence[str]) -> None:
    """Merge the statements of synthetic things in a file, then change a few pages of it."""
    for text in counts:
        with TemporaryDirectory() as folder, DirectoryFile(Path(folder), NoPages()) as file:
            start = time.process_time()
            file.begin("")
            statements = 0
            for number, page in enumerate(synthetic_pages(int(text))):
                statements += len(page)
                file.replace(page[0].url, page)
                if number % 10_000 == 0:
                    file.commit("")
                    file.begin("")
            kept = time.process_time()
            file.merge("1")
            file.commit("1")
            merged = time.process_time()
            entries = file.count()
            again = _seconds_of_change(file, int(text))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        seconds = merged - start
        print(
            f"{statements:,} statements, {int(text):,} things, {entries:,} entries:"
            f" {seconds:.0f} s ({kept - start:.0f} s to keep them, {merged - kept:.0f} s to merge),"
            f" {1e6 * seconds / statements:.0f} µs each, {peak:,.0f} MB;"
            f" 100 changed pages {again:.1f} s"
        )


def _seconds_of_change(file: DirectoryFile, things: int) -> float:
    start = time.process_time()
    file.begin("")
    for page in islice(synthetic_pages(things), 100):
        file.replace(page[0].url, [replace(entry, hours="Mo-Fr 09:00-17:00") for entry in page])
    file.merge("2")
    file.commit("2")
    return time.process_time() - start


_SYLLABLES = (
    "ba be bo da do fa fe ga go ha he ka ke la lo ma me na no pa po ra ro sa so ta to wa".split()
)
_KINDS = "Apotheke Bäckerei Friseur Hotel Restaurant Metzgerei Autohaus Optik Museum Café".split()
_PAGE_SIZE = 10


def synthetic_pages(things: int) -> Iterator[list[PageEntry]]:
    """Pages of what is said of synthetic things: lists of directories, and their own sites.

    Towns are of very different size: of a million things, the largest has one in fifty. Every
    seventh thing is a branch of a chain, which has one name
    in many towns, and some chains one telephone number for all. A third is on one page, others on
    two to four, with other spellings, without telephone number or without a street; one in fifty
    statements has no address at all. Every tenth house has two tenants.
    """
    chance = random.Random(7)
    waiting: dict[str, list[PageEntry]] = defaultdict(list)
    towns, town = max(things // 400, 10), 0
    for thing in range(things):
        before, town = town, int(towns * (thing / things) ** 2)
        if town != before:
            yield from _pages_of_lists(waiting, thing)
        for entry in _said_of(thing, town, towns, chance):
            site = entry.url
            waiting[site].append(entry)
            if len(waiting[site]) == _PAGE_SIZE or entry.is_own:
                url = f"{site}{thing}"
                yield [replace(each, url=url) for each in waiting.pop(site)]
    yield from _pages_of_lists(waiting, things)


def _pages_of_lists(waiting: dict[str, list[PageEntry]], thing: int) -> Iterator[list[PageEntry]]:
    for site, left in waiting.items():
        yield [replace(each, url=f"{site}{thing}-end") for each in left]
    waiting.clear()


def _said_of(thing: int, town: int, towns: int, chance: random.Random) -> Iterator[PageEntry]:
    name, phone = _name_of(chance), f"+4989{10_000_000 + thing}"
    if thing % 7 == 0:
        chain = chance.randrange(max(things_of_chains(towns), 1))
        name = f"{_KINDS[chain % len(_KINDS)]} {_word(random.Random(chain))}"
        phone = f"+49800{1_000_000 + chain}" if chain % 4 == 0 else phone
    number = str(chance.randrange(1, 150) if thing % 10 else 1)
    street = f"{_word(random.Random(town * 1000 + chance.randrange(60))).title()}straße"
    address = Address(
        start=1, end=2, text=f"{street} {number}, {10_000 + town:05} Stadt", house_number=number,
        street=street, unit="", city="Stadt", region="", postcode=f"{10_000 + town:05}",
        country="DE", point=Point(48.0, 11.0), place=None, source="text",
        precision=Precision.POSTCODE,
    )  # fmt: skip
    entry = PageEntry(
        url=f"http://guide{thing % 50}.example/", name=name, evidence=NamePlace.LINE,
        address=address, phones=(phone,), categories=("shop=yes",), place_id=1 + town,
    )  # fmt: skip
    yield entry
    for copy in range(chance.choice((0, 1, 3))):
        yield _copy_of(entry, thing, copy, chance)


def _copy_of(entry: PageEntry, thing: int, copy: int, chance: random.Random) -> PageEntry:
    name = chance.choice((entry.name, f"{entry.name} GmbH", entry.name.replace("-", " ")))
    if copy == 0 and thing % 4 == 0:
        own = f"http://thing{thing}.example/"
        return replace(entry, url=own, name=name, website=own, is_own=True)
    address = entry.address
    assert address is not None
    if chance.random() < 0.1:
        address = replace(address, street="", house_number="", text=address.postcode)
    return replace(
        entry,
        url=f"http://other{copy}{thing % 20}.example/",
        name=name,
        phones=chance.choice((entry.phones, ())) or (entry.phones if copy == 2 else ()),
        address=None if copy == 2 and chance.random() < 0.1 else address,
    )


def things_of_chains(towns: int) -> int:
    """How many chains there are: each has some dozen branches."""
    return towns * 400 // 7 // 40


def _name_of(chance: random.Random) -> str:
    return f"{_word(chance).title()}-{chance.choice(_KINDS)} {_word(chance).title()}"


def _word(chance: random.Random) -> str:
    return "".join(chance.choice(_SYLLABLES) for _ in range(chance.choice((2, 3, 3, 4))))


if __name__ == "__main__":
    main(sys.argv[1:])
