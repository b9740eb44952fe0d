"""Visits at rest: their responses in WARC files, what is known of them in a database, a change log.

`CrawlWriter` is what the running crawl writes to, `CrawlReader` what everybody else reads from.
The folder `sqlite` has both for a crawl in a folder.
"""

from geoscout.store.base import Failure, Topic, Visit
from geoscout.store.group import CrawlWriter
from geoscout.store.reader import CrawlReader
from geoscout.store.records import Exchange, pack_exchange

__all__ = [
    "CrawlReader",
    "CrawlWriter",
    "Exchange",
    "Failure",
    "Topic",
    "Visit",
    "pack_exchange",
]
