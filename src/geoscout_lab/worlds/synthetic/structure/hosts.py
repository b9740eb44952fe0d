"""The hosts of a synthetic web as arrays: what each is, where, how large and how popular."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from geoscout_lab.worlds.synthetic.profile import Profile
from geoscout_lab.worlds.synthetic.structure.cities import Floats

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
    """One row a host."""

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
