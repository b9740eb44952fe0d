"""The links of a page with the words around them, before there is any HTML.

Both the page and the list of its links are made from this sketch, so a simulation can have the
links without the page, in a tenth of the time, and they are the very ones a parser would find.
"""

from collections.abc import Iterator, Sequence
from enum import IntEnum
from typing import NamedTuple

from geoscout_lab.worlds.synthetic.hosts import HostType
from geoscout_lab.worlds.synthetic.linking import Tie
from geoscout_lab.worlds.synthetic.pages import Role
from geoscout_lab.worlds.synthetic.profile import Chance
from geoscout_lab.worlds.synthetic.register import Register
from geoscout_lab.worlds.synthetic.sites import SyntheticSite

_LINKS = 23  # purpose of chance
_WITH_TITLE = 0.06
_WITH_CITY = 0.3  # entries of a list that name the city
_NAMELESS_IMAGE = 0.25  # images in links without an alternative text


class Zone(IntEnum):
    """Where on a page a block with links stands."""

    MENU = 0
    TEXT = 1
    ENTRY = 2
    LIST = 3
    SIDE = 4
    FOOT = 5


ZONE_OF_TIE = {
    Tie.HOME: Zone.MENU,
    Tie.SECTION: Zone.MENU,
    Tie.TEXT: Zone.TEXT,
    Tie.ENTRY: Zone.ENTRY,
    Tie.CHILD: Zone.LIST,
    Tie.SIBLING: Zone.SIDE,
    Tie.STRAY: Zone.SIDE,
    Tie.CONTACT: Zone.FOOT,
    Tie.IMPRINT: Zone.FOOT,
    Tie.MOVED: Zone.TEXT,
}
_ZONES = tuple(ZONE_OF_TIE[tie] for tie in Tie)


class LinkSketch(NamedTuple):
    """A link as its page writes it; a tuple, for they are made by the million in simulations."""

    target: int
    text: str  # "" for an image
    title: str = ""
    alternative: str = ""  # of the image
    relation: str = ""  # value of the rel attribute


class Sketch(NamedTuple):
    """A block with a link in it, and what is written before and after the link."""

    zone: Zone
    before: str
    anchor: LinkSketch
    after: str


class Sketcher:
    """Draws the links of pages."""

    def __init__(self, register: Register) -> None:
        self._register = register
        graph = register.structure.graph
        self._start, self._target, self._tie = graph.start, graph.target, graph.tie

    def targets(self, page: int) -> list[int]:
        """Where the links of a page lead, in its order."""
        row = self._row(page)
        found: list[int] = self._target[self._start[row] : self._start[row + 1]].tolist()
        return found

    def _row(self, page: int) -> int:
        """A copy has the links of its original."""
        register = self._register
        return register.originals[page] if register.roles[page] == Role.DUPLICATE else page

    def draw(self, page: int) -> Iterator[Sketch]:
        """The blocks with links of a page, in its order."""
        row = self._row(page)
        first, last = self._start[row], self._start[row + 1]
        site = self._register.site(page)
        chance = self._register.chance(page, _LINKS)
        pool = site.language.pool(self._register.topic(page))
        ties = self._tie[first:last].tolist()
        for tie, target in zip(ties, self._target[first:last].tolist(), strict=True):
            zone = _ZONES[tie]
            if zone is Zone.MENU or zone is Zone.FOOT:
                yield Sketch(zone, "", LinkSketch(target, self._label(site, tie, target)), "")
                continue
            anchor = self._anchor(site, target, chance)
            if zone is Zone.SIDE:
                yield Sketch(zone, "", anchor, "")
            elif zone is Zone.TEXT:
                partner = chance.pick(site.language.labels["partner"])
                before = f"{chance.pick(pool)} {partner} "
                yield Sketch(zone, before, anchor, f". {chance.pick(pool)}")
            else:
                yield Sketch(zone, "", anchor, self._remark(page, zone, pool, chance))

    def _label(self, site: SyntheticSite, tie: int, target: int) -> str:
        """How the menus of a site call a page; the same on every page."""
        labels = site.language.labels
        if tie == Tie.HOME:
            return labels["home"][site.habit % len(labels["home"])]
        return self._register.title(target)

    def _anchor(self, site: SyntheticSite, target: int, chance: Chance) -> LinkSketch:
        register, profile = self._register, self._register.profile
        title = register.title(target)
        hint = title if chance.hits(_WITH_TITLE) else ""
        if chance.hits(profile.image_anchors):
            return LinkSketch(target, "", hint, "" if chance.hits(_NAMELESS_IMAGE) else title)
        if chance.hits(profile.generic_anchors):
            return LinkSketch(target, chance.pick(site.language.labels["generic"]), hint)
        if wrong := register.wrong_title(target):
            return LinkSketch(target, wrong, hint)
        other = register.site(target)
        if other is site:
            return LinkSketch(target, title, hint)
        relation = "noopener" if site.type is HostType.DIRECTORY else ""
        text = other.name if chance.hits(0.4) else title
        return LinkSketch(target, text, hint, relation=relation)

    def _remark(self, page: int, zone: Zone, pool: Sequence[str], chance: Chance) -> str:
        remark = chance.pick(pool)
        if zone is Zone.ENTRY and chance.hits(_WITH_CITY):
            city = self._register.city(page)
            return f" – {city.name}. {remark}" if city else f" – {remark}"
        return f" – {remark}"
