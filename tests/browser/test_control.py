"""A crawl is begun, stopped and resumed from the pages, and every dead end says what to do."""

from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from geoscout.web.control.access import ControlRules
from geoscout.web.control.running import Launcher
from geoscout.web.site import open_site
from tests.browser.conftest import PHONE, open_page
from tests.browser.test_accessibility import AXE, violations
from tests.fakeweb import FakeWeb, Site
from tests.fakeweb.sites import by_path, chained, page, robots_file
from tests.flow.test_control import stop, until
from tests.unit.web.conftest import serving

KEY = "open-sesame"
HERE, OTHER = "127.0.0.1", "127.0.0.2"
PATIENCE = 90_000  # milliseconds


@dataclass(frozen=True)
class Served:
    """A server with an empty folder for crawls, and a small web."""

    address: str
    room: Path
    web: FakeWeb


@pytest.fixture(scope="module")
def web():
    closed = Site(by_path({"/": page("Closed")}), robots_file("User-agent: *", "Disallow: /"))
    sites = {HERE: Site(chained(500)), OTHER: closed}
    with FakeWeb(sites, addresses=2) as opened:
        yield opened


@pytest.fixture
def served(tmp_path, web, gazetteer, settings, at_home):
    site = open_site([tmp_path], gazetteer, settings)
    launcher = Launcher([f"--home={settings.home}"])
    rules = ControlRules(is_on=True, key=KEY)
    with serving(site, control=rules, launcher=launcher) as address:
        yield Served(address, tmp_path, web)
        for name in list(site.crawls):
            with_key(address, name, launcher)
    assert launcher.running == 0


def with_key(address: str, name: str, launcher: Launcher) -> None:
    import httpx  # noqa: PLC0415

    with httpx.Client(
        base_url=f"{address}/api", headers={"x-geoscout-key": KEY}, timeout=60
    ) as client:
        until(lambda: not launcher.running or stop(client, name))


@pytest.fixture
def form(browser, served):
    # What a user does wrong is an answer with such a status, which the browser notes.
    for opened in open_page(browser, served.address, forgives="status of 4"):
        opened.goto(f"/new#key={KEY}")
        expect(opened.get_by_role("heading", name="New crawl")).to_be_visible()
        yield opened


def fill(form: Page, served: Served, **more: str) -> None:
    values = {"Region": "Lisbon", "Seeds": served.web.url(HERE), "Name": "first", **more}
    for label, value in values.items():
        form.get_by_label(label, exact=True).fill(value)


def allow_private(form: Page) -> None:
    form.get_by_text("Pages on your own machine or network").click()
    expect(form.get_by_text("your router")).to_be_visible()
    form.get_by_label("Allow private addresses").check()


def test_a_crawl_is_begun_stopped_and_resumed(form, served):
    assert KEY not in form.url
    allow_private(form)
    fill(form, served)
    form.get_by_label("Limit").fill("300")
    expect(form.locator(".checked .good")).to_contain_text("answers with a page")
    expect(form.locator(".command")).to_contain_text("--max-pages 300 --allow-private --out")
    form.get_by_role("button", name="Start the crawl").click()

    expect(form).to_have_url(f"{served.address}/crawl?crawl=first", timeout=PATIENCE)
    expect(form.locator(".live")).to_have_text("running", timeout=PATIENCE)
    form.get_by_role("button", name="+1,000 pages").click()
    expect(form.locator(".steering")).to_contain_text("The limit is 1,300 responses now")
    form.get_by_role("button", name=f"Leave alone: {HERE}").click(timeout=PATIENCE)
    expect(form.locator(".steering")).to_contain_text("1 host left alone", timeout=PATIENCE)
    form.get_by_role("button", name=f"Ask again: {HERE}").last.click()
    expect(form.locator(".steering")).not_to_contain_text("left alone", timeout=PATIENCE)

    stop_button = form.get_by_role("button", name="Stop", exact=True)
    if stop_button.is_visible():  # it may have ended, when its only host was left alone
        stop_button.click()
    expect(form.locator(".live")).not_to_have_text("running", timeout=PATIENCE)

    resume = form.get_by_role("button", name="Resume", exact=True)
    resume.click()
    dialog = form.get_by_role("dialog")
    expect(dialog).to_contain_text("may ask private addresses")
    dialog.get_by_role("button", name="Resume").click()
    expect(form.locator(".live")).to_have_text("running", timeout=PATIENCE)
    expect(stop_button).to_be_visible()
    stop_button.click()
    expect(form.locator(".live")).to_have_text("stopped by you", timeout=PATIENCE)


def test_every_mistake_is_at_its_field(form, served):
    (served.room / "taken").mkdir()
    fill(form, served, Region="Atlantis-on-Sea", Seeds="ftp://a.example/\nnothing", Name="taken")
    form.get_by_label("Contact").fill("me")
    form.get_by_label("Limit").fill("0")
    form.get_by_role("button", name="Start the crawl").click()

    wrong = {
        "region": "Atlantis-on-Sea",
        "seeds": "'nothing' is not an http(s) URL",
        "contact": "mail or web address",
        "max_pages": "from 1 to",
        "name": "already",
    }
    for name, text in wrong.items():
        expect(form.locator(f"#wrong-{name}")).to_contain_text(text, timeout=PATIENCE)
    expect(form.get_by_label("Region")).to_be_focused()
    expect(form.get_by_label("Region")).to_have_attribute("aria-invalid", "true")
    assert list((served.room / "taken").iterdir()) == []


def test_what_was_mended_is_no_longer_complained_about(form, served):
    fill(form, served, Region="Lisbn, Portugal", Name="taken again")
    form.get_by_label("Contact").fill("me")
    form.get_by_role("button", name="Start the crawl").click()
    expect(form.locator("#wrong-contact")).to_contain_text("mail or web", timeout=PATIENCE)

    form.get_by_label("Contact").fill("me@example.org")
    expect(form.locator("#wrong-contact")).to_be_empty(timeout=PATIENCE)

    form.get_by_label("Region").press("Tab")
    form.get_by_role("button", name="Lisbon").first.click()
    expect(form.get_by_text("Taken as Lisbon")).to_be_visible(timeout=PATIENCE)
    expect(form.locator("#wrong-region")).to_be_empty()


def test_another_place_of_that_name_can_be_chosen(form):
    form.get_by_label("Region").fill("Oldenburg")
    form.get_by_label("Region").press("Tab")
    expect(form.get_by_text("Taken as Oldenburg, Lower Saxony, Germany")).to_be_visible()
    form.get_by_role("button", name="Oldenburg in Holstein").first.click()

    expect(form.get_by_text("Taken as Oldenburg in Holstein")).to_be_visible()
    expect(form.get_by_label("Name", exact=True)).to_have_value("oldenburg")


def test_seeds_are_looked_at_one_by_one(form, served):
    urls = [served.web.url(HERE), served.web.url(OTHER), "http://127.0.0.1:9/", "no url"]
    form.get_by_label("Seeds").fill("\n".join(urls))
    form.get_by_role("button", name="Check the seeds").click()
    rows = form.locator(".checked li")
    expect(rows.nth(0)).to_contain_text("own machine or network")
    expect(rows.nth(3)).to_contain_text("not an http(s) URL")
    allow_private(form)
    form.get_by_role("button", name="Check the seeds").click()

    expect(rows.nth(0)).to_contain_text("answers with a page", timeout=PATIENCE)
    expect(rows.nth(1)).to_contain_text("robots.txt does not allow it", timeout=PATIENCE)
    expect(rows.nth(2)).to_contain_text("refused", timeout=PATIENCE)


def test_without_the_key_the_pages_say_where_it_is(browser, served):
    for opened in open_page(browser, served.address):
        opened.goto("/new")

        expect(opened.get_by_text("open the address with #key")).to_be_visible()
        expect(opened.get_by_role("button")).to_have_count(0)


def test_a_server_of_one_crawl_has_no_folder_for_others(browser, served, gazetteer, settings):
    from tests.unit.web.world import make_report  # noqa: PLC0415

    make_report(served.room / "report")
    site = open_site([served.room / "report"], gazetteer, settings)
    with serving(site, control=ControlRules(is_on=True, key=KEY)) as address:
        for opened in open_page(browser, address):
            opened.goto(f"/new#key={KEY}")
            expect(opened.get_by_text("There is no folder for new crawls")).to_be_visible()
            opened.goto("/crawl")
            expect(opened.get_by_role("link", name="Begin one")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_form_and_its_mistakes_can_be_used_by_everybody(browser, served, scheme):
    for opened in open_page(browser, served.address, forgives="status of 4", color_scheme=scheme):
        opened.add_init_script(path=AXE)
        opened.goto(f"/new#key={KEY}")
        opened.get_by_label("Region").fill("Oldenburg")
        allow_private(opened)
        opened.get_by_role("button", name="Start the crawl").click()
        expect(opened.locator("#wrong-seeds")).to_contain_text("at least one", timeout=PATIENCE)
        expect(opened.locator(".alternatives")).to_be_visible(timeout=PATIENCE)

        assert violations(opened) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_form_fits_a_phone(browser, served, scheme):
    for opened in open_page(browser, served.address, viewport=PHONE, color_scheme=scheme):
        opened.goto(f"/new#key={KEY}")
        opened.get_by_label("Region").fill("Oldenburg")
        opened.get_by_label("Region").press("Tab")
        expect(opened.locator(".alternatives")).to_be_visible()

        assert opened.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
