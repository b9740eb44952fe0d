"""The cities of a synthetic web: real places with their real postcodes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

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
    """The cities of a profile, the most populous first.

    Raises:
        UsageError: the gazetteer does not have one of them.
    """
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
