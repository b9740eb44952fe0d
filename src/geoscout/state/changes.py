"""Follows the change log of a crawl, for whatever is made of its pages: the index, the directory.

The crawl keeps what it has read of each page (`store/records.py`), so nobody parses a page again.
Only here is that done, for crawls that did not keep it: those whose setting `keep_pages` was off.
"""

from collections.abc import Collection, Iterator
from itertools import islice
from typing import NamedTuple, Protocol

from geoscout.store.base import StoredReading, StoredVisit
from geoscout.store.reader import CrawlReader
from geoscout.store.records import ReadPage
from geoscout_places.errors import UsageError
from geoscout_places.model import OnProgress, Response
from geoscout_places.parse.document import OpenDocument

_BATCH = 500  # changes asked for at a time
_COMMIT_EVERY = 20  # batches; a commit costs an index about as much as ten pages
_TOGETHER = 100  # pages in memory at a time


class ChangedPage(NamedTuple):
    """A page that is new or has changed, as the crawl knows it."""

    visit: StoredVisit
    reading: StoredReading
    read: ReadPage


class Applier(Protocol):
    """What is made of a crawl and kept up with it."""

    def add(self, page: ChangedPage) -> None:
        """Take what a page says now, in place of what it said before."""

    def remove(self, url: str) -> None:
        """Forget a page that is gone, asks not to be found or cannot be read."""

    def commit(self, cursor: str) -> bool:
        """Keep how far the crawl was followed; False if another process goes on from there."""


class FollowedChanges(NamedTuple):
    """What following a crawl did."""

    cursor: str  # how far it came
    added: int = 0
    removed: int = 0
    is_whole: bool = True  # False: another process goes on


def follow_changes(
    store: CrawlReader, after: str, applier: Applier, progress: OnProgress | None = None
) -> FollowedChanges:
    """Hand an applier all that has changed since a cursor; what came last is its to commit."""
    added = removed = followed = batches = 0
    in_all = store.changes_left(after)
    while changes := store.changes(after, _BATCH):
        urls = {change.url for change in changes}
        done = _add(store, urls, applier)
        for url in urls - done:
            applier.remove(url)
        added, removed = added + len(done), removed + len(urls) - len(done)
        after, followed, batches = changes[-1].cursor, followed + len(changes), batches + 1
        if progress is not None:
            progress(followed, max(in_all, followed))
        if batches % _COMMIT_EVERY == 0 and not applier.commit(after):
            return FollowedChanges(after, added, removed, is_whole=False)
    return FollowedChanges(after, added, removed)


def can_follow(store: CrawlReader, cursor: str) -> bool:
    """Whether a crawl can say what has changed since; an older copy of it cannot."""
    try:
        store.changes(cursor, 1)
    except UsageError:
        return False
    return True


def _add(store: CrawlReader, urls: Collection[str], applier: Applier) -> set[str]:
    """Hand over the pages that may be found and can be read; their URLs."""
    visits = {page.n: page for page in store.pages_of(urls).values() if not page.noindex}
    readings = store.readings_of(visits)
    added = set()
    for n, read in read_pages(store, visits):
        applier.add(ChangedPage(visits[n], readings.get(n, StoredReading()), read))
        added.add(visits[n].url)
    return added


def read_pages(store: CrawlReader, visits: Collection[int]) -> Iterator[tuple[int, ReadPage]]:
    """What was read of the pages of some visits, with their numbers, in about their order.

    Those that were not kept and that the archive has lost are left out.
    """
    rest = iter(sorted(visits))
    while numbers := list(islice(rest, _TOGETHER)):
        kept = store.read_pages(numbers)
        yield from kept.items()
        for n, response in store.responses([n for n in numbers if n not in kept]):
            yield n, read_again(response)


def read_again(response: Response) -> ReadPage:
    """What the crawl would have kept of a page."""
    opened = OpenDocument(response.body, response.url, response.header("content-type"))
    return ReadPage(opened.page, opened.outline())
