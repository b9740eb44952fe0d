"""The queue of a strategy, without a running Scrapy."""

from dataclasses import dataclass, field
from typing import Any

import pytest

pytest.importorskip("scrapy", reason="the extra `scrapy` is not installed")
from scrapy import Request, Spider
from scrapy.crawler import Crawler
from scrapy.exceptions import DropItem, NotConfigured
from scrapy.http import HtmlResponse
from scrapy.statscollectors import MemoryStatsCollector

from geoscout.scrapy.focus import META, Focus, GeoPipeline
from geoscout.scrapy.request_queue import StrategyQueue
from geoscout_places.errors import UsageError


@dataclass
class Slot:
    concurrency: int = 1
    active: set[str] = field(default_factory=set)


class Downloader:
    """As much of Scrapy's as the queue asks for."""

    def __init__(self) -> None:
        self.slots: dict[str, Slot] = {}

    def get_slot_key(self, request: Request) -> str:
        return request.url.split("/")[2]


@dataclass
class Scraper:
    slot: Slot = field(default_factory=Slot)


@dataclass
class Engine:
    downloader: Downloader = field(default_factory=Downloader)
    scraper: Scraper = field(default_factory=Scraper)


@pytest.fixture
def crawler(settings, gazetteer, tmp_path):
    found = Crawler(
        Spider,
        {
            "GEOSCOUT_REGION": "Oldenburg",
            "GEOSCOUT_STRATEGY": "hybrid:patience=0.5",
            "GEOSCOUT_SETTINGS": {"home": settings.home, "extras": False},
            "JOBDIR": str(tmp_path / "job"),
        },
    )
    found.stats = MemoryStatsCollector(found)
    found.engine = Engine()  # type: ignore[assignment]
    found.spider = Spider("s")
    return found


def queue(crawler: Crawler, key: str = "") -> StrategyQueue:
    return StrategyQueue.from_crawler(crawler, None, key)


def request(url: str, score: float, **more: Any) -> Request:
    return Request(f"http://{url}", meta={META: [score, 1, 1, "", b"\x00\xff"]}, **more)


def urls(found: StrategyQueue) -> list[str]:
    return [popped.url[7:] for popped in iter(found.pop, None)]


def test_best_score_comes_first_and_priority_before_it(crawler):
    found = queue(crawler)
    for url, score, priority in [
        ("a/1", 0.6, 0),
        ("b/2", 0.9, 0),
        ("b/3", 0.5, 5),
        ("c/4", 0.7, 0),
    ]:
        found.push(request(url, score, priority=priority))

    assert len(found) == 4
    assert urls(found) == ["b/3", "b/2", "c/4", "a/1"]
    assert len(found) == 0


def test_slot_without_room_is_passed_over_unless_what_is_left_is_much_worse(crawler):
    found = queue(crawler)
    for url, score in [("best/1", 1.0), ("good/2", 0.8), ("poor/3", 0.1)]:
        found.push(request(url, score))
    downloader = crawler.engine.downloader  # type: ignore[union-attr]
    downloader.slots["best"] = Slot(1, {"best/0"})  # type: ignore[assignment]

    assert urls(found) == ["good/2"]  # poor/3 is below half of the best, and waits for it
    downloader.slots["best"].active.clear()
    assert urls(found) == ["best/1", "poor/3"]


def test_nothing_is_given_out_while_many_pages_are_read(crawler):
    found = queue(crawler)
    found.push(request("a/1", 1.0))
    reading = crawler.engine.scraper.slot.active  # type: ignore[union-attr]
    reading.update(map(str, range(16)))  # type: ignore[arg-type]

    assert found.pop() is None
    reading.clear()
    assert urls(found) == ["a/1"]


@pytest.mark.parametrize("on_disk", [False, True])
def test_requests_are_scored_again(crawler, tmp_path, on_disk):
    found = queue(crawler, str(tmp_path / "q") if on_disk else "")
    for number in range(6):
        found.push(request(f"a/{number}", number / 10))
    found.rescore(3, lambda waiting: [-w.priority for w in waiting])

    assert urls(found) == ["a/2", "a/1", "a/0", "a/3", "a/4", "a/5"]


def test_queue_on_disk_is_read_again(crawler, tmp_path):
    first = queue(crawler, str(tmp_path / "q"))
    for url, score in [("a/1", 0.1), ("b/2", 0.9), ("a/3", 0.5)]:
        first.push(request(url, score, headers={"X": "y"}, cb_kwargs={"n": 1}))
    assert first.pop().url == "http://b/2"  # type: ignore[union-attr]
    assert first.close() == []
    second = queue(crawler, str(tmp_path / "q"))

    assert len(second) == 2
    best = second.pop()
    assert best is not None
    assert (best.url, best.headers["X"], best.cb_kwargs) == ("http://a/3", b"y", {"n": 1})
    assert best.meta[META] == [0.5, 1, 1, "", b"\x00\xff"]
    second.push(request("c/4", 0.9))
    assert urls(second) == ["c/4", "a/1"]


def test_request_that_cannot_be_kept_is_refused(crawler, tmp_path):
    found = queue(crawler, str(tmp_path / "q"))

    with pytest.raises(ValueError, match="cannot be kept"):
        found.push(request("a/1", 0.5, cb_kwargs={"n": object()}))
    assert len(found) == 0


def test_focus_reads_links_and_drops_nothing_by_itself(crawler):
    focus = Focus.of(crawler)
    body = b'<p>Lange Stra&szlig;e 12, 26122 Oldenburg <a href="/shop">Shops in Oldenburg</a>'
    page = HtmlResponse("http://a.test/", body=body, request=Request("http://a.test/"))
    focus.learn(page)
    made = list(focus.scored(page, [Request("http://a.test/shop"), Request("http://else.test/")]))

    assert focus is Focus.of(crawler)
    assert [m.meta[META][1:4] for m in made] == [[1, 1, "http://a.test/"]] * 2
    assert made[0].meta[META][0] > made[1].meta[META][0]
    assert crawler.stats.get_value("geoscout/relevant") == 1  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"GEOSCOUT_STRATEGY": "nix"}, "nix"),
        ({"GEOSCOUT_REGION": "Nowherebad"}, "Nowherebad"),
        ({"GEOSCOUT_RELEVANCE": "much"}, "relevance is one of"),
        ({"GEOSCOUT_SETTINGS": {"hme": ""}}, "no setting is called 'hme'"),
    ],
)
def test_wrong_setting_is_told(crawler, wrong, message):
    crawler.settings.update({**wrong}, priority="cmdline")

    with pytest.raises(UsageError, match=message):
        Focus.of(crawler)


def test_without_a_region_the_parts_are_off(crawler):
    crawler.settings.set("GEOSCOUT_REGION", "", priority="cmdline")

    with pytest.raises(NotConfigured, match="GEOSCOUT_REGION"):
        Focus.of(crawler)


def test_pipeline_adds_places_and_drops_others(crawler):
    crawler.settings.set("GEOSCOUT_DROP_OTHERS", value=True, priority="cmdline")
    pipeline = GeoPipeline.from_crawler(crawler)
    bodies = {"town": b"<p>Lange Stra&szlig;e 12, 26122 Oldenburg", "other": b"<p>Nothing"}
    for name, body in bodies.items():
        Focus.of(crawler).found_in(HtmlResponse(f"http://a.test/{name}", body=body))

    item = pipeline.process_item({"url": "http://a.test/town"})
    assert item["geo"]["place"] == "Oldenburg"
    assert item["geo"]["addresses"][0]["street"] == "Lange Straße"
    assert "offset" not in item["geo"]
    with pytest.raises(DropItem):
        pipeline.process_item({"url": "http://a.test/other"})
    assert pipeline.process_item({"name": "x"}) == {"name": "x"}
