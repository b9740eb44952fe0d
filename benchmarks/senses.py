"""How often `rank` takes names of towns for the towns that are meant.

    python -m benchmarks.senses

Pairs of towns are drawn from the gazetteer by a rule, written as two names, and read for a crawl in
their country. *near*: towns of 5,000 people or more, at most 60 km apart. *far*: towns of 50,000 or
more, at least 1,000 km apart (300 in small countries). *table 1*: the hundred cities of Gao, Lee
and Miao. *any*: far towns of 5,000 or more; nothing in such a pair tells which of two towns of a
name is meant, so next to it stands how often the larger one is.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from geoscout.collaborate.partition import shipped_partition
from geoscout.strategy.rank.measures import SenseChooser
from geoscout_places.gazetteer import Gazetteer, Region, open_gazetteer
from geoscout_places.gazetteer.areas.sphere import distance_km
from geoscout_places.model import Kind, Place
from geoscout_places.toponyms.short_texts import ToponymReader

Pair = tuple[Place, Place]
PAIRS = 300
SEED = 37
NEAR_KM, SAME_KM = 60.0, 30.0
TOWN, LARGE = 5_000, 50_000
COUNTRIES = {"United States": 1000.0, "Germany": 300.0, "France": 300.0, "Brazil": 1000.0}


def main() -> None:
    """Print the share of the names that are taken for the right town, by list and rule."""
    gazetteer = open_gazetteer()
    for country, far_km in COUNTRIES.items():
        region = Region.parse(country, gazetteer)
        towns = list(towns_of(region.places[0], gazetteer))
        lists = lists_of(towns, far_km, PAIRS)
        if country == "United States":
            cities = list(shipped_partition("gao2006", gazetteer).targets.values())
            lists["table 1"] = draw(cities, 0, (0.0, 1e5), PAIRS)
        largest = {town.name: town.id for town in sorted(towns, key=lambda town: town.population)}
        named = [largest[town.name] == town.id for pair in lists["any"] for town in pair]
        print(f"{country}: largest of its name in 'any': {sum(named) / len(named):.3f}")
        for how in ("weighed", "first"):
            shares = [f"{name} {accuracy(how, region, pairs):.3f}" for name, pairs in lists.items()]
            print(f"  {how:8} {', '.join(shares)}")


def lists_of(towns: Sequence[Place], far_km: float, pairs: int) -> dict[str, list[Pair]]:
    """The lists of a country."""
    return {
        "near": draw(towns, TOWN, (0.0, NEAR_KM), pairs),
        "far": draw(towns, LARGE, (far_km, 1e5), pairs),
        "any": draw(towns, TOWN, (far_km, 1e5), pairs),
    }


def draw(towns: Sequence[Place], least: int, apart: tuple[float, float], count: int) -> list[Pair]:
    """Pairs of towns with so many people, so many kilometres apart, and different names."""
    chance = random.Random(SEED)
    pool = [town for town in towns if town.population >= least]
    found: list[Pair] = []
    while len(found) < count:
        one = chance.choice(pool)
        others = [
            town
            for town in pool
            if town.name != one.name
            and abs(town.point.latitude - one.point.latitude) * 111 <= apart[1]  # soon told
            and apart[0] <= distance_km(one.point, town.point) <= apart[1]
        ]
        if others:
            found.append((one, chance.choice(others)))
    return found


def towns_of(country: Place, gazetteer: Gazetteer) -> Iterator[Place]:
    """Its cities that are large enough for a list."""
    waiting = [country]
    while waiting:
        for place in gazetteer.children(waiting.pop()):
            waiting.append(place)
            if place.kind is Kind.CITY and place.population >= TOWN:
                yield place


def accuracy(how: str, region: Region, pairs: Sequence[Pair]) -> float:
    """The share of the names that are taken for the town they were made of."""
    reader = ToponymReader(region.gazetteer, region)
    chooser = SenseChooser(region.gazetteer, region, how)
    texts = [f"{one.name} | {other.name}" for one, other in pairs]
    right = 0
    for pair, names in zip(pairs, reader.in_texts(texts), strict=True):
        chosen = chooser.choose(names)
        right += sum(any(_are_one(town, place) for place in chosen) for town in pair)
    return right / (2 * len(pairs))


def _are_one(town: Place, place: Place) -> bool:
    return town.id == place.id or distance_km(town.point, place.point) < SAME_KM


if __name__ == "__main__":
    main()
