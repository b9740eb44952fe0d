"""What the experiment of Gao, Lee and Miao 2006 asks of a world: entities, servers, labelled pages.

A synthetic web knows all of it. For an archive, the geoparser's reading tells the entities, and
which pages are about a city; the locations of its servers are not known.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from geoscout.collaborate import Partition
from geoscout.collaborate.base import Locate
from geoscout.collaborate.text_classifier import NONE, TextClassifier, train
from geoscout_lab.gao2006.figures import EntitiesOf, entity_of
from geoscout_lab.gao2006.measures import GeoEntity
from geoscout_lab.worlds.base import OK, KnownWorld, ReadWorld, World
from geoscout_lab.worlds.synthetic import SyntheticWeb, WebPlan, make_web
from geoscout_lab.worlds.synthetic.structure.hosts import LOCAL, HostType
from geoscout_places.errors import UsageError
from geoscout_places.gazetteer.areas.sphere import distance_km
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.model import Place
from geoscout_places.parse import parse_html
from geoscout_places.urls import host_of

_SAME_CITY_KM = 15.0  # a gazetteer may have a city and its county seat as two places
TRAINING_PAGES = 20  # a city at the most, and as many about none; the paper: 500 to 2000, 2000
_TUNING_SEED = 100  # of the synthetic web to learn from, which is not crawled


_LISTED = (*LOCAL, HostType.NATIONAL)


class GaoWorld:
    """A world with what the experiment must know about it."""

    def __init__(self, world: World, partition: Partition) -> None:
        self._world = world
        self._partition = partition
        self._owned: dict[int, int] = {}

    def entities_of(self) -> EntitiesOf:
        """How to find the entities of a page that lie in owned cities."""
        world = self._world
        if isinstance(world, KnownWorld):
            return lambda page: list(self._entities_told(world, page))
        return self._entities_read

    def city_of(self, page: int) -> int:
        """The owned city a page is truly about; 0 for none."""
        if isinstance(self._world, KnownWorld):
            place = self._world.place(page)
            return self._target(place) if place is not None else NONE
        return next((int(entity.city) for entity in self._entities_read(page)), NONE)

    def locations(self) -> Locate:
        """Where servers stand, by host name.

        Raises:
            UsageError: the world does not know.
        """
        world = self._world
        if not isinstance(world, KnownWorld):
            raise UsageError("the locations of servers are not known in this world")
        numbers = {host_of(world.url(page)): world.host(page) for page in range(world.size)}
        return lambda host: world.server(numbers[host]) if host in numbers else None

    def train(self, chance: random.Random, of_city: int = TRAINING_PAGES) -> TextClassifier:
        """A classifier from pages of the world whose city is known, `of_city` of each at most."""
        chosen = self._chosen(chance, of_city)
        return train((self._world.page(page).text, city) for page, city in chosen)

    def _chosen(self, chance: random.Random, of_city: int) -> Iterator[tuple[int, int]]:
        wanted: dict[int, int] = dict.fromkeys(self._partition.targets, of_city)
        wanted[NONE] = of_city
        pages = list(range(self._world.size))
        chance.shuffle(pages)
        for page in pages:
            if self._world.status(page) != OK or not self._is_listed(page):
                continue
            city = self.city_of(page)
            if wanted.get(city):  # a town of an owned division may not be a class
                wanted[city] -= 1
                yield page, city

    def _is_listed(self, page: int) -> bool:
        """Whether the Open Directory would list its site: those of a city, or of none."""
        world = self._world
        return not isinstance(world, SyntheticWeb) or world.host_type(page) in _LISTED

    def _entities_told(self, world: KnownWorld, page: int) -> Iterator[GeoEntity]:
        if world.entities(page):
            for address in world.addresses(page):
                if city := self._target(address.city):
                    yield GeoEntity(address.normal_form, str(city))

    def _entities_read(self, page: int) -> Sequence[GeoEntity]:
        if not isinstance(self._world, ReadWorld):
            return []
        reading = self._world.reading(page)
        found = [entity_of(a, self._partition) for a in reading.addresses] if reading else ()
        return [entity for entity in found if entity is not None]

    def _target(self, place: Place) -> int:
        """The owned city that a place is, or all but is; 0 for none."""
        if place.id not in self._owned:
            targets = self._partition.targets
            near = [(distance_km(place.point, city.point), id) for id, city in targets.items()]
            distance, id = min(near, default=(_SAME_CITY_KM, NONE))
            self._owned[place.id] = id if distance < _SAME_CITY_KM else NONE
        return self._owned[place.id]


def world_to_learn_from(world: World, gazetteer: Gazetteer) -> World:
    """Another synthetic web of the same kind and size; an archive has only itself."""
    if not isinstance(world, SyntheticWeb):
        return world
    plan = WebPlan(world.structure.profile.name, _TUNING_SEED, world.size)
    return make_web(plan, gazetteer, parse_html)
