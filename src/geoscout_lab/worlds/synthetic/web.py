"""The synthetic web as a crawler sees it: pages by number, with links, HTML and truth.

It is a `KnownWorld`. The parser is handed in, because a web can be written and served without one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Self

from geoscout.registrations import RegistrationRecord
from geoscout.strategy.filters import Filters
from geoscout_lab.worlds.synthetic.hosts import City, HostType
from geoscout_lab.worlds.synthetic.layouts import foot_text, layout_of
from geoscout_lab.worlds.synthetic.pages import Role
from geoscout_lab.worlds.synthetic.profile import load_profile
from geoscout_lab.worlds.synthetic.register import Locations, Register
from geoscout_lab.worlds.synthetic.render import Renderer, links_of
from geoscout_lab.worlds.synthetic.sites import SyntheticSite
from geoscout_lab.worlds.synthetic.sketch import Sketch, Sketcher
from geoscout_lab.worlds.synthetic.structure import Structure, make_structure
from geoscout_lab.worlds.truth import KnownAddress
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.model import Link, Page, Place
from geoscout_places.urls import registrable_domain, trap

_PAGES_KEPT = 10_000  # some 100 MB
Parser = Callable[[bytes, str, str], Page]


class SyntheticWeb:
    """A web whose truth is known."""

    def __init__(self, structure: Structure, parse: Parser | None = None, port: int = 0) -> None:
        """`parse` makes a `Page` of bytes, URL and content type; `port` is where it is served."""
        self.structure = structure
        self._parse = parse
        self.register = Register(structure, port)
        self.locations = Locations(self.register)
        self._sketcher = Sketcher(self.register)
        self._renderer = Renderer(self.register, self._sketcher)
        self.parses_links = False
        self.refused: frozenset[int] = frozenset()  # pages that nobody follows a link to
        self._parsed: dict[int, Page] = {}  # of this web and those made from it
        self._status: list[int] = structure.status.tolist()
        self._relevant: list[bool] = structure.relevant.tolist()
        self.seeds: Sequence[int] = structure.seeds

    def at_port(self, port: int) -> SyntheticWeb:
        """The same web with URLs for a port, all of them http, as a loopback server has it."""
        return SyntheticWeb(self.structure, self._parse, port).from_seeds(self.seeds)

    def from_seeds(self, seeds: Sequence[int]) -> Self:
        other = copy(self)
        other.seeds = tuple(seeds)
        return other

    def as_parsed(self) -> Self:
        """The same web, whose links say where in the text they stand, as those of a crawl do.

        Who looks for words around a link beyond its block needs it; it takes far longer.
        """
        other = copy(self)
        other.parses_links = True
        return other

    def filtered(self, filters: Filters) -> Self:
        """The same web without the links that the filters and rules for traps of a crawl refuse."""
        other = copy(self)
        urls = enumerate(map(self.url, range(self.size)))
        other.refused = frozenset(n for n, url in urls if filters.refusal(url) or trap(url))
        return other

    @property
    def name(self) -> str:
        structure = self.structure
        return f"{structure.profile.name}-{structure.random_seed}-{self.size}"

    @property
    def size(self) -> int:
        return self.structure.pages.count

    @property
    def region(self) -> str:
        """The region in a form that `Region.parse` reads."""
        cities = self.structure.cities
        return "; ".join(cities[number].label for number in self.structure.region)

    def url(self, page: int) -> str:
        return self.register.url(page)

    def status(self, page: int) -> int:
        return self._status[page]

    def targets(self, page: int) -> Sequence[int]:
        if not self._status[page]:
            return ()
        targets = self._sketcher.targets(page)
        if not self.refused:
            return targets
        return [target for target in targets if target not in self.refused]

    def links(self, page: int) -> Sequence[Link]:
        """The links to the targets as a parser of the page would see them."""
        if not self._status[page]:
            return ()
        links = self.page(page).links if self.parses_links else self._sketched(page)
        if not self.refused:
            return links
        numbered = zip(self._sketcher.targets(page), links, strict=True)
        return [link for target, link in numbered if target not in self.refused]

    def _sketched(self, page: int) -> Sequence[Link]:
        sketches: list[Sketch] = list(self._sketcher.draw(page))
        site = self.register.site(page)
        foot = foot_text(site, linked=True)
        return links_of(sketches, layout_of(site), self.register.url, foot)

    def page(self, page: int) -> Page:
        """The whole page as the parser sees it."""
        if self._parse is None:
            raise TypeError("this web was made without a parser")
        if (kept := self._parsed.get(page)) is not None:
            return kept
        made = self._parse(self.html(page), self.url(page), self.content_type(page))
        if self.parses_links:
            if len(self._parsed) >= _PAGES_KEPT:
                self._parsed.clear()
            self._parsed[page] = made
        return made

    def html(self, page: int) -> bytes:
        """The body of the response; empty for a redirect and where there is no response."""
        return self._renderer.html(page) if self._status[page] in (200, 404) else b""

    def content_type(self, page: int) -> str:
        old = self.register.site(page).is_old
        return f"text/html; charset={'iso-8859-1' if old else 'utf-8'}"

    def is_relevant(self, page: int) -> bool:
        """Whether it shows an address of the region."""
        return self._relevant[page]

    def entities(self, page: int) -> Sequence[str]:
        """The addresses of the region in it, in a normal form."""
        if not self._relevant[page]:
            return ()
        return [entity.normal_form for entity in self.register.entities(page)]

    def addresses(self, page: int) -> Sequence[KnownAddress]:
        found = self.register.entities(page)
        return [KnownAddress(entity.normal_form, entity.city.place) for entity in found]

    def host(self, page: int) -> int:
        return self.register.hosts[page]

    def server(self, host: int) -> Place | None:
        city = self.locations.server(host)
        return city.place if city is not None else None

    def registrations(self) -> Iterator[RegistrationRecord]:
        """The registrant of each domain, wrong as often as the profile says."""
        for number, site in enumerate(self.register.sites):
            owner = self.locations.owner(number)
            domain = registrable_domain(site.domain)
            yield RegistrationRecord(domain, owner.place.name, owner.state, owner.country, "admin")

    def site(self, page: int) -> SyntheticSite:
        return self.register.site(page)

    def city(self, page: int) -> City | None:
        return self.register.city(page)

    def place(self, page: int) -> Place | None:
        """The same as a place of the gazetteer."""
        city = self.register.city(page)
        return city.place if city is not None else None

    def role(self, page: int) -> Role:
        return Role(self.register.roles[page])

    def host_type(self, page: int) -> HostType:
        return self.register.site(page).type

    def copy_of(self, page: int) -> str | None:
        """The URL of the page that this one repeats; None for one that repeats none."""
        if self.register.roles[page] != Role.DUPLICATE:
            return None
        return self.register.url(self.register.originals[page])

    def is_blocked(self, page: int) -> bool:
        """Whether robots.txt forbids it; its status is then 0."""
        return bool(self.structure.blocked[page])


@dataclass(frozen=True, slots=True)
class WebPlan:
    """How a web is made; the same plan with the same gazetteer makes the same bytes."""

    profile: str = "ahlers2009"
    random_seed: int = 1
    pages: int = 0  # 0: as many as the profile says
    city: str = ""  # the region; "": that of the profile


def make_web(plan: WebPlan, gazetteer: Gazetteer, parse: Parser | None = None) -> SyntheticWeb:
    """A synthetic web; `parse` is needed only by those who ask for whole pages."""
    profile = load_profile(plan.profile)
    pages = plan.pages or profile.pages
    structure = make_structure(profile, gazetteer, plan.random_seed, pages, plan.city)
    return SyntheticWeb(structure, parse)
