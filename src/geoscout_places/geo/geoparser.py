"""A page in, its addresses, mentions and scope out: the parts of `geo` in the order they run.

Addresses come first because they are the surest: they tell the page's country and its cities,
which settles what many a bare name means. They also tell that a street is not a place: "Via Roma"
in Florence is not about Rome. A square or a station that gave a street its name is there, so the
features of the town stay.

A page of any size takes bounded time. It grows with its characters, about a second for a million,
and with its addresses, about a second for 1,500. What lies beyond the limits is text for machines,
or made to stop them.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple
from urllib.parse import urlsplit

from msgspec import Struct
from msgspec.structs import replace

from geoscout_places.gazetteer.areas.region import Region
from geoscout_places.gazetteer.areas.sphere import distance_km
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.geo.address import extract_addresses, has_unknown_street
from geoscout_places.geo.address.placing import at_street, located, merged
from geoscout_places.geo.mentions import (
    NameKnowledge,
    PageHints,
    SeenNames,
    find_mentions,
    resolve_spans,
    see_names,
)
from geoscout_places.geo.scope import find_scope
from geoscout_places.geo.site import (
    BlockMarks,
    Repeats,
    region_knowledge,
    take_notes,
    without_strangers,
)
from geoscout_places.geo.structured import addresses_of, points_of
from geoscout_places.model import (
    Address,
    Kind,
    Mention,
    MentionKind,
    Page,
    Place,
    Point,
    Reading,
    SiteKnowledge,
    SiteNotes,
)

_MOST_TEXT = 1_000_000


class ReadingLimits(Struct, frozen=True):
    """Of one page."""

    text: int = _MOST_TEXT  # characters in which places are looked for
    addresses: int = 2_000
    mentions: int = 10_000


class _Seen(NamedTuple):
    """What a page shows before its site has a part in it."""

    page: Page
    addresses: list[Address]
    hints: PageHints
    names: SeenNames


class Geoparser:
    """Reads pages; loads what it needs once."""

    def __init__(
        self,
        gazetteer: Gazetteer,
        *,
        strict_streets: bool = False,
        limits: ReadingLimits | None = None,
    ) -> None:
        """`strict_streets` leaves out addresses whose street the imported tables do not have."""
        self.gazetteer = gazetteer
        self._limits = limits or ReadingLimits()
        self._strict_streets = strict_streets
        self._names = NameKnowledge.load(gazetteer)
        self._marks: BlockMarks | None = None  # of the last page, whose notes are often asked for

    def read(self, page: Page, site: SiteKnowledge | None = None) -> Reading:
        """Find the places of a page; `site` is what is known of its site from other pages."""
        return self._settle(self._look(page), site)

    def read_twice(self, page: Page, site: SiteKnowledge | None) -> tuple[Reading, Reading]:
        """What a page says by itself, and what it says on its site.

        The first is the same whatever was read before. What takes most of the time is done once.
        """
        seen = self._look(page)
        if site is None or not site.tells:
            return (alone := self._settle(seen, None)), alone
        return self._settle(seen._replace(names=seen.names.copy()), None), self._settle(seen, site)

    def _look(self, page: Page) -> _Seen:
        page, limits = self.cut(page), self._limits
        stated = [located(address, self.gazetteer) for address in addresses_of(page)]
        written = extract_addresses(
            page.text, self.gazetteer, blocks=page.blocks, most=limits.addresses
        )
        addresses = merged(written, stated)[: limits.addresses]
        if self._strict_streets:
            addresses = [a for a in addresses if not has_unknown_street(a, self.gazetteer)]
        addresses = [at_street(address, address.place, self.gazetteer) for address in addresses]
        hints = PageHints(
            country_of_page(page.url, addresses),
            language=page.language,
            blocks=page.blocks,
            towns=towns_in(addresses, page.text),
        )
        return _Seen(page, addresses, hints, see_names(page.text, self._names, hints))

    def _settle(self, seen: _Seen, site: SiteKnowledge | None) -> Reading:
        page, addresses, hints, names = seen
        is_known = site is not None and (site.repeated or site.recurring)
        repeats = Repeats(page, site) if site and is_known else None
        hints = hints._replace(site=site, is_repeated=repeats.has if repeats else None)
        found = find_mentions(page.text, self._names, hints, names)[: self._limits.mentions]
        mentions: Sequence[Mention] = outside_streets(found, addresses, page.text)
        if site is not None:
            mentions = without_strangers(mentions, addresses, site, self._names.whereabouts)
        if repeats is not None:
            self._marks = repeats.marks
            addresses = repeats.mark_addresses(addresses)
            mentions = repeats.mark_mentions(mentions, addresses, self._names.whereabouts)
        scope = find_scope(page, mentions, addresses, self.gazetteer)
        return Reading(
            tuple(addresses), tuple(mentions), tuple(points_of(page)), tuple(scope),
            self._around(mentions),
        )  # fmt: skip

    def resolve(
        self,
        text: str,
        spans: Sequence[tuple[int, int]],
        url: str = "",
        site: SiteKnowledge | None = None,
    ) -> list[Mention]:
        """What names mean that somebody else found; `place` is None where no table has the name."""
        hints = PageHints(country_of_url(url), site=site)
        found = resolve_spans(text, spans, self._names, hints)
        return [
            Mention(
                start,
                end,
                text[start:end],
                MentionKind.PLACE,
                place,
                confidence=sureness,
                sureness=sureness,
            )
            for (start, end), (place, sureness) in zip(spans, found, strict=True)
        ]

    def _around(self, mentions: Iterable[Mention]) -> tuple[Place, ...]:
        named = {mention.place for mention in mentions if mention.place is not None}
        above = (place for inner in named for place in self.gazetteer.ancestors(inner))
        return tuple(dict.fromkeys(above))

    def knowledge_of(self, region: Region) -> SiteKnowledge:
        """What a crawl for a region knows of any site before it has read a page there."""
        return region_knowledge(region.places, region.countries, self._names.whereabouts)

    def cut(self, page: Page) -> Page:
        """As much of a page as is looked at."""
        return cut_page(page, self._limits.text)

    def notes(self, page: Page, reading: Reading) -> SiteNotes:
        """What a page tells of its site, for whoever gathers `SiteKnowledge`."""
        page = self.cut(page)
        marks = self._marks if self._marks and self._marks.page is page else BlockMarks(page)
        return take_notes(reading, marks, self._names.whereabouts)


def load_geoparser(gazetteer: Gazetteer | None = None) -> Geoparser:
    """A geoparser over the given gazetteer, or the user's own."""
    if gazetteer is None:
        from geoscout_places.gazetteer import open_gazetteer  # noqa: PLC0415 - may build, so not before

        gazetteer = open_gazetteer()
    return Geoparser(gazetteer)


def cut_page(page: Page, most: int = _MOST_TEXT) -> Page:
    """The page with the blocks that lie in its first characters; itself when all of them do.

    A block that reaches beyond is left out, unless it is the first.
    """
    if len(page.text) <= most:
        return page
    kept = page.blocks[: max(bisect_right(page.blocks, most, key=lambda block: block.end), 1)]
    if not kept:
        return replace(page, text=page.text[:most])
    end = min(kept[-1].end, most)
    return replace(page, text=page.text[:end], blocks=(*kept[:-1], replace(kept[-1], end=end)))


# Country codes that are sold to everybody and say nothing about the country.
_GENERIC = frozenset(
    "ac ag ai am as bz cc cd cx dj eu fm gd gg im io la ly me ms mu nu pw sc sh sr st su tk tl to"
    " tv vc vg ws".split()
)
_ISO_CODES = {"uk": "GB"}
_LETTERS = 2


def country_of_url(url: str) -> str:
    """The ISO code of the country whose domain this is; "" where it tells nothing.

    >>> country_of_url("https://www.oldenburg.de/"), country_of_url("http://shop.example.co.uk/a")
    ('DE', 'GB')
    >>> country_of_url("https://example.com/"), country_of_url("https://example.io/")
    ('', '')
    """
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return ""
    domain = host.rstrip(".").rpartition(".")[2]
    if len(domain) != _LETTERS or not domain.isalpha() or domain in _GENERIC:
        return ""
    return _ISO_CODES.get(domain, domain.upper())


def country_of_page(url: str, addresses: Sequence[Address]) -> str:
    """The country most of the addresses are in, else that of the URL; "" where neither tells."""
    countries = Counter(address.country for address in addresses if address.country)
    return countries.most_common(1)[0][0] if countries else country_of_url(url)


_FEATURES = frozenset({Kind.NEIGHBOURHOOD, Kind.LANDMARK})
_SAME_TOWN_KM = 25.0
_Street = tuple[int, int, Point | None]  # where it stands in the text, and on the map


def towns_in(addresses: Iterable[Address], text: str) -> dict[int, int]:
    """The ids of the towns of addresses, by where their names begin in the text."""
    towns = {}
    for address in addresses:
        if address.place is not None and address.city and address.end:
            start = text.rfind(address.city, address.start, address.end)
            if start >= 0:
                towns[start] = address.place.id
    return towns


def outside_streets(
    mentions: Sequence[Mention], addresses: Iterable[Address], text: str
) -> list[Mention]:
    """The mentions that are not inside the street of an address; in the order of the text."""
    nowhere: _Street = (len(text) + 1, len(text) + 1, None)
    streets = _streets(addresses, text)
    start, end, point = next(streets, nowhere)
    kept = []
    for mention in mentions:
        while mention.start >= end:
            start, end, point = next(streets, nowhere)
        is_inside = start <= mention.start and mention.end <= end
        if not is_inside or _is_feature(mention, point):
            kept.append(mention)
    return kept


def _streets(addresses: Iterable[Address], text: str) -> Iterator[_Street]:
    """The streets of addresses, in the order of the text."""
    written = (address for address in addresses if address.street and address.end)
    for address in sorted(written, key=lambda address: address.start):
        start = text.find(address.street, address.start, address.end)
        if start >= 0:
            yield start, start + len(address.street), address.point


def _is_feature(mention: Mention, point: Point | None) -> bool:
    """Whether it names something that is there, such as the square that the street is."""
    place = mention.place
    if mention.kind is MentionKind.LOCAL or place is None:
        return True
    if place.kind not in _FEATURES or point is None:
        return False
    return distance_km(place.point, point) <= _SAME_TOWN_KM
