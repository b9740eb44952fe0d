"""A page that tries everything is shown harmlessly: nothing of it runs, loads or leads astray."""

from playwright.sync_api import Page, expect

from tests.unit.web.world import HOSTILE_URL


def was_hacked(page: Page) -> bool:
    """Whether any script of a crawled page ran, in any frame."""
    return any(frame.evaluate("window.hacked !== undefined") for frame in page.frames)


def test_a_hostile_title_and_snippet_are_text(page):
    page.goto("/search?q=hostile+trattoria")
    hit = page.locator(".hit").first

    expect(hit.locator("h3")).to_contain_text("<script>window.hacked = 1</script>")
    expect(hit.locator("h3 bdi")).to_have_count(1)
    assert page.locator(".hits script, .hits img").count() == 0
    assert not was_hacked(page)


def test_direction_marks_change_nothing_around_them(page):
    page.goto("/search?q=hostile+trattoria")
    url = page.locator(".hit .url").first

    expect(url).to_have_text("evil.example")
    isolated = page.locator(".hit h3 bdi").first.evaluate("e => getComputedStyle(e).unicodeBidi")
    assert isolated == "isolate"


def test_a_hostile_page_is_shown_as_text(page):
    page.goto(f"/page?url={HOSTILE_URL}")

    expect(page.locator(".text")).to_contain_text("<b>bold</b>")
    expect(page.locator(".page")).to_contain_text("The text goes on; it is cut here.")
    assert not was_hacked(page)


def test_links_that_are_no_web_addresses_are_no_links(page):
    page.goto(f"/page?url={HOSTILE_URL}")
    page.get_by_role("button", name="Show the links").click()
    expect(page.locator(".into, .faint", has_text="none found").first).to_be_visible()

    hrefs = page.locator("a").evaluate_all("links => links.map((link) => link.href)")
    assert [href for href in hrefs if not href.startswith(("http:", "https:"))] == []
    assert not was_hacked(page)


def test_the_copy_of_a_hostile_page_does_nothing(page):
    page.goto(f"/page?url={HOSTILE_URL}")
    page.get_by_role("button", name="Show the archived copy").click()
    expect(page.locator("iframe").content_frame.locator("h1")).to_contain_text("hostile trattoria")
    page.wait_for_timeout(500)

    assert page.evaluate("window.hacked") is None
    assert "127.0.0.1" in page.url
