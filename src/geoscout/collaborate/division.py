"""Ways to divide places among nodes: by population, country, time zone, or where they lie.

For those who have a list of places and no partition of their own. Each is deterministic: the same
places give the same nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from heapq import heapify, heapreplace
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from geoscout.collaborate.partition import Node
from geoscout_places.errors import UsageError
from geoscout_places.gazetteer.areas.sphere import distance_km
from geoscout_places.model import Place, Point

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


def by_country(places: Sequence[Place], nodes: int = 0) -> list[Node]:  # noqa: ARG001
    """One node a country."""
    return _grouped(places, lambda place: place.country.lower() or "nowhere")


def by_timezone(places: Sequence[Place], nodes: int = 0) -> list[Node]:  # noqa: ARG001
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


@dataclass(frozen=True, slots=True)
class Way:
    """A way to divide places, and whether it needs to be told how many nodes to make."""

    divide: Callable[[Sequence[Place], int], list[Node]]
    needs_number: bool


WAYS: Mapping[str, Way] = {
    "population": Way(by_population, needs_number=True),
    "distance": Way(by_distance, needs_number=True),
    "country": Way(by_country, needs_number=False),
    "timezone": Way(by_timezone, needs_number=False),
}


def divide(text: str, places: Sequence[Place]) -> list[Node]:
    """The nodes for a text such as "population=5" or "timezone".

    Raises:
        UsageError: there is no such way, or the number does not fit.
    """
    name, _, number = text.partition("=")
    way = WAYS.get(name)
    if way is None or way.needs_number != number.isdigit():
        known = ", ".join(f"{n}=5" if w.needs_number else n for n, w in WAYS.items())
        raise UsageError(f"{text!r} is not a way to divide places; ways are: {known}")
    return way.divide(places, int(number or 0))


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
