"""What is true of a world, worked out once for all strategies that crawl it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from geoscout.lab.simulation.oracles import Truth
from geoscout.lab.worlds.base import World
from geoscout.lab.worlds.truth import UNREACHABLE, graph_of, relevance_of


@dataclass(frozen=True, slots=True)
class WorldFacts:
    """A world's truth, and how much of it can be reached."""

    world: World
    truth: Truth
    reachable: int  # pages, dead ones and redirects included
    targets: NDArray[np.int64]  # relevant pages that can be reached
    hosts: int  # with a relevant page that can be reached
    entities: int  # distinct, in those pages

    def entities_of(self, pages: Sequence[int]) -> list[frozenset[str]]:
        """The addresses in each of these pages."""
        return [frozenset(self.world.entities(page)) for page in pages]


def facts_of(world: World) -> WorldFacts:
    """Look at all of a world."""
    truth = Truth(graph_of(world), relevance_of(world), world.seeds)
    depths = truth.graph.depths(world.seeds)
    targets = np.flatnonzero((depths != UNREACHABLE) & truth.relevant)
    entities = {entity for page in targets.tolist() for entity in world.entities(page)}
    return WorldFacts(
        world,
        truth,
        int(np.count_nonzero(depths != UNREACHABLE)),
        targets,
        len({world.host(page) for page in targets.tolist()}),
        len(entities),
    )
