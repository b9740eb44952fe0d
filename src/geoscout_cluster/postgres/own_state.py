"""Crawls in a folder that has a PostgreSQL server of its own, so that several processes can work.

    DIR/crawl.backend   says that the crawl is kept in this way, and where the folder was last
    DIR/postgres/       the server with its data; it runs while somebody uses it
    DIR/archive/        segments of the archive
    DIR/index/          for searching

A server of somebody else is not started: whoever made a database can have it run programs
(`crawl_folder.py`).
A process that needs the server uses it until it ends (`SharedServer`).
"""

import atexit
import threading
from pathlib import Path

from msgspec.structs import replace

from geoscout.crawl_folder import (
    SERVER,
    mark_made_here,
    open_stream,
    replace_file,
    require_made_here,
    require_plain,
)
from geoscout.state.base import KEEPER, OWN_POSTGRES, Beginning, Writing, is_url
from geoscout.state.sqlite import INDEX, FolderBackend
from geoscout_cluster.postgres.database import CrawlAddress, connect, read_address
from geoscout_cluster.postgres.engine import ARCHIVE_NOTE
from geoscout_cluster.postgres.server import SharedServer
from geoscout_cluster.postgres.state import PostgresBackend, PostgresState
from geoscout_places.errors import UsageError

_ARCHIVE = "archive"  # a folder in that of the crawl
_DANGER = "the database in it can run programs"
_MOVE = """
UPDATE note SET value = %(new)s || substr(value, length(%(old)s) + 1)
WHERE name = %(note)s AND starts_with(value, %(old)s || '/')
"""

_servers: dict[Path, SharedServer] = {}  # that this process uses
_lock = threading.Lock()


class OwnPostgresBackend(PostgresBackend):
    """Crawls in folders with a server, which is started when somebody asks for one of them."""

    def address(self, where: str) -> CrawlAddress:
        return read_address(running_server(_folder_of(where)))

    def create(self, where: str, beginning: Beginning, writing: Writing) -> PostgresState:
        folder = _folder_of(where)
        address = new_server(folder)
        state = PostgresBackend().create(address, with_archive(beginning, folder), writing)
        mark(folder)
        return state

    def holds(self, where: str) -> bool:
        return (_folder_of(where) / KEEPER).is_file()

    def index_folder(self, where: str, home: Path) -> Path:  # noqa: ARG002 - the folder moves as one
        return _folder_of(where) / INDEX


def new_server(folder: Path) -> str:
    """The address of a crawl in a folder where there is none yet, or where it was just begun."""
    if FolderBackend().holds(str(folder)):
        raise UsageError(f"{folder} already contains a crawl: resume it or use another folder")
    if (folder / SERVER).exists():
        require_made_here(folder, _DANGER)
    else:
        folder.mkdir(parents=True, exist_ok=True)
        require_plain(folder)
        mark_made_here(folder)
    return _served(folder.resolve()).address


def running_server(folder: Path) -> str:
    """The address of the crawl in a folder; its server is started if it does not run."""
    keeper = folder / KEEPER
    if FolderBackend().holds(str(folder)):
        raise UsageError(f"the crawl in {folder} is one for a single process: resume it")
    if not keeper.is_file():
        raise UsageError(f"there is no crawl in {folder}: it has no {KEEPER}")
    require_made_here(folder, _DANGER)
    address, now = _served(folder.resolve()).address, str(folder.resolve())
    with open_stream(keeper, "r") as file:
        before = file.read().splitlines()[1:]
    if before and before[0] != now:
        with connect(address) as connection:
            moved = {"old": before[0], "new": now, "note": ARCHIVE_NOTE}
            connection.execute(_MOVE, moved)
        mark(folder)
    return address


def direct_address(where: str) -> str:
    """The address in PostgreSQL of a crawl that may be in a folder."""
    return where if is_url(where) else running_server(Path(where))


def mark(folder: Path) -> None:
    """Note that the crawl in a folder is kept in this way; it must be there already."""
    replace_file(folder / KEEPER, f"{OWN_POSTGRES}\n{folder.resolve()}\n".encode())


def with_archive(beginning: Beginning, folder: Path) -> Beginning:
    """The same with its archive in the folder."""
    if beginning.archive:
        raise UsageError("a crawl in a folder has its archive there, not elsewhere")
    return replace(beginning, archive=str(folder.resolve() / _ARCHIVE))


def ensure_server(folder: Path) -> bool:
    """Start the server of a folder again if it has crashed; returns whether it had."""
    return _servers[folder.resolve()].ensure()


def leave_server(folder: Path) -> None:
    """Use the server of a folder no more; it is stopped unless others use it."""
    with _lock:
        server = _servers.pop(folder.resolve(), None)
    if server is not None:
        atexit.unregister(server.close)
        server.close()


def _served(folder: Path) -> SharedServer:
    with _lock:
        server = _servers.get(folder)
        if server is None:
            server = _servers[folder] = SharedServer(folder / SERVER)
            atexit.register(server.close)
        else:
            server.ensure()
    return server


def _folder_of(where: str) -> Path:
    return Path(where.removeprefix(f"{OWN_POSTGRES}://"))


def create() -> OwnPostgresBackend:
    return OwnPostgresBackend()
