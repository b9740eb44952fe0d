"""Visits at rest: their bytes in WARC files, what is known of them in SQLite, and a change log.

`Store` is what the running crawl writes to, `ReadOnlyStore` what everybody else reads from.
"""

from geoscout.store.base import Failure, Visit
from geoscout.store.records import Exchange, pack_exchange
from geoscout.store.sqlite.reader import ReadOnlyStore
from geoscout.store.sqlite.store import Store

__all__ = ["Exchange", "Failure", "ReadOnlyStore", "Store", "Visit", "pack_exchange"]
