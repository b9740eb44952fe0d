"""Registries are asked beside a crawl, and neither stops it nor keeps it from ending."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path

import pytest

from geoscout.crawling.inquiries import Inquiries, asking_beside
from geoscout.errors import DamagedDataError
from geoscout.fetch.registry.lookup import RegistrationCache, Registrations, RegistrationSource
from geoscout.frontier import MemoryFrontier
from geoscout.model import Request
from geoscout.registrations import RegistrationRecord
from geoscout.strategy.base import Aim
from geoscout.strategy.rank.strategy import create
from tests.unit.strategy.american_places import GAZETTEER

HOSTS = [f"{number}.test" for number in range(100)]


class FullDisk:
    """A source whose answers cannot be kept."""

    async def ask(self, domain: str) -> RegistrationRecord | None:
        raise DamagedDataError(f"no room for {domain}")


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[RegistrationCache]:
    with closing(RegistrationCache(tmp_path / "r.sqlite")) as opened:
        yield opened


def inquire(
    cache: RegistrationCache,
    *sources: RegistrationSource,
    known: Mapping[str, RegistrationRecord] | None = None,
) -> Inquiries:
    """Questions about a hundred hosts."""
    frontier = MemoryFrontier()
    frontier.put([Request(f"http://{host}/") for host in HOSTS])
    registrations = Registrations(sources, cache, known)
    return Inquiries(registrations, create(Aim(None, GAZETTEER)), frontier)


def test_no_answer_is_awaited_when_asking_has_failed(cache: RegistrationCache) -> None:
    inquiries = inquire(cache, FullDisk())
    assert inquiries.is_open

    with pytest.raises(DamagedDataError):
        asyncio.run(inquiries.run())

    assert not inquiries.is_open


def test_answers_that_are_known_leave_the_crawl_its_turns(cache: RegistrationCache) -> None:
    inquiries = inquire(cache, known={host: RegistrationRecord(host) for host in HOSTS})

    async def crawl() -> int:
        async with asking_beside(inquiries):
            turns = 0
            while inquiries.is_open:
                await asyncio.sleep(0)
                turns += 1
            return turns

    assert asyncio.run(crawl()) > 10
    assert inquiries.counts.asked == len(HOSTS)
