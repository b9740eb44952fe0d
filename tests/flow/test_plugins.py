"""Crawls with plug-ins written here, which no module of geoscout knows of."""

from dataclasses import replace

import pytest

from geoscout import open_crawl, start_crawl
from geoscout.fetch.base import GROUP as FETCHERS
from geoscout_places.errors import UsageError

CANNED = """
from geoscout_places.model import Response

PAGES = {
    "http://a.example/": "<p>{word}<a href='/b'>next</a>",
    "http://a.example/b": "<p>{word}<a href='http://elsewhere.example/'>away</a>",
}

class Canned:
    def __init__(self, word):
        self.word = word

    async def fetch(self, request, seen=None):
        body = PAGES[request.url].replace("{word}", self.word).encode()
        return Response(request.url, 200, (("content-type", "text/html"),), body, "", 0.0, 0.0)

    async def resolve(self, host):
        return ""

    def known_as(self, url):
        return url if url in PAGES else None

    def sitemaps(self, url):
        return ()

    def delay_after(self, response):
        return 0.0

    def delay_after_failure(self, url):
        return 0.0

    async def close(self):
        pass

def create(aim):
    return Canned(aim.options["word"])
"""


def test_fetcher_is_found_and_brings_the_pages(plugins, tmp_path, settings, gazetteer):
    plugins.add(FETCHERS, "canned", CANNED)

    with start_crawl(
        tmp_path / "crawl",
        region="Oldenburg, Germany",
        seeds=["http://a.example/"],
        settings=replace(settings, contact="mailto:us@example.org", workers=0),
        fetcher="canned:word=Hello",
    ) as crawl:
        progress = crawl.run()

    assert progress.pages == 2
    with open_crawl(tmp_path / "crawl") as store:
        assert [page.url for page in store.pages()] == ["http://a.example/", "http://a.example/b"]
        assert b"<p>Hello" in store.response(1).body


def test_unknown_fetcher_is_refused_before_anything_is_written(tmp_path, settings, gazetteer):
    with pytest.raises(
        UsageError, match="no fetcher is called 'browser'; there are: archive, live"
    ):
        start_crawl(
            tmp_path / "crawl",
            region="Oldenburg, Germany",
            seeds=["http://a.example/"],
            settings=replace(settings, contact="mailto:us@example.org"),
            fetcher="browser",
        )

    assert not (tmp_path / "crawl").exists()
