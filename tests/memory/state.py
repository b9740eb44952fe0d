"""Crawls in memory by name: a plug-in of the group `geoscout.states`."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from geoscout.errors import UsageError
from geoscout.state.base import Beginning, CrawlView, Writing, folder_below
from tests.memory.frontier import NotedFrontier, Notes
from tests.memory.store import Facts, MemoryReader, MemoryWriter


@dataclass
class Home:
    """What is left of a crawl when its process is gone."""

    facts: Facts = field(default_factory=Facts)
    notes: Notes = field(default_factory=Notes)
    is_written: bool = False


class MemoryState:
    """Implements `CrawlState`; what is not committed is in copies of its own."""

    def __init__(self, home: Home, writing: Writing) -> None:
        if home.is_written:
            raise UsageError("another process is writing to the crawl")
        self._home = home
        self._facts = home.facts.copy()
        self._unsaved = len(self._facts.visits) + len(self._facts.failures)
        self.writer = MemoryWriter(self._facts)
        self.reader = MemoryReader(lambda: self._facts, lambda: True)
        self.frontier = _restored(home.notes, writing)
        home.is_written = True

    async def commit(self) -> None:
        self._home.facts = self._facts.copy()
        self._home.notes = self.frontier.notes.copy()
        self._unsaved = self._written()

    async def commit_when_due(self, visits: int, seconds: float) -> None:
        if self._written() - self._unsaved >= visits or seconds <= 0:
            await self.commit()

    def close(self) -> None:
        self._home.is_written = False

    def _written(self) -> int:
        return len(self._facts.visits) + len(self._facts.failures)


def _restored(notes: Notes, writing: Writing) -> NotedFrontier:
    """A frontier that goes on where the last commit was; nothing is in flight then."""
    frontier = NotedFrontier(writing.limits)
    frontier.put([kept.request for kept in notes.requests.values() if kept.waits])
    frontier.notes = replace(notes.copy(), limits=writing.limits)
    return frontier


@dataclass
class MemoryBackend:
    """Implements `StateBackend`."""

    homes: dict[str, Home] = field(default_factory=dict)

    def create(self, where: str, beginning: Beginning, writing: Writing) -> MemoryState:
        if where in self.homes:
            raise UsageError(f"{where} holds a crawl already: resume it or take another name")
        home = self.homes[where] = Home()
        home.facts.notes.update(beginning.notes)
        home.facts.learned = beginning.learned
        frontier = NotedFrontier()
        frontier.put(beginning.requests)
        home.notes = frontier.notes
        return MemoryState(home, writing)

    def resume(self, where: str, writing: Writing) -> MemoryState:
        return MemoryState(self._home(where), writing)

    def open(self, where: str) -> CrawlView:
        home = self._home(where)
        return CrawlView(MemoryReader(lambda: home.facts, lambda: home.is_written), home.notes)

    def holds(self, where: str) -> bool:
        return where in self.homes

    def index_folder(self, where: str, home: Path) -> Path:
        return folder_below(home, where)

    def _home(self, where: str) -> Home:
        if where not in self.homes:
            raise UsageError(f"there is no crawl at {where}")
        return self.homes[where]


_BACKEND = MemoryBackend()


def create() -> MemoryBackend:
    """The plug-in."""
    return _BACKEND
