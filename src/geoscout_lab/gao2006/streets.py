"""Addresses read from the text of pages, each looked up in a table of streets.

The paper takes nothing for an address whose street TIGER/Line does not have. The table of a
synthetic web has the streets that its addresses are in, or a share of them.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean

from geoscout_lab.experiments import Cell, Run, Table
from geoscout_lab.gao2006.measures import GeoEntity
from geoscout_lab.measures.harvest import share_of
from geoscout_lab.worlds.synthetic import SyntheticWeb
from geoscout_lab.worlds.synthetic.profile import share_of as luck_of
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.gazetteer.names import fold_street
from geoscout_places.geo.address import extract_addresses, is_entity
from geoscout_places.model import Address, Place


@dataclass(frozen=True)
class ReadAddresses:
    """The addresses of a web as the address extractor finds them."""

    web: SyntheticWeb
    gazetteer: Gazetteer
    target: Callable[[Place], int]  # the owned city that a place is; 0 for none
    share: float  # of the streets that the table has; 0: nothing is looked up

    def entities(self, page: int) -> Sequence[GeoEntity]:
        """Those of owned cities, each once."""
        return list(dict.fromkeys(self._entities(page)))

    def accuracy(self, pages: Iterable[int]) -> dict[str, float]:
        """How many of the entities are there, and how many of those there are found."""
        read = told = right = 0
        for page in pages:
            found, known = set(self.entities(page)), set(self._told(page))
            read, told, right = read + len(found), told + len(known), right + len(found & known)
        return {"address_precision": share_of(right, read), "address_recall": share_of(right, told)}

    def _entities(self, page: int) -> Iterator[GeoEntity]:
        text = self.web.page(page)
        for address in extract_addresses(text.text, self.gazetteer, blocks=text.blocks):
            if address.place is not None and is_entity(address):
                city = self.target(address.place)
                if city and self._is_known(address, city):
                    yield _entity(address.house_number, address.street, city)

    def _is_known(self, address: Address, city: int) -> bool:
        return not self.share or (city, fold_street(address.street)) in self._streets

    @cached_property
    def _streets(self) -> frozenset[tuple[int, str]]:
        """The table: which streets each city has."""
        names = {
            (self.target(entity.city.place), fold_street(entity.street))
            for page in range(self.web.size)
            for entity in self.web.register.entities(page)
        }
        seed = self.web.structure.random_seed
        return frozenset(
            known for n, known in enumerate(sorted(names)) if luck_of(seed, n) < self.share
        )

    def _told(self, page: int) -> Iterator[GeoEntity]:
        for entity in self.web.register.entities(page):
            if city := self.target(entity.city.place):
                yield _entity(entity.number, entity.street, city)


WAYS = {
    "": "told by the web",
    "addresses=read": "read",
    "addresses=checked": "read, and looked up",
    "addresses=checked:streets=0.9": "looked up where a tenth of the streets is missing",
}
_FIGURES = {
    "address_precision": "right",
    "address_recall": "found",
    "geo_coverage": "coverage",
    "geo_focus_where_measured": "focus",
    "unique_entities": "unique",
    "geo_centrality": "centrality",
}


def streets_table(runs: Sequence[Run]) -> Table:
    """What the figures of the paper are with and without a look at a street table."""
    groups: dict[tuple[str, str], list[Run]] = {}
    for run in runs:
        profile = run["web"].rpartition("-")[0].partition("=")[2] or "0"
        groups.setdefault((profile, run["collaboration"]), []).append(run)
    rows: list[tuple[Cell, ...]] = []
    for (share, spec), own in groups.items():
        name, _, way = spec.partition(":")
        means = ([run[key] for run in own if key in run] for key in _FIGURES)
        cells = [fmean(values) if values else None for values in means]
        rows.append((share, name, WAYS.get(way, way), *cells))
    columns = ("pages with a false address", "assignment", "addresses", *_FIGURES.values())
    note = (
        "Right: of the entities read, those that are there; found: of those there. Means over webs."
    )
    return Table("Each candidate looked up", columns, tuple(rows), note)


def _entity(number: str, street: str, city: int) -> GeoEntity:
    return GeoEntity(f"{number} {fold_street(street)}", str(city))
