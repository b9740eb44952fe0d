"""Which registrations a crawl may have, and how registries are asked while it runs."""

import asyncio
from contextlib import closing

import pytest

from geoscout.crawling.registrants import (
    RegistrantInquiry,
    asking,
    check_registrations,
    open_registrations,
)
from geoscout.fetch.registries import RegistrationCache, Registrations, RegistrationSource
from geoscout.registrations import RegistrationRecord, write_registrations
from geoscout.strategy.base import StrategyAim
from geoscout.strategy.breadth import Breadth
from geoscout.strategy.rank.strategy import create
from geoscout_places.errors import DamagedDataError, UsageError
from geoscout_places.model import Request
from tests.memory.frontier import MemoryFrontier
from tests.unit.strategy.american_places import GAZETTEER

HOSTS = [f"{number}.test" for number in range(100)]
RANK = create(StrategyAim(None, GAZETTEER))


@pytest.mark.parametrize(
    ("value", "strategy", "offline", "words"),
    [
        ("whois", Breadth(), False, "does not read registrations"),
        ("rdap", RANK, True, "offline"),
        ("sometimes", RANK, False, "is not a file"),
    ],
)
def test_registrations_that_cannot_be_had_are_refused(value, strategy, offline, words):
    with pytest.raises(UsageError, match=words):
        check_registrations(value, strategy, offline=offline, for_seeds=False)


def test_registries_may_be_asked_for_seeds_alone():
    check_registrations("both", Breadth(), offline=False, for_seeds=True)


def test_table_is_read_and_counts_offline(tmp_path):
    file = tmp_path / "table.tsv"
    write_registrations(file, [RegistrationRecord("a.example", "Boston")])

    check_registrations(str(file), RANK, offline=True, for_seeds=False)

    assert open_registrations(str(file))["a.example"].city == "Boston"
    assert open_registrations("both") == open_registrations("off") == {}


class FullDisk:
    """A source whose answers cannot be kept."""

    async def ask(self, domain: str) -> RegistrationRecord | None:
        raise DamagedDataError(f"no room for {domain}")


@pytest.fixture
def cache(tmp_path):
    with closing(RegistrationCache(tmp_path / "r.sqlite")) as opened:
        yield opened


def inquire(cache: RegistrationCache, *sources: RegistrationSource) -> RegistrantInquiry:
    """Questions about a hundred hosts."""
    frontier = MemoryFrontier()
    frontier.put([Request(f"http://{host}/") for host in HOSTS])
    registrations = Registrations(sources, cache)
    return RegistrantInquiry(registrations, create(StrategyAim(None, GAZETTEER)), frontier)


def test_no_answer_is_awaited_when_asking_has_failed(cache):
    inquiry = inquire(cache, FullDisk())
    assert inquiry.is_open

    with pytest.raises(DamagedDataError):
        asyncio.run(inquiry.run())

    assert not inquiry.is_open


def test_answers_that_are_known_leave_the_crawl_its_turns(cache):
    for host in HOSTS:
        cache.put(RegistrationRecord(host))
    inquiry = inquire(cache)

    async def crawl() -> int:
        async with asking(inquiry):
            turns = 0
            while inquiry.is_open:
                await asyncio.sleep(0)
                turns += 1
            return turns

    assert asyncio.run(crawl()) > 10
    assert inquiry.counts.asked == len(HOSTS)
