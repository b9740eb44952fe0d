"""The PostgreSQL server in the folder of a crawl, which several processes use at the same time.

Whoever comes first starts it, and whoever leaves last stops it. Each user holds a shared lock on
the file `users` while it lives, so users that were killed do not count. Coming and leaving are
under the lock of another file, `starting`. When all users were killed, the server still runs; the
next one uses it and stops it in the end.

The server listens on a socket that only the owner of the folder can reach, never on a port:
there is no password, and its user may do everything.
"""

from __future__ import annotations

import fcntl
import os
import re
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from typing import IO
from urllib.parse import quote

from geoscout.crawl_folder import open_stream
from geoscout_cluster.postgres.server import USER, LocalServer, owner_of_server
from geoscout_places.errors import UsageError

_DATABASE, _NAME = "postgres", "crawl"  # the database that every server has; the one crawl in it
# A worker opens three connections for each partition and two more; docs/cluster.md.
MOST_PARTITIONS_HERE = 128
_CONNECTIONS = 600
_LONGEST_SOCKET_FOLDER = 85  # bytes; the path of a socket has 107
_WAIT_SECONDS = 60.0
_CRASH_SECONDS = 20.0  # what a killed server left running needs some time to end
_LOOK_SECONDS = 0.05


class SharedServer:
    """A server in a folder, used by this process until `close`."""

    def __init__(self, folder: Path) -> None:
        """Start it, or use the one that runs; the folder is made if it is new.

        Raises:
            UsageError: there is no PostgreSQL, or it cannot run there.
        """
        self._folder = folder.resolve()
        _check_reachable(self._folder)
        self._sockets = _socket_folder(self._folder)
        self._started: LocalServer | None = None
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            with self._coming_or_leaving(), ExitStack() as on_error:
                self._users = _locked(self._folder / "users", fcntl.LOCK_SH)
                on_error.callback(self._users.close)
                self._run()
                on_error.pop_all()
        except OSError as error:
            raise UsageError(f"PostgreSQL cannot be run in {folder}: {error}") from error

    @property
    def address(self) -> str:
        """The address of the crawl."""
        return f"postgresql://{USER}@/{_DATABASE}/{_NAME}?host={quote(str(self._sockets))}"

    def ensure(self) -> bool:
        """Start it again if it has crashed; returns whether it had.

        Raises:
            UsageError: it cannot be started.
        """
        if self._listens():
            return False
        with self._coming_or_leaving():
            return self._run()

    def close(self) -> None:
        """Leave it; it is stopped when nobody else uses it."""
        with self._coming_or_leaving(), self._users:
            try:
                fcntl.flock(self._users, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if self._started is not None:
                    self._started.let_go()
            else:
                self._stop()

    @contextmanager
    def _coming_or_leaving(self) -> Iterator[None]:
        with _locked(self._folder / "starting", fcntl.LOCK_EX):
            yield

    def _run(self) -> bool:
        """Start it unless it runs; returns whether that was necessary."""
        if self._listens():
            self._wait_until_ready()
            return False
        has_crashed = self._pid_file.exists()
        give_up_at = time.monotonic() + (_CRASH_SECONDS if has_crashed else 0.0)
        while True:
            self._remove_traces()
            try:
                self._started = LocalServer(self._folder, options=self._options())
            except UsageError:
                if time.monotonic() > give_up_at:
                    raise
                time.sleep(_LOOK_SECONDS)
            else:
                return True

    def _options(self) -> dict[str, str]:
        return {
            "unix_socket_directories": str(self._sockets),
            "max_connections": str(_CONNECTIONS),
        }

    def _listens(self) -> bool:
        with socket.socket(socket.AF_UNIX) as line:
            try:
                line.connect(str(self._sockets / ".s.PGSQL.5432"))
            except OSError:
                return False
        return True

    def _wait_until_ready(self) -> None:
        """Wait for one that was just started, by somebody who was killed meanwhile."""
        give_up_at = time.monotonic() + _WAIT_SECONDS
        while self._listens() and time.monotonic() < give_up_at:
            if [line.strip() for line in self._pid_lines()[7:8]] == ["ready"]:
                return
            time.sleep(_LOOK_SECONDS)
        raise UsageError(f"PostgreSQL does not get ready in {self._folder}: see {self._log}")

    def _stop(self) -> None:
        if self._started is not None and self._started.is_running:
            self._started.stop()
        elif self._listens():
            self._stop_another()

    def _stop_another(self) -> None:
        """Stop a server that another process has started."""
        give_up_at = time.monotonic() + _WAIT_SECONDS
        with suppress(ProcessLookupError, ValueError, IndexError):
            os.kill(int(self._pid_lines()[0]), signal.SIGINT)
            while self._pid_file.exists() and time.monotonic() < give_up_at:
                time.sleep(_LOOK_SECONDS)

    def _remove_traces(self) -> None:
        """Remove what a killed server left, where its number belongs to another process now.

        PostgreSQL does so by itself unless a process of the same user has the number.
        """
        with suppress(OSError, ValueError, IndexError):
            program = Path(f"/proc/{int(self._pid_lines()[0])}/cmdline").read_bytes()
            if os.fsencode(self._pid_file.parent) not in program.split(b"\0"):
                self._pid_file.unlink()
                (self._sockets / ".s.PGSQL.5432.lock").unlink(missing_ok=True)

    def _pid_lines(self) -> list[str]:
        try:
            return self._pid_file.read_text().splitlines()
        except OSError:
            return []

    @property
    def _pid_file(self) -> Path:
        return self._folder / "data" / "postmaster.pid"

    @property
    def _log(self) -> Path:
        return self._folder / "log"


def _locked(path: Path, kind: int) -> IO[bytes]:
    """A file that is locked until it is closed."""
    file = open_stream(path, "ab")
    fcntl.flock(file, kind)
    return file


def _check_reachable(folder: Path) -> None:
    """Complain about a folder that the user `nobody` cannot enter, if the server runs as that.

    Raises:
        UsageError: it cannot.
    """
    if os.geteuid() == 0:
        for parent in folder.parents:
            if parent.exists() and not parent.stat().st_mode & 0o001:
                raise UsageError(
                    f"PostgreSQL does not run as root, and the user nobody may not enter {parent}:"
                    " use another folder, or another user than root"
                )


def _socket_folder(folder: Path) -> Path:
    """Where the socket is: in the folder, or below /tmp if its path is too long or unusual.

    Raises:
        UsageError: somebody else has made that folder.
    """
    text = str(folder)
    if re.fullmatch(r"[\w./+-]+", text, re.ASCII) and len(text) <= _LONGEST_SOCKET_FOLDER:
        return folder
    mark = blake2b(text.encode(), digest_size=8).hexdigest()
    own = Path("/tmp") / f"geoscout-{os.geteuid()}-{mark}"  # noqa: S108 - its owner is checked
    with suppress(FileExistsError):
        own.mkdir(mode=0o700)
        os.chown(own, owner_of_server(), -1)
    found = own.lstat()
    if found.st_uid != owner_of_server() or found.st_mode & 0o077:
        raise UsageError(f"{own} belongs to somebody else: remove it, or use another folder")
    return own
