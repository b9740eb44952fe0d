"""`geoscout cluster start --ray` on a real cluster: a head and two machines, one is killed.

These tests need Ray (`make ray`) and are skipped without it.
"""

import os
import signal
import subprocess
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

import pytest

from geoscout.crawling.options import CrawlOptions
from geoscout.settings import load_settings
from geoscout.state.base import open_state
from geoscout_cluster.postgres.database import connect
from geoscout_cluster.shared_crawl import Overview, look_at
from tests.flow.history_run import found
from tests.patience import wait_until
from tests.postgres import DATABASE, running_server
from tests.ray.conftest import BIN, manage
from tests.unit.lab.archives import write_archive

pytest.importorskip("ray")

SITES, PAGES = 40, 400
pytestmark = pytest.mark.slow


def url_of(site: int, page: int) -> str:
    return f"http://www.site{site % SITES}.example/{page % PAGES}.html"


URLS = frozenset(url_of(site, page) for site in range(SITES) for page in range(PAGES))


def page_of(site: int, page: int) -> str:
    """A page that leads to the next one of its site, and to another site."""
    links = [url_of(site, page + 1), url_of(site + 1, page), url_of(site + 7, page * 3)]
    words = f"Page {page} of site {site}, with a text of its own: {site * 31 + page * 7}. " * 20
    anchors = "".join(f'<p><a href="{link}">to {link}</a>' for link in links)
    return f"<html><title>Site {site}</title><p>{words}{anchors}</html>"


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    pages = {url_of(s, p): page_of(s, p) for s in range(SITES) for p in range(PAGES)}
    return write_archive(tmp_path_factory.mktemp("web") / "web.warc.gz", pages)


@pytest.fixture(scope="module")
def server():
    with running_server() as running:
        yield running


@dataclass(frozen=True)
class Crawl:
    """A crawl that somebody may work on."""

    where: str

    def visits(self) -> int:
        with open_state(self.where) as view:
            return view.reader.totals().visits

    def urls(self) -> Counter[str]:
        """The URLs that were stored, and how often."""
        with open_state(self.where) as view:
            return Counter(visit.url for visit in view.reader.visits())


@pytest.fixture
def crawl(
    request, server, archive, tmp_path,
    environment, monkeypatch
):  # fmt: skip
    """A crawl that nobody works on."""
    for name in ("GEOSCOUT_HOME", "GEOSCOUT_EXTRAS"):
        monkeypatch.setenv(name, environment[name])
    where = server.address(DATABASE, request.node.name.replace("_", "-")[:40])
    options = CrawlOptions(region=("Lisbon",), strategy="breadth", replay=(str(archive),))
    pages = tmp_path / "segments"
    found(where, options, [url_of(0, 0)], load_settings(), archive=pages, partitions=8)
    return Crawl(where)


def geoscout(
    environment: dict[str, str], where: str, *words: str
) -> subprocess.CompletedProcess[str]:
    command = [BIN / "geoscout", "cluster", *words]
    return subprocess.run(
        command, env={**environment, "GEOSCOUT_ON": where}, capture_output=True, text=True,
        check=False, timeout=900,
    )  # fmt: skip


def holders(found: Overview) -> set[str]:
    return {row.owner for row in found.partitions if row.seconds_left > 0 and row.owner}


def alive(found: Overview) -> set[str]:
    return {row.name for row in found.workers if row.seconds_left > 0}


@contextmanager
def standing_still(worker: str) -> Iterator[None]:
    process = int(worker.split("/")[1])
    os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(process, signal.SIGCONT)


def test_machine_that_is_killed_costs_no_page(crawl, cluster, environment):
    begin = "start", "--ray", cluster, "--workers", "2", "--set", "lease_seconds=3"
    started = geoscout(environment, crawl.where, *begin)
    assert (started.returncode, started.stdout.count("works")) == (0, 2), started.stderr
    wait_until(lambda: crawl.visits() > 0 and len(holders(look_at(crawl.where))) == 2, 60)
    before = holders(look_at(crawl.where))

    manage(environment, "kill", "1")
    wait_until(lambda: len(holders(look_at(crawl.where))) == 1, 30)
    (survivor,) = holders(look_at(crawl.where))
    with standing_still(survivor):  # or it would be done before Ray has noticed anything
        wait_until(lambda: bool(alive(look_at(crawl.where)) - before), 90)

    wait_until(lambda: look_at(crawl.where).has_ended, 180)
    assert crawl.urls() == dict.fromkeys(URLS, 1)
    # The keepers leave by themselves, and their processors are free again.
    stop = partial(geoscout, environment, crawl.where, "stop", "--ray", cluster)
    wait_until(lambda: stop().stdout == "0 workers on Ray were stopped\n", 60)


def test_workers_are_stopped_and_started_again(crawl, cluster, environment):
    start = "start", "--ray", cluster, "--workers"
    one = geoscout(environment, crawl.where, *start, "1")
    two = geoscout(environment, crawl.where, *start, "2")
    stopped = geoscout(environment, crawl.where, "stop", "--ray", cluster)
    found = look_at(crawl.where)

    assert (one.stdout.count("works"), two.stdout.count("works")) == (1, 2), two.stderr
    assert stopped.stdout == "2 workers on Ray were stopped\n"
    assert (found.workers, holders(found)) == ([], set())


def test_wrong_token_and_wrong_worker_are_one_line(crawl, cluster, environment):
    start = "start", "--ray", cluster, "--workers", "1"
    wrong = {**environment, "RAY_AUTH_TOKEN": "0" * 64}
    refused = geoscout(wrong, crawl.where, *start)
    with connect(crawl.where) as connection:
        connection.execute("UPDATE note SET value = 'another' WHERE name = 'gazetteer'")
    misfit = geoscout(environment, crawl.where, *start)

    assert (refused.returncode, misfit.returncode) == (2, 2)
    assert f"cannot reach Ray at {cluster}" in refused.stderr
    assert "the crawl was begun with another" in misfit.stderr
    assert (refused.stderr.count("\n"), misfit.stderr.count("\n")) == (1, 1)
