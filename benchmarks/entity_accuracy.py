"""How many of the addresses that are found are right: random ones, read one by one.

    python -m benchmarks.entity_accuracy [--corpora DIR] [--show]
    python -m benchmarks.entity_accuracy --draw 20 --seed 7

Gao, Lee and Miao (2006) report that 96 % of 500 random entities of their extractor were correct.
Here an entity is right if it is an address, and number, street, city and state are those that the
page means; one reader judged each with the text around it. `entity_accuracy.tsv` has the verdicts,
with the page and the place in its text.
Many are homes of private people, so instead of the address it has a digest of it; `--show` prints
the addresses from the archives.

The group `first` was drawn to find mistakes: from a quarter of the hosts of webkb, chosen by a
hash, 15 a host at most, and from schoolswiki and usdirs. Two kinds were mended then: rooms of a
building are not entities, and a year or the name of an engine is not a house number. The group
`fresh` was drawn afterwards (seed 2006): 403 from the other hosts of webkb, 2 from philde, 95 from
the two hosts of usdirs, at most 50 a host, 93 hosts, each address once a host. No page of either
had been used to write the extractor.

The figures are computed for the extractor of today: an entity that it reads as it did then keeps
its verdict; others are counted as changed and want to be read again. `--draw` prints entities with
the text around them, for a sample of your own.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from geoscout.warc import parse_http, read_record, scan
from geoscout_places.gazetteer import open_gazetteer
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.geo.address import extract_addresses, is_entity
from geoscout_places.model import Address, Page
from geoscout_places.parse import parse_html
from geoscout_places.urls import host_of

JUDGED = Path(__file__).with_suffix(".tsv")
ARCHIVES = ("webkb", "philde", "schoolswiki", "usdirs")
LEAST = 0.96  # of the fresh sample, the paper's figure
MOST_OF_A_HOST = 5  # of a new draw
AROUND = 80  # code points


class JudgedEntity(NamedTuple):
    """An entity that was read on its page; `reason` says what is wrong with a wrong one."""

    group: str
    archive: str
    url: str
    start: int
    digest: str
    verdict: str
    reason: str


def main() -> None:
    """Print the share of right entities for each group; exit 1 if the fresh one falls."""
    parser = argparse.ArgumentParser(description=__doc__)
    default = os.environ.get("GEOSCOUT_CORPORA", "../shared/corpora")
    parser.add_argument("--corpora", type=Path, default=Path(default))
    parser.add_argument("--show", action="store_true", help="print every address and its verdict")
    parser.add_argument("--draw", type=int, default=0, metavar="N", help="draw N new entities")
    parser.add_argument("--seed", type=int, default=1, help="of the draw")
    arguments = parser.parse_args()
    folder = arguments.corpora / "archives"
    if not folder.is_dir():
        sys.exit(f"{folder} does not exist; name the folder of the archives with --corpora")
    if arguments.draw:
        draw(folder, arguments.draw, random.Random(arguments.seed))
        return
    found = entities_of_judged_pages(folder)
    rows = list(read_judged())
    if arguments.show:
        for row in rows:
            print(row.verdict, row.url, _text_of(row, found), row.reason, sep="\t")
    shares = [share_right([r for r in rows if r.group == g], found) for g in ("first", "fresh")]
    sys.exit(shares[-1] < LEAST)


def read_judged() -> Iterator[JudgedEntity]:
    """The entities that were read."""
    for line in JUDGED.read_text().splitlines()[1:]:
        group, archive, url, start, digest, verdict, reason = line.split("\t")
        yield JudgedEntity(
            group, archive, url, int(start), digest=digest, verdict=verdict, reason=reason
        )


def share_right(rows: list[JudgedEntity], found: dict[str, dict[str, Address]]) -> float:
    """The share of right ones among the entities that are still read as they were."""
    same = [row for row in rows if row.digest in found.get(row.url, {})]
    verdicts = Counter(row.verdict for row in same)
    share = verdicts["right"] / max(len(same), 1)
    then = sum(row.verdict == "right" for row in rows) / len(rows)
    print(
        f"{rows[0].group}: {share:.1%} of {len(same)} are right;"
        f" when they were read {then:.1%} of {len(rows)}, and {len(rows) - len(same)} have changed"
    )
    for reason, count in Counter(r.reason for r in same if r.verdict == "wrong").most_common():
        print(f"  {count} wrong: {reason}")
    return share


def entities_of_judged_pages(folder: Path) -> dict[str, dict[str, Address]]:
    """The entities on each page of the list today, by their digests."""
    gazetteer = open_gazetteer()
    wanted = {row.url for row in read_judged()}
    found: dict[str, dict[str, Address]] = {url: {} for url in wanted}
    for page in pages_of(folder, wanted):
        for address in entities_of(page, gazetteer):
            found[page.url][digest_of(address)] = address
    return found


def pages_of(folder: Path, wanted: set[str] | None = None) -> Iterator[Page]:
    """The pages of the archives; only those with a URL in `wanted`, if it is given."""
    for path in sorted(p for name in ARCHIVES for p in (folder / name).glob("*.warc.gz")):
        with path.open("rb") as file:
            for found in scan(path):
                url = found.record.target
                if found.record.type == "response" and (wanted is None or url in wanted):
                    record = read_record(file.fileno(), found.offset, found.length)
                    yield parse_html(parse_http(record.block).body, record.target, "text/html")


def entities_of(page: Page, gazetteer: Gazetteer) -> Iterator[Address]:
    """The entities of the United States in the text of a page."""
    for address in extract_addresses(page.text, gazetteer, blocks=page.blocks):
        if address.country == "US" and is_entity(address, gazetteer):
            yield address


def digest_of(address: Address) -> str:
    """A digest of what was judged: the text and how it was divided."""
    parts = (address.house_number, address.street, address.city, address.region)
    text = "|".join((" ".join(address.text.split()), *parts))
    return blake2b(text.encode(), digest_size=8).hexdigest()


def draw(folder: Path, number: int, chance: random.Random) -> None:
    """Print random entities of pages that are not in the list, a few of a host at most."""
    known = {row.url for row in read_judged()}
    gazetteer = open_gazetteer()
    by_host: dict[str, list[str]] = defaultdict(list)
    for page in pages_of(folder):
        if page.url not in known:
            for address in entities_of(page, gazetteer):
                by_host[host_of(page.url)].append(_line(page, address))
    drawn = []
    for lines in by_host.values():
        different = sorted(set(lines))
        drawn += chance.sample(different, min(len(different), MOST_OF_A_HOST))
    print(*chance.sample(drawn, min(len(drawn), number)), sep="\n")


def _line(page: Page, address: Address) -> str:
    before = page.text[max(0, address.start - AROUND) : address.start]
    text = f"{before}[[{address.text}]]{page.text[address.end : address.end + AROUND]}"
    parts = (address.house_number, address.street, address.unit, address.city, address.region)
    return f"{digest_of(address)}\t{page.url}\t{' '.join(text.split())}\t{'|'.join(parts)}"


def _text_of(row: JudgedEntity, found: dict[str, dict[str, Address]]) -> str:
    address = found.get(row.url, {}).get(row.digest)
    return " ".join(address.text.split()) if address else "(changed)"


if __name__ == "__main__":
    main()
