"""The example project and docs/how-to/scrapy.md, run by a real Scrapy against a local site."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from geoscout.settings import Settings
from tests.conftest import PROJECT
from tests.fakeweb import FakeWeb
from tests.scrapy_site import SHOPS, pages, site

pytest.importorskip("scrapy", reason="the extra `scrapy` is not installed")
GUIDE = (PROJECT / "docs/how-to/scrapy.md").read_text()
QUICK = ("-s", "DOWNLOAD_DELAY=0", "-s", "CONCURRENT_REQUESTS=1", "-s", "LOG_LEVEL=INFO")
OWN_ORDER = (
    "-s", "SCHEDULER_PRIORITY_QUEUE=scrapy.pqueues.ScrapyPriorityQueue",
)  # fmt: skip


@pytest.fixture
def web():
    with FakeWeb({"127.0.0.1": site()}) as served:
        yield served


@pytest.fixture
def project(tmp_path):
    """A copy of the example."""
    return Path(shutil.copytree(PROJECT / "examples/scrapy_towns", tmp_path / "project"))


def scrapy(project: Path, settings: Settings, *words: str) -> str:
    environment = {**os.environ, "GEOSCOUT_HOME": settings.home, "GEOSCOUT_EXTRAS": "no"}
    done = subprocess.run(
        [sys.executable, "-m", "scrapy", *words],
        cwd=project, env=environment, capture_output=True, text=True, check=False, timeout=100,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr, done.stderr
    return done.stderr


def towns(web: FakeWeb) -> list[str]:
    return [path for path in web.paths("127.0.0.1") if path.startswith("/town")]


def asked(web: FakeWeb) -> list[str]:
    return [path for path in web.paths("127.0.0.1") if path != "/robots.txt"]


@pytest.mark.slow
def test_strategy_finds_more_of_the_region_than_the_order_of_scrapy(
    web, project, settings, gazetteer
):
    words = ["crawl", "town", "-a", f"start={web.url('127.0.0.1')}", *QUICK]
    scrapy(project, settings, *words, "-s", "CLOSESPIDER_PAGECOUNT=20")
    ours = len(towns(web))
    web.log.clear()
    scrapy(project, settings, *words, *OWN_ORDER, "-s", "CLOSESPIDER_PAGECOUNT=20")

    assert ours >= 15
    assert len(towns(web)) <= 10


@pytest.mark.slow
def test_commands_of_the_guide_do_what_it_says_and_the_job_goes_on(
    web, project, settings, gazetteer
):
    command = re.findall(r"^\$ scrapy (crawl .+)$", GUIDE, re.MULTILINE)[0]
    here = shlex.split(command.replace("https://www.oldenburg.example/", web.url("127.0.0.1")))
    scrapy(project, settings, *here, *QUICK, "-s", "CLOSESPIDER_PAGECOUNT=8")
    first, model = asked(web), (project / "job/geoscout.model").read_bytes()
    told = scrapy(project, settings, *here, *QUICK)
    items = [json.loads(line) for line in (project / "pages.jsonl").read_text().splitlines()]

    assert "Resuming crawl" in told
    assert len(model) > 100
    assert len(first) < 15
    others = [path for path in asked(web) if path != "/"]  # Scrapy asks for start URLs each time
    assert sorted(others) == sorted(set(pages()) - {"/"})
    shops = {item["url"]: item["geo"] for item in items if "/town/" in item["url"]}
    assert len(shops) == SHOPS
    assert {geo["place"] for geo in shops.values()} == {"Oldenburg"}
    assert {geo["addresses"][0]["postcode"] for geo in shops.values()} == {"26122"}
    assert all(item["geo"]["relevant"] for item in items)
    assert "is about Oldenburg" in told


def test_settings_of_the_guide_are_those_of_the_example():
    lines = re.findall(r"```python\n(ADDONS.*?)```", GUIDE, re.DOTALL)[0].splitlines()
    example = (PROJECT / "examples/scrapy_towns/towns/settings.py").read_text()

    assert [line for line in lines if line not in example] == []
