"""How a crawl is put together."""

import pytest

from geoscout.crawling.assemble import connections_of, draw_blueprint, learned_strategy
from geoscout.crawling.options import CrawlOptions
from geoscout.settings import Settings
from geoscout.strategy import abilities_of


@pytest.mark.parametrize(
    ("replay", "workers", "connections"), [((), 1, 20), (("a.warc",), 1, 1), (("a.warc",), 2, 2)]
)
def test_archive_is_asked_for_few_pages_at_a_time(replay, workers, connections):
    settings = Settings(connections=20, workers=workers)

    assert connections_of(CrawlOptions(replay=replay), settings) == connections


@pytest.mark.parametrize("strategy", ["hybrid", "adaptive", "rank"])
@pytest.mark.parametrize("model", [bytes(range(256)) * 20, b"{}", b"PK\x03\x04"])
def test_a_damaged_model_is_told_and_learned_from_the_beginning(strategy, model, gazetteer, caplog):
    options = CrawlOptions(region=("Lisbon, Portugal",), strategy=strategy)
    blueprint = draw_blueprint(options, Settings(), gazetteer)

    found = learned_strategy(blueprint, model)

    assert abilities_of(found).save() == abilities_of(learned_strategy(blueprint, b"")).save()
    assert [record.getMessage().count("\n") for record in caplog.records] == [0]
    assert "it learns from the beginning" in caplog.text
