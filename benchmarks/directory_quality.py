"""How well entries are read and merged, by labels that were made by eye.

`directory_labels.tsv` has the entries of 296 pages. They were drawn by chance (fixed seeds) from
the archives munich, usdirs, webkb and philde: most from pages with a postal code, telephone number
or schema.org somewhere in their bytes, some from the others, and home pages of departments, which
are pages of one business. The text and markup of each page was read without any prediction, and
the entries were written down; lists of one regular form were copied by a script after they had
been read. One page was left out because it lists private people. `dev` and `test` share no site.

Columns: `kind` is `single` on a page about one business, `listed` on others, `none` for a page
without entries, and `optional` for what counts neither way: people, addresses of a sentence. A
name has variants between "|". A label without a street is met by any street with its postal code.
Telephone numbers are those of the entry; "?" stands for any number, as those of a person are.

A hit has a name that is alike (85 of 100), the same postal code, and the same house or street.
"""

from __future__ import annotations

import csv
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rapidfuzz.fuzz import token_set_ratio, token_sort_ratio

from geoscout.batch.documents import ArchivePages
from geoscout_directory.merging import merge_entries
from geoscout_directory.opening import Times, hours_of_lines, read_week
from geoscout_directory.page_reader import EntryReader, placed
from geoscout_directory.records import NamePlace, PageEntry
from geoscout_places.gazetteer import open_gazetteer
from geoscout_places.gazetteer.names import fold
from geoscout_places.geo import Geoparser
from geoscout_places.model import Address, Outline, Page
from geoscout_places.parse.document import OpenDocument

LABELS = Path(__file__).with_name("directory_labels.tsv")
_ALIKE = 85
_LARGEST = 5_000_000
Row = dict[str, str]


@dataclass
class Counts:
    """Hits, predictions and labels of some pages."""

    found: Counter[str] = field(default_factory=Counter)
    said: Counter[str] = field(default_factory=Counter)
    true: Counter[str] = field(default_factory=Counter)

    def add(self, what: str, found: int, said: int, true: int) -> None:
        self.found[what] += found
        self.said[what] += said
        self.true[what] += true

    def lines(self) -> Iterator[str]:
        for what in self.true:
            precision = self.found[what] / max(self.said[what], 1)
            recall = self.found[what] / max(self.true[what], 1)
            both = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
            yield (
                f"  {what}: F1 {both:.3f} (precision {precision:.3f}, recall {recall:.3f},"
                f" {self.true[what]} labels)"
            )


def read_labels() -> dict[str, list[Row]]:
    """The labels by page."""
    pages: dict[str, list[Row]] = defaultdict(list)
    with LABELS.open(encoding="utf-8") as stream:
        for row in csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE):
            pages[row["url"]].append(row)
    return pages


def labels(arguments: Sequence[str]) -> None:
    """F1 of (name, address), telephone and pages of one business: `[--part dev] ARCHIVE…`."""
    part, archives = ("", list(arguments))
    if arguments[0] == "--part":
        part, archives = arguments[1], list(arguments[2:])
    show = "--errors" in archives
    archives = [name for name in archives if name != "--errors"]
    wanted = {u: rows for u, rows in read_labels().items() if part in ("", rows[0]["part"])}
    geoparser = Geoparser(open_gazetteer())
    reader = EntryReader(geoparser.gazetteer)
    parts: dict[str, Counts] = defaultdict(Counts)
    for url, body, content_type in pages_of(archives, wanted):
        opened = OpenDocument(body, url, content_type)
        entries = entries_of(reader, geoparser, opened.page, opened.outline())
        judged = JudgedPage(entries, wanted[url])
        for name in (wanted[url][0]["part"], f"{wanted[url][0]['part']} {_archive(url)}"):
            judged.count(parts[name])
        if show:
            print("\n".join(judged.errors()))
    for name, counts in sorted(parts.items()):
        print(name)
        print("\n".join(counts.lines()))


def _archive(url: str) -> str:
    for name in ("muenchen.de", "junkscout", "consignmentstores", "wineryguild"):
        if name in url:
            return name
    return "universities and others"


def pages_of(archives: Sequence[str], wanted: Iterable[str]) -> Iterator[tuple[str, bytes, str]]:
    """Those of some pages that archives have: URL, body and content type."""
    urls = set(wanted)
    for path in archives:
        for document in ArchivePages(Path(path), _LARGEST).documents():
            if document.url in urls:
                urls.discard(document.url)
                yield document.url, document.body, document.content_type


def entries_of(
    reader: EntryReader, geoparser: Geoparser, page: Page, outline: Outline
) -> list[PageEntry]:
    """The entries of a page, read as a crawl reads them."""
    return reader.read(page, [placed(a) for a in geoparser.read(page).addresses], outline)


class JudgedPage:
    """The entries of one page next to its labels."""

    def __init__(self, entries: Sequence[PageEntry], rows: Sequence[Row]) -> None:
        self.rows = [row for row in rows if row["kind"] in ("single", "listed")]
        self._url = rows[0]["url"]
        self._is_single = any(row["kind"] == "single" for row in self.rows)
        optional = [row for row in rows if row["kind"] == "optional"]
        located = [e for e in entries if e.address and (e.address.street or e.address.postcode)]
        self.pairs: list[tuple[PageEntry, Row]] = []
        left, rest = list(self.rows), []
        for entry in located:
            row = next((row for row in left if is_hit(entry, row)), None)
            if row is not None:
                left.remove(row)
                self.pairs.append((entry, row))
            elif not any(_is_there(entry, row) for row in optional):
                rest.append(entry)
        self.missed, self.wrong = left, rest

    def count(self, counts: Counts) -> None:
        said = len(self.pairs) + len(self.wrong)
        counts.add("name and address", len(self.pairs), said, len(self.rows))
        for entry, row in self.pairs:
            true = {number for number in row["phones"].split(",") if number[:1] == "+"}
            if "?" not in row["phones"]:
                both = len(true.intersection(entry.phones))
                counts.add("telephone", both, len(entry.phones), len(true))
        if self._is_single:
            right = len(self.pairs) == said == 1
            counts.add("pages of one business", right, said > 0, 1)

    def errors(self) -> Iterator[str]:
        """A line for every miss and every false entry."""
        for row in self.missed:
            where = " ".join(row[part] for part in ("street", "number", "postcode"))
            yield f"missed {self._url}\t{row['name']}\t{where}"
        for entry in self.wrong:
            address = entry.address
            where = f"{address.street} {address.house_number} {address.postcode}" if address else ""
            yield f"wrong  {self._url}\t{entry.name}\t{where}\t{entry.evidence}"
        for entry, row in self.pairs:
            true = {number for number in row["phones"].split(",") if number[:1] == "+"}
            if "?" not in row["phones"] and true != set(entry.phones):
                yield f"phones {self._url}\t{entry.name}\t{entry.phones}\t{row['phones']}"


def is_hit(entry: PageEntry, row: Row) -> bool:
    """Whether an entry is what a label says."""
    named = any(is_alike(entry.name, name) for name in row["name"].split("|"))
    return named and _is_there(entry, row)


def _is_there(entry: PageEntry, row: Row) -> bool:
    """Whether an entry has the address of a label."""
    address = entry.address
    if address is None:
        return False
    if row["postcode"] and address.postcode[:5] != row["postcode"][:5]:
        return False
    if not row["street"]:
        return bool(row["postcode"]) or fold(address.city) == fold(row["town"])
    number = row["number"].replace(" ", "").lower()
    if number and address.house_number.replace(" ", "").lower() != number:
        return False
    return token_set_ratio(fold(address.street), fold(row["street"])) >= _ALIKE


def is_alike(one: str, other: str) -> bool:
    """Whether two names mean the same."""
    return token_sort_ratio(fold(one), fold(other)) >= _ALIKE


PAIRS = Path(__file__).with_name("directory_pairs.tsv")


def pairs(arguments: Sequence[str]) -> None:
    """Precision and recall of merging two statements that are near each other: `[--errors]`.

    The pairs of `directory_pairs.tsv` were drawn by chance from statements of one house, telephone
    number, website, or postal code and word of the name, whether we merge them or not, from munich,
    usdirs, webkb and labelled restaurant pages; at most four of one house. They were judged by eye
    from names and addresses. Left out were statements that were misread, and departments next to
    their universities, of which nobody can say whether they are the same. Telephone numbers are
    hashed, as some are those of people.
    """
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    with PAIRS.open(encoding="utf-8") as stream:
        for row in csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE):
            merged = len(merge_entries([_statement(row, ""), _statement(row, "other_")])) == 1
            outcome = f"{row['label']} {'merged' if merged else 'apart'}"
            for part in (row["part"], "all"):
                counts[part][outcome] += 1
            if "--errors" in arguments and outcome in ("same apart", "other merged"):
                print(outcome, *(row[name] for name in row if "name" in name or "street" in name))
    for part, found in counts.items():
        right, wrong, lost = found["same merged"], found["other merged"], found["same apart"]
        print(
            f"{part}: precision {right / max(right + wrong, 1):.3f},"
            f" recall {right / max(right + lost, 1):.3f} ({sum(found.values())} pairs,"
            f" {right + lost} the same)"
        )


def _statement(row: Row, prefix: str) -> PageEntry:
    parts = {name: row[f"{prefix}{name}"] for name in ("street", "postcode", "town", "country")}
    address = Address(
        start=1, end=2, text="", house_number=row[f"{prefix}number"], street=parts["street"],
        unit="", city=parts["town"], region="", postcode=parts["postcode"],
        country=parts["country"], point=None, place=None, source="text",
    )  # fmt: skip
    site = row[f"{prefix}site"]
    return PageEntry(
        url=f"http://{prefix or 'one'}.example/",
        name=row[f"{prefix}name"],
        evidence=NamePlace.LINE,
        address=address if any(parts.values()) else None,
        place_id=int(row[f"{prefix}place"] or 0),
        phones=tuple(filter(None, row[f"{prefix}phones"].split(","))),
        website=f"http://{site}/" if site else "",
    )


HOURS = LABELS.with_name("hours_labels.tsv")


def hours(archives: Sequence[str]) -> None:
    """Opening hours of pages of the relevance archives: `ARCHIVE…`, `--errors` of the part dev.

    `hours_labels.tsv` has what pages say: of 212 drawn by chance (seed 12) from those with days,
    times and a word for hours, the ones that give one thing one week. All were written down before
    they were read by a program; then `dev` was looked at, and `test` was not. A day that is closed
    and one that is not named are the same here.
    """
    with HOURS.open(encoding="utf-8") as stream:
        wanted = {row["url"]: row for row in csv.DictReader(stream, delimiter="\t")}
    geoparser = Geoparser(open_gazetteer())
    reader, counts = EntryReader(geoparser.gazetteer), Counts()
    named = [name for name in archives if name != "--errors"]
    for url, body, content_type in pages_of(named, wanted):
        opened = OpenDocument(body, url, content_type)
        part, truth = wanted[url]["part"], wanted[url]["hours"]
        entries = entries_of(reader, geoparser, opened.page, opened.outline())
        of_entries = {entry.hours for entry in entries if entry.hours}
        of_text = {found} if (found := hours_of_lines(opened.page.text.split("\n"))) else set()
        for what, said in (("entries", of_entries), ("text", of_text)):
            hit = any(_open_days(one) == _open_days(truth) for one in said)
            counts.add(f"{part}: hours of {what}", int(hit), int(bool(said)), 1)
            if said and not hit and part == "dev" and "--errors" in archives:
                print(url, what, truth, sorted(said), sep="\n    ")
    print("\n".join(counts.lines()))


def _open_days(hours: str) -> dict[int, Times]:
    return {day: times for day, times in (read_week(hours) or {}).items() if times}
