import json
import re
from pathlib import Path

from playwright.sync_api import Page, expect


def ask(page: Page, text: str) -> None:
    page.goto("/search")
    page.get_by_role("combobox").fill(text)
    page.keyboard.press("Enter")


def test_an_ambiguous_place_is_corrected_by_its_chip(page):
    ask(page, "pizza in Lisbon")
    expect(page.locator(".chip.place")).to_contain_text("Lisbon, Portugal")

    page.locator(".not").get_by_role("button", name="Lisbon, New Hampshire").click()

    expect(page.locator(".chip.place")).to_contain_text("Lisbon, New Hampshire")
    expect(page.locator(".hit h3").first).to_have_text("Main Street Pizza")
    expect(page).to_have_url(re.compile(r"place=\d+"))


def test_a_street_that_is_not_known_is_said(page):
    ask(page, "pizza near Rua Garrett 12, Lisbon")

    expect(page.locator(".chip.place")).to_contain_text("Rua Garrett 12, Lisbon, Portugal")
    expect(page.locator(".note")).to_contain_text("searched near Lisbon itself")
    expect(page.locator(".hit h3").first).to_be_visible()


def test_the_menu_of_the_chip_offers_words_only(page):
    ask(page, "pizza in Lisbon")

    page.locator("button.chip.place").click()
    page.get_by_role("menuitem", name="only words").click()

    expect(page.locator(".chip.place")).to_have_count(0)
    expect(page.locator(".chips")).to_contain_text("words only")


def test_a_result_of_the_list_is_found_on_the_map(page):
    ask(page, "pizza in Madrid")

    page.locator(".hit .number").first.click()

    expect(page.locator(".pin.pointed")).to_be_visible()
    expect(page.locator(".leaflet-popup")).to_contain_text("Pizza in Madrid")


def test_pointing_is_linked_both_ways(page):
    ask(page, "pizza")
    hit = page.locator(".hit", has_text="Pizza in Madrid")
    pin = page.locator(f'.pin[data-hits~="{hit.get_attribute("data-hit")}"]')

    hit.hover()
    expect(pin).to_have_class(re.compile("pointed"))

    pin.hover()
    expect(hit).to_have_class(re.compile("pointed"))


def test_a_facet_narrows_the_search(page):
    ask(page, "pizza")

    page.locator(".facets [data-facet]", has_text="Spain").click()

    expect(page.locator(".hit")).to_have_count(1)
    expect(page.locator(".hit h3")).to_have_text("Pizza in Madrid")
    expect(page.locator(".chips")).to_contain_text("Spain")


def test_a_box_that_is_drawn_is_searched(page):
    ask(page, "pizza in Portugal")
    expect(page.locator(".hit").first).to_be_visible()
    before = page.locator(".hit").count()

    page.get_by_role("button", name="Draw an area").click()
    hit = page.locator(".hit", has_text="Pizza no Porto")
    pin = page.locator(f'.pin[data-hits="{hit.get_attribute("data-hit")}"]').bounding_box()
    assert pin is not None
    page.mouse.move(pin["x"] - 30, pin["y"] - 30)
    page.mouse.down()
    page.mouse.move(pin["x"] + 50, pin["y"] + 50, steps=5)
    page.mouse.up()

    expect(page).to_have_url(re.compile("bbox="))
    expect(page.locator(".hit h3")).to_have_text(["Pizza no Porto"])
    assert before > 1


def test_the_view_is_searched_after_it_was_moved(page):
    ask(page, "pizza in Madrid")
    expect(page.locator(".hit").first).to_be_visible()

    page.locator(".leaflet-control-zoom-out").click()
    page.get_by_role("button", name="Search in this view").click()

    expect(page).to_have_url(re.compile("bbox="))
    expect(page.locator(".hit h3")).to_contain_text(["Pizza in Madrid"])


def test_places_are_completed_with_the_keyboard(page):
    page.goto("/search")
    expect(page.locator(".empty")).to_be_visible()
    page.keyboard.press("/")
    page.keyboard.type("pizza in lisb")
    expect(page.get_by_role("option").first).to_contain_text("Lisbon")

    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")

    expect(page.get_by_role("combobox")).to_have_value("pizza in Lisbon, Portugal")
    expect(page.locator(".hit").first).to_be_visible()
    page.keyboard.press("ArrowDown")
    expect(page.locator(".hit .title").first).to_be_focused()


def test_the_address_is_the_search(page):
    ask(page, "pizza in Madrid")
    expect(page.locator(".hit").first).to_be_visible()
    shared = page.url
    page.goto("/crawl")

    page.goto(shared)

    expect(page.get_by_role("combobox")).to_have_value("pizza in Madrid")
    expect(page.locator(".hit h3").first).to_have_text("Pizza in Madrid")


def test_going_back_goes_back_to_the_search_before(page):
    ask(page, "pizza in Madrid")
    expect(page.locator(".hit h3").first).to_have_text("Pizza in Madrid")
    page.get_by_role("combobox").fill("bicycle")
    page.keyboard.press("Enter")
    expect(page.locator(".hit h3").first).to_have_text("Bicycles")

    page.go_back()

    expect(page.locator(".hit h3").first).to_have_text("Pizza in Madrid")


def test_nothing_found_says_what_to_do(page):
    ask(page, "zeppelin in Lisbon")

    expect(page.locator(".empty")).to_contain_text("No page fits")
    expect(page.get_by_role("button", name="Search for “Lisbon”")).to_be_visible()


def test_the_map_has_land_and_labels(page):
    ask(page, "pizza in Lisbon")
    expect(page.locator(".hit").first).to_be_visible()
    page.wait_for_load_state("networkidle")

    assert inked(page, ".leaflet-land-pane canvas") > 10_000
    assert inked(page, "canvas.labels") > 200


def inked(page: Page, canvas: str) -> int:
    """How many pixels of a canvas are painted."""
    return page.locator(canvas).first.evaluate(
        """(canvas) => {
            const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
            return pixels.data.filter((value, at) => at % 4 === 3 && value > 0).length;
        }"""
    )


def test_near_me_asks_the_browser_where_that_is(page):
    page.context.grant_permissions(["geolocation"])
    page.context.set_geolocation({"latitude": 38.71, "longitude": -9.14})
    ask(page, "pizza near me")

    page.get_by_role("button", name="Use my location").click()

    expect(page.locator(".chip", has_text="your location")).to_be_visible()
    expect(page).to_have_url(re.compile("near=38.71"))
    expect(page.locator(".hit h3").first).to_be_visible()


def test_a_dead_end_offers_a_query_with_hits(page):
    ask(page, "pizza in Hamburg")

    page.get_by_role("button", name="“pizza” in all places").click()

    expect(page).to_have_url(re.compile("place=0"))
    expect(page.locator(".hit h3").first).to_be_visible()


def test_filters_limit_the_search(page):
    ask(page, "pizza")
    page.locator(".filters summary").click()
    page.get_by_label("Host").fill("madrid.example")
    page.keyboard.press("Enter")

    expect(page.locator(".hit h3")).to_have_text(["Pizza in Madrid"])
    expect(page).to_have_url(re.compile(r"host=madrid\.example"))
    page.get_by_role("button", name="Without filters").click()
    expect(page).not_to_have_url(re.compile("host="))


def test_filters_that_leave_nothing_are_offered_to_be_dropped(page):
    page.goto("/search?q=pizza&host=nowhere.example")

    expect(page.locator(".empty")).to_contain_text("No page fits.")
    page.locator(".empty").get_by_role("button", name="without filters").click()
    expect(page.locator(".hit h3").first).to_be_visible()


def test_hits_can_be_exported(page):
    ask(page, "pizza in Madrid")

    with page.expect_download() as download:
        page.get_by_role("link", name="hits.geojson").click()

    found = json.loads(Path(download.value.path()).read_text())["features"]
    titles = page.locator(".hit h3").all_inner_texts()
    assert [one["properties"]["title"] for one in found] == titles
