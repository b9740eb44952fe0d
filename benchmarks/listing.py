"""How long a listing of the directory takes to write, and to answer.

    python -m benchmarks.listing 20000 100000

Entries are made up, one page each, in seven towns. Times are those of the processor. A question is
asked twice: what it finds is kept until the listing changes.
"""

from __future__ import annotations

import random
import resource
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping
from pathlib import Path

from geoscout.search.target import read_within
from geoscout.store.base import StoredVisit, Totals
from geoscout_directory.categories import tags
from geoscout_directory.listing.finding import EntryWanted, Listing, ListingQuestion
from geoscout_directory.records import PageEntry
from geoscout_directory.storage import DirectoryFile
from geoscout_places.gazetteer import open_gazetteer
from geoscout_places.gazetteer.base import Gazetteer, View
from geoscout_places.model import Address, Point, Precision

TOWNS = ("Munich", "Hamburg", "Berlin", "Dachau", "Freising", "Cologne", "Oldenburg")
EVERY_CHANGED = 100


class NoPages:
    """A crawl that has none of the pages."""

    def last_visits(self, urls: Collection[str]) -> Mapping[str, StoredVisit]:  # noqa: ARG002
        return {}

    def totals(self) -> Totals:
        return Totals()


def pages(count: int, towns: list[int], *, changed: bool) -> Mapping[str, list[PageEntry]]:
    """What made-up pages say of so many things; the same in every run."""
    chance, all_tags = random.Random(1), tags()
    made: dict[str, list[PageEntry]] = defaultdict(list)
    for number in range(count):
        point = Point(47 + chance.random() * 7, 7 + chance.random() * 7)
        address = Address(
            start=0, end=0, text="", house_number=str(number), street="Hauptstraße", unit="",
            city="Stadt", region="", postcode=f"{number // 100:05}", country="DE", point=point,
            place=None, source="text", precision=Precision.POSTCODE,
        )  # fmt: skip
        said = PageEntry(
            url=f"http://h{number // 7}.example/{number % 7}",
            name=f"Name{number % 5000} Firma{number}",
            evidence="line",
            address=address,
            place_id=chance.choice(towns),
            phones=(f"+4989{number:07}",),
            hours="Mo 09:00-12:00" if changed and number % EVERY_CHANGED == 0 else "",
            categories=(chance.choice(all_tags),),
        )
        made[said.url].append(said)
    return made


def measure(count: int, gazetteer: Gazetteer) -> None:
    """Print what a listing of this many entries costs."""
    towns = [gazetteer.find(name)[0].place.id for name in TOWNS]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for cursor, changed in (("1", False), ("2", True)):
            made = pages(count, towns, changed=changed)
            began = time.process_time()
            with DirectoryFile(folder, NoPages(), lambda p: gazetteer.lineage(p).ids) as file:
                file.begin("")
                for url, said in made.items():
                    if cursor == "1" or any(entry.hours for entry in said):
                        file.replace(url, said)
                file.merge(cursor)
                file.commit(cursor)
            what = "1 % changed" if changed else "new"
            print(f"{count:,} entries, {what}: {time.process_time() - began:.1f} s")
        print(f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB at most")
        listing = Listing(folder, gazetteer.place)
        _ask(listing, gazetteer, towns[0])
        listing.close()


def _ask(listing: Listing, gazetteer: Gazetteer, town: int) -> None:
    bavaria = read_within("Bavaria", gazetteer)
    asked: dict[str, Callable[[], int]] = {
        "all": lambda: _read(listing, ListingQuestion()),
        "words": lambda: _read(listing, ListingQuestion(words=("name17",))),
        "category": lambda: _read(listing, ListingQuestion(categories=frozenset(tags()[:1]))),
        "box": lambda: _read(listing, ListingQuestion(box=View(11, 48, 11.2, 48.2))),
        "Bavaria": lambda: _read(listing, ListingQuestion(within="Bavaria", region=bavaria)),
        "search": lambda: len(listing.match(EntryWanted((("zeppelin",),), place=town))),
    }
    for name, ask in asked.items():
        times = []
        for _ in range(2):
            began = time.process_time()
            found = ask()
            times.append((time.process_time() - began) * 1000)
        print(f"  {name}: {found:,} found, {times[0]:.1f} ms, again {times[1]:.1f} ms")


def _read(listing: Listing, question: ListingQuestion) -> int:
    numbers = listing.find(question)
    list(listing.read(numbers[:50]))
    return len(numbers)


if __name__ == "__main__":
    opened = open_gazetteer()
    for number in sys.argv[1:]:
        measure(int(number), opened)
