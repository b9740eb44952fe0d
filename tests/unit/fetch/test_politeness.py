import asyncio
import time

import pytest

from geoscout.fetch.politeness import Directives, Manners, Pace, page_directives, polite_delay

MANNERS = Manners(delay_seconds=1.0, delay_factor=5.0, longest_seconds=60.0)


@pytest.mark.parametrize(
    ("crawl_delay", "seconds", "delay"),
    [
        (None, 0.0, 1.0),
        (None, 0.1, 1.0),
        (None, 0.5, 2.5),
        (None, 100.0, 60.0),
        (0.2, 0.0, 1.0),
        (10.0, 0.5, 10.0),
        (10.0, 4.0, 20.0),
        (300.0, 100.0, 300.0),
    ],
)
def test_longest_reason_decides(crawl_delay, seconds, delay):
    assert polite_delay(MANNERS, crawl_delay, seconds) == delay


@pytest.mark.parametrize(
    ("value", "index", "follow"),
    [
        ("noindex", False, True),
        ("nofollow", True, False),
        ("none", False, False),
        ("NoIndex, NoFollow", False, False),
        ("all", True, True),
        ("", True, True),
        ("geoscout: noindex", False, True),
        ("GeoScout: noindex, nofollow", False, False),
        ("otherbot: noindex, nofollow", True, True),
        ("otherbot: noindex, geoscout: nofollow", True, False),
        ("noindex, otherbot: nofollow", False, True),
        ("max-snippet: -1, noindex", False, True),
        ("unavailable_after: 25 Jun 2030 15:00:00 PST, nofollow", True, False),
        ("noindexing", True, True),
    ],
)
def test_header_is_read_as_it_is_meant(value, index, follow):
    found = page_directives("geoscout", [("x-robots-tag", value)], [])

    assert found == Directives(index, follow)


@pytest.mark.parametrize(
    ("name", "value", "index", "follow"),
    [
        ("robots", "noindex,nofollow", False, False),
        ("robots", "NOINDEX FOLLOW", False, True),
        ("geoscout", "none", False, False),
        ("otherbot", "none", True, True),
        ("description", "noindex", True, True),
    ],
)
def test_meta_element_is_read_as_it_is_meant(name, value, index, follow):
    assert page_directives("geoscout", [], [(name, value)]) == Directives(index, follow)


def test_strictest_of_several_holds():
    headers = [("x-robots-tag", "noindex"), ("x-robots-tag", "all"), ("server", "none")]
    meta = [("robots", "index, follow"), ("geoscout", "nofollow")]

    assert page_directives("geoscout", headers, meta) == Directives(index=False, follow=False)


def test_second_turn_waits_and_other_servers_do_not():
    async def run() -> dict[str, float]:
        pace, begun = Pace(0.15), {}
        for name, server in (("first", "a"), ("second", "a"), ("other", "b")):
            async with pace.turn(server):
                begun[name] = time.monotonic()
        return begun

    begun = asyncio.run(run())

    assert begun["second"] - begun["first"] >= 0.15
    assert begun["other"] - begun["second"] < 0.1


def test_failed_turn_counts_as_one():
    async def run() -> float:
        pace = Pace(0.1)
        with pytest.raises(ValueError, match="failed"):
            async with pace.turn("a"):
                raise ValueError("failed")
        started = time.monotonic()
        async with pace.turn("a"):
            return time.monotonic() - started

    assert asyncio.run(run()) >= 0.09
