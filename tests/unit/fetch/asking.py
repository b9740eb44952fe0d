"""A live fetcher for tests, allowed on loopback only."""

import asyncio
import ssl
from collections.abc import Awaitable, Callable
from typing import TypeVar

from msgspec.structs import replace

from geoscout.fetch.http.fetcher import HttpFetcher
from geoscout.fetch.http.rules import HttpLimits, HttpRules
from geoscout.fetch.politeness import Manners
from geoscout_places.errors import FetchError
from geoscout_places.model import Request, Response
from tests.fakeweb import FakeWeb

Result = TypeVar("Result")

LIMITS = HttpLimits(body_bytes=1_000_000, decoded_bytes=2_000_000)
RULES = HttpRules(
    user_agent="geoscout/test (+http://contact.test)",
    manners=Manners(delay_seconds=0.0, delay_factor=0.0),
    limits=LIMITS,
    allowed_networks=("127.0.0.0/8", "::1/128"),
)
# For hosts that would keep us waiting; a busy machine may take some time for the others.
IMPATIENT = replace(
    RULES,
    limits=replace(LIMITS, total_seconds=0.9, idle_seconds=0.3, rate_grace_seconds=0.2),
)


def with_fetcher(
    web: FakeWeb,
    act: Callable[[HttpFetcher], Awaitable[Result]],
    rules: HttpRules = RULES,
    tls: ssl.SSLContext | None = None,
) -> Result:
    """What `act` returns for a fetcher that lives as long as it runs."""

    async def run() -> Result:
        fetcher = HttpFetcher(rules, resolver=web.resolver, tls=tls)
        try:
            return await act(fetcher)
        finally:
            await fetcher.close()

    return asyncio.run(run())


def fetch(web: FakeWeb, url: str, rules: HttpRules = RULES) -> Response:
    """One answer."""
    return with_fetcher(web, lambda fetcher: fetcher.fetch(Request(url)), rules)


def kind_of_failure(web: FakeWeb, url: str, rules: HttpRules = RULES) -> str:
    """The kind of the one error; "none" if there was an answer."""
    try:
        fetch(web, url, rules)
    except FetchError as error:
        return error.kind
    return "none"


def limited(**limits: float) -> HttpRules:
    """The rules with other limits."""
    return replace(RULES, limits=replace(LIMITS, **limits))  # type: ignore[arg-type]  # by name
