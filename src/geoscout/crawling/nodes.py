"""Puts the nodes of a collaborative crawl together from what the user asked for."""

from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from geoscout.collaborate import (
    Collaboration,
    CollaborationAim,
    Origin,
    Partition,
    create_collaboration,
)
from geoscout.collaborate.classifier import TextClassifier, read_model
from geoscout.collaborate.partition import (
    divide,
    read_partition,
    shipped_partition,
    shipped_partitions,
)
from geoscout.crawling.options import NONE, NodeOptions
from geoscout.fetch.location import open_locations
from geoscout.store.base import StoredVisit
from geoscout.store.reader import CrawlReader
from geoscout_places.errors import UsageError
from geoscout_places.gazetteer import Region
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.model import Link, Page, Request

BY_TIMEZONE = "timezone"


def collaboration_of(
    asked: NodeOptions, region: Region, gazetteer: Gazetteer
) -> Collaboration | None:
    """The collaboration; None when there is to be none."""
    if asked.assignment == NONE:
        return None
    aim = CollaborationAim(
        partition_of(asked.nodes, region, gazetteer),
        gazetteer,
        {"policy": asked.policy},
        lambda: open_locations(asked.ip_locations, gazetteer).locate,
        _classifier(asked.classifier),
    )
    return create_collaboration(asked.assignment, aim)


def partition_of(nodes: str, region: Region, gazetteer: Gazetteer) -> Partition:
    """The partition in a file, one that comes with geoscout, or the region's places divided."""
    if nodes in shipped_partitions():
        return shipped_partition(nodes, gazetteer)
    path = Path(nodes)
    if nodes and path.is_file():
        return read_partition(path.read_text(encoding="utf-8"), gazetteer)
    if nodes.endswith(".toml"):
        raise UsageError(f"there is no file of nodes at {nodes}")
    if not region.places:
        raise UsageError("a region without named places cannot be divided: nodes must be a file")
    return Partition(divide(nodes or BY_TIMEZONE, region.places), gazetteer)


def assigned(seeds: Sequence[Request], collaboration: Collaboration | None) -> list[Request]:
    """The seeds with the nodes that own them; a seed without a place goes to a general node."""
    if collaboration is None:
        return list(seeds)
    links = [Link.to(seed.url) for seed in seeds]
    page = Page.empty(seeds[0].url if seeds else "")
    owners = collaboration.assign(Origin(page), links)
    return [
        replace(seed, node=node)
        for seed, nodes in zip(seeds, owners, strict=True)
        for node in nodes
    ]


def _classifier(file: str) -> TextClassifier | None:
    if not file:
        return None
    try:
        return read_model(Path(file).read_bytes())
    except OSError as error:
        raise UsageError(f"cannot read the classifier {file}: {error.strerror}") from error


def city_of(store: CrawlReader, visit: StoredVisit, partition: Partition) -> int:
    """The owned city a page is most about, as the geoparser read it; 0 for none."""
    places = store.places_of(visit.n)
    about = (found.place.id for found in places if found.place.id in partition.targets)
    return next(about, 0)
