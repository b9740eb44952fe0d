"""A page to read, and what reads it."""

import pytest

from geoscout.crawling.read import Reader
from geoscout.crawling.read_result import ReaderOptions
from geoscout_places.model import RelevanceRule


@pytest.fixture(scope="module")
def task(settings, gazetteer):
    return ReaderOptions(settings, ("Austin, TX",), "geoscout", RelevanceRule.ABOUT)


@pytest.fixture(scope="module")
def reader(task):
    return Reader(task)
