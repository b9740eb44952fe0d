"""Every view by the rules of axe-core, in both themes; and what only a keyboard can tell."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import DESK, PHONE

AXE = Path(".cache/axe/node_modules/axe-core/axe.min.js")
VIEWS = {
    "home": "/search",
    "hits": "/search?q=pizza+in+Lisbon&explain=true",
    "hits and entries": "/search?q=pizza+in+Lisbon,+New+Hampshire",
    "no hits": "/search?q=zeppelin+in+Lisbon",
    "crawl": "/crawl",
    "page": "/page?url=http://pizzaria.example/",
    "hostile page": "/page?url=http://evil.example/",
    "not fetched": "/page?url=http://nowhere.example/",
    "no page": "/page",
    "nowhere": "/nowhere",
    "geoparse": "/geoparse?text=We+met+in+Lisbon,+Portugal.",
    "directory": "/directory",
    "no entry": "/directory?text=zeppelin",
    "entry": "/entry?id=600db0a56ec152f2",
    "places": "/places",
    "compare": "/compare",
    "api": "/api/docs",
}


@pytest.fixture(
    params=[("light", DESK), ("dark", DESK), ("light", PHONE)], ids=["light", "dark", "phone"]
)
def checked(request, browser, served):
    """A page that can check itself. Not quiet: a page that was not fetched is told as an error."""
    if not AXE.is_file():
        pytest.fail("axe-core is not installed: run tools/browser.sh")
    scheme, size = request.param
    context = browser.new_context(base_url=served, color_scheme=scheme, viewport=size)
    context.add_init_script(path=AXE)
    yield context.new_page()
    context.close()


def violations(page: Page) -> list[str]:
    """What axe-core complains about, with the elements."""
    page.wait_for_load_state("networkidle")
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{rule['id']}: {node['target']} {node['failureSummary']}"
        for rule in found["violations"]
        for node in rule["nodes"][:3]
    ]


@pytest.mark.parametrize("address", VIEWS.values(), ids=VIEWS)
def test_every_view_can_be_used_by_everybody(checked, address):
    checked.goto(address)
    expect(checked.locator("h1")).to_have_count(1)

    assert violations(checked) == []


def test_what_opens_can_be_used_by_everybody(checked):
    checked.goto("/page?url=http://pizzaria.example/")
    checked.get_by_role("button", name="Show the links").click()
    checked.get_by_role("button", name="why?").first.click()
    expect(checked.get_by_role("dialog")).to_contain_text("priority")
    assert violations(checked) == []

    checked.goto("/search?q=pizza+in+Lisbon")
    checked.locator("button.chip.place").click()
    expect(checked.get_by_role("menu")).to_be_visible()
    assert violations(checked) == []

    checked.keyboard.press("Escape")
    if (flip := checked.get_by_role("button", name="Map", exact=True)).is_visible():
        flip.click()
    checked.get_by_role("button", name="Area in numbers").click()
    assert violations(checked) == []


def test_the_menu_of_a_chip_closes_by_escape_and_elsewhere(page):
    page.goto("/search?q=pizza+in+Lisbon")
    opener = page.locator("button.chip.place")

    opener.click()
    expect(page.get_by_role("menuitem").first).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("menuitem").nth(1)).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("menu")).to_have_count(0)
    expect(opener).to_be_focused()

    opener.click()
    page.get_by_role("combobox").click()
    expect(page.get_by_role("menu")).to_have_count(0)


def test_the_hits_are_one_step_from_the_box(page):
    page.goto("/search?q=pizza+in+Lisbon")
    expect(page.locator(".hit").first).to_be_visible()
    page.get_by_role("combobox").focus()

    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Skip to the hits")).to_be_focused()
    page.keyboard.press("Enter")

    expect(page.locator(".hit a").first).to_be_focused()


def test_an_area_is_given_by_keyboard(page):
    page.goto("/search?q=pizza+in+Portugal")
    expect(page.locator(".hit").first).to_be_visible()
    page.get_by_role("button", name="Area in numbers").focus()
    page.keyboard.press("Enter")

    for name, degrees in (("west", -9), ("south", 41), ("east", -8), ("north", 42)):
        page.get_by_label(name).fill(str(degrees))
    page.keyboard.press("Enter")

    expect(page).to_have_url(re.compile("bbox=-9.0"))
    expect(page.locator(".hit h3")).to_have_text(["Pizza no Porto"])


def test_a_box_that_is_upside_down_is_told(page):
    page.goto("/search?q=pizza+in+Portugal")
    page.get_by_role("button", name="Area in numbers").click()
    page.get_by_label("south").fill("50")
    page.get_by_label("north").fill("40")

    page.get_by_role("button", name="Search there").click()

    expect(page.get_by_role("alert")).to_contain_text("further north")


def test_the_tab_is_named_by_the_question(page):
    page.goto("/search?q=pizza+in+Lisbon")

    expect(page).to_have_title("pizza in Lisbon · geoscout")


def test_skipping_to_the_content_asks_nothing_again(page):
    page.goto("/search?q=pizza+in+Lisbon")
    expect(page.locator(".hit").first).to_be_visible()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))

    page.get_by_role("link", name="Skip to the content").focus()
    page.keyboard.press("Enter")

    expect(page.locator("main")).to_be_focused()
    assert [url for url in asked if "/api/search" in url] == []
