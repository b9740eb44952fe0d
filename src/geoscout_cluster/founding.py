"""A new crawl for several workers: its tables, its partitions, and each seed in its own.

What every worker must have in common is noted with it, and checked when one joins (`joining.py`).
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from geoscout import __version__
from geoscout.crawling.assemble import Blueprint, writing_of
from geoscout.crawling.options import CrawlOptions
from geoscout.crawling.registrants import KINDS
from geoscout.state.base import Beginning
from geoscout_cluster.partitions import partition_of_url
from geoscout_cluster.postgres.database import read_address
from geoscout_cluster.postgres.state import begin_crawl
from geoscout_cluster.postgres.tables import MOST_PARTITIONS
from geoscout_places.errors import UsageError
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.model import Request

VERSION_NOTE = "version"
GAZETTEER_NOTE = "gazetteer"


def found_crawl(where: str, blueprint: Blueprint, beginning: Beginning, partitions: int) -> None:
    """Make a crawl of this many partitions; nobody works on it yet.

    Raises:
        UsageError: there is one already, or there cannot be one.
        DatabaseLostError: the server does not answer.
    """
    if not 1 <= partitions <= MOST_PARTITIONS:
        raise UsageError(f"a crawl has 1 to {MOST_PARTITIONS} partitions, not {partitions}")
    check_for_workers(blueprint.options)
    address, settings = read_address(where), blueprint.settings
    seeds: dict[int, list[Request]] = {number: [] for number in range(partitions)}
    for request in beginning.requests:
        seeds[partition_of_url(request.url, partitions)].append(request)
    notes = {**beginning.notes, **common_notes(blueprint.gazetteer)}
    noted = replace(beginning, notes=notes)
    begin_crawl(address, noted, seeds, writing_of(settings))


def check_for_workers(options: CrawlOptions) -> None:
    """Refuse what one process can do, and several workers cannot.

    Raises:
        UsageError: something of that kind was asked for.
    """
    if options.aims_at_entities:
        raise UsageError(
            "a crawl by several workers cannot aim at entities: none of them knows which are new"
        )
    if options.registrations in KINDS:
        raise UsageError(
            "several workers do not ask registries: give --registrations a table, or crawl with"
            " one process"
        )


def common_notes(gazetteer: Gazetteer) -> Mapping[str, str]:
    """What all workers of a crawl must have in common."""
    return {VERSION_NOTE: __version__, GAZETTEER_NOTE: gazetteer.identity}
