"""Archives as worlds."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from geoscout.strategy import StrategyAim, create_strategy
from geoscout_lab.simulation.simulate import SimulationPlan, simulate
from geoscout_lab.worlds.archive import ArchiveWorld, Judging, open_archive, read_truth
from geoscout_lab.worlds.truth import facts_of
from geoscout_places.errors import UsageError
from tests.unit.fetch.archive_files import write_wat, write_wet
from tests.unit.lab.archives import ADDRESS, PAGES, write_archive

if TYPE_CHECKING:
    from pathlib import Path

    from geoscout.settings import Settings

SEED = "http://a.example/"


def opened(archive: Path, settings: Settings, judging: Judging, seed: str = SEED) -> ArchiveWorld:
    return open_archive([archive], [seed], judging, settings)


def number(world: ArchiveWorld, url: str) -> int:
    return [world.url(page) for page in range(world.size)].index(url)


def test_page_with_an_address_in_the_region_is_relevant(archive, own_settings):
    world = opened(archive, own_settings, Judging(("Oldenburg, Germany",)))
    shop = number(world, "http://a.example/shop/")
    relevant = [page for page in range(world.size) if world.is_relevant(page)]
    facts = facts_of(world)

    assert relevant == [shop, number(world, "http://c.example/")]
    assert world.entities(shop) == ("12 lange strasse 26122 oldenburg de",)
    assert (facts.reachable, len(facts.targets)) == (4, 1)
    assert crawled(world) == [SEED, world.url(shop), "http://b.example/", "http://a.example/deep"]


def test_without_a_region_every_address_counts(archive, own_settings):
    world = opened(archive, own_settings, Judging(()))

    assert sum(world.is_relevant(page) for page in range(world.size)) == 3


def test_links_are_those_of_the_parser_to_pages_of_the_archive(archive, own_settings):
    world = opened(archive, own_settings, Judging(()))
    shop, deep = number(world, "http://a.example/shop/"), number(world, "http://a.example/deep")

    links = world.links(shop)

    assert [link.url for link in links] == [world.url(page) for page in world.targets(shop)]
    assert list(world.targets(shop)) == [deep, number(world, SEED)]
    assert links[0].anchor == "Deep down"
    assert world.outside == 1


def test_another_spelling_leads_to_the_same_page(archive, own_settings):
    world = opened(archive, own_settings, Judging(()), "https://a.example/index.html")

    assert world.seeds == [number(world, SEED)]
    assert list(world.targets(number(world, "http://b.example/"))) == [
        number(world, "http://a.example/shop/")
    ]


def test_pages_and_readings_are_there_when_asked_for(archive, own_settings):
    world = opened(archive, own_settings, Judging(()))
    shop = number(world, "http://a.example/shop/")

    assert "Lange Straße 12" in world.page(shop).text
    assert world.reading(shop).addresses[0].city == "Oldenburg"


def test_archive_is_read_once(archive, own_settings):
    read: list[int] = []

    for _ in range(2):
        open_archive(
            [archive], [SEED], Judging(()), own_settings, lambda done, _all: read.append(done)
        )

    assert read == [1, 2, 3, 4, 5]


def test_truth_of_a_file_wins(archive, own_settings, tmp_path):
    truth = tmp_path / "truth.jsonl"
    truth.write_text(json.dumps({"url": "https://a.example/deep", "relevant": True}) + "\n")

    world = opened(archive, own_settings, Judging((), truth=str(truth)))

    relevant = [world.url(page) for page in range(world.size) if world.is_relevant(page)]
    assert relevant == ["http://a.example/deep"]


def test_truth_that_is_none_is_refused(tmp_path):
    (tmp_path / "truth.jsonl").write_text('{"address": 1}\n')

    with pytest.raises(UsageError, match="should have lines"):
        read_truth(tmp_path / "truth.jsonl")
    with pytest.raises(UsageError, match="cannot read"):
        read_truth(tmp_path / "missing.jsonl")


def test_seeds_outside_the_archive_are_refused(archive, own_settings):
    with pytest.raises(UsageError, match="none of the seeds"):
        opened(archive, own_settings, Judging(()), "http://nowhere.example/")


INDEX = "<sitemapindex><sitemap><loc>/2.xml</loc></sitemap></sitemapindex>"
LISTED = "<urlset><url><loc>/orphan</loc></url><url><loc>/deep</loc></url></urlset>"
MAPPED = PAGES | {
    "http://a.example/sitemap_index.xml": INDEX,
    "http://a.example/2.xml": LISTED,
    "http://a.example/orphan": f"{ADDRESS} nobody links here",
    "http://b.example/map.xml": LISTED,
    "http://b.example/orphan": "nobody links here",
    "http://b.example/robots.txt": "Sitemap: http://b.example/map.xml",
}


def crawled(world: ArchiveWorld) -> list[str]:
    trace = simulate(world, create_strategy("breadth", StrategyAim()), SimulationPlan(20))
    return [world.url(page) for page in trace.pages]


def test_sitemaps_of_hosts_that_are_worth_it_are_read(tmp_path, own_settings):
    archive = write_archive(tmp_path / "mapped.warc.gz", MAPPED)

    world = opened(archive, own_settings, Judging(("Oldenburg, Germany",)))
    found = crawled(world)

    assert {"http://a.example/sitemap_index.xml", "http://a.example/2.xml"} < set(found)
    assert "http://a.example/orphan" in found
    assert "http://b.example/map.xml" not in found  # no seed and no relevant page there
    assert facts_of(world).reachable == len(found) == 7


def test_sitemap_that_robots_names_is_read(tmp_path, own_settings):
    archive = write_archive(tmp_path / "mapped.warc.gz", MAPPED)

    world = opened(archive, own_settings, Judging(("Bremen, Germany",)))

    assert {"http://b.example/map.xml", "http://b.example/orphan"} < set(crawled(world))


def test_texts_and_links_of_common_crawl_are_a_world(tmp_path, own_settings):
    shop = "http://a.example/shop"
    texts = write_wet(tmp_path / "p.wet.gz", {SEED: "Start", shop: "Lange Straße 12, Oldenburg"})
    links = write_wat(tmp_path / "p.wat.gz", {SEED: ("Start", [("/shop", "Shop")])})

    world = open_archive([texts, links], [SEED], Judging(()), own_settings)

    assert [world.url(page) for page in range(world.size)] == [SEED, shop]
    assert list(world.targets(0)) == [1]
