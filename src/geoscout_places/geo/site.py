"""What a page and its site tell each other.

A site is mostly about one part of the world, and what its other pages name helps to read the next
one. In return a page gives `SiteNotes`: where its places lie, and which of its blocks have places.
Who reads many pages counts them (`crawling/site_memory.py`).

A block that many pages of a site have, such as an entry of a menu or the address in a footer, says
nothing about one page. It is known by its mark, a hash. Short blocks are marked together with the
block before and with the one after: "Cologne" in a menu has the same neighbours on every page, and
as the heading of an article it has others. One neighbour is enough, because the entry of a menu
that leads to the page itself is often left out.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar
from zlib import crc32

from msgspec.structs import replace

from geoscout_places.geo.mentions.senses import Whereabouts
from geoscout_places.model import (
    LONG_BLOCK,
    Address,
    Kind,
    Mention,
    MentionKind,
    Page,
    Place,
    Reading,
    SiteKnowledge,
    SiteNotes,
)

_LONG = 60  # characters from which a block is told from others without its neighbours
_READ = 400  # characters of a block that its mark is made of
_MOST_MARKS = 200  # of a page
_UNCERTAIN = 1.0  # added to the weight of a page's places: one place alone is not what it is about
_LEAST_SHARE = 0.02  # of an area in what a page names
_LOCAL = MentionKind.LOCAL
_SMALL = (Kind.CITY, Kind.NEIGHBOURHOOD, Kind.LANDMARK, Kind.REGION)
_Area = TypeVar("_Area", str, int)


class BlockMarks:
    """The marks of the blocks of one page, worked out where they are asked for."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._starts = [block.start for block in page.blocks]
        self._found: dict[int, tuple[int, ...]] = {}  # by the index of the block

    def at(self, position: int) -> tuple[int, ...]:
        """The marks of the block at a position of the text; none where no block is."""
        index = bisect_right(self._starts, position) - 1
        if index < 0 or self.page.blocks[index].end <= position:
            return ()
        return self._of(index)

    def between(self, start: int, end: int) -> list[tuple[int, ...]]:
        """The marks of each block that a stretch of the text touches."""
        blocks = self.page.blocks
        first = max(bisect_right(self._starts, start) - 1, 0)
        last = bisect_right(self._starts, end - 1)
        return [self._of(i) for i in range(first, last) if blocks[i].end > start]

    def _of(self, index: int) -> tuple[int, ...]:
        found = self._found.get(index)
        if found is None:
            found = self._found[index] = self._make(index)
        return found

    def _make(self, index: int) -> tuple[int, ...]:
        blocks, text = self.page.blocks, self.page.text
        start, end = blocks[index].start, blocks[index].end
        if end - start >= _LONG:
            return (_mark(text[start : min(end, start + _READ)]) | LONG_BLOCK,)
        own = text[start:end]
        before = after = ""
        if index:
            first = self._starts[index - 1]
            before = text[first : min(start, first + _READ)]
        if index + 1 < len(blocks):
            after = text[end : min(blocks[index + 1].end, end + _READ)]
        return (_mark(f"{before}\n{own}"), _mark(f"{own}\n{after}\n"))

    def of_mentions(self, mentions: Sequence[Mention]) -> Iterator[tuple[int, ...]]:
        """The marks of the blocks where mentions stand, which are in the order of the text."""
        blocks, last, end = self.page.blocks, len(self._starts) - 1, 0
        index = -1
        for mention in mentions:
            start = mention.start
            if start < end:
                continue  # the block before has been given, or there is none here
            while index < last and self._starts[index + 1] <= start:
                index += 1
            if index >= 0 and blocks[index].end > start:
                end = blocks[index].end
                yield self._of(index)

    def of_stated(self, address: Address) -> tuple[int, ...]:
        """The marks of an address that stands in the markup only."""
        stated = (address.street, address.house_number, address.postcode, address.city)
        return (_mark("\t".join(stated)) | LONG_BLOCK,)


def _mark(text: str) -> int:
    """An even number: the last bit is for `LONG_BLOCK`."""
    return crc32(text.encode("utf-8", "surrogatepass")) & ~LONG_BLOCK


_OF_REGION = 3  # pages of a site that the region of a crawl speaks like


def with_region(site: SiteKnowledge | None, region: SiteKnowledge) -> SiteKnowledge:
    """What is known of a site that is crawled for a region, which tells most on the first pages."""
    if site is None:
        return region
    pages, more = site.pages + 1, region.pages
    return replace(
        site,
        pages=site.pages + more,
        countries=_joined(site.countries, pages, region.countries, more),
        regions=_joined(site.regions, pages, region.regions, more),
        squares=_joined(site.squares, pages, region.squares, more),
    )


def region_knowledge(
    places: Sequence[Place], countries: Iterable[str], where: Callable[[Place], Whereabouts]
) -> SiteKnowledge:
    """A region as if it were a site with a few pages; `places` are those that it is named by."""
    areas = [where(place) for place in places]
    regions = {area.region: 1.0 / len(areas) for area in areas if area.region}
    squares = {square: 1.0 / len(areas) for area in areas for square in area.squares if square}
    codes = sorted(countries)
    return SiteKnowledge(
        _OF_REGION,
        tuple((code, 1.0 / len(codes)) for code in codes),
        tuple(regions.items()),
        tuple(squares.items()),
    )


def _joined(
    first: Iterable[tuple[_Area, float]],
    pages: int,
    second: Iterable[tuple[_Area, float]],
    more: int,
) -> tuple[tuple[_Area, float], ...]:
    shares: dict[_Area, float] = {}
    for known, weight in ((first, pages), (second, more)):
        for area, share in known:
            shares[area] = shares.get(area, 0.0) + share * weight / (pages + more)
    return tuple(shares.items())


_MAIN_SHARE = 0.5  # of what a site names is in one country, for small places abroad to be strangers
_KNOWN_ABROAD = 100_000  # people of a city that is named without its country


def without_strangers(
    mentions: Sequence[Mention],
    addresses: Sequence[Address],
    site: SiteKnowledge,
    where: Callable[[Place], Whereabouts],
) -> Sequence[Mention]:
    """The mentions without small places abroad, where the page says nothing else of their region.

    On a site about one country such a name is that of a church, park or person there.
    """
    known = {country for country, _ in site.countries}
    abroad = [m for m in mentions if m.place is not None and m.place.country not in known]
    if not abroad or max((share for _, share in site.countries), default=0.0) < _MAIN_SHARE:
        return mentions
    named: dict[int | str, set[str]] = {}  # by region; what has none by country
    for mention in abroad:
        assert mention.place is not None
        area = where(mention.place)
        named.setdefault(area.region or area.country, set()).add(mention.text)
    addressed = {address.country for address in addresses}
    return [
        m
        for m in mentions
        if m.place is None
        or not (
            _is_stranger(m, m.place)
            and m.place.country not in known | addressed | named.keys()
            and len(named[where(m.place).region or m.place.country]) == 1
        )
    ]


def _is_stranger(mention: Mention, place: Place) -> bool:
    is_small = place.kind in _SMALL and place.population < _KNOWN_ABROAD
    return is_small and mention.kind is MentionKind.PLACE


class Repeats:
    """What one page has in blocks that its site repeats: menus, footers, advertisements.

    An advertisement is on pages of one kind, and names a place where the site is not.
    """

    def __init__(self, page: Page, site: SiteKnowledge) -> None:
        self.marks = BlockMarks(page)
        self._repeated, self._recurring = site.repeated, site.recurring
        self._areas = frozenset(area for area, _ in (*site.countries, *site.regions))

    def has(self, position: int) -> bool:
        """Whether the block at a position of the text is repeated."""
        return not self._repeated.isdisjoint(self.marks.at(position))

    def mark_addresses(self, addresses: Sequence[Address]) -> list[Address]:
        """The addresses, with those marked that stand wholly in repeated blocks."""
        return [
            replace(address, of_site=True) if self._holds(address) else address
            for address in addresses
        ]

    def mark_mentions(
        self,
        mentions: Sequence[Mention],
        addresses: Sequence[Address],
        where: Callable[[Place], Whereabouts],
    ) -> list[Mention]:
        """The mentions, with those marked that stand in repeated blocks.

        Part of an address that is the page's own, a name is the page's own, too: the line with the
        town may be the same on many pages of a directory.
        """
        own = sorted((a.start, a.end) for a in addresses if a.end and not a.of_site)
        return [
            mention
            if not (self.has(mention.start) or self._is_advertised(mention, where))
            or _is_inside(mention, own)
            else replace(mention, of_site=True)
            for mention in mentions
        ]

    def _is_advertised(self, mention: Mention, where: Callable[[Place], Whereabouts]) -> bool:
        if mention.place is None or self._recurring.isdisjoint(self.marks.at(mention.start)):
            return False
        area = where(mention.place)
        return (area.region or area.country) not in self._areas

    def _holds(self, address: Address) -> bool:
        blocks = _marks_of(address, self.marks)
        return bool(blocks) and not any(self._repeated.isdisjoint(marks) for marks in blocks)


def take_notes(
    reading: Reading, marks: BlockMarks, where: Callable[[Place], Whereabouts]
) -> SiteNotes:
    """What a page tells of its site.

    Names that the site repeats tell nothing of where it is: they would outvote everything else.
    An address does, wherever it stands.
    """
    countries, regions, squares = dict[str, float](), dict[int, float](), dict[int, float]()
    weights = _weights(reading)
    whole = sum([weight for _, weight in weights]) + _UNCERTAIN
    for place, weight in weights:
        area, share = where(place), weight / whole
        countries[area.country] = countries.get(area.country, 0.0) + share
        regions[area.region] = regions.get(area.region, 0.0) + share
        for square in area.squares:
            squares[square] = squares.get(square, 0.0) + share
    return SiteNotes(
        language=marks.page.language,
        blocks=_blocks_with_places(reading, marks),
        countries=_large(countries),
        regions=_large(regions),
        squares=_large(squares),
    )


def _large(shares: dict[_Area, float]) -> tuple[tuple[_Area, float], ...]:
    """The shares that are large enough to note, without that of no area."""
    return tuple(item for item in shares.items() if item[0] and item[1] >= _LEAST_SHARE)


def _blocks_with_places(reading: Reading, marks: BlockMarks) -> tuple[int, ...]:
    found = [mark for each in marks.of_mentions(reading.mentions) for mark in each]
    for address in reading.addresses:
        for each in _marks_of(address, marks):
            found += each
    found = list(dict.fromkeys(found))
    if len(found) > _MOST_MARKS:  # menus stand at the top and footers at the bottom
        found = found[: _MOST_MARKS // 2] + found[-_MOST_MARKS // 2 :]
    return tuple(found)


def _weights(reading: Reading) -> Iterable[tuple[Place, float]]:
    """How sure it is that each place is meant."""
    found: dict[int, tuple[Place, float]] = {}
    for mention in reading.mentions:
        place = mention.place
        if place is not None and not mention.of_site and mention.kind is not _LOCAL:
            known = found.get(place.id)
            if known is None or mention.confidence > known[1]:
                found[place.id] = (place, mention.confidence)
    found |= {a.place.id: (a.place, 1.0) for a in reading.addresses if a.place}
    return found.values()


def _marks_of(address: Address, marks: BlockMarks) -> list[tuple[int, ...]]:
    if not address.end:
        return [marks.of_stated(address)]
    return marks.between(address.start, address.end)


def _is_inside(mention: Mention, spans: Sequence[tuple[int, int]]) -> bool:
    """Whether a mention is part of one of the spans, which are in order."""
    index = bisect_right(spans, (mention.start, mention.end)) - 1
    near: Iterable[tuple[int, int]] = spans[max(index, 0) : index + 2]
    return any(start <= mention.start and mention.end <= end for start, end in near)
