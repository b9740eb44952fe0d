"""The cities of a synthetic web, real places with their postcodes, and its hosts as arrays."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from geoscout_lab.worlds.synthetic.profile import Profile, read_data
from geoscout_places.errors import DamagedDataError, UsageError
from geoscout_places.gazetteer.areas.sphere import distance_km
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.model import Kind, Place, Postcode

Floats = npt.NDArray[np.float64]
_NEAR_KM = 250.0


@dataclass(frozen=True, slots=True)
class City:
    """A city as its pages write it."""

    number: int
    name: str
    label: str  # with region and country, as a user would write it
    state: str  # postal code of the state in the United States, else ""
    zone: str  # time zone in the partition of Gao, Lee and Miao; "" elsewhere
    place: Place
    postcodes: tuple[Postcode, ...]

    @property
    def country(self) -> str:
        return self.place.country


def load_cities(profile: Profile, gazetteer: Gazetteer) -> tuple[City, ...]:
    """The cities of a profile, the most populous first."""
    found = []
    for zone, entry in _entries(profile):
        id, _, label = entry.partition(" ")
        name, _, state = label.partition(", ")
        place = gazetteer.place(int(id))
        if place is None:
            raise UsageError(f"the gazetteer has no {label} ({id}); build it from its own tables")
        found.append((place, name, state, zone))
    found.sort(key=lambda row: (-row[0].population, row[0].id))
    return tuple(
        City(
            number,
            name,
            _label(place, gazetteer),
            state,
            zone,
            place=place,
            postcodes=_codes(place, gazetteer),
        )
        for number, (place, name, state, zone) in enumerate(found)
    )


def _label(place: Place, gazetteer: Gazetteer) -> str:
    wanted = (Kind.REGION, Kind.COUNTRY)
    above = [area.name for area in gazetteer.ancestors(place) if area.kind in wanted]
    return ", ".join(dict.fromkeys((place.name, *above)))


def _codes(place: Place, gazetteer: Gazetteer) -> tuple[Postcode, ...]:
    codes = [
        code
        for code in gazetteer.postcodes_of(place)
        # Codes of single large receivers have letters ("75349SP07"); British ones always do.
        if code.country == place.country and (code.code.isdigit() or place.country == "GB")
    ]
    if not codes:
        raise DamagedDataError(f"the gazetteer has no postcode of {place.name}")
    return tuple(codes)


def _entries(profile: Profile) -> Iterator[tuple[str, str]]:
    """Zone and entry of each city; "germany:27" takes 27, spread over the list."""
    tables = read_data("cities.toml")
    for wanted in profile.cities:
        name, _, count = wanted.partition(":")
        table = tables[name]
        if isinstance(table, dict):
            yield from ((zone, entry) for zone, entries in table.items() for entry in entries)
            continue
        most = int(count) if count else len(table)
        yield from (("", table[number * len(table) // most]) for number in range(most))


def weights_of(cities: Sequence[City], exponent: float) -> Floats:
    """The share of the local web that each city has: rank ^ -exponent."""
    weights = np.arange(1, len(cities) + 1, dtype=np.float64) ** -exponent
    shares: Floats = weights / weights.sum()
    return shares


def nearness_of(cities: Sequence[City], weights: Floats) -> Floats:
    """How likely a link from one city goes to each other one, as sums that run along each row."""
    points = [city.place.point for city in cities]
    distances = np.array([[distance_km(one, other) for other in points] for one in points])
    likely = weights * np.exp(-distances / _NEAR_KM)
    np.fill_diagonal(likely, 0.0)
    # A city that is far from all others still has a nearest one.
    likely[np.arange(len(cities)), np.argsort(distances, axis=1)[:, 1]] += 1e-9
    sums: Floats = np.cumsum(likely / likely.sum(axis=1, keepdims=True), axis=1)
    return sums


Integers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
POPULARITY_EXPONENT = 1.1


class HostType(IntEnum):
    """The seven types, in the order of the profiles' lists."""

    BUSINESS = 0
    PORTAL = 1
    ORGANISATION = 2
    CHAIN = 3
    NATIONAL = 4
    DIRECTORY = 5
    TRAP = 6


LOCAL = (HostType.BUSINESS, HostType.PORTAL, HostType.ORGANISATION)


@dataclass(frozen=True, slots=True)
class Hosts:
    type: Integers
    city: Integers  # of local hosts; of the others the seat of the company
    size: Integers  # pages, noise aside
    first: Integers  # its first page
    attraction: Floats
    has_contact: Flags
    has_imprint: Flags
    contact_everywhere: Flags  # contact and imprint are linked from every page
    footer_address: Flags  # its address is in the footer of nearly every page

    @property
    def count(self) -> int:
        return len(self.type)

    @property
    def is_local(self) -> Flags:
        return self.type <= HostType.ORGANISATION


def make_hosts(profile: Profile, pages: int, cities: Floats, chance: np.random.Generator) -> Hosts:
    """Hosts with this number of pages in all; `cities` are the weights of the cities."""
    types, sizes = _types_and_sizes(profile, pages, chance)
    count = len(types)
    order = chance.permutation(count)  # so that a number tells nothing of the type
    types, sizes = types[order], sizes[order]
    popularity = (1 - chance.random(count)) ** (-1 / POPULARITY_EXPONENT)
    is_local = types <= HostType.ORGANISATION
    return Hosts(
        type=types,
        city=_host_cities(types, cities, chance),
        size=sizes,
        first=np.concatenate(([0], np.cumsum(sizes)[:-1])),
        attraction=np.asarray(profile.attraction)[types] * popularity * np.sqrt(sizes),
        has_contact=chance.random(count) < profile.has_contact,
        has_imprint=chance.random(count) < profile.has_imprint,
        contact_everywhere=chance.random(count) < profile.contact_everywhere,
        footer_address=is_local & (chance.random(count) < profile.footer_hosts),
    )


def _host_cities(types: Integers, cities: Floats, chance: np.random.Generator) -> Integers:
    """Cities by weight; no city has a second portal before each has one."""
    city = chance.choice(len(cities), len(types), p=cities)
    portals = np.flatnonzero(types == HostType.PORTAL)
    for first in range(0, len(portals), len(cities)):
        some = portals[first : first + len(cities)]
        city[some] = chance.choice(len(cities), len(some), replace=False, p=cities)
    return city


def _types_and_sizes(
    profile: Profile, pages: int, chance: np.random.Generator
) -> tuple[Integers, Integers]:
    """Hosts of every type in their shares, as many as hold the pages; the last one is cut."""
    means = np.array([_mean_size(*row) for row in profile.sizes])
    shares = np.array(profile.host_mix) / sum(profile.host_mix)
    guess = pages / float(shares @ means)
    counts = np.maximum(1, np.round(shares * guess)).astype(np.int64)
    types = np.repeat(np.arange(len(counts)), counts)
    sizes = np.concatenate(
        [_draw_sizes(row, int(n), chance) for row, n in zip(profile.sizes, counts, strict=True)]
    )
    return _fitted(types, sizes, pages)


def _fitted(types: Integers, sizes: Integers, pages: int) -> tuple[Integers, Integers]:
    """The same hosts with exactly `pages` pages: national sites get those that are missing."""
    national = np.flatnonzero(types == HostType.NATIONAL)
    smallest = 6
    missing = pages - int(sizes.sum())
    if missing >= 0:
        extra = np.full(len(national), missing // len(national))
        extra[: missing % len(national)] += 1
        sizes[national] += extra
        return types, sizes
    for host in np.argsort(-sizes, kind="stable"):  # the largest give first
        give = min(-missing, int(sizes[host]) // 2, int(sizes[host]) - smallest)
        sizes[host] -= max(0, give)
        missing += max(0, give)
        if missing == 0:
            break
    return types, sizes


def _mean_size(exponent: float, least: float, most: float) -> float:
    """The mean of a Pareto distribution between two bounds."""
    tail = (least / most) ** exponent
    power = exponent - 1
    return float(exponent * least**exponent / (1 - tail) * (least**-power - most**-power) / power)


def _draw_sizes(
    row: tuple[float, float, float], count: int, chance: np.random.Generator
) -> Integers:
    """Sizes at evenly spread quantiles, shuffled by who gets which: small webs keep the shape."""
    exponent, least, most = row
    tail = (least / most) ** exponent
    quantiles = (np.arange(count) + chance.random(count)) / count
    sizes: Integers = (least * (1 - quantiles * (1 - tail)) ** (-1 / exponent)).astype(np.int64)
    return sizes
