"""Directories of served crawls follow them, in another process."""

import time

import pytest

from geoscout_directory import house
from geoscout_directory.house import DirectoryKeeper
from geoscout_directory.listing.finding import Listing
from geoscout_places.geo import Geoparser
from tests.unit.web.world import make_crawl


@pytest.fixture
def crawl(tmp_path, gazetteer):
    make_crawl(tmp_path / "lisbon", Geoparser(gazetteer))
    return tmp_path / "lisbon"


@pytest.fixture
def listing(crawl):
    opened = Listing(crawl / "directory", lambda _: None)
    yield opened
    opened.close()


def test_directory_is_made_and_then_left_alone(crawl, listing, settings, monkeypatch):
    monkeypatch.setattr(house, "_LEAST_PAUSE", 0.0)
    monkeypatch.setattr(house, "_SHARE", 0.0)
    keeper = DirectoryKeeper(str(crawl), listing, settings)
    until = time.monotonic() + 60
    keeper.keep_up(lambda: "7")
    while keeper.is_running() and time.monotonic() < until:
        time.sleep(0.05)

    state = listing.state()
    assert state is not None
    assert state.entries == 2

    keeper.keep_up(lambda: state.cursor)
    assert not keeper.is_running()
    keeper.close()


def test_trouble_is_told_once(crawl, listing, settings, caplog):
    keeper = DirectoryKeeper(str(crawl), listing, settings)

    def fail() -> str:
        raise OSError("no such disk")

    keeper.keep_up(fail)
    keeper.keep_up(fail)

    assert caplog.text.count("no such disk") == 1
    assert not keeper.is_running()


def test_update_that_runs_is_ended(crawl, listing, settings):
    keeper = DirectoryKeeper(str(crawl), listing, settings)
    keeper.keep_up(lambda: "7")
    assert keeper.is_running()

    keeper.close()

    assert not keeper.is_running()
