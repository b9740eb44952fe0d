"""What one server shows: crawls and reports by name, one gazetteer, and one index for each crawl.

An address handed to `serve` is a crawl, a report of `geoscout compare`, or a folder of these. They
are looked at again from time to time, because crawls begin and folders vanish while a server runs.
"""

import logging
import threading
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from geoscout.crawling.status import HarvestCurve
from geoscout.entries import EntryHits, directory
from geoscout.search import open_engine
from geoscout.search.base import Interpretation, Question
from geoscout.search.engine import SearchEngine
from geoscout.search.updating import follow_crawl
from geoscout.settings import Settings, load_settings
from geoscout.sql import odd_column
from geoscout.state.base import CrawlView, holds_crawl, is_url, name_of, open_state
from geoscout.store.base import Cursor
from geoscout.web.dashboard import StatusJson, status_json
from geoscout.web.maps import BaseMap, MapTiles, open_tiles
from geoscout.web.page_grid import PageGrid
from geoscout.web.problems import NotFoundError, RefusedError
from geoscout.web.working import Remembered, WorkThreads
from geoscout_places.errors import DamagedDataError, GeoscoutError, UsageError, last_line
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.geo import Geoparser

_READINGS = 2  # at a time
_EXPORTS = 2  # at a time
_LISTINGS = 2  # of directories, at a time
_STARTS = 2  # of crawls, at a time
REPORT_FILE = "results.json"
_MOST_FOLDERS = 200  # looked at below one that was given

_PATIENCE = 3.0  # seconds that a request waits for an index which somebody else makes
_SHOWN_FROM = 200  # pages of which it is told that they are indexed
_MADE = "the index is made"
_DATABASES = ("*.sqlite", "*/*.sqlite")  # of a crawl and of its directory

_log = logging.getLogger(__name__)


class ServedCrawl:
    """A crawl, and its index once that is there."""

    def __init__(self, name: str, where: str, gazetteer: Gazetteer, settings: Settings) -> None:
        self.name = name
        self.where = where
        self.settings = settings
        self.curve = HarvestCurve()
        self.grid = PageGrid()
        self._gazetteer = gazetteer
        self._engine: SearchEngine | None = None
        self._opening = threading.Lock()
        self.index_trouble = ""  # why the index is behind the crawl; "" when it is not
        self.entries = directory().open(where, gazetteer, settings)
        self.is_closed = False
        self.directory_state: Hashable = None  # what answers from it depend on, as last looked at
        self._odd: str | None = None  # a column with what geoscout does not write, once looked for

    def open(self) -> CrawlView:
        """The crawl as it is committed now; for one request, which closes it."""
        return open_state(self.where)

    @contextmanager
    def look(self) -> Iterator[CrawlView]:
        """The same for what is asked about several crawls, where one must not fail for all."""
        try:
            with self.open() as opened:
                yield opened
        except (GeoscoutError, OSError):
            raise
        except Exception as error:  # what a folder of somebody else can do
            self.blame(error)
            raise

    def blame(self, error: Exception) -> None:
        """Let an error be one of the crawl where that holds what geoscout does not write.

        Somebody else may have made its folder. Where no such value is seen the error is ours.

        Raises:
            DamagedDataError: it does.
        """
        if self._odd is None and not is_url(self.where):
            files = (f for names in _DATABASES for f in Path(self.where).glob(names))
            self._odd = next(filter(None, map(odd_column, files)), "")
        odd = "a text that is none" if "decode to UTF-8" in str(error) else self._odd
        if odd:
            _log.warning("%s cannot be used", self.name, exc_info=error)
            raise DamagedDataError(
                f"the crawl holds what geoscout does not write: {odd}"
            ) from error

    def engine(self, patience: float | None = None) -> SearchEngine:
        """What answers searches; the index is made when there is none yet.

        Raises:
            RefusedError: somebody else makes it, and needs more than `patience` seconds; None is
                as long as a visitor waits, -1 without end.
        """
        if self._engine is None:
            if not self._opening.acquire(timeout=_PATIENCE if patience is None else patience):
                raise RefusedError(503, f"{self.index_trouble or _MADE}; try again in a minute")
            try:
                if self._engine is None:
                    self._engine = self._open_engine()
            finally:
                self._opening.release()
        return self._engine

    @property
    def index_state(self) -> Hashable:
        """What an answer of the index depends on; None before it is open."""
        return self._engine.reader.edition if self._engine else None

    def keep_up(self) -> None:
        """Bring the index up with the crawl; a failure is told, and the next call tries again."""
        with self._told():
            self._follow()

    def keep_directory_up(self) -> None:
        """Begin to bring the directory up with the crawl, if it is time to."""
        self.entries.keep_up(self._last_change)

    def status(self, opened: CrawlView) -> StatusJson:
        entries = None
        with suppress(GeoscoutError, OSError):  # a directory that cannot be read is none
            entries = self.entries.total()
        return status_json(opened, self.name, self.curve, self.index_trouble, entries)

    def look_at_directory(self) -> None:
        """Notice a directory that has come or changed."""
        with suppress(GeoscoutError, OSError):  # searches do without it
            self.directory_state = self.entries.edition

    def entries_for(self, question: Question, read: Interpretation) -> EntryHits:
        """The entries of the directory that answer a question; none while it cannot be read."""
        try:
            return self.entries.find(question, read)
        except DamagedDataError as error:
            _log.warning("the directory of %s is left out: %s", self.name, last_line(error))
            return EntryHits()

    def close(self) -> None:
        """End what goes on in the background."""
        self.is_closed = True
        self.entries.close()

    def warm(self) -> None:
        """Open the index and load what it needs; after a failure the first search tries again."""
        with self._told():
            self.engine(patience=-1).warm()

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Log what fails, once for each cause, and keep it for the status.

        Any error: a full disk, a damaged file and a lost server come out of the index and the
        store as errors of many kinds, and all of them may pass.
        """
        try:
            yield
        except Exception as error:
            trouble = last_line(error)
            if trouble != self.index_trouble:
                _log.warning("the index of %s is behind, trying again: %s", self.name, trouble)
            self.index_trouble = trouble
        else:
            self.index_trouble = ""

    def _follow(self) -> None:
        if self._engine is not None and self._engine.reader.cursor == self._last_change():
            return
        self._update()
        if self._engine is not None:
            self._engine.reader.reload()

    def _last_change(self) -> Cursor:
        with self.open() as crawl:
            return crawl.reader.last_change()

    def _open_engine(self) -> SearchEngine:
        with suppress(GeoscoutError):  # there is no index yet, or one of another version
            return open_engine(self.where, self._gazetteer, self.settings)
        self._update()
        return open_engine(self.where, self._gazetteer, self.settings)

    def _update(self) -> None:
        follow_crawl(
            self.where, self._gazetteer, settings=self.settings, progress=self._tell_progress
        )
        if self.index_trouble.startswith(_MADE):
            self.index_trouble = ""

    def _tell_progress(self, done: int, total: int) -> None:
        if self.is_closed:
            raise UsageError("the server ends")
        if total >= _SHOWN_FROM:
            if not self.index_trouble:
                _log.info("the index of %s is made: %d pages", self.name, total)
            self.index_trouble = f"{_MADE}: {done:,} of {total:,} pages"


class Shelf:
    """What is at some addresses, by name; a crawl is what `make` makes of its name and address.

    Names are the last parts of addresses, made different where they repeat; what has a name keeps
    it as long as it is there, because links to pages have it. The mappings are replaced and never
    changed, so requests in other threads can go on with one.
    """

    def __init__(
        self, addresses: Sequence[Path | str], make: Callable[[str, str], ServedCrawl]
    ) -> None:
        """Look at the addresses.

        Raises:
            UsageError: at one of them is neither crawl nor report, nor an empty folder.
        """
        self._given = [str(at) if is_url(at) else str(Path(at).resolve()) for at in addresses]
        self._make = make
        self._looking = threading.Lock()
        self._names: dict[str, str] = {}  # of crawls, by address
        self.crawls: Mapping[str, ServedCrawl] = {}
        self.reports: Mapping[str, Path] = {}
        for given, address in zip(self._given, addresses, strict=True):
            _check(given, str(address))
        self.look()

    @property
    def room(self) -> Path | None:
        """The folder for new crawls: the first that was given and is not a crawl itself, if any."""
        folders = (Path(at) for at in self._given if not is_url(at))
        return next((at for at in folders if at.is_dir() and not _is_shown(str(at))), None)

    def look(self) -> bool:
        """Look at the addresses again; True when a crawl or a report has come or gone."""
        with self._looking:
            inside = list(dict.fromkeys(at for given in self._given for at in _inside(given)))
            names = _named((at for at in inside if holds_crawl(at)), self._names)
            reports = _named(at for at in inside if _is_report(at))
            is_new = names != self._names or list(reports.values()) != list(self.reports)
            if names != self._names:
                old = {at: self.crawls[name] for at, name in self._names.items()}
                self.crawls = {
                    name: old[at] if at in old else self._make(name, at)
                    for at, name in names.items()
                }
                self._names = names
            self.reports = {name: Path(at) for at, name in reports.items()}
            return is_new


def _check(given: str, as_written: str) -> None:
    if any(_is_shown(at) for at in _inside(given)) or _is_empty(given):
        return
    raise UsageError(f"there is no crawl in {as_written}, nor a report of `geoscout compare`")


def _inside(address: str) -> Iterator[str]:
    """An address, and the folders below it unless it is a crawl."""
    yield address
    if not is_url(address) and Path(address).is_dir() and not holds_crawl(address):
        children = sorted(path for path in Path(address).iterdir() if path.is_dir())
        yield from (str(child.resolve()) for child in children[:_MOST_FOLDERS])


def _is_shown(address: str) -> bool:
    return holds_crawl(address) or _is_report(address)


def _is_report(address: str) -> bool:
    return not is_url(address) and (Path(address) / REPORT_FILE).is_file()


def _is_empty(address: str) -> bool:
    """Whether it is a folder in which the first crawl can begin."""
    return not is_url(address) and Path(address).is_dir() and not any(Path(address).iterdir())


def _named(addresses: Iterable[str], known: Mapping[str, str] | None = None) -> dict[str, str]:
    """Names by address; those that are known stay, and the second of a name gets a number."""
    known = known or {}
    listed = list(addresses)
    taken = {known[at] for at in listed if at in known}
    named: dict[str, str] = {}
    for address in listed:
        first = name_of(address)
        name, number = first, 2
        while address not in known and name in taken:
            name, number = f"{first}-{number}", number + 1
        named[address] = known.get(address, name)
        taken.add(named[address])
    return named


@dataclass(frozen=True)
class Site:
    """Everything the server shows; share one for all requests."""

    gazetteer: Gazetteer
    map: BaseMap
    geoparser: Geoparser
    shelf: Shelf
    settings: Settings
    tiles: MapTiles = field(default_factory=MapTiles)
    # Searches take turns: two at a time would slow each other down by a tenth, and the last would
    # wait long. A second thread is for those that wait behind a search that takes long itself.
    searching: WorkThreads = field(default_factory=lambda: WorkThreads(1, spare=1))
    # So do pages that are read again: a hostile one takes seconds.
    reading: WorkThreads = field(default_factory=lambda: WorkThreads(_READINGS))
    exporting: WorkThreads = field(default_factory=lambda: WorkThreads(_EXPORTS))
    listing: WorkThreads = field(default_factory=lambda: WorkThreads(_LISTINGS))
    starting: WorkThreads = field(default_factory=lambda: WorkThreads(_STARTS))
    answers: Remembered = field(default_factory=Remembered)
    keeps_directories: bool = False  # up with their crawls, in the background

    @property
    def crawls(self) -> Mapping[str, ServedCrawl]:
        """The crawls that are there now, by name."""
        return self.shelf.crawls

    @property
    def reports(self) -> Mapping[str, Path]:
        """The folders of reports, by name."""
        return self.shelf.reports

    def crawl(self, name: str) -> ServedCrawl:
        """The crawl of this name; the first for "".

        Raises:
            NotFoundError: there is none.
        """
        crawls = self.crawls
        if not crawls:
            raise NotFoundError("no crawl is served here")
        if not name:
            return next(iter(crawls.values()))
        if name not in crawls:
            raise NotFoundError(f"no crawl is called {name!r}; there are: {', '.join(crawls)}")
        return crawls[name]

    def report(self, name: str) -> Path:
        """The folder of the report of this name.

        Raises:
            NotFoundError: there is none.
        """
        if name not in self.reports:
            known = ", ".join(self.reports) or "none"
            raise NotFoundError(f"no report is called {name!r}; there are: {known}")
        return self.reports[name]

    def warm(self) -> None:
        """Read what the first visitor would otherwise wait for."""
        try:
            self.map.warm()
        except Exception as error:  # the first visitor is then told what is wrong
            _log.warning("the map cannot be read: %s", last_line(error))
        for crawl in self.crawls.values():
            crawl.warm()

    def follow(self) -> None:
        """Notice crawls that have come or gone, and bring every index up with its crawl."""
        try:
            self.shelf.look()
        except (OSError, GeoscoutError) as error:  # a folder that cannot be read for now
            _log.warning("the folders that are served cannot be looked at: %s", last_line(error))
        for crawl in self.crawls.values():
            crawl.keep_up()
            crawl.look_at_directory()
            if self.keeps_directories:
                crawl.keep_directory_up()

    def close(self) -> None:
        """End what goes on in the background."""
        for crawl in self.crawls.values():
            crawl.close()


def open_site(
    addresses: Sequence[Path | str], gazetteer: Gazetteer, settings: Settings | None = None
) -> Site:
    """A site of the crawls and reports at these addresses; `settings` None means those in force.

    Raises:
        UsageError: at one of them is neither crawl nor report, nor an empty folder.
    """
    settings = settings or load_settings()
    shelf = Shelf(addresses, lambda name, at: ServedCrawl(name, at, gazetteer, settings))
    return Site(
        gazetteer,
        BaseMap(gazetteer),
        Geoparser(gazetteer, strict_streets=settings.strict_streets),
        shelf,
        settings=settings,
        tiles=open_tiles(settings.tiles),
    )
