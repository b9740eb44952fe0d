"""What waits in a simulation that has several requests in flight: in the frontier of real crawls.

A crawl asks many hosts at once, one request each, and learns from an answer when others have long
been sent. So it finds its region later than a simulation that learns from every answer before it
asks on. Here the crawl's own frontier says what is sent, and chance which answer comes next. Hosts
have no pauses.
"""

import random
import sqlite3
from collections.abc import Callable, Sequence

from geoscout.frontier.sqlite import TABLES, SqliteFrontier
from geoscout_lab.simulation.simulate import DONE, WAITING, WaitingPage, WaitingPages
from geoscout_lab.worlds.truth import World
from geoscout_places.model import Request

_NOW = 0.0  # answers come at once, as far as the clock of the frontier goes


class PagesInFlight(WaitingPages):
    """Pages as the frontier gives them out; a page is taken when its answer is there."""

    def __init__(self, world: World, most: int, least_share: float, chance: random.Random) -> None:
        """`most`: requests in flight; `least_share`: as in `StrategyTraits`."""
        super().__init__(world.size)
        self._world, self._most, self._share, self._lots = world, most, least_share, chance
        connection = sqlite3.connect(":memory:")
        connection.executescript(TABLES)
        self._frontier = SqliteFrontier(connection)
        self._pages: dict[str, int] = {}  # by URL
        self._sent: list[tuple[Request, WaitingPage]] = []

    def put(self, entry: WaitingPage) -> None:
        if not self.wants(entry.page, entry.priority):
            return
        self._note(entry)
        url = self._world.url(entry.page)
        self._pages[url] = entry.page
        self._frontier.put([Request(url, entry.priority)])

    def take(self) -> WaitingPage | None:
        """The page that is answered next; None when nothing waits or is in flight."""
        while len(self._sent) < self._most:
            request = self._frontier.next(_NOW, self._share)
            if request is None:
                break
            page = self._pages.pop(request.url)
            self._states[page] = DONE
            self._sent.append((request, self._entries.pop(page)))
        if not self._sent:
            return None
        request, entry = self._sent.pop(self._lots.randrange(len(self._sent)))
        self._frontier.done(request, _NOW, 0.0)
        return entry

    def rescore(self, most: int, score: Callable[[Sequence[WaitingPage]], Sequence[float]]) -> None:
        self._frontier.reorder(most, lambda waiting: self._rescored(waiting, score))

    def _rescored(
        self, waiting: Sequence[Request], score: Callable[[Sequence[WaitingPage]], Sequence[float]]
    ) -> Sequence[float]:
        entries = [self._entries[self._pages[request.url]] for request in waiting]
        priorities = score(entries)
        for entry, priority in zip(entries, priorities, strict=True):
            self._note(entry._replace(priority=priority))
        return priorities

    def _note(self, entry: WaitingPage) -> None:
        self._states[entry.page] = WAITING
        self._priorities[entry.page] = entry.priority
        self._entries[entry.page] = entry
