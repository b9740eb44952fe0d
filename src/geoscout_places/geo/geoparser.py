"""A page in, its addresses, mentions and scope out: the parts of `geo` in the order they run.

Addresses come first because they are the surest: they tell the page's country and its cities,
which settles what many a bare name means.
"""

from __future__ import annotations

from collections.abc import Iterable

from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.geo.address import extract_addresses, has_unknown_street
from geoscout_places.geo.country import country_of_page
from geoscout_places.geo.limits import ReadingLimits, cut_page
from geoscout_places.geo.mentions import NameKnowledge, PageHints, find_mentions
from geoscout_places.geo.merge import located, merged
from geoscout_places.geo.names_in_addresses import outside_streets, towns_in
from geoscout_places.geo.scope import find_scope
from geoscout_places.geo.site import BlockMarks, Repeats, take_notes
from geoscout_places.geo.street_points import at_street
from geoscout_places.geo.structured import addresses_of, points_of
from geoscout_places.model import Mention, Page, Place, Reading, SiteKnowledge, SiteNotes


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
        page, limits = self.cut(page), self._limits
        stated = [located(address, self.gazetteer) for address in addresses_of(page)]
        written = extract_addresses(
            page.text, self.gazetteer, blocks=page.blocks, most=limits.addresses
        )
        addresses = merged(written, stated)[: limits.addresses]
        if self._strict_streets:
            addresses = [a for a in addresses if not has_unknown_street(a, self.gazetteer)]
        addresses = [at_street(address, address.place, self.gazetteer) for address in addresses]
        repeats = Repeats(page, site) if site is not None and site.repeated else None
        hints = PageHints(
            country_of_page(page.url, addresses),
            language=page.language,
            blocks=page.blocks,
            site=site,
            is_repeated=repeats.has if repeats else None,
            towns=towns_in(addresses, page.text),
        )
        mentions = find_mentions(page.text, self._names, hints)[: limits.mentions]
        mentions = outside_streets(mentions, addresses, page.text)
        if repeats is not None:
            self._marks = repeats.marks
            addresses = repeats.mark_addresses(addresses)
            mentions = repeats.mark_mentions(mentions, addresses)
        scope = find_scope(page, mentions, addresses, self.gazetteer)
        return Reading(
            tuple(addresses), tuple(mentions), tuple(points_of(page)), tuple(scope),
            self._around(mentions),
        )  # fmt: skip

    def _around(self, mentions: Iterable[Mention]) -> tuple[Place, ...]:
        named = {mention.place for mention in mentions if mention.place is not None}
        above = (place for inner in named for place in self.gazetteer.ancestors(inner))
        return tuple(dict.fromkeys(above))

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
