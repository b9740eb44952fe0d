"""What it costs to assign the links of a page to nodes, in processor time.

    python -m benchmarks.collaborate [--corpora DIR]

Reads the pages of the webkb archive where it is present, else pages made of sentences about the
hundred cities of the partition, and assigns all links of each page by each of the six assignments.
The bounds are half a millisecond a page for `url` and `anchor`, one for `content`. Each page is
new to the assignment, so that nothing but the sites' own repetitions is remembered.
"""

from __future__ import annotations

import argparse
import os
import random
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from msgspec.structs import replace

from geoscout.collaborate import CollaborationAim, Origin, create_collaboration
from geoscout.collaborate.classifier import TextClassifier, train
from geoscout.collaborate.partition import shipped_partition
from geoscout.warc import parse_http, read_record, scan
from geoscout_places.gazetteer import open_gazetteer
from geoscout_places.model import Link, Page, Place
from geoscout_places.parse import parse_html
from geoscout_places.urls import normalise

BOUNDS_MS = {"url": 0.5, "anchor": 0.5, "content": 1.0}
MOST_PAGES = 2000
MADE_PAGES = 500
LINKS, WORDS = 20, 600  # of a made page
FILLING = "the of and to in a is that for it was on are as with they be at one have this".split()


def main() -> None:
    """Print one line for each assignment; exit 1 when a bound is broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    default = os.environ.get("GEOSCOUT_CORPORA", "../shared/corpora")
    parser.add_argument("--corpora", type=Path, default=Path(default))
    archives = sorted((parser.parse_args().corpora / "archives" / "webkb").glob("*.warc.gz"))
    gazetteer = open_gazetteer()
    partition = shipped_partition("gao2006", gazetteer)
    places = list(partition.targets.values())
    pages = list(islice(archived_pages(archives), MOST_PAGES)) or made_pages(places)
    kind = "archived" if archives else "made"
    links = sum(len(page.links) for page in pages) / len(pages)
    print(f"{len(pages)} {kind} pages with {links:.1f} links on average")
    aim = CollaborationAim(
        partition, gazetteer, locations=lambda: lambda _server: places[0], model=small_model(places)
    )
    broken = [name for name in measured(aim, pages) if name]
    raise SystemExit(1 if broken else 0)


def measured(aim: CollaborationAim, pages: Sequence[Page]) -> Iterator[str]:
    """Measure each assignment; gives the names of those over their bound."""
    for name in ("hash", "url", "anchor", "content", "classifier", "ip"):
        start = time.process_time()
        collaboration = create_collaboration(name, aim)
        ready = time.process_time() - start
        start = time.process_time()
        for page in pages:
            collaboration.assign(Origin(page, "Cn0"), page.links)
        milliseconds = (time.process_time() - start) / len(pages) * 1000
        bound = BOUNDS_MS.get(name)
        note = f", bound {bound}" if bound else ""
        print(f"{name}: {milliseconds:.3f} ms a page{note}; ready in {ready:.2f} s")
        yield name if bound and milliseconds > bound else ""


def archived_pages(files: Sequence[Path]) -> Iterator[Page]:
    """The pages of archives with their links in normal form."""
    for path in files:
        with path.open("rb") as file:
            for found in scan(path):
                if found.record.type != "response":
                    continue
                record = read_record(file.fileno(), found.offset, found.length)
                page = parse_html(parse_http(record.block).body, record.target, "text/html")
                yield replace(page, links=tuple(_normal(page.links)))


def _normal(links: Sequence[Link]) -> Iterator[Link]:
    for link in links:
        if url := normalise(link.url):
            yield replace(link, url=url)


def made_pages(places: Sequence[Place]) -> list[Page]:
    """Pages with a city in every twentieth word and every third link."""
    chance = random.Random(1)
    return [_made_page(number, places, chance) for number in range(MADE_PAGES)]


def _made_page(number: int, places: Sequence[Place], chance: random.Random) -> Page:
    def word(often: float) -> str:
        found = chance.random() < often
        return chance.choice(places).name if found else chance.choice(FILLING)

    rows = "".join(
        f"<li><a href='/{number}/{row}/{word(0.3).replace(' ', '-')}.html'>{word(0.3)}</a></li>"
        for row in range(LINKS)
    )
    text = " ".join(word(0.05) for _ in range(WORDS))
    body = f"<html><body><ul>{rows}</ul><p>{text}</p></body></html>"
    return parse_html(body.encode(), f"http://host{number}.example/", "text/html")


def small_model(places: Sequence[Place]) -> TextClassifier:
    """A classifier of as many classes as in use, with a small vocabulary."""
    pages = [(f"{place.name} {' '.join(FILLING)}", place.id) for place in places]
    return train([*pages, *pages, (" ".join(FILLING), 0)])


if __name__ == "__main__":
    main()
