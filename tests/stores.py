"""A store alone, without a frontier, for tests that only need facts and an archive."""

from collections.abc import Iterable
from pathlib import Path

from geoscout.store.archive import LARGEST_FILE
from geoscout.store.reader import CrawlReader
from geoscout.store.sqlite.database import TABLES, open_database, read_database
from geoscout.store.sqlite.engine import FolderReader, SqliteStore


class Store(SqliteStore):
    """A SQLite store in a folder, new or not, that opens and commits its own database."""

    def __init__(
        self, folder: Path, *, tables: Iterable[str] = (), largest_file: int = LARGEST_FILE
    ) -> None:
        self.database = open_database(folder, (TABLES, *tables))
        super().__init__(folder, self.database, largest_file=largest_file)

    def commit(self) -> None:
        """Make everything last."""
        self.flush()
        self.database.commit()


def open_folder(folder: Path) -> CrawlReader:
    """Open a crawl to read it."""
    return FolderReader(folder, read_database(folder))
