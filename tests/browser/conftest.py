"""A real browser that looks at a small site; a test fails when it complains or asks outside.

These tests run only when their folder is named (`make browser`): they need chromium.
"""

import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request, sync_playwright

from tests.unit.web.conftest import served, site  # noqa: F401 - fixtures of the same site

HERE = Path(__file__).parent
NAMES = ("chromium", "chromium-browser", "google-chrome")
DESK = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 800}


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave these tests out unless they are asked for by name."""
    is_named = any("browser" in argument for argument in config.args)
    return None if is_named else HERE in (collection_path, *collection_path.parents)


@pytest.fixture(scope="session")
def browser():
    """Debian's chromium, or whatever of its kind is there."""
    program = next((path for name in NAMES if (path := shutil.which(name))), None)
    if program is None:
        pytest.fail("no chromium is installed: run tools/browser.sh")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield opened
        opened.close()


class Watched:
    """What went wrong while a page was open."""

    def __init__(self, context: BrowserContext) -> None:
        self.complaints: list[str] = []
        self.outside: list[str] = []
        context.on("console", lambda message: self._hear(message.type, message.text))
        context.on("weberror", lambda error: self.complaints.append(str(error.error)))
        context.on("request", self._see)

    def _hear(self, type: str, text: str) -> None:
        if type in ("error", "warning"):
            self.complaints.append(text)

    def _see(self, request: Request) -> None:
        parts = urlsplit(request.url)
        if parts.scheme not in ("data", "blob") and parts.hostname != "127.0.0.1":
            self.outside.append(request.url)


def open_page(
    browser: Browser, address: str, *, forgives: str = "\n", **options: object
) -> Iterator[Page]:
    """A page that must stay quiet and on loopback; checked when the test is over.

    `forgives`: complaints with this text are expected.
    """
    context = browser.new_context(base_url=address, **{"viewport": DESK, **options})  # type: ignore[arg-type]
    watched = Watched(context)
    page = context.new_page()
    page.set_default_timeout(30_000)
    yield page
    context.close()
    assert [text for text in watched.complaints if forgives not in text] == []
    assert watched.outside == []


@pytest.fixture
def page(browser, served):  # noqa: F811
    yield from open_page(browser, served)


@pytest.fixture
def phone(browser, served):  # noqa: F811
    yield from open_page(browser, served, viewport=PHONE, has_touch=True, is_mobile=True)


@pytest.fixture
def dark_page(browser, served):  # noqa: F811
    yield from open_page(browser, served, color_scheme="dark")
