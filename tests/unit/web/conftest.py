"""One small site for all tests of the web part, served on loopback by the real server."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest
import uvicorn

from geoscout.cli.commands.serve import listen
from geoscout.settings import Settings
from geoscout.web.app import create_app
from geoscout.web.control.access import ControlRules
from geoscout.web.control.running import Launcher
from geoscout.web.guard import Rules
from geoscout.web.protocol import server_options
from geoscout.web.site import Site, open_site
from geoscout_directory.updating import update_listing
from geoscout_places.gazetteer import SqliteGazetteer
from geoscout_places.geo import Geoparser
from tests.unit.web.world import make_crawl, make_report


@pytest.fixture(scope="session")
def site(
    tmp_path_factory: pytest.TempPathFactory, gazetteer: SqliteGazetteer, settings: Settings
) -> Site:
    """A site of one crawl and one report."""
    folder = tmp_path_factory.mktemp("served")
    make_crawl(folder / "lisbon", Geoparser(gazetteer))
    update_listing(folder / "lisbon", gazetteer, settings=settings)
    make_report(folder / "first")
    return open_site([folder], gazetteer, settings)


@contextmanager
def serving(
    site: Site,
    rules: Rules | None = None,
    control: ControlRules | None = None,
    launcher: Launcher | None = None,
) -> Iterator[str]:
    """Serve a site in another thread; gives its address."""
    listening = listen("127.0.0.1", 0)
    config = uvicorn.Config(create_app(site, rules, control, launcher), **server_options())
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(10)
        listening.close()


@pytest.fixture(scope="session")
def served(site: Site) -> Iterator[str]:
    """The address at which the site is served."""
    with serving(site) as address:
        yield address


@pytest.fixture
def client(served: str) -> Iterator[httpx.Client]:
    """A client without a token."""
    with httpx.Client(base_url=served, timeout=60) as opened:
        yield opened
