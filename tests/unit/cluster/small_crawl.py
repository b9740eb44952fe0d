"""A crawl of the small web by workers of this process."""

import asyncio
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from geoscout.crawling.options import CrawlOptions
from geoscout.crawling.run import prepare_crawl
from geoscout.settings import Settings
from geoscout.state.base import open_state
from geoscout_cluster.shared_crawl import found_crawl
from geoscout_cluster.worker import WorkerTerms
from geoscout_cluster.workers import joined
from geoscout_places.gazetteer import SqliteGazetteer
from tests.unit.cluster.small_web import SEED, write_web

TERMS = WorkerTerms(until_done=True, lease_seconds=5.0, tick_seconds=0.2)


@dataclass
class Small:
    """A crawl of the small web by workers of this process."""

    where: str
    folder: Path
    settings: Settings
    gazetteer: SqliteGazetteer

    def begin(self, **options: int) -> None:
        archive = write_web(self.folder / "web.warc.gz")
        asked = CrawlOptions(
            region=("Lisbon",), strategy="breadth", replay=(str(archive),), **options
        )
        blueprint, beginning = prepare_crawl(asked, [SEED], self.settings, self.gazetteer)
        beginning = replace(beginning, archive=str(self.folder / "segments"))
        found_crawl(self.where, blueprint, beginning, 3)

    def work(self, seconds: float | None = None) -> bool:
        """Until the end, or for some time; False when the worker had to end for its memory."""

        async def act() -> bool:
            async with joined(self.where, self.settings, self.gazetteer, TERMS) as worker:
                if seconds is not None:
                    asyncio.get_running_loop().call_later(seconds, worker.stop)
                await worker.run()
                return not worker.stop_reason

        return asyncio.run(act())

    def urls(self) -> Counter[str]:
        with open_state(self.where) as crawl:
            return Counter(visit.url for visit in crawl.reader.visits())
