"""Workers as processes that ask one registry, which writes down what it sees of them."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest
from msgspec.structs import replace

from geoscout.cluster.founding import found_crawl
from geoscout.crawling.options import CrawlOptions
from geoscout.crawling.run import prepare_crawl
from geoscout.gazetteer import SqliteGazetteer
from geoscout.settings import Settings
from geoscout.state.base import open_state
from geoscout.store.postgres.database import connect
from tests.flow.registry_worker import SERVERS
from tests.unit.lab.archives import write_archive

pytestmark = pytest.mark.slow
PAUSE, ANSWER = 0.2, 0.1  # seconds after each question, and until the answer
SITES = 10
DOMAINS = [f"site{number}.example" for number in range(SITES)]
IN_BOSTON = DOMAINS[2::2]  # registrants; the others are redacted


@dataclass(frozen=True)
class Asked:
    server: str
    question: str
    began: float
    ended: float


class Registry:
    """A root and a registry that answer slowly, in a thread, with a log of all questions."""

    def __init__(self) -> None:
        self.log: list[Asked] = []
        self.port = 0
        self._loop = asyncio.new_event_loop()

    @contextmanager
    def running(self) -> Iterator[None]:
        thread = threading.Thread(target=self._loop.run_forever)
        thread.start()
        servers = [self._start(address) for address in SERVERS.values()]
        try:
            yield
        finally:
            for server in servers:
                self._loop.call_soon_threadsafe(server.close)
            self._loop.call_soon_threadsafe(self._loop.stop)
            thread.join()
            self._loop.close()

    def questions(self) -> Counter[str]:
        """How often the registry was asked about each domain."""
        return Counter(one.question for one in self.log if one.server == "nic.test")

    def gaps(self, server: str) -> list[float]:
        """From the end of each question to the beginning of the next."""
        times = sorted((one.began, one.ended) for one in self.log if one.server == server)
        return [begin - end for (_, end), (begin, _) in pairwise(times)]

    def _start(self, address: str) -> asyncio.Server:
        starting = asyncio.start_server(self._talk, address, self.port)
        server = asyncio.run_coroutine_threadsafe(starting, self._loop).result()
        self.port = server.sockets[0].getsockname()[1]
        return server

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        began = time.monotonic()
        names = {address: name for name, address in SERVERS.items()}
        server = names[writer.get_extra_info("sockname")[0]]
        question = (await reader.readline()).decode().strip()
        await asyncio.sleep(ANSWER)
        writer.write(self._reply(server, question).encode())
        writer.close()
        self.log.append(Asked(server, question, began, time.monotonic()))

    def _reply(self, server: str, question: str) -> str:
        if server != "nic.test":
            return "refer: nic.test\n"
        if question not in IN_BOSTON:
            return f"Domain Name: {question}\nAdmin City: REDACTED FOR PRIVACY\n"
        return f"Domain Name: {question}\nAdmin City: Boston\nAdmin Country: US\n"


def write_web(file: Path) -> Path:
    """A page of each site; the first one links to all, and no link names a place."""
    links = "".join(f'<p><a href="http://www.{domain}/">Shop</a>' for domain in DOMAINS)
    pages = {f"http://www.{domain}/": f"<title>x</title><p>{domain}" for domain in DOMAINS[1:]}
    return write_archive(file, {f"http://www.{DOMAINS[0]}/": links, **pages})


@dataclass
class RegistryCrawl:
    """A crawl by workers that are processes."""

    where: str
    folder: Path
    settings: Settings
    gazetteer: SqliteGazetteer
    registry: Registry

    def begin(self) -> None:
        asked = CrawlOptions(
            region=("Boston",),
            strategy="rank:admission=either",
            registrations="whois",
            allow_private=True,
        )
        seed = f"http://www.{DOMAINS[0]}/"
        blueprint, beginning = prepare_crawl(asked, [seed], self.settings, self.gazetteer)
        beginning = replace(beginning, archive=str(self.folder / "segments"))
        found_crawl(self.where, blueprint, beginning, 4)
        self._archive = write_web(self.folder / "web.warc.gz")

    def start(self, name: str) -> subprocess.Popen[bytes]:
        words = [self.where, self._archive, self.folder / name, self.registry.port, PAUSE]
        return subprocess.Popen(
            [sys.executable, "-m", "tests.flow.registry_worker", *map(str, words)],
            env={**os.environ, "GEOSCOUT_HOME": self.settings.home, "GEOSCOUT_EXTRAS": "false"},
        )

    def visited(self) -> Counter[str]:
        with open_state(self.where) as crawl:
            return Counter(visit.url for visit in crawl.reader.visits())

    def replies(self) -> dict[str, str]:
        with connect(self.where) as connection:
            rows = connection.execute("SELECT domain, city FROM registration").fetchall()
        return dict(rows)


@pytest.fixture
def registry() -> Iterator[Registry]:
    made = Registry()
    with made.running():
        yield made


@pytest.fixture
def crawl(
    postgres_address: str,
    tmp_path: Path,
    settings: Settings,
    gazetteer: SqliteGazetteer,
    registry: Registry,
) -> RegistryCrawl:
    return RegistryCrawl(postgres_address, tmp_path, settings, gazetteer, registry)


def wait_for_questions(registry: Registry, number: int) -> None:
    until = time.monotonic() + 60
    while sum(registry.questions().values()) < number:
        assert time.monotonic() < until, registry.log
        time.sleep(0.05)


@pytest.mark.long
def test_a_registry_has_its_pauses_and_each_question_once_whoever_dies(
    crawl: RegistryCrawl, registry: Registry
) -> None:
    """Two workers share the questions; one is killed, the other stopped, and a third goes on."""
    crawl.begin()
    killed, stopped = crawl.start("a"), crawl.start("b")
    wait_for_questions(registry, 3)
    killed.kill()
    killed.wait()
    wait_for_questions(registry, 5)
    stopped.terminate()
    stopped.wait(60)
    last = crawl.start("c")  # each has a cache of its own, as on another machine
    last.wait(60)

    asked, replies = registry.questions(), crawl.replies()
    assert (stopped.returncode, last.returncode) == (0, 0)
    assert min(registry.gaps("nic.test")) >= PAUSE - 0.01  # none overlap, whoever asks
    assert set(asked) == set(replies) == set(DOMAINS)
    assert sum(asked.values()) <= len(DOMAINS) + 1  # the one that the kill cut off
    assert {domain for domain, city in replies.items() if city} == set(IN_BOSTON)
    let_go = [f"http://www.{domain}/" for domain in (DOMAINS[0], *IN_BOSTON)]
    assert crawl.visited() == dict.fromkeys(let_go, 1)
