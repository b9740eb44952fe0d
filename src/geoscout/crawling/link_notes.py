"""Notes what the strategy wants to know of links, in the processes that read pages.

A strategy scores links in the one process that decides. The words of anchors and URLs and the names
in them do not depend on what it has learned, so they are read here, on as many cores as there are,
and only the links' URLs and what was noted of them are sent on.
"""

from __future__ import annotations

from msgspec.structs import replace

from geoscout.crawling.read_result import ReaderOptions, ReadResult
from geoscout.strategy import StrategyAim, link_reader_of
from geoscout_places.gazetteer import Region
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.model import Link

_FIRST = Link("http://first.invalid/texas", "Texas", before="in Texas")


class LinkNotes:
    """Adds to the links of results what the strategy of the crawl notes of them."""

    def __init__(self, options: ReaderOptions, region: Region | None, gazetteer: Gazetteer) -> None:
        aim = StrategyAim(region, gazetteer)
        self._reader = link_reader_of(options.strategy, aim) if options.strategy else None
        self._needs_texts = options.needs_texts

    def add_to(self, result: ReadResult, page: str) -> ReadResult:
        """The result of the page with this URL, with what is noted of its links."""
        if self._reader is None or not result.links:
            return result
        pairs = zip(result.links, self._reader.note(page, result.links), strict=True)
        if self._needs_texts:
            links = tuple(replace(link, features=noted) for link, noted in pairs)
        else:
            links = tuple(Link(link.url, features=noted) for link, noted in pairs)
        return replace(result, links=links, words=self._reader.take_words())

    def warm_up(self) -> None:
        """Load what the first link would load."""
        if self._reader is not None:
            self._reader.note(_FIRST.url, [_FIRST])
