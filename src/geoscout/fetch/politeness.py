"""How long to leave a host alone, and what a page asks of those who found it.

Only the arithmetic: the frontier keeps the times, robots.txt brings the Crawl-delay. What several
wait for is done once (`SharedWork`). Registries, which are not what a crawl's
frontier sees, have a pause of their own (`Pace`): they close their doors to who asks fast, some
after ten questions a minute.
"""

import asyncio
import re
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable
from contextlib import asynccontextmanager
from typing import Generic, TypeVar

from msgspec import Struct

# Parts of a value that have a colon but name no agent; they do not concern a crawler.
_DIRECTIVES_WITH_VALUES = frozenset(
    {"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"}
)
_AGENT = re.compile(r"\s*([\w.-]+)\s*:")
_NO_INDEX = frozenset({"noindex", "none"})
_NO_FOLLOW = frozenset({"nofollow", "none"})


class Manners(Struct, frozen=True):
    """The pause between the end of a response and the next request to the same host."""

    delay_seconds: float = 1.0  # at least
    delay_factor: float = 5.0  # times the seconds the last response took: who is slow is busy
    longest_seconds: float = 60.0  # the most that slowness brings; a Crawl-delay may ask for more


def polite_delay(manners: Manners, crawl_delay: float | None, seconds: float) -> float:
    """Seconds to wait after a response that took `seconds`; `crawl_delay` None if there is none."""
    for_slowness = min(manners.delay_factor * seconds, manners.longest_seconds)
    return max(manners.delay_seconds, crawl_delay or 0.0, for_slowness)


class Directives(Struct, frozen=True):
    """Whether a page may be shown in an index, and its links followed."""

    index: bool = True
    follow: bool = True


def page_directives(
    agent: str, headers: Iterable[tuple[str, str]], meta: Iterable[tuple[str, str]]
) -> Directives:
    """What X-Robots-Tag fields and meta elements together forbid everybody or `agent`.

    Names are in lower case, as in Response.headers and Page.meta. Where several speak, the
    strictest holds, as with the search engines.
    """
    words: set[str] = set()
    for name, value in headers:
        if name == "x-robots-tag":
            words |= _header_words(agent, value)
    for name, value in meta:
        if name in ("robots", agent.lower()):
            words |= _words(value)
    return Directives(index=not words & _NO_INDEX, follow=not words & _NO_FOLLOW)


def _header_words(agent: str, value: str) -> set[str]:
    """The words of one field that are for us; an agent's name holds until the next one."""
    found: set[str] = set()
    for_us = True
    for part in value.split(","):
        named = _AGENT.match(part)
        if named and named[1].lower() not in _DIRECTIVES_WITH_VALUES:
            for_us = named[1].lower() in (agent.lower(), "robots")
            part = part[named.end() :]  # noqa: PLW2901 the name is read, the rest follows
        if for_us:
            found |= _words(part)
    return found


def _words(value: str) -> set[str]:
    return set(value.lower().replace(",", " ").split())


_Result = TypeVar("_Result")


class SharedWork(Generic[_Result]):
    """Work under way, by name. It goes on when one who waits for it gives up."""

    def __init__(self) -> None:
        self._tasks: dict[str, asyncio.Task[_Result]] = {}

    async def once(
        self, name: str, work: Callable[[str], Coroutine[None, None, _Result]]
    ) -> _Result:
        """The result of `work(name)`, which is begun only if it is not under way."""
        task = self._tasks.get(name)
        if task is None:
            task = asyncio.get_running_loop().create_task(work(name))
            self._tasks[name] = task
            task.add_done_callback(lambda done: self._forget(name, done))
        return await asyncio.shield(task)

    def _forget(self, name: str, task: asyncio.Task[_Result]) -> None:
        self._tasks.pop(name, None)
        if not task.cancelled():
            task.exception()  # those who waited have it; asyncio must not complain if nobody did


class Pace:
    """Keeps the pause for each server. There are as many servers as top-level domains at most."""

    def __init__(self, seconds: float, *, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._monotonic = monotonic
        self._locks: dict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._free_at: dict[str, float] = {}

    @asynccontextmanager
    async def turn(self, server: str) -> AsyncIterator[None]:
        """Wait for the server to be free; it is left alone for a while afterwards."""
        async with self._locks[server]:
            wait = self._free_at.get(server, 0.0) - self._monotonic()
            if wait > 0:
                await asyncio.sleep(wait)
            try:
                yield
            finally:
                self._free_at[server] = self._monotonic() + self._seconds
