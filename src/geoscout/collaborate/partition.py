"""Which node owns which places: from a file, or divided among nodes by a rule.

A partition is a small TOML file, `[nodes]` with a list of places for each node. A node without
places is a general one: it takes what nobody claims, and several share that by the host of the
URL. Where the file has no general node, one is added, because every link must go somewhere.

Those who have a list of places and no partition of their own divide it by population, country, time
zone or where they lie; the same places always give the same nodes.
"""

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from heapq import heapify, heapreplace
from importlib.resources import files
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from geoscout_places.errors import UsageError
from geoscout_places.gazetteer.areas.sphere import distance_km
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.model import Kind, Place, Point
from geoscout_places.urls import host_of

GENERAL = "general"
# Of a node that owns a county, state or country, the cities that are recognised by name.
SMALLEST_CITY = 50_000
_DIVISIONS = {Kind.COUNTRY, Kind.REGION, Kind.DISTRICT, Kind.AREA}


@dataclass(frozen=True, slots=True)
class Node:
    """A crawler of a collaborative crawl."""

    name: str
    places: tuple[Place, ...] = ()  # none: a general node


class Partition:
    """The nodes of a crawl and what they own. Immutable."""

    def __init__(self, nodes: Sequence[Node], gazetteer: Gazetteer) -> None:
        if not any(not node.places for node in nodes):
            nodes = (Node(GENERAL), *nodes)
        self.nodes = tuple(nodes)
        self.names = tuple(node.name for node in self.nodes)
        self.general = tuple(node.name for node in self.nodes if not node.places)
        self._gazetteer = gazetteer
        self._owners: dict[int, str | None] = {**_owners(self.nodes)}
        cities = (self._cities_of(place) for node in self.nodes for place in node.places)
        self._targets = {city.id: city for found in cities for city in found}

    @property
    def targets(self) -> Mapping[int, Place]:
        """The cities that are recognised: those owned, and the larger ones of owned divisions."""
        return self._targets

    def owner(self, place: int) -> str | None:
        """The node that owns a place or what it lies in; None when nobody does."""
        if place not in self._owners:
            owned = (self._owners.get(outer) for outer in self._what_contains(place))
            self._owners[place] = next((owner for owner in owned if owner), None)
        return self._owners[place]

    def target_of(self, place: int) -> int:
        """The recognised city that a place is or lies in, by id; 0 for none.

        An address in Brooklyn is one of New York.
        """
        within = (id for id in self._what_contains(place) if id in self._targets)
        return next(within, 0)

    def _what_contains(self, place: int) -> Iterator[int]:
        """The place, and what it lies in, from the narrow to the wide."""
        known = self._gazetteer.place(place)
        above = self._gazetteer.ancestors(known) if known else ()
        return iter((place, *(outer.id for outer in above)))

    def unclaimed(self, url: str) -> str:
        """The general node for a URL; always the same for one host."""
        if len(self.general) == 1:
            return self.general[0]
        return self.general[stable_hash(host_of(url)) % len(self.general)]

    def _cities_of(self, place: Place) -> Iterator[Place]:
        if place.kind not in _DIVISIONS:
            yield place
            return
        for child in self._gazetteer.children(place):
            if child.kind in _DIVISIONS:
                yield from self._cities_of(child)
            elif child.kind is Kind.CITY and child.population >= SMALLEST_CITY:
                yield child


def stable_hash(text: str) -> int:
    """The same number in every process and on every machine, unlike `hash`."""
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest())


def read_partition(text: str, gazetteer: Gazetteer) -> Partition:
    """The partition a file describes.

    Raises:
        UsageError: it is not such a file, or two nodes own one place.
        UnknownPlaceError: the gazetteer has no such place.
    """
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"the nodes file is not TOML: {error}") from error
    nodes = table.get("nodes")
    if not isinstance(nodes, dict) or not nodes or not all(map(_is_names, nodes.values())):
        raise UsageError('the nodes file needs [nodes] with lines such as west = ["Reno, NV"]')
    return Partition(
        [Node(name, tuple(_find(nodes[name], gazetteer))) for name in nodes], gazetteer
    )


def write_partition(partition: Partition, gazetteer: Gazetteer) -> str:
    """The file that `read_partition` reads as this partition."""
    lines = ["[nodes]"]
    for node in partition.nodes:
        labels = ", ".join(f'"{_label(place, gazetteer)}"' for place in node.places)
        lines.append(f'"{node.name}" = [{labels}]')
    return "\n".join(lines) + "\n"


def shipped_partitions() -> tuple[str, ...]:
    """The names `shipped_partition` knows."""
    folder = files("geoscout.collaborate") / "partitions"
    return tuple(sorted(f.name[:-5] for f in folder.iterdir() if f.name.endswith(".toml")))


def shipped_partition(name: str, gazetteer: Gazetteer) -> Partition:
    """A partition that comes with geoscout."""
    if name not in shipped_partitions():
        known = ", ".join(shipped_partitions())
        raise UsageError(f"no partition is called {name!r}; there are: {known}")
    file = files("geoscout.collaborate") / "partitions" / f"{name}.toml"
    return read_partition(file.read_text(encoding="utf-8"), gazetteer)


def _owners(nodes: Iterable[Node]) -> dict[int, str]:
    owners: dict[int, str] = {}
    for node in nodes:
        for place in node.places:
            if owners.setdefault(place.id, node.name) != node.name:
                other = owners[place.id]
                raise UsageError(f"{place.name} belongs to both {other!r} and {node.name!r}")
    return owners


def _find(names: Sequence[str], gazetteer: Gazetteer) -> Iterator[Place]:
    for name in names:
        yield gazetteer.find(name)[0].place


def _is_names(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)


def _label(place: Place, gazetteer: Gazetteer) -> str:
    above = [p.name for p in gazetteer.ancestors(place) if p.kind in (Kind.REGION, Kind.COUNTRY)]
    return ", ".join([place.name, *above])


_ROUNDS = 100  # k-means has settled long before on any list of cities
_WINTER = datetime(2005, 1, 15)  # noqa: DTZ001 - a local day without summer time in the north


def by_population(places: Sequence[Place], nodes: int) -> list[Node]:
    """Nodes with about as many people each: the next largest place goes to the least populous."""
    _check(places, nodes)
    loads = [(0, number) for number in range(nodes)]
    heapify(loads)
    shares: list[list[Place]] = [[] for _ in range(nodes)]
    for place in sorted(places, key=lambda place: (-place.population, place.id)):
        load, number = loads[0]
        shares[number].append(place)
        # A place nobody has counted still is work for its node.
        heapreplace(loads, (load + max(place.population, 1), number))
    return [Node(f"population-{n}", tuple(share)) for n, share in enumerate(shares, 1)]


def by_country(places: Sequence[Place]) -> list[Node]:
    """One node a country."""
    return _grouped(places, lambda place: place.country.lower() or "nowhere")


def by_timezone(places: Sequence[Place]) -> list[Node]:
    """One node for each difference to Greenwich in winter: Phoenix is with Denver."""
    return _grouped(places, _offset)


def by_distance(places: Sequence[Place], nodes: int) -> list[Node]:
    """Nodes of places that lie together: k-means on the globe, from far apart starts."""
    _check(places, nodes)
    centres = _far_apart(places, nodes)
    groups: list[list[Place]] = []
    for _ in range(_ROUNDS):
        groups = [[] for _ in centres]
        for place in places:
            nearest = min(range(nodes), key=lambda n: distance_km(place.point, centres[n]))
            groups[nearest].append(place)
        moved = [_middle(g) if g else c for g, c in zip(groups, centres, strict=True)]
        if moved == centres:
            break
        centres = moved
    return [Node(f"area-{n}", tuple(g)) for n, g in enumerate(filter(None, groups), 1)]


_COUNTED = {"population": by_population, "distance": by_distance}  # told how many nodes to make
_BY_NAME = {"country": by_country, "timezone": by_timezone}


def divide(text: str, places: Sequence[Place]) -> list[Node]:
    """The nodes for a text such as "population=5" or "timezone"."""
    name, _, number = text.partition("=")
    if name in _COUNTED and number.isdigit():
        return _COUNTED[name](places, int(number))
    if name in _BY_NAME and not number:
        return _BY_NAME[name](places)
    known = ", ".join([*(f"{way}=5" for way in _COUNTED), *_BY_NAME])
    raise UsageError(f"{text!r} is not a way to divide places; ways are: {known}")


def _grouped(places: Sequence[Place], key: Callable[[Place], str]) -> list[Node]:
    groups: dict[str, list[Place]] = {}
    for place in places:
        groups.setdefault(key(place), []).append(place)
    return [Node(name, tuple(group)) for name, group in sorted(groups.items())]


def _offset(place: Place) -> str:
    try:
        offset = ZoneInfo(place.timezone).utcoffset(_WINTER) if place.timezone else None
    except (ZoneInfoNotFoundError, ValueError):
        offset = None
    if offset is None:
        return "zone-unknown"
    return f"utc{offset.total_seconds() / 3600:+g}"


def _check(places: Sequence[Place], nodes: int) -> None:
    if not 0 < nodes <= len(places):
        raise UsageError(f"{len(places)} places make 1 to {len(places)} nodes, not {nodes}")


def _far_apart(places: Sequence[Place], number: int) -> list[Point]:
    """The most populous place, then always the one farthest from all before."""
    chosen = [max(places, key=lambda place: (place.population, -place.id)).point]
    while len(chosen) < number:
        farthest = max(places, key=lambda p: min(distance_km(p.point, c) for c in chosen))
        chosen.append(farthest.point)
    return chosen


def _middle(places: Sequence[Place]) -> Point:
    """The mean of coordinates, longitudes unrolled around the first so that 180° is not an edge."""
    first = places[0].point.longitude
    east = [(place.point.longitude - first + 180) % 360 - 180 for place in places]
    longitude = (first + sum(east) / len(places) + 180) % 360 - 180
    return Point(sum(place.point.latitude for place in places) / len(places), longitude)
