"""What the map says about itself: how exact its marks are, what its signs mean, and streets."""

import re
from dataclasses import replace

import httpx
import pytest
from playwright.sync_api import Page, expect
from pmtiles.tile import TileType

from geoscout.web.maps import open_tiles
from tests.browser.conftest import open_page
from tests.unit.web.conftest import serving
from tests.unit.web.test_maps import write_tiles
from tests.unit.web.world import PIXEL


def test_the_address_of_a_hit_leads_to_the_web(page):
    page.goto("/search?q=pizza+in+Madrid")

    link = page.locator(".hit .url a").first

    expect(link).to_have_attribute("href", "http://madrid.example/")
    expect(link).to_have_attribute("rel", re.compile("noopener noreferrer"))
    expect(link).to_have_attribute("target", "_blank")


def test_a_hit_says_how_exactly_it_is_placed(page):
    page.goto("/search?q=pizza+in+Madrid")
    hit = page.locator(".hit").first

    expect(hit.locator(".spot")).to_contain_text("somewhere in the town, within")
    expect(page.locator(".pin.rough")).to_have_count(1)
    expect(page.locator(".pin.rough")).to_have_attribute("title", re.compile("somewhere in"))
    expect(page.locator("path.reach")).to_have_count(0)
    hit.hover()
    expect(page.locator("path.reach")).to_have_count(1)


def show_hits(page: Page, served: str, **different: object) -> None:
    """Search with a first hit that differs from what is found."""
    found = httpx.get(f"{served}/api/search", params={"q": "pizza in Madrid"}).json()
    found["hits"][0] |= different
    page.route("**/api/search*", lambda route: route.fulfill(json=found))
    page.goto("/search?q=pizza+in+Madrid")


def test_pages_left_out_can_be_seen(page, served):
    show_hits(page, served, similar=["http://forno.example/"], more_of_host=3)
    hit = page.locator(".hit").first

    hit.get_by_text("1 nearly equal page left out").click()
    expect(hit.get_by_role("link", name="forno.example")).to_be_visible()
    hit.get_by_role("button", name="3 more of madrid.example").click()
    expect(page).to_have_url(re.compile("host=madrid.example"))


def test_words_and_mark_are_of_the_same_point(page, served):
    points = [
        {"lat": 29.7, "lon": -95.5, "precision": "house", "reach_km": 0},
        {"lat": 40.42, "lon": -3.7, "precision": "postcode", "reach_km": 2},
    ]
    show_hits(page, served, points=points)

    expect(page.locator(".hit .spot").first).to_have_text(
        "On the map: somewhere in the postal code, within 2 km"
    )
    expect(page.locator(".pin.rough")).to_have_count(1)


def test_the_legend_says_what_signs_and_lines_are(page):
    page.goto("/search?q=pizza+in+Lisbon")

    expect(page.locator(".legend")).to_contain_text("only its postal code or town is known")
    expect(page.locator(".legend")).to_contain_text(re.compile("Lisbon: (its outline|a circle)"))
    page.goto("/crawl")
    expect(page.locator(".legend")).to_contain_text("a relevant page")


def test_streets_are_offered_where_the_map_has_none(page):
    page.goto("/search?q=pizza+in+Madrid")
    expect(page.locator(".hit").first).to_be_visible()
    page.locator(".hit .number").first.click()
    for _ in range(3):
        page.locator(".leaflet-control-zoom-in").click()
        page.wait_for_timeout(400)

    page.get_by_role("button", name="Add a map of the town").click()

    expect(page.get_by_role("dialog")).to_contain_text("--tiles munich.pmtiles")


@pytest.fixture
def tiled(request, browser, site, tmp_path):
    """A page of the same site with tiles of a file."""
    type, tile = request.param
    tiles = open_tiles(str(write_tiles(tmp_path / "world.pmtiles", type, tile)))
    with serving(replace(site, tiles=tiles)) as address:
        yield from open_page(browser, address)


def number(value: int) -> bytes:
    """A number as protocol buffers have it."""
    return bytes([value]) if value < 128 else bytes([value & 127 | 128]) + number(value >> 7)


def field(key: int, value: int | bytes) -> bytes:
    if isinstance(value, int):
        return number(key << 3) + number(value)
    return number(key << 3 | 2) + number(len(value)) + value


def water_everywhere() -> bytes:
    """A vector tile whose layer "water" fills it."""
    side = 4096 * 2  # zigzag
    ring = [9, 0, 0, 26, side, 0, 0, side, side - 1, 0, 15]
    feature = field(2, b"".join(map(number, (0, 0)))) + field(3, 3)
    feature += field(4, b"".join(map(number, ring)))
    names = field(3, b"kind") + field(4, field(1, b"ocean"))
    layer = field(15, 2) + field(1, b"water") + field(2, feature) + names + field(5, 4096)
    return field(3, layer)


@pytest.mark.parametrize("tiled", [(TileType.MVT, water_everywhere())], indirect=True)
def test_vector_tiles_of_a_file_are_drawn(tiled):
    tiled.goto("/search?q=pizza+in+Madrid")
    canvas = tiled.locator(".leaflet-tile-pane canvas.leaflet-tile-loaded").first
    expect(canvas).to_be_visible()

    colour = canvas.evaluate("c => [...c.getContext('2d').getImageData(100, 100, 1, 1).data]")

    assert colour[2] > colour[0] > 0  # the blue of water
    expect(tiled.locator(".credit")).to_have_text("© OpenStreetMap")
    expect(tiled.locator(".streets")).to_be_hidden()
    expect(tiled.locator(".leaflet-land-pane canvas")).to_have_count(0)


@pytest.mark.parametrize("tiled", [(TileType.PNG, PIXEL)], indirect=True)
def test_images_of_a_file_are_laid_under_the_map(tiled):
    tiled.goto("/crawl")

    expect(tiled.locator("img.leaflet-tile").first).to_have_attribute(
        "src", re.compile("/api/tiles/")
    )
