"""Reads the first pages of sites again, from the archive, when their sites are known.

It stands next to the loop: `crawl.py` tells it what each page told of its site, and lets it work
between two commits. The whole rest is done at the end of a crawl (`correct_all`).

Only what was found in a page is replaced. The visit stays as it was judged: the strategy has
learned from it, and a harvest that was told must not change afterwards.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable

from geoscout.crawling.first_pages import FirstPage
from geoscout.crawling.read_result import ReadResult
from geoscout.crawling.site_memory import Correction, SiteMemory
from geoscout.errors import FetchError
from geoscout.model import RequestKind, Response, SiteKnowledge
from geoscout.state.base import CrawlState

COMMIT_PAGES, COMMIT_SECONDS = 64, 2.0  # a crash repeats at most that

Read = Callable[[Response, RequestKind, SiteKnowledge | None], Awaitable[ReadResult]]


class Corrector:
    """Corrects the first pages of the sites of one crawl."""

    def __init__(self, sites: SiteMemory, state: CrawlState, read: Read) -> None:
        self._sites, self._state, self._read = sites, state, read
        self._due: list[Correction] = []
        self.is_stopping = False  # set it to leave the rest to the next run
        self.corrected = 0  # pages so far

    def learn(self, url: str, told: FirstPage | None, visit: int) -> None:
        """Remember what a page told of its site; None is nothing."""
        self._due += self._sites.learn(url, told.notes if told else None, visit, told)

    @property
    def is_due(self) -> bool:
        """Whether there are pages to correct."""
        return bool(self._due)

    async def correct_due(self) -> None:
        """Correct the pages of the sites that have become known since the last time.

        Which they are and what they are read with was settled when their sites became known.
        """
        due, self._due = self._due, []
        await self._correct(due)

    async def correct_all(self) -> None:
        """Correct all pages that can be read better now, also after a `stop`; then commit."""
        self.is_stopping = False
        await self.correct_due()
        await self._correct(self._sites.outdated())
        await self._state.commit()

    async def _correct(self, corrections: Iterable[Correction]) -> None:
        writer, is_committed = self._state.writer, False
        for correction in corrections:
            if self.is_stopping:
                return  # their rows are still there
            if not is_committed:  # only then the archive has them
                await self._state.commit()
                is_committed = True
            response = await writer.archived(correction.visit)
            if response is not None:
                await self._read_again(response, correction)
            writer.keep_sites(correction.kept)
            await self._state.commit_when_due(COMMIT_PAGES, COMMIT_SECONDS)

    async def _read_again(self, response: Response, correction: Correction) -> None:
        try:
            result = await self._read(response, RequestKind.REREAD, correction.site)
        except FetchError:
            return  # it cannot be read any more, and stays as it was
        if result.reading is not None:
            self._state.writer.correct(correction.visit, result.reading)
            self.corrected += 1
