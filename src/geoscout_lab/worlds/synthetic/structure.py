"""The whole structure of a synthetic web, from its arguments: everything but the words."""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from geoscout_lab.worlds.synthetic.hosts import (
    City,
    Hosts,
    HostType,
    Integers,
    load_cities,
    make_hosts,
    nearness_of,
    weights_of,
)
from geoscout_lab.worlds.synthetic.linking import (
    Ground,
    LinkTable,
    add_noise,
    compress,
    distinct,
    make_links,
    proper_pages,
)
from geoscout_lab.worlds.synthetic.pages import Pages, make_pages
from geoscout_lab.worlds.synthetic.profile import Profile
from geoscout_places.errors import UsageError
from geoscout_places.gazetteer.base import Gazetteer

FEWEST_PAGES = 2000
_PAGES_A_CITY = 200  # a small web has fewer cities, so that each has enough pages
_FEWEST_CITIES = 12


@dataclass(frozen=True, slots=True)
class Structure:
    """A web without words; `region` are the numbers of the cities it is explored for."""

    profile: Profile
    random_seed: int
    cities: tuple[City, ...]
    region: tuple[int, ...]
    hosts: Hosts
    pages: Pages
    sections: Integers
    graph: LinkTable
    original: Integers
    status: npt.NDArray[np.int16]
    blocked: npt.NDArray[np.bool_]
    relevant: npt.NDArray[np.bool_]
    seeds: tuple[int, ...]


def make_structure(
    profile: Profile, gazetteer: Gazetteer, random_seed: int, pages: int, city: str
) -> Structure:
    """Lay out a web with this number of pages; `city` "" takes the profile's own region."""
    if pages < FEWEST_PAGES:
        raise UsageError(f"a synthetic web has at least {FEWEST_PAGES} pages, not {pages}")
    chance = np.random.Generator(np.random.PCG64(random_seed))
    name = city or profile.city
    cities = _enough_cities(load_cities(profile, gazetteer), name, pages // _PAGES_A_CITY)
    region = _region(cities, name)
    weights = weights_of(cities, profile.city_exponent)
    hosts = make_hosts(profile, proper_pages(profile, pages), weights, chance)
    proper, sections = make_pages(profile, hosts, weights, chance)
    countries = sorted({place.country for place in cities})
    ground = Ground(
        profile=profile,
        hosts=hosts,
        pages=proper,
        sections=sections,
        country=np.array([countries.index(place.country) for place in cities]),
        nearness=nearness_of(cities, weights),
    )
    noisy = add_noise(profile, hosts, proper, distinct(make_links(ground, chance)), chance)
    relevant = np.isin(noisy.pages.address_city, region) & (noisy.status == 200)
    return Structure(
        profile=profile,
        random_seed=random_seed,
        cities=cities,
        region=region,
        hosts=hosts,
        pages=noisy.pages,
        sections=sections,
        graph=compress(distinct(noisy.edges), noisy.pages.count),
        original=noisy.original,
        status=noisy.status,
        blocked=noisy.blocked,
        relevant=relevant,
        seeds=_seeds(profile, hosts, region, chance),
    )


def _enough_cities(cities: tuple[City, ...], name: str, count: int) -> tuple[City, ...]:
    """As many cities as `count`, with that of the region; all of them if all are the region."""
    wanted = max(count, _FEWEST_CITIES)
    if not name or wanted >= len(cities):
        return cities
    kept = {number * len(cities) // wanted for number in range(wanted)} | {*_region(cities, name)}
    chosen = [cities[number] for number in sorted(kept)]
    return tuple(replace(city, number=number) for number, city in enumerate(chosen))


def _region(cities: tuple[City, ...], name: str) -> tuple[int, ...]:
    """The city of that name, with its state where it has one; all cities for ""."""
    if not name:
        return tuple(range(len(cities)))
    wanted = name.casefold()
    for city in cities:
        if wanted in (city.name.casefold(), f"{city.name}, {city.state}".casefold()):
            return (city.number,)
    known = ", ".join(city.name for city in cities[:12])
    raise UsageError(f"this web has no city {name!r}; it has {known} …")


def _seeds(
    profile: Profile, hosts: Hosts, region: tuple[int, ...], chance: np.random.Generator
) -> tuple[int, ...]:
    """Home pages to begin with: directories, popular hosts, or local hosts of the region."""
    count = profile.seeds
    if profile.directory_seeds:
        directories = np.flatnonzero(hosts.type == HostType.DIRECTORY)
        chosen = directories[np.argsort(-hosts.attraction[directories])][:count]
    elif profile.popular_seeds:
        popular = np.argsort(-np.where(hosts.type == HostType.TRAP, 0, hosts.attraction))
        chosen = popular[: min(count, hosts.count // 4)]
    else:
        inside = np.isin(hosts.city, region)
        away = round(count * profile.seeds_elsewhere)
        near = _known_hosts(hosts, inside, count - away, chance)
        chosen = (
            np.concatenate([near, _known_hosts(hosts, ~inside, away, chance)]) if away else near
        )
    return tuple(int(page) for page in hosts.first[chosen])


def _known_hosts(
    hosts: Hosts, inside: npt.NDArray[np.bool_], count: int, chance: np.random.Generator
) -> Integers:
    """Local hosts, drawn by how often others link to them."""
    local = np.flatnonzero(hosts.is_local & inside)
    if not hosts.attraction[local].sum() > 0:
        raise UsageError("a web so small has no site of that city: take more pages or another city")
    known = hosts.attraction[local] / hosts.attraction[local].sum()
    drawn: Integers = chance.choice(local, min(count, len(local)), replace=False, p=known)
    return drawn
