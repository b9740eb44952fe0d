from __future__ import annotations

from geoscout.crawling.options import CrawlOptions, NodeOptions
from geoscout.crawling.provenance import provenance
from geoscout.settings import Settings


def test_a_live_crawl_says_what_it_is_for_and_by_which_rules():
    options = CrawlOptions(region=("Bern", "maps/oberland.geojson"), max_pages=500)
    settings = Settings(contact="me@example.org")

    fields = provenance(options, ["https://me:secret@a.example/"], settings)

    found = dict(fields)
    assert fields[0] == ("description", "a crawl for pages about Bern and oberland.geojson")
    assert [value for name, value in fields if name == "geoscout-region"] == [
        "Bern",
        "oberland.geojson",
    ]
    assert found["geoscout-strategy"] == "hybrid"
    assert found["geoscout-relevance"] == "scope"
    assert (found["geoscout-max-pages"], found["geoscout-max-depth"]) == ("500", "none")
    assert found["operator"] == "me@example.org"
    assert found["robots"] == "obey"
    assert found["http-header-user-agent"].endswith("(+me@example.org)")
    assert "secret" not in str(fields)


def test_a_replay_names_its_archives_and_no_rules_for_servers():
    nodes = NodeOptions(assignment="hash")
    options = CrawlOptions(region=("Bern",), replay=("/home/me/x.warc.gz",), nodes=nodes)

    found = dict(provenance(options, [], Settings()))

    assert found["geoscout-replay"] == "x.warc.gz"
    assert found["geoscout-assignment"] == "hash"
    assert found.keys() & {"robots", "http-header-user-agent", "operator"} == set()


def test_of_many_seeds_the_first_are_named_and_all_are_counted():
    seeds = [f"http://a.example/{n}" for n in range(250)]

    fields = provenance(CrawlOptions(region=("Bern",)), seeds, Settings())

    assert dict(fields)["geoscout-seeds"] == "250"
    assert sum(name == "geoscout-seed" for name, _ in fields) == 100
