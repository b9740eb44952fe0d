"""A crawl is watched in the browser from its beginning to its end."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import expect

from geoscout.settings import Settings
from geoscout.web.site import open_site
from tests.browser.conftest import open_page
from tests.local_server import LocalFile, answering
from tests.unit.web.conftest import serving
from tests.unit.web.world import page as make_page

PAGES = 40
EVENTS = "text/event-stream"


def town_page(path: str, _: object) -> LocalFile | None:
    """A page of a small town; each links to the next two."""
    number = path.strip("/")
    if not number.isdecimal() or int(number) >= PAGES:
        return None
    links = (f"/{int(number) * 2 + 1}", f"/{int(number) * 2 + 2}")
    address = f"{number} Main Street, Lisbon, NH 03585"
    return LocalFile("text/html", make_page(f"Shop {number}", address, links=links).encode())


@pytest.fixture
def town():
    with answering(town_page) as address:
        yield f"{address}0"


def start_crawl(seed: str, folder: Path, settings: Settings) -> subprocess.Popen[bytes]:
    program = [str(Path(sys.executable).with_name("geoscout")), "crawl"]
    options = ["--region", "Lisbon, New Hampshire", "--seeds", seed, "--out", str(folder)]
    quick = ["--allow-private", "--set", "delay_seconds=0.15"]
    environment = {
        **os.environ,
        "GEOSCOUT_HOME": settings.home,
        "GEOSCOUT_EXTRAS": "0",
    }
    return subprocess.Popen([*program, *options, *quick], env=environment, stderr=subprocess.PIPE)


def test_a_live_crawl_is_watched_to_its_end(browser, town, tmp_path, gazetteer, settings):
    crawl = start_crawl(town, tmp_path / "town", settings)
    while not (tmp_path / "town" / "crawl.sqlite").exists():
        assert crawl.poll() is None, crawl.communicate()[1].decode()
        time.sleep(0.1)
    time.sleep(1)  # until its tables are there
    with serving(open_site([tmp_path / "town"], gazetteer)) as address:
        for page in open_page(browser, address):
            page.goto("/crawl")
            expect(page.locator(".live")).to_have_text("running")
            expect(page.locator(".crawl .map")).to_have_attribute("data-dots", "40", timeout=90_000)
            expect(page.locator(".live")).to_have_text("nothing left", timeout=60_000)
            expect(page.locator(".tile", has_text="relevant")).to_contain_text("40")

    assert crawl.wait(30) == 0
    assert crawl.stderr is not None
    crawl.stderr.close()


def test_a_server_that_is_gone_is_told_and_found_again(browser, served):
    status = httpx.get(f"{served}/api/status").json() | {"running": True, "state": "running"}
    found = httpx.get(f"{served}/api/visits", params={"limit": 3}).json()
    told = (
        f"event: status\ndata: {json.dumps(status)}\n\nevent: pages\ndata: {json.dumps(found)}\n\n"
    )
    context = browser.new_context(base_url=served)  # not a quiet one: a lost connection is an error
    page = context.new_page()
    page.route("**/api/events*", lambda route: route.fulfill(body=told, content_type=EVENTS))
    page.goto("/crawl")
    expect(page.locator(".live")).to_contain_text("the server does not answer")
    expect(page.locator(".live")).to_contain_text("figures of")
    expect(page.locator(".live.on")).to_have_count(0)

    page.unroute("**/api/events*")

    expect(page.locator(".live")).to_have_text("interrupted", timeout=20_000)
    expect(page.locator(".crawl .map")).to_have_attribute("data-dots", "6")  # none twice
    context.close()
