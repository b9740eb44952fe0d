"""What all tests share: a gazetteer built once, one PostgreSQL server, and a guard.

The guard keeps them on loopback.
"""

from __future__ import annotations

import ipaddress
import itertools
import json
import socket
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import settings as hypothesis_settings

from geoscout_places.gazetteer import open_gazetteer
from geoscout_places.gazetteer.home import Home

_numbers = itertools.count(1)
PROJECT = Path(__file__).parent.parent
HOME = str(PROJECT / ".cache" / "home")
# On a busy machine any example may take long.
hypothesis_settings.register_profile("patient", deadline=None)
hypothesis_settings.load_profile("patient")


class OutsideWorldError(AssertionError):
    """A test tried to reach beyond loopback."""


def check_loopback(address: object) -> None:
    """Let loopback and file sockets pass, stop everything else."""
    if not isinstance(address, tuple):
        return
    host = str(address[0])
    try:
        allowed = host in ("", "localhost") or ipaddress.ip_address(host).is_loopback
    except ValueError:
        allowed = False
    if not allowed:
        raise OutsideWorldError(f"a test tried to reach {host}")


@pytest.fixture(autouse=True)
def _loopback_only(monkeypatch):
    """Every test may talk to this machine only."""
    connect, connect_ex, look_up = (
        socket.socket.connect,
        socket.socket.connect_ex,
        socket.getaddrinfo,
    )

    def guarded_connect(self: socket.socket, address: object) -> None:
        check_loopback(address)
        connect(self, address)  # type: ignore[arg-type]

    def guarded_connect_ex(self: socket.socket, address: object) -> int:
        check_loopback(address)
        return connect_ex(self, address)  # type: ignore[arg-type]

    def guarded_look_up(host: object, *rest: object, **more: object) -> object:
        check_loopback((host or "localhost",))
        return look_up(host, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(socket.socket, "connect", guarded_connect)
    monkeypatch.setattr(socket.socket, "connect_ex", guarded_connect_ex)
    monkeypatch.setattr(socket, "getaddrinfo", guarded_look_up)


@pytest.fixture(scope="session")
def settings():
    """Settings whose home is in the checkout, so that the gazetteer is built once, not each run."""
    from geoscout.settings import Settings  # noqa: PLC0415

    return Settings(home=HOME, extras=False)


@pytest.fixture(scope="session")
def built_home():
    """The same for the gazetteer alone."""
    return Home(HOME, extras=False)


@pytest.fixture(scope="session")
def gazetteer(built_home):
    """The real gazetteer, from the shipped tables alone."""
    opened = open_gazetteer(built_home)
    yield opened
    opened.close()


@pytest.fixture
def at_home(settings, gazetteer, monkeypatch):
    """Commands find the gazetteer of the tests."""
    monkeypatch.setenv("GEOSCOUT_HOME", settings.home)
    monkeypatch.setenv("GEOSCOUT_EXTRAS", "no")
    return settings


@pytest.fixture
def in_folder(at_home, tmp_path, monkeypatch):
    """An empty folder in which commands are typed."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def plugins(tmp_path, monkeypatch):
    """An empty folder for plug-ins, on the path."""
    from tests.plugins import plugin_folder  # noqa: PLC0415

    folder = plugin_folder(tmp_path / "plugins", monkeypatch)
    yield folder
    folder.forget()


class Typed(NamedTuple):
    """What a command did."""

    status: int
    out: str
    err: str

    @property
    def facts(self) -> Any:
        """What it said with --json."""
        return json.loads(self.out)

    @property
    def rows(self) -> list[dict[str, Any]]:
        """What it wrote as JSON lines."""
        return [json.loads(line) for line in self.out.splitlines()]


@pytest.fixture
def typed(at_home, capsys):
    """Types a command as a user would."""
    from geoscout.cli.main import main  # noqa: PLC0415

    def run(*words: object) -> Typed:
        capsys.readouterr()
        status = main([str(word) for word in words])
        return Typed(status, *capsys.readouterr())

    return run


@pytest.fixture(scope="session")
def postgres():
    """The PostgreSQL server of this run."""
    from tests.postgres import running_server  # noqa: PLC0415

    with running_server() as server:
        yield server


@pytest.fixture
def postgres_address(postgres):
    """An address where no crawl is yet; whatever a test makes there goes with it."""
    from tests.postgres import DATABASE, drop_crawl  # noqa: PLC0415

    where = postgres.address(DATABASE, f"test{next(_numbers)}")
    yield where
    drop_crawl(where)
