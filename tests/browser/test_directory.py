"""The directory: entries next to the map, and one entry with its sources."""

import re

from playwright.sync_api import Route, expect

HACKED = "() => window.hacked"


def test_entries_are_listed_next_to_the_map(page):
    page.goto("/directory")

    expect(page.locator(".hit.entry h3 a")).to_have_count(2)
    expect(page.locator(".summary")).to_have_text("2 entries, from 7 pages")
    expect(page.locator(".pin")).to_have_count(2)
    expect(page.locator(".directory .map")).to_have_attribute("data-cells", re.compile("[12]"))
    expect(page.locator(".exports a")).to_have_text(["entries.geojson", "entries.csv"])


def test_filters_are_in_the_address(page):
    page.goto("/directory")
    page.get_by_label("In a place").fill("New Hampshire")
    page.get_by_role("button", name="Show", exact=True).click()

    expect(page.locator(".hit.entry h3 a")).to_have_text(["Main Street Pizza"])
    expect(page).to_have_url(re.compile("within=New\\+Hampshire"))
    page.get_by_role("button", name="Without filters").click()
    expect(page.locator(".hit.entry")).to_have_count(2)
    expect(page.get_by_label("In a place")).to_have_value("")

    page.get_by_label("Category").select_option("amenity=restaurant")
    expect(page.locator(".hit.entry h3 a")).to_have_text([re.compile("A hostile trattoria")])
    page.go_back()
    expect(page.locator(".hit.entry")).to_have_count(2)


def test_nothing_that_fits_is_said(page):
    page.goto("/directory?text=spaceport")

    expect(page.locator(".empty")).to_contain_text("There are 2 entries from 7 pages")
    expect(page.locator(".pin")).to_have_count(0)


def test_list_has_pages(page):
    def shorten(route: Route) -> None:
        route.continue_(url=route.request.url.replace("limit=50", "limit=1"))

    page.route("**/api/directory?*", shorten)
    page.goto("/directory")

    expect(page.locator(".hit.entry")).to_have_count(1)
    expect(page.locator(".summary")).to_contain_text("1–1 of 2 entries")
    page.get_by_role("button", name="Next").click()

    expect(page).to_have_url(re.compile("offset=50"))


def test_entry_shows_who_says_what(page):
    page.goto("/directory?text=pizza")
    page.locator(".hit.entry h3 a").click()

    expect(page.locator("h1")).to_have_text("Main Street Pizza")
    expect(page.locator(".facts")).to_contain_text("12 Main Street, Lisbon NH 03585")
    expect(page.locator(".card", has_text="History")).to_contain_text("2001-09-09 first seen")
    page.locator("td a", has_text="lisbon-nh.example").click()

    expect(page.locator(".card", has_text="Entries of the directory")).to_contain_text(
        "Main Street Pizza"
    )


def test_entry_that_is_not_named_leads_to_the_directory(page):
    page.goto("/entry")

    expect(page.locator("h1")).to_have_text("No entry was named")
    page.get_by_role("link", name="Open the directory").click()
    expect(page.locator(".hit.entry")).to_have_count(2)


def test_home_leads_to_the_directory(page):
    page.goto("/search")
    page.get_by_role("link", name="All 2 entries of the directory").click()

    expect(page.locator("nav a[aria-current]")).to_have_text("Directory")
    expect(page.locator(".hit.entry")).to_have_count(2)


def test_hostile_entry_runs_nothing(page):
    page.goto("/directory?category=restaurant")
    page.locator(".hit.entry h3 a").click()
    expect(page.locator("h1")).to_contain_text("A hostile trattoria")

    assert page.evaluate(HACKED) is None
    assert page.locator("main img[src=x]").count() == 0


def test_phone_flips_between_list_and_map(phone):
    phone.goto("/directory")
    expect(phone.locator(".hit.entry").first).to_be_visible()
    phone.locator(".flip").tap()

    expect(phone.locator(".pin").first).to_be_visible()


def test_search_answers_with_entries_first(page):
    page.goto("/search?q=pizza+in+Lisbon,+New+Hampshire")

    expect(page.locator(".found-entries a").first).to_have_text("Main Street Pizza")
    expect(page.locator(".found-entries")).to_contain_text("12 Main Street, Lisbon NH 03585")
    expect(page.locator("ol.hits .hit").first).to_be_visible()
    page.goto("/search?q=madrid")
    expect(page.locator("ol.hits .hit").first).to_be_visible()
    expect(page.locator(".found-entries")).to_have_count(0)


def test_dashboard_has_a_curve_of_entries(page):
    page.goto("/crawl")

    card = page.locator(".card", has_text="New entries of the directory")
    expect(card.locator(".uplot")).to_be_visible()
    expect(page.locator(".tile", has_text="entries")).to_contain_text("2")


def test_place_of_a_search_has_its_name(page):
    page.goto("/directory?within=id:5088728&within_name=Lisbon&text=pizza")

    expect(page.get_by_label("In a place")).to_have_value("Lisbon")
    expect(page.locator(".hit.entry h3 a")).to_have_text(["Main Street Pizza"])
    page.get_by_label("Name or other words").fill("main")
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page).to_have_url(re.compile("text=main&within=id%3A5088728"))
    expect(page.locator(".hit.entry")).to_have_count(1)
