from playwright.sync_api import Page, expect


def test_a_page_shows_what_is_known_and_why(page):
    page.goto("/search?q=pizza+in+Lisbon")
    page.get_by_role("link", name="Pizzaria Alfama").click()

    expect(page.locator("h1")).to_have_text("Pizzaria Alfama")
    expect(page.locator(".because")).to_contain_text("It is relevant: ")
    expect(page.locator(".text mark.place").first).to_contain_text("Alfama")
    expect(page.locator(".text mark.place", has_text="Lisbon").first).to_be_visible()
    expect(page.locator(".scope")).to_contain_text("Portugal")


def test_links_have_scores_and_outcomes(page):
    page.goto("/page?url=http://pizzaria.example/")

    page.get_by_role("button", name="Show the links").click()

    waiting = page.locator("tr", has_text="waiting.example/menu")
    expect(waiting).to_contain_text("0.700")
    expect(waiting).to_contain_text("waiting")
    assert (
        waiting.locator("td.word").first.evaluate("e => getComputedStyle(e).whiteSpace") == "nowrap"
    )
    waiting.get_by_role("button", name="why?").click()
    expect(page.get_by_role("dialog")).to_contain_text("priority -1")


def test_a_page_begins_with_what_is_its_own(page):
    page.goto("/page?url=http://bikes.example/")

    expect(page.locator(".text").first).to_have_text(
        "Bicycles How to mend a bicycle: turn it upside down first."
    )
    expect(page.locator(".menus .text")).to_be_hidden()
    page.locator(".menus summary").click()
    expect(page.locator(".menus .text")).to_contain_text("Prices")


def test_a_reason_is_told_in_words_first(page):
    parts = [
        {"name": "always", "value": -1.5, "detail": "", "parts": []},
        {"name": "anchor:menu", "value": 0.4, "detail": "", "parts": []},
        {"name": "part:footer", "value": -1.2, "detail": "", "parts": []},
        {"name": "cue:inside", "value": 0.1, "detail": "", "parts": []},
    ]
    likely = {"name": "relevant", "value": 0.133, "detail": "", "parts": parts}
    found = {
        "url": "http://waiting.example/menu", "state": "waiting", "priority": 0.15, "depth": 1,
        "distance": 2, "parent": "http://pizzaria.example/", "anchor": "Our menu", "verdict": "",
        "reason": {"name": "priority", "value": 0.15, "detail": "a sum", "parts": [likely]},
    }  # fmt: skip
    page.route("**/api/explain*", lambda route: route.fulfill(json=found))
    page.goto("/crawl")
    page.locator("tr", has_text="waiting.example/menu").get_by_role("button", name="why?").click()

    dialog = page.get_by_role("dialog")

    expect(dialog).to_contain_text("It waits, with priority 0.15.")
    expect(dialog).to_contain_text(
        "found by the link “Our menu” on http://pizzaria.example/, one link"
    )
    expect(dialog).to_contain_text("How likely it is relevant: 13.3 %")
    expect(dialog.locator("section li")).to_have_text(
        [
            "its link says “menu” (clearly)",
            "a place in the region is named with it (a little)",
            "the link stands in the footer (strongly)",
        ]
    )
    expect(dialog.get_by_text("All numbers")).to_be_visible()


def test_the_archived_copy_is_shown_in_a_frame_without_rights(page):
    page.goto("/page?url=http://pizzaria.example/")

    page.get_by_role("button", name="Show the archived copy").click()

    frame = page.locator("iframe")
    expect(frame).to_have_attribute("sandbox", "")
    expect(frame.content_frame.locator("h1")).to_have_text("Pizzaria Alfama")


def test_a_finished_crawl_can_be_looked_at(page):
    page.goto("/crawl")

    expect(page.locator(".live")).to_have_text("interrupted")
    expect(page.locator(".tile", has_text="responses").first).to_contain_text("7")
    expect(page.locator(".uplot").first).to_be_visible()
    expect(page.locator(".crawl .map")).to_have_attribute("data-dots", "6")
    expect(page.locator("tr", has_text="closed.example").first).to_contain_text("robots.txt")
    expect(page.locator(".causes")).to_contain_text("not asked (robots.txt)")


def test_a_link_of_the_frontier_is_explained(page):
    page.goto("/crawl")

    page.locator("tr", has_text="waiting.example/menu").get_by_role("button", name="why?").click()

    expect(page.get_by_role("dialog")).to_contain_text("priority -1")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_reports_can_be_browsed(page):
    page.goto("/compare")

    expect(page.locator(".bars").first).to_contain_text("adaptive")
    expect(page.locator("table").first).to_contain_text("breadth")
    expect(page.frame_locator("iframe").locator("h1")).to_have_text("The report")


def test_columns_of_runs_are_chosen_and_settings_can_be_read(page):
    page.goto("/compare")
    runs = page.locator(".card", has_text="Every run")
    expect(runs).to_contain_text("The same in all runs: web 1")
    expect(runs.locator("th")).to_have_text(["strategy", "harvest", "recall"])

    runs.get_by_text("Columns").click()
    runs.get_by_label("recall").uncheck()

    expect(runs.locator("th")).to_have_text(["strategy", "harvest"])
    settings = page.locator(".card", has_text="Settings")
    expect(settings).to_contain_text("geoscout compare --out 'my reports'")
    expect(settings.locator("li")).to_have_text(["profile ahlers2009, pages 5,000"])


def test_a_text_is_read_for_its_places(page):
    page.goto("/geoparse")
    page.get_by_label("Text in any language").fill(
        "We met in Lisbon, Portugal, at 12 Main Street, Lisbon, NH 03585."
    )
    page.get_by_role("button", name="Find places").click()

    expect(page.locator("mark.place").first).to_have_text("Lisbon")
    expect(page.locator("mark.place").first).to_have_attribute("title", "Lisbon, Portugal")
    expect(page.locator("mark.address")).to_contain_text("12 Main Street")
    expect(page.locator("tr", has_text="12 Main Street")).to_contain_text("postal code")
    expect(page.locator(".geoparse .map")).to_have_attribute("data-marks", "3")
    page.reload()
    expect(page.locator("mark.place").first).to_have_text("Lisbon")


def test_a_long_text_is_read_without_going_into_the_address(page):
    page.goto("/geoparse")
    page.get_by_label("Text in any language").fill("Lisbon, Portugal. " + "Nothing here. " * 2000)
    page.get_by_role("button", name="Find places").click()

    expect(page.locator("mark.place").first).to_have_text("Lisbon")
    assert page.url.endswith("/geoparse")


def test_the_api_is_listed(page):
    page.goto("/api/docs")

    expect(page.get_by_role("heading", name="GET /api/search", exact=True)).to_be_visible()


def test_a_phone_shows_list_and_map_in_turn(phone):
    phone.goto("/search?q=pizza+in+Lisbon")
    expect(phone.locator(".hit").first).to_be_visible()

    phone.get_by_role("button", name="Map", exact=True).tap()

    expect(phone.locator(".pin").first).to_be_in_viewport()
    phone.get_by_role("button", name="List", exact=True).tap()
    expect(phone.locator(".hit").first).to_be_in_viewport()


def test_nothing_is_wider_than_a_phone(phone):
    for address in (
        "/search?q=pizza",
        "/crawl",
        "/page?url=http://evil.example/",
        "/geoparse",
        "/compare",
    ):
        phone.goto(address)
        phone.wait_for_load_state("networkidle")

        assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth"), address


def test_dark_and_light_are_both_readable(dark_page, page):
    for opened in (dark_page, page):
        opened.goto("/search?q=pizza+in+Lisbon")
        expect(opened.locator(".hit").first).to_be_visible()

        assert contrast(opened, ".hit .snippet", ".panel") > 7
        assert contrast(opened, ".hit .title", ".panel") > 4.5
        assert contrast(opened, ".summary", ".panel") > 4.5


def contrast(page: Page, text: str, ground: str) -> float:
    """The contrast of WCAG 2 between the colour of a text and of what is behind it."""
    front = luminance(page.locator(text).first.evaluate("e => getComputedStyle(e).color"))
    back = luminance(
        page.locator(ground).first.evaluate("e => getComputedStyle(e).backgroundColor")
    )
    return (max(front, back) + 0.05) / (min(front, back) + 0.05)


def luminance(colour: str) -> float:
    parts = [float(part) / 255 for part in colour.split("(")[1].rstrip(")").split(",")[:3]]
    linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_the_api_has_examples_that_can_be_asked(page):
    page.goto("/docs")
    heading = page.get_by_role("heading", name="GET /api/search", exact=True)
    card = page.locator("article", has=heading)
    card.get_by_text("Example", exact=True).click()

    expect(card.locator("code").last).to_contain_text("curl")
    expect(card.locator("pre")).to_contain_text('"reading"')
    link = card.get_by_role("link", name="Ask it here")
    assert page.request.get(str(link.get_attribute("href"))).status == 200
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
