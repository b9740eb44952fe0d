"""Takes the pictures of the docs from the demo's own crawls, so that they stay true.

Runs `geoscout demo` without its page, a small `geoscout compare`, serves both and looks at them.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

PROJECT = Path(__file__).parent.parent
IMAGES = PROJECT / "docs" / "images"
GEOSCOUT = str(Path(sys.executable).with_name("geoscout"))
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
SETTLING_MILLISECONDS = 3000
DEMO = ("demo", "--no-serve", "--set", "pages=12000", "--set", "budget=1200")
COMPARE = (
    "compare", "--profile", "ahlers2009", "--webs", "2", "--pages", "6000", "--budget", "600",
    "--strategies", "breadth,distance,adaptive",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture to take: where, how large, in which colours."""

    name: str
    address: str
    width: int = 1280
    height: int = 800
    scheme: str = "light"
    click: str = ""  # what to click before


PICTURES = (
    Picture("home", "/search?crawl=hybrid"),
    Picture("search", "/search?crawl=hybrid&q=kontakt+in+{city}"),
    Picture("search-dark", "/search?crawl=hybrid&q={city}", scheme="dark"),
    Picture("crawl", "/crawl?crawl=hybrid", height=1050),
    Picture("page", "/search?crawl=hybrid&q=kontakt+in+{city}", height=900, click=".hit .title"),
    Picture("compare", "/compare", height=900),
    Picture("phone", "/search?crawl=hybrid&q=kontakt+in+{city}", width=390, height=780),
)


def main() -> None:
    with tempfile.TemporaryDirectory() as scratch:
        environment = {**os.environ, "GEOSCOUT_EXTRAS": "0"}
        home = environment.setdefault("GEOSCOUT_HOME", str(PROJECT / ".cache" / "home"))
        said = subprocess.run(
            [GEOSCOUT, *DEMO], env=environment, check=True, stderr=subprocess.PIPE, text=True
        ).stderr
        report = Path(scratch) / "strategies"
        command = [GEOSCOUT, *COMPARE, "--out", str(report)]
        subprocess.run(command, env=environment, check=True)
        city = re.findall(r"about ([^,?]+)", said)[0]
        with _served([Path(home) / "demo", report], environment) as address:
            _take_all(address, city)


def _take_all(address: str, city: str) -> None:
    program = next(path for name in BROWSERS if (path := shutil.which(name)))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        for picture in PICTURES:
            _take(browser, picture, address + picture.address.format(city=city))
        browser.close()


def _take(browser: Browser, picture: Picture, address: str) -> None:
    size = {"width": picture.width, "height": picture.height}
    context = browser.new_context(viewport=size, color_scheme=picture.scheme)  # type: ignore[arg-type]  # sizes and schemes are typed as literals there
    page = context.new_page()
    page.goto(address)
    _settle(page)
    if picture.click:
        page.locator(picture.click).first.click()
        _settle(page)
    page.screenshot(path=IMAGES / f"{picture.name}.png")
    context.close()
    print(f"took {picture.name}")


def _settle(page: Page) -> None:
    page.wait_for_load_state("load")
    page.wait_for_timeout(SETTLING_MILLISECONDS)


@contextmanager
def _served(folders: list[Path], environment: dict[str, str]) -> Iterator[str]:
    command = [GEOSCOUT, "serve", *map(str, folders), "--port", "0"]
    server = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
    assert server.stderr is not None
    try:
        for line in server.stderr:
            if found := re.search(r"http://\S+(?=/)", line):
                yield found[0]
                break
    finally:
        server.terminate()
        server.wait(20)
        server.stderr.close()


if __name__ == "__main__":
    main()
