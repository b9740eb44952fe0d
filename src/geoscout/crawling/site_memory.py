"""What a crawl remembers of each site, to read its next page with.

A site is a host, with or without "www.". Of each one it is remembered which countries, regions and
squares of the map its pages name, and how many of its pages have which block, by language. Both
come from the `SiteNotes` of its pages, and go into `SiteKnowledge` for the next page.

Everything has a limit. A site is kept packed, in some hundred bytes to nine kilobytes; when there
are too many, the one that was not met for the longest time is forgotten. After 256 pages all that
was counted is halved, so that a site that changes is learned again.

What is repeated is known from the fifth page on. A page that was read is not read again.
The memory is the same for the same pages in the same order.
"""

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from operator import itemgetter
from typing import TypeVar

from msgspec import Struct, field

from geoscout_places.codec import Codec
from geoscout_places.errors import DamagedDataError
from geoscout_places.model import LONG_BLOCK, SiteKnowledge, SiteNotes
from geoscout_places.urls import host_of

MOST_SITES = 20_000
_KEPT_AFTER = 200  # pages; writing a site after each of its pages would double what is written
_MOST_PAGES = 256
_MOST_LANGUAGES = 4
_MOST_OPEN = 200  # sites that are not packed, more than a crawl asks in turns; some 20 KB each
_MOST_BLOCKS = 200  # up to twice as many; menus have rarely more than a hundred places
_MOST_AREAS = 32  # of a kind
_LEAST_SHARE = 0.05  # of an area that is told
# A long block is repeated when it stands on a fifth of the pages and three more: on all of four, on
# 5 of 10, on 23 of 100. Sites have parts with footers of their own, and no page says in as many
# words what others say. A short block may well do: "Austin, Texas" stands on each page about
# Austin. It needs half of the pages and two more: on all of four, on 7 of 10, on 52 of 100.
_LONG_SHARE, _LONG_MORE = 0.2, 3
_SHORT_SHARE, _SHORT_MORE = 0.5, 2
# An advertisement recurs on the pages of one kind only; where it leads is no part of the site.
_RECURRING, _RECURRING_SHARE = 4, 0.01
_LONGEST_LANGUAGE = 8  # characters that are told apart

Area = TypeVar("Area", str, int)
Sum = TypeVar("Sum", int, float)


class BlockCounts(Struct):
    """How many of some pages have which block."""

    pages: int = 0
    counts: dict[int, int] = field(default_factory=dict)  # by mark

    def add(self, blocks: Iterable[int]) -> None:
        """Count the blocks of a page; when there are too many, the rarest make room."""
        self.pages += 1
        counts = self.counts
        for mark in blocks:
            counts[mark] = counts.get(mark, 0) + 1
        if len(counts) > 2 * _MOST_BLOCKS:
            self._make_room()
        if self.pages >= _MOST_PAGES:
            self.pages //= 2
            self.counts = {mark: count // 2 for mark, count in self.counts.items() if count > 1}

    def _make_room(self) -> None:
        """Drop the rarest blocks; of those that are equally rare the ones met first."""
        kept = sorted(self.counts.items(), key=itemgetter(1))[-_MOST_BLOCKS:]
        self.counts = dict(kept)

    def recurring(self) -> frozenset[int]:
        """The marks of the blocks that some pages have."""
        least = max(_RECURRING, _RECURRING_SHARE * self.pages)
        return frozenset([mark for mark, count in self.counts.items() if count >= least])

    def repeated(self) -> set[int]:
        """The marks of the blocks that many pages have."""
        least = _SHORT_SHARE * self.pages + _SHORT_MORE
        least_long = _LONG_SHARE * self.pages + _LONG_MORE
        return {
            mark
            for mark, count in self.counts.items()
            if count >= least_long and (mark & LONG_BLOCK or count >= least)
        }


class SiteRecord(Struct):
    """What is remembered of one site; areas have the sum of their shares over its pages."""

    pages: int = 0
    countries: dict[str, float] = field(default_factory=dict)
    regions: dict[int, float] = field(default_factory=dict)
    squares: dict[int, float] = field(default_factory=dict)
    blocks: BlockCounts = field(default_factory=BlockCounts)
    languages: dict[str, BlockCounts] = field(default_factory=dict)

    def learn(self, notes: SiteNotes) -> None:
        """Add what a page tells."""
        self.pages += 1
        is_full = self.pages >= _MOST_PAGES
        self.countries = _added(self.countries, notes.countries, halved=is_full)
        self.regions = _added(self.regions, notes.regions, halved=is_full)
        self.squares = _added(self.squares, notes.squares, halved=is_full)
        if is_full:
            self.pages //= 2
        self.blocks.add(notes.blocks)
        language = notes.language[:_LONGEST_LANGUAGE]
        self.languages.setdefault(language, BlockCounts()).add(notes.blocks)
        if len(self.languages) > _MOST_LANGUAGES:
            others = (known for known in self.languages if known != language)
            del self.languages[min(others, key=lambda known: self.languages[known].pages)]

    def forget(self, notes: SiteNotes) -> None:
        """Take back what a page told, as far as it is still there."""
        self.pages = max(self.pages - 1, 0)
        _take_back(self.countries, notes.countries)
        _take_back(self.regions, notes.regions)
        _take_back(self.squares, notes.squares)
        language = notes.language[:_LONGEST_LANGUAGE]
        for blocks in (self.blocks, self.languages.get(language, BlockCounts())):
            blocks.pages -= 1
            _take_back(blocks.counts, ((mark, 1) for mark in notes.blocks))

    def knowledge(self) -> SiteKnowledge:
        """What is told of the site: what is repeated in all languages, and in one of them."""
        repeated = self.blocks.repeated()
        if len(self.languages) > 1:
            for blocks in self.languages.values():
                repeated |= blocks.repeated()
        return SiteKnowledge(
            self.pages,
            countries=_shares(self.countries, self.pages),
            regions=_shares(self.regions, self.pages),
            squares=_shares(self.squares, self.pages),
            repeated=frozenset(repeated),
            recurring=self.blocks.recurring(),
        )


_records = Codec(SiteRecord)
_NOTHING = SiteKnowledge()


class SiteMemory:
    """What is remembered of the sites that were met last.

    All of them are packed, except the last few: a crawl asks a host often for a while.
    """

    def __init__(
        self,
        kept: Iterable[tuple[str, bytes]] = (),
        most_sites: int = MOST_SITES,
    ) -> None:
        """Begin with what was kept, the site that was met last at the end."""
        self._most_sites = most_sites
        rows = list(kept) if most_sites else []
        # Every site; out of date for those that are open.
        # Crawls of before 0.2 also have rows of pages, such as "lisboa.pt 17".
        self._packed = OrderedDict(row for row in rows if " " not in row[0])
        self._open: OrderedDict[str, SiteRecord] = OrderedDict()
        self._changed: dict[str, None] = {}  # names, since the last `take_changes`
        self._pages = 0  # the same

    def recall(self, url: str, without: SiteNotes | None = None) -> SiteKnowledge:
        """What is known of the site of a URL; `without`: by others than the page of these notes."""
        record = self._find(site_name(url))
        if record is None:
            return _NOTHING
        if without is not None:
            record = _records.decode(_records.encode(record))
            record.forget(without)
        return record.knowledge()

    def learn(self, url: str, notes: SiteNotes | None) -> None:
        """Remember what a page tells of its site; None is nothing, and "" has no site."""
        name = site_name(url)
        if notes is None or not name or not self._most_sites:
            return
        self._pages += 1
        record = self._find(name) or SiteRecord()
        record.learn(notes)
        self._open[name] = record
        self._packed.setdefault(name, b"")
        self._packed.move_to_end(name)
        self._changed[name] = None
        if len(self._packed) > self._most_sites:
            gone = next(iter(self._packed))
            del self._packed[gone]
            self._open.pop(gone, None)
            self._changed[gone] = None
        self._close_some()

    def take_changes(self, *, when_due: bool = False) -> Mapping[str, bytes]:
        """What is to be kept of the sites that changed since they were taken last.

        A site without any is forgotten. `when_due`: only after every 200 pages, a crash forgets no
        more than these.
        """
        if when_due and self._pages < _KEPT_AFTER:
            return {}
        for name in self._changed:
            if name in self._open:
                self._packed[name] = _records.encode(self._open[name])
        changes = {name: self._packed.get(name, b"") for name in self._changed}
        self._changed, self._pages = {}, 0
        return changes

    def _find(self, name: str) -> SiteRecord | None:
        record = self._open.get(name)
        if record is not None:
            self._open.move_to_end(name)
        elif packed := self._packed.get(name):
            record = self._open[name] = _unpacked(packed)
            self._close_some()
        return record

    def _close_some(self) -> None:
        while len(self._open) > _MOST_OPEN:
            name, record = self._open.popitem(last=False)
            self._packed[name] = _records.encode(record)


def site_name(url: str) -> str:
    """The name under which the site of a URL is remembered; "" for any other text.

    >>> site_name("http://www.lisboa.pt/a"), site_name("https://lisboa.pt:8080/"), site_name("a/b")
    ('lisboa.pt', 'lisboa.pt', '')
    """
    return host_of(url).lower().removeprefix("www.") if "://" in url else ""


def known_site(packed: bytes) -> SiteKnowledge:
    """What is known of a site, of which this was kept; empty bytes are nothing."""
    return _unpacked(packed).knowledge() if packed else _NOTHING


def _unpacked(packed: bytes) -> SiteRecord:
    try:
        return _records.decode(packed)
    except DamagedDataError:  # of another version: it is learned again
        return SiteRecord()


def _added(
    sums: dict[Area, float], shares: Iterable[tuple[Area, float]], *, halved: bool
) -> dict[Area, float]:
    """The sums with more shares in them, the largest ones."""
    for area, share in shares:
        sums[area] = sums.get(area, 0.0) + share
    if len(sums) > 2 * _MOST_AREAS or halved:
        largest = sorted(sums.items(), key=lambda item: -item[1])[:_MOST_AREAS]
        return {area: total / (2 if halved else 1) for area, total in largest}
    return sums


def _take_back(sums: dict[Area, Sum], gone: Iterable[tuple[Area, Sum]]) -> None:
    for key, amount in gone:
        if key in sums:
            sums[key] -= amount


def _shares(sums: Mapping[Area, float], pages: int) -> tuple[tuple[Area, float], ...]:
    """The shares of areas in one more page than there are: a single one is not the whole site."""
    shares = [(area, total / (pages + 1)) for area, total in sums.items()]
    return tuple([pair for pair in shares if pair[1] >= _LEAST_SHARE])
