"""The measures of Gao, Lee and Miao 2006 for a crawl on disk, finished or not.

What a page is about is what the geoparser found when it was fetched, so nothing is read again but
the facts. How many URLs went from node to node is counted by the crawl itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from geoscout.collaborate import Partition
from geoscout.crawling.nodes import city_of
from geoscout.gazetteer.names import fold
from geoscout.lab.gao2006.figures import CrawlFigures
from geoscout.lab.gao2006.measures import Download, GeoEntity
from geoscout.lab.measures.harvest import share_of
from geoscout.store import ReadOnlyStore
from geoscout.store.base import StoredVisit
from geoscout.urls import host_of, registrable_domain


def figures_of_crawl(store: ReadOnlyStore, partition: Partition) -> dict[str, Any]:
    """The figures of a crawl, by the names that `results.json` has for them."""
    pages = [visit for visit in store.visits() if visit.is_page]
    downloads = [_download(store, visit, partition) for visit in pages]
    known = {visit.url for visit in pages}
    links = {visit.url: list(_targets(store, visit, known)) for visit in pages}
    labels = {visit.url: str(city_of(store, visit, partition) or "") for visit in pages}
    figures = CrawlFigures(downloads, partition, links, labels).as_run()
    sent = sum(store.tally("exchanged").values())
    return {**figures, "communication": share_of(sent, len(downloads))}


def _download(store: ReadOnlyStore, visit: StoredVisit, partition: Partition) -> Download:
    domain = registrable_domain(host_of(visit.url))
    return Download(visit.node, visit.url, domain, tuple(_entities(store, visit, partition)))


def _entities(
    store: ReadOnlyStore, visit: StoredVisit, partition: Partition
) -> Iterator[GeoEntity]:
    for stored in store.addresses_of(visit.n):
        address = stored.address
        if address.street and partition.owner(stored.place_id):
            text = f"{address.house_number} {address.street} {address.city}"
            yield GeoEntity(fold(text), str(stored.place_id))


def _targets(store: ReadOnlyStore, visit: StoredVisit, known: set[str]) -> Iterator[str]:
    """The downloaded pages it links to, each once."""
    for url in dict.fromkeys(link.url for link in store.links_of(visit.n)):
        if url in known:
            yield url
