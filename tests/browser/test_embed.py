"""The search box and map of docs/how-to/publish.md work in a page of another origin."""

import re
import shutil
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
VENDOR = ROOT / "src/geoscout/web/assets/vendor"


def snippet(search: str) -> str:
    """The page of the document, with our addresses."""
    text = (ROOT / "docs/how-to/publish.md").read_text("utf-8")
    html = re.search(r"```html\n(.*?)```", text, re.DOTALL)
    assert html is not None
    assert html[1].count("\n") <= 16
    named = html[1].replace("https://search.example.org", search)
    return f"<!doctype html>{named.replace('https://tile.example.org', '')}"


@pytest.fixture
def embedded(browser, site, tmp_path):
    for name in ("leaflet.js", "leaflet.css"):
        shutil.copy(VENDOR / name, tmp_path)
    serve = partial(SimpleHTTPRequestHandler, directory=str(tmp_path))
    with ThreadingHTTPServer(("127.0.0.1", 0), serve) as mine:
        Thread(target=mine.serve_forever, daemon=True).start()
        origin = f"http://127.0.0.1:{mine.server_port}"
        named = replace(site, settings=replace(site.settings, cors=(origin,)))
        with serving(named, Rules()) as search:
            (tmp_path / "index.html").write_text(snippet(search), "utf-8")
            yield from open_page(browser, origin, forgives="404")  # there are no tiles
        mine.shutdown()


def test_what_is_asked_for_is_put_on_the_map(embedded):
    embedded.goto("/")
    embedded.get_by_placeholder("museum in Oldenburg").fill("pizza in Madrid")
    embedded.keyboard.press("Enter")

    marker = embedded.locator(".leaflet-interactive")
    expect(marker).not_to_have_count(0)
    marker.first.click()
    link = embedded.locator(".leaflet-popup-content a")
    expect(link).to_contain_text("Pizza in Madrid")
    expect(link).to_have_attribute("href", re.compile("^http"))
