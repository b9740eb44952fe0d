"""What this house offers to the others, as `geoscout.crawling.workers` asks for it."""

from geoscout.crawling.assemble import Blueprint
from geoscout.crawling.crawl_run import OpenCrawl
from geoscout.settings import Settings
from geoscout.state.base import Beginning
from geoscout.state.forgetting import HostTraces
from geoscout_cluster.routing import DEFAULT_PARTITIONS
from geoscout_places.gazetteer.base import Gazetteer


class ClusterHouse:
    """What `geoscout.crawling.workers.Cluster` asks for; most of it takes long to import."""

    partitions = DEFAULT_PARTITIONS

    def found(self, where: str, blueprint: Blueprint, beginning: Beginning, count: int) -> None:
        from geoscout_cluster.shared_crawl import found_crawl  # noqa: PLC0415

        found_crawl(where, blueprint, beginning, count)

    def open(self, where: str, settings: Settings, gazetteer: Gazetteer) -> OpenCrawl | None:
        from geoscout_cluster.postgres.own_state import direct_address  # noqa: PLC0415
        from geoscout_cluster.shared_crawl import is_for_workers, open_shared  # noqa: PLC0415

        address = direct_address(where)
        return open_shared(where, address, settings, gazetteer) if is_for_workers(address) else None

    def work(self, where: str, settings: Settings) -> bool:
        from geoscout_cluster.worker import WorkerTerms  # noqa: PLC0415
        from geoscout_cluster.workers import work  # noqa: PLC0415

        return work(self.address(where), settings, WorkerTerms(until_done=True)).was_stopped

    def address(self, where: str) -> str:
        from geoscout_cluster.postgres.own_state import direct_address  # noqa: PLC0415

        return direct_address(where)

    def trace(self, address: str, host: str) -> HostTraces:
        from geoscout_cluster.forgetting import trace_shared  # noqa: PLC0415

        return trace_shared(address, host)

    def forget(self, address: str, host: str) -> None:
        from geoscout_cluster.forgetting import forget_shared  # noqa: PLC0415

        forget_shared(address, host)


def create() -> ClusterHouse:
    return ClusterHouse()
