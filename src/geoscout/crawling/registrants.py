"""Who holds the domains of a crawl: from a table, or asked of registries while it runs."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from geoscout.crawl import Crawl
from geoscout.crawling.inquiries import Inquiries, InquiryCounts, asking_beside
from geoscout.crawling.options import OFF
from geoscout.errors import UsageError
from geoscout.fetch.http.rules import HttpRules
from geoscout.fetch.registry.live import RegistryRules, live_registrations
from geoscout.fetch.registry.lookup import FILE, Registrations
from geoscout.frontier import Frontier
from geoscout.gazetteer.home import home_folder
from geoscout.registrations import RegistrationReader, RegistrationRecord, read_registrations
from geoscout.settings import Settings
from geoscout.strategy import Strategy

KINDS = {"whois": ("whois",), "rdap": ("rdap",), "both": ("rdap", "whois")}
_LOOK_SECONDS = 0.2


def check_registrations(value: str, strategy: Strategy, *, offline: bool, for_seeds: bool) -> None:
    """Complain about registrations that cannot be had, or that nobody would read.

    Raises:
        UsageError: it says what would be right.
    """
    if value == OFF:
        return
    if not isinstance(strategy, RegistrationReader) and not for_seeds:
        raise UsageError("--registrations is for hybrid, rank and --filter-seeds")
    if value not in KINDS:
        read_table(value)
    elif offline:
        raise UsageError("an archive is replayed offline: give --registrations a table")


def read_table(value: str) -> dict[str, RegistrationRecord]:
    """The records of a table; none where registries are asked.

    Raises:
        UsageError: there is no such table.
    """
    if value == OFF or value in KINDS:
        return {}
    if not Path(value).is_file():
        words = ", ".join((OFF, *KINDS))
        raise UsageError(f"--registrations is {words} or a table, and {value!r} is no file")
    return read_registrations(Path(value))


@asynccontextmanager
async def registries(
    value: str, settings: Settings, http: HttpRules
) -> AsyncIterator[Registrations | None]:
    """Those that are asked while the block runs; None where there are none to ask."""
    if value not in KINDS:
        yield None
        return
    rules = RegistryRules(http, kinds=KINDS[value])
    async with live_registrations(rules, home_folder(settings) / FILE) as registrations:
        yield registrations


async def crawl_asking(
    crawl: Crawl, frontier: Frontier, strategy: Strategy, registrations: Registrations
) -> InquiryCounts:
    """Run a crawl, and ask beside it; while there is anything else to fetch it never waits."""
    inquiries = Inquiries(registrations, strategy, frontier)
    async with asking_beside(inquiries):
        await crawl.run()
        # an answer may let go what is held
        while crawl.may_go_on() and inquiries.is_open and _has_held(frontier):
            await asyncio.sleep(_LOOK_SECONDS)
            await crawl.run()
    return inquiries.counts


def _has_held(frontier: Frontier) -> bool:
    return "held" in dict(frontier.waiting(time.time()).reasons)
