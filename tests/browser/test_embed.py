"""The search box and map of docs/how-to/publish.md work in a page of another origin."""

import re
from dataclasses import replace
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import expect

from geoscout.web.guard import Rules
from tests.browser.conftest import open_page
from tests.unit.web.conftest import serving

ROOT = Path(__file__).parents[2]


def snippet(search: str) -> str:
    """The page of the document, with our address."""
    text = (ROOT / "docs/how-to/publish.md").read_text("utf-8")
    html = re.search(r"```html\n(.*?)```", text, re.DOTALL)
    assert html is not None
    named = html[1].replace("https://search.example.org", search)
    return f"<!doctype html><body>{named.replace('museum in Oldenburg', 'pizza in Lisbon')}"


@pytest.fixture
def embedded(browser, site, tmp_path):
    serve = partial(SimpleHTTPRequestHandler, directory=str(tmp_path))
    with ThreadingHTTPServer(("127.0.0.1", 0), serve) as mine:
        Thread(target=mine.serve_forever, daemon=True).start()
        origin = f"http://127.0.0.1:{mine.server_port}"
        named = replace(site, settings=replace(site.settings, cors=(origin,)))
        with serving(named, Rules()) as search:
            (tmp_path / "index.html").write_text(snippet(search), "utf-8")
            yield from open_page(browser, origin, forgives="404")  # it has no icon
        mine.shutdown()


def test_what_is_asked_for_is_put_on_the_map(embedded):
    embedded.goto("/")
    expect(embedded.locator(".geoscout-embed li a").first).to_contain_text(re.compile("Pizz|Forno"))
    embedded.get_by_label("Search").fill("address of pizza in Lisbon, New Hampshire")
    embedded.keyboard.press("Enter")

    expect(embedded.locator(".geoscout-embed ul b")).to_contain_text("12 Main Street")
    marker = embedded.locator("path.leaflet-interactive")
    expect(marker).not_to_have_count(0)
    marker.first.click()
    expect(embedded.locator(".leaflet-popup-content a")).to_have_attribute(
        "href", re.compile("^http")
    )
