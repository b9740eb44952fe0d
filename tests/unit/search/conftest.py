"""One small crawl, indexed once for all tests that only ask."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from geoscout.search import open_engine
from geoscout.search.engine import SearchEngine
from geoscout.search.updating import follow_crawl
from geoscout_places.geo import Geoparser
from tests.unit.search.worlds import PAGES, make_crawl


@pytest.fixture(scope="session")
def geoparser(gazetteer):
    return Geoparser(gazetteer)


@pytest.fixture(scope="session")
def make_engine(tmp_path_factory, gazetteer, geoparser):
    def make(pages: Mapping[str, str]) -> SearchEngine:
        folder: Path = tmp_path_factory.mktemp("crawl")
        make_crawl(folder, pages.items(), geoparser)
        follow_crawl(folder, gazetteer)
        return open_engine(folder, gazetteer)

    return make


@pytest.fixture(scope="session")
def engine(make_engine):
    return make_engine(PAGES)
