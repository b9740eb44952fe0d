"""The workers and partitions of a crawl by several processes, in the browser."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest
from playwright.sync_api import Page, expect

from geoscout.web.site import open_site
from geoscout_cluster.engine.leases import claim
from geoscout_cluster.postgres.database import connect
from tests.browser.conftest import PHONE, open_page
from tests.unit.cluster.small_crawl import Small
from tests.unit.web.conftest import serving
from tests.unit.web.test_dashboard import ANN, BOB, say_so


@pytest.fixture
def cluster(postgres_address, tmp_path, gazetteer, settings):
    """A crawl of three partitions: one is held, one was left by a worker that died."""
    small = Small(postgres_address, tmp_path, settings, gazetteer)
    small.begin()
    with ThreadPoolExecutor(1) as thread:  # the browser has the loop of this one
        thread.submit(small.work, 3.0).result()
    with closing(connect(postgres_address)) as connection, connection.cursor() as cursor:
        say_so(cursor, ANN, 300.0)
        say_so(cursor, BOB, -60.0)
        claim(cursor, ANN, 0, 300.0)
        claim(cursor, BOB, 1, -60.0)
        cursor.execute("UPDATE partition SET rest = ''")
        cursor.execute("DELETE FROM exchange")  # what was still on the way on a busy machine
        cursor.execute("INSERT INTO exchange VALUES (2, 0, 1000, ''), (2, 0, 1001, '')")
        connection.commit()
    with serving(open_site([postgres_address], gazetteer, settings)) as address:
        yield address


def check(page: Page) -> None:
    page.goto("/crawl")
    section = page.locator(".workers")
    expect(section).to_contain_text("1 worker · 3 partitions · 2 without a worker")
    expect(section).to_contain_text("2 rows of links on the way")
    expect(section.locator(".badge.bad", has_text="nobody works on it")).to_have_count(2)
    expect(section.locator(".badge.bad", has_text="not heard of")).to_have_count(1)
    expect(section).to_contain_text("one.example/17")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_what_is_without_a_worker_is_marked(browser, cluster):
    for page in open_page(browser, cluster):
        check(page)
    for page in open_page(browser, cluster, viewport=PHONE, has_touch=True, is_mobile=True):
        check(page)


def test_a_crawl_in_a_folder_shows_no_workers(page):
    page.goto("/crawl")
    expect(page.locator(".tile", has_text="relevant")).to_be_visible()
    expect(page.locator(".workers")).to_be_hidden()
