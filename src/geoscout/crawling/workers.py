"""Crawls by several workers, as commands ask for them: the cluster is a house above this one.

It is found by its entry point, and known by what stands here only.
"""

from typing import Protocol

from geoscout.crawling.assemble import Blueprint
from geoscout.crawling.crawl_run import OpenCrawl
from geoscout.settings import Settings
from geoscout.state.base import Beginning
from geoscout.state.forgetting import HostTraces
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.plugins import load_plugin


class Cluster(Protocol):
    """What the house of clusters offers."""

    partitions: int  # of a crawl for workers, where nobody says how many

    def found(self, where: str, blueprint: Blueprint, beginning: Beginning, count: int) -> None:
        """Make a crawl of so many partitions; nobody works on it yet."""

    def open(self, where: str, settings: Settings, gazetteer: Gazetteer) -> OpenCrawl | None:
        """A crawl of several partitions, to be changed; None where one process has it whole."""

    def work(self, where: str, settings: Settings) -> bool:
        """Be a worker until the crawl ends; whether it was stopped."""

    def address(self, where: str) -> str:
        """The address in PostgreSQL of a crawl that is kept there, which may be in a folder."""

    def trace(self, address: str, host: str) -> HostTraces:
        """What a crawl in PostgreSQL has of a host."""

    def forget(self, address: str, host: str) -> None:
        """Forget a host in a crawl in PostgreSQL."""


def cluster() -> Cluster:
    found: Cluster = load_plugin("geoscout.houses", "cluster", "house").create()
    return found
