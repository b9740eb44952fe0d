"""Pages made by rule: words by Zipf's law, texts as long as real ones, towns by population.

Made again from the same seed for each engine, so that none of them has to keep 600 MB of text.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from geoscout.index import Document, PlaceEvidence, Spot
from geoscout_places.gazetteer import Gazetteer
from geoscout_places.model import Kind, Place, Point

COUNTRIES = ("Germany", "United Kingdom", "France", "Portugal", "Spain", "Italy")
VOCABULARY = 50_000
LEAST_PEOPLE = 5_000
_BATCH = 2_000
_MEDIAN_WORDS, _SPREAD = 245, 0.8  # log-normal: mean 337 words, one page in twenty over 900
_WITH_ADDRESS = 0.5
_TOWN_KM = 4.0


@dataclass(frozen=True)
class World:
    """The towns and words pages are made of."""

    towns: list[Place]
    ancestors: dict[int, list[int]]
    people: npt.NDArray[np.float64]  # share of each town
    words: npt.NDArray[Any]
    shares: npt.NDArray[np.float64]  # of the words


def make_world(gazetteer: Gazetteer) -> World:
    towns = [town for name in COUNTRIES for town in _towns(gazetteer, name)]
    people = np.array([town.population for town in towns], np.float64) ** 0.7
    shares = 1 / (np.arange(VOCABULARY) + 3.0)
    ancestors = {town.id: [p.id for p in gazetteer.ancestors(town)] for town in towns}
    words = np.array([_word(rank) for rank in range(VOCABULARY)])
    return World(towns, ancestors, people / people.sum(), words, shares / shares.sum())


def make_pages(world: World, count: int, seed: int) -> Iterator[Document]:
    """The pages in their order; the same for the same seed."""
    chance = np.random.default_rng(seed)
    for first in range(0, count, _BATCH):
        size = min(_BATCH, count - first)
        lengths = np.exp(chance.normal(np.log(_MEDIAN_WORDS), _SPREAD, size)).astype(int) + 10
        drawn = chance.choice(world.words, int(lengths.sum()), p=world.shares)
        towns = chance.choice(len(world.towns), (size, 3), p=world.people)
        ends = np.cumsum(lengths)
        for number in range(size):
            words = drawn[ends[number] - lengths[number] : ends[number]]
            named = [world.towns[town] for town in towns[number]]
            yield _page(first + number, words, named, chance)


def _page(
    number: int, words: npt.NDArray[Any], named: list[Place], chance: np.random.Generator
) -> Document:
    main, *others = named
    has_address = chance.random() < _WITH_ADDRESS
    kilometre = 1 / 111.0
    shift = chance.normal(0, _TOWN_KM * kilometre, 2)
    point = Point(main.point.latitude + shift[0], main.point.longitude + shift[1])
    spots = [Spot(point, 1.0)] if has_address else [Spot(main.point, 0.6)]
    evidence = {main.id: PlaceEvidence(main.id, 0.7, 4, has_address, is_main=True)}
    for other in others[: int(chance.integers(0, 3))]:
        evidence.setdefault(other.id, PlaceEvidence(other.id, 0.15, 1))
        spots.append(Spot(other.point, 0.3))
    return Document(
        url=f"http://host{number % 5000}.example/{number}",
        title=" ".join(words[:6].tolist()),
        text=f"{main.name} {' '.join(words.tolist())}",
        visit=number,
        fetched_at=1.7e9 + number,
        places=tuple(evidence.values()),
        spots=tuple(spots),
    )


def _towns(gazetteer: Gazetteer, country: str) -> list[Place]:
    waiting = [gazetteer.find(country)[0].place]
    towns: list[Place] = []
    while waiting:
        for child in gazetteer.children(waiting.pop()):
            if child.kind in (Kind.REGION, Kind.DISTRICT):
                waiting.append(child)
            elif child.kind is Kind.CITY and child.population >= LEAST_PEOPLE:
                towns.append(child)
    return towns


def _word(rank: int) -> str:
    """A word that sounds like one: syllables by the digits of its rank."""
    consonants, vowels = "bdfgklmnprst", "aeiou"
    text, rest = "", rank + 61
    while rest:
        rest, digit = divmod(rest, 60)
        text += consonants[digit // 5] + vowels[digit % 5]
    return text
