"""What a crawl found, before anything was asked; and the charts of it."""

import re
import shutil

from playwright.sync_api import expect

from geoscout.web.site import open_site
from geoscout_places.geo import Geoparser
from tests.browser.conftest import open_page
from tests.unit.web.conftest import serving
from tests.unit.web.world import make_crawl


def test_all_pages_are_on_the_map(page):
    page.goto("/search")
    expect(page.locator(".legend")).to_contain_text("the region of the crawl")

    expect(page.locator(".search .map")).to_have_attribute("data-cells", re.compile("^[2-6]$"))
    expect(page.locator("path.cell.relevant").first).to_be_visible()
    page.locator("path.cell.relevant").first.click()
    page.get_by_role("link", name="Show them").click()

    expect(page).to_have_url(re.compile("bbox="))
    expect(page.locator(".hit").first).to_be_visible()
    expect(page.locator("path.cell")).to_have_count(0)


def test_top_places_and_newest_pages_lead_on(page):
    page.goto("/search")
    expect(page.locator(".newest li")).to_have_count(4)
    expect(page.locator(".glance .uplot")).to_be_visible()

    page.locator(".glance .chip", has_text="Porto").click()

    expect(page.locator(".hit h3")).to_have_text(["Pizza no Porto"])
    expect(page.locator(".newest")).to_have_count(0)
    page.go_back()
    page.locator(".newest a").last.click()
    expect(page.locator("h1")).to_contain_text("Pizz")


def test_crawls_of_other_regions_are_not_in_the_chart(browser, tmp_path, gazetteer, settings):
    for name, region in (("one", ["Lisbon"]), ("two", ["Lisbon"]), ("far", ["Madrid"])):
        make_crawl(tmp_path / name, Geoparser(gazetteer), region=region)
    with serving(open_site([tmp_path], gazetteer, settings)) as address:
        for page in open_page(browser, address):
            page.goto("/crawl?crawl=one")

            expect(page.locator(".readout").first).to_have_text(re.compile("one.*two"))
            expect(page.locator(".readout").first).not_to_contain_text("far")
    shutil.rmtree(tmp_path)


def test_ticks_are_told_apart(page):
    page.goto("/search")
    ask = "ticks => import('/assets/js/charts.js').then(charts => charts.tickTexts(ticks))"

    assert page.evaluate(ask, [0, 2e-5, 4e-5]) == ["0", "2e-5", "4e-5"]
    assert page.evaluate(ask, [0, 0.25, 0.5]) == ["0.00", "0.25", "0.50"]
    assert page.evaluate(ask, [0, 500, 1000]) == ["0", "500", "1,000"]


def test_an_empty_chart_says_so(page):
    page.route("**/api/frontier*", lambda route: route.fulfill(json={"bins": [], "best": []}))
    page.goto("/crawl")

    card = page.locator(".card", has_text="Frontier by priority")

    expect(card).to_contain_text("nothing waits")
    expect(card.locator(".uplot")).to_have_count(0)
