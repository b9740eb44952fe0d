"""What one server shows: crawls and reports by name, one gazetteer, and one index for each crawl.

A folder handed to `serve` is a crawl, a report of `geoscout compare`, or a folder of these.
Names are those of the folders, made different where they repeat, so that addresses can be shared.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from anyio import CapacityLimiter

from geoscout.errors import UsageError
from geoscout.gazetteer.base import Gazetteer, PlaceFinder
from geoscout.geo import Geoparser
from geoscout.index.files import FOLDER as INDEX_FOLDER
from geoscout.index.reader import IndexReader
from geoscout.search.engine import SearchEngine
from geoscout.search.updating import update_index
from geoscout.state.base import CrawlView, holds_crawl, open_state
from geoscout.store.figures import Cursor
from geoscout.web.dashboard.curve import HarvestCurve
from geoscout.web.remembered import Remembered
from geoscout.web.world_map import BaseMap

REPORT_FILE = "results.json"
_SEARCHES = 2  # at a time
_MOST_FOLDERS = 200  # looked at below one that was given
# The address of a crawl and a URL -> why it has its priority.
Explain = Callable[[str, str], Mapping[str, object]]


class ServedCrawl:
    """A crawl, and its index once that is there."""

    def __init__(self, name: str, folder: Path, gazetteer: Gazetteer) -> None:
        self.name = name
        self.where = str(folder)
        self._index = folder / INDEX_FOLDER
        self.curve = HarvestCurve()
        self._gazetteer = gazetteer
        self._engine: SearchEngine | None = None
        self._opening = threading.Lock()

    def open(self) -> CrawlView:
        """The crawl as it is committed now; for one request, which closes it."""
        return open_state(self.where)

    def engine(self) -> SearchEngine:
        """What answers searches; the index is made when there is none yet."""
        if self._engine is None:
            with self._opening:
                if self._engine is None:
                    self._engine = self._open_engine()
        return self._engine

    @property
    def index_state(self) -> Hashable:
        """What an answer of the index depends on; None before it is open."""
        return self._engine.reader.edition if self._engine else None

    def follow(self) -> bool:
        """Bring the index up with the crawl; whether there was something new."""
        if self._engine is not None and self._engine.reader.cursor == self._last_change():
            return False
        update_index(self.where, self._gazetteer, folder=self._index)
        return self._engine is not None and self._engine.reader.reload()

    def _last_change(self) -> Cursor:
        with self.open() as crawl:
            return crawl.facts.last_change()

    def _open_engine(self) -> SearchEngine:
        update_index(self.where, self._gazetteer, folder=self._index)
        return SearchEngine(IndexReader(self._index), self._gazetteer)


@dataclass(frozen=True)
class Site:
    """Everything the server shows; share one for all requests."""

    gazetteer: Gazetteer
    finder: PlaceFinder
    map: BaseMap
    geoparser: Geoparser
    crawls: Mapping[str, ServedCrawl]
    reports: Mapping[str, Path]
    explain: Explain | None = None  # handed in, as strategies are put together by the commands
    # Searches take turns: more at a time would slow each other down, and the last would wait long.
    searching: CapacityLimiter = field(default_factory=lambda: CapacityLimiter(_SEARCHES))
    answers: Remembered = field(default_factory=Remembered)
    tiles: str = ""  # address of map tiles with {z}, {x} and {y}; "" for the built-in map

    def crawl(self, name: str) -> ServedCrawl:
        """The crawl of this name; the first for "".

        Raises:
            UsageError: there is none.
        """
        if not self.crawls:
            raise UsageError("no crawl is served here, only reports")
        if not name:
            return next(iter(self.crawls.values()))
        if name not in self.crawls:
            raise UsageError(f"no crawl is called {name!r}; there are: {', '.join(self.crawls)}")
        return self.crawls[name]

    def report(self, name: str) -> Path:
        """The folder of the report of this name.

        Raises:
            UsageError: there is none.
        """
        if name not in self.reports:
            known = ", ".join(self.reports) or "none"
            raise UsageError(f"no report is called {name!r}; there are: {known}")
        return self.reports[name]

    def warm(self) -> None:
        """Read what the first visitor would otherwise wait for."""
        self.map.warm()
        for crawl in self.crawls.values():
            crawl.engine()

    def follow(self) -> None:
        """Bring every index up with its crawl."""
        for crawl in self.crawls.values():
            crawl.follow()


def open_site(
    folders: Sequence[Path],
    gazetteer: Gazetteer,
    *,
    explain: Explain | None = None,
    tiles: str = "",
) -> Site:
    """A site of what lies in these folders.

    Raises:
        UsageError: one of them holds neither crawl nor report.
    """
    crawls, reports = _sort(folders)
    finder = gazetteer.finder()
    return Site(
        gazetteer,
        finder,
        BaseMap(gazetteer, finder),
        Geoparser(gazetteer),
        {name: ServedCrawl(name, folder, gazetteer) for name, folder in _named(crawls).items()},
        reports=_named(reports),
        explain=explain,
        tiles=tiles,
    )


def _sort(folders: Sequence[Path]) -> tuple[list[Path], list[Path]]:
    crawls: list[Path] = []
    reports: list[Path] = []
    for folder in folders:
        inside = [folder, *_children(folder)]
        found = [path for path in inside if holds_crawl(path)]
        told = [path for path in inside if (path / REPORT_FILE).is_file()]
        if not found and not told:
            raise UsageError(f"there is no crawl in {folder}, nor a report of `geoscout compare`")
        crawls += found
        reports += told
    return crawls, reports


def _children(folder: Path) -> Iterator[Path]:
    if folder.is_dir() and not holds_crawl(folder):
        children = sorted(path for path in folder.iterdir() if path.is_dir())
        yield from children[:_MOST_FOLDERS]


def _named(folders: Iterable[Path]) -> dict[str, Path]:
    """Folders by name; the second of a name gets a number."""
    named: dict[str, Path] = {}
    for folder in dict.fromkeys(path.resolve() for path in folders):
        name, number = folder.name, 2
        while name in named:
            name, number = f"{folder.name}-{number}", number + 1
        named[name] = folder
    return named
