from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from geoscout.strategy.filters import filters_for
from geoscout_places.gazetteer import Region
from geoscout_places.geo import Geoparser
from geoscout_places.geo.relevance import Judge
from geoscout_places.urls import trap

if TYPE_CHECKING:
    from geoscout_lab.worlds.synthetic import SyntheticWeb
    from geoscout_places.model import Page

PROFILES = ("ahlers2009", "web2025", "gao2006")


def _answering(web: SyntheticWeb, count: int) -> list[int]:
    pages = [page for page in range(web.size) if web.status(page) == 200]
    return random.Random(5).sample(pages, count)


@pytest.mark.parametrize("name", PROFILES)
def test_links_are_those_the_parser_finds(name, webs):
    web = webs[name]
    for page in _answering(web, 300):
        urls = [web.url(target) for target in web.targets(page)]

        parsed = [replace(link, start=-1, end=-1) for link in web.page(page).links]
        assert parsed == list(web.links(page)), web.url(page)
        assert [link.url for link in web.links(page)] == urls
        assert len(set(urls)) == len(urls)


def test_links_of_a_parsed_web_stand_in_the_text_of_its_pages(web):
    parsed = web.as_parsed()
    for number in _answering(web, 20):
        text = parsed.page(number).text
        for link in parsed.links(number):
            assert text[link.start : link.end].split() == link.anchor.split()


def test_filtered_web_has_no_link_that_a_crawl_refuses(web):
    filtered = web.filtered(filters_for(["DE"], tlds=True, language=True))
    trapped = [page for page in range(web.size) if trap(web.url(page))]
    sources = [page for page in _answering(web, 300) if set(web.targets(page)) & set(trapped)]

    assert sources
    for page in sources:
        urls = [web.url(target) for target in filtered.targets(page)]
        assert urls == [link.url for link in filtered.links(page)]
        assert not any(map(trap, urls))
        assert len(urls) < len(web.targets(page))


@pytest.mark.parametrize("name", PROFILES)
def test_geoparser_agrees_with_the_truth(name, webs, gazetteer):
    web = webs[name]
    region, geoparser = Region.parse(web.region, gazetteer), Geoparser(gazetteer)
    by_address = Judge(region, "address")
    relevant = [page for page in range(web.size) if web.is_relevant(page)][:120]
    others = [page for page in _answering(web, 250) if not web.is_relevant(page)]

    def judge(page: Page) -> bool:
        return by_address.judge(page, geoparser.read(page)).relevant

    missed = [page for page in relevant if not judge(web.page(page))]
    wrong = [page for page in others if judge(web.page(page))]

    assert len(missed) <= 0.1 * len(relevant)
    assert len(wrong) <= 0.005 * len(others)


def test_entities_are_told_for_relevant_pages_only(web):
    for page in _answering(web, 400):
        assert bool(web.entities(page)) == web.is_relevant(page)


def test_page_that_does_not_answer_has_no_links(web):
    silent = next(page for page in range(web.size) if web.status(page) == 0)

    assert not web.targets(silent)
    assert not web.links(silent)
    assert web.html(silent) == b""


def test_served_urls_have_the_port(web):
    served = web.at_port(8080)

    assert ":8080/" in served.url(served.seeds[0])
    assert served.url(0).startswith("http://")
