"""How a crawl is put together."""

from __future__ import annotations

import pytest

from geoscout.crawling.assemble import connections_of
from geoscout.crawling.options import CrawlOptions
from geoscout.settings import Settings


@pytest.mark.parametrize(
    ("replay", "workers", "connections"), [((), 1, 20), (("a.warc",), 1, 1), (("a.warc",), 2, 2)]
)
def test_archive_is_asked_for_few_pages_at_a_time(
    replay: tuple[str, ...], workers: int, connections: int
) -> None:
    settings = Settings(connections=20, workers=workers)

    assert connections_of(CrawlOptions(replay=replay), settings) == connections
