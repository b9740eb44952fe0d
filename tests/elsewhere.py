"""A place for crawls as another package would have it: elsewhere://… is a folder out of sight."""

import tempfile
from pathlib import Path

from geoscout.state.base import Beginning, CrawlView, StateBackend, Writing, folder_below
from geoscout.state.sqlite import FolderBackend, SqliteState

ROOT = Path(tempfile.gettempdir()) / "geoscout-elsewhere"


class ElsewhereBackend:
    """Crawls below a folder of our own; implements `StateBackend`."""

    _folders = FolderBackend()

    def create(self, where: str, beginning: Beginning, writing: Writing) -> SqliteState:
        return self._folders.create(_folder(where), beginning, writing)

    def resume(self, where: str, writing: Writing) -> SqliteState:
        return self._folders.resume(_folder(where), writing)

    def open(self, where: str) -> CrawlView:
        return self._folders.open(_folder(where))

    def holds(self, where: str) -> bool:
        return self._folders.holds(_folder(where))

    def index_folder(self, where: str, home: Path) -> Path:
        return folder_below(home, where)


def create() -> StateBackend:
    """The plug-in."""
    return ElsewhereBackend()


def _folder(where: str) -> str:
    return str(ROOT / where.partition("://")[2])
