"""A crawl that is begun, steered, stopped and resumed by REST, as real processes."""

import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from geoscout.state.sqlite import SqliteState
from geoscout.web.control.access import KEY_FIELD, ControlRules
from geoscout.web.control.running import Launcher
from geoscout.web.site import open_site
from tests.fakeweb import FakeWeb, Site
from tests.fakeweb.sites import chained
from tests.unit.web.conftest import serving

HERE, OTHER = "127.0.0.1", "127.0.0.2"
PATIENCE = 60.0  # seconds, on a busy machine


@pytest.fixture(scope="module")
def web():
    """Two hosts with more pages than a test waits for: a crawl pauses a second after each."""
    with FakeWeb({HERE: Site(chained(500)), OTHER: Site(chained(500))}, addresses=2) as opened:
        yield opened


@pytest.fixture
def room(tmp_path):
    """The folder that is served."""
    folder = tmp_path / "crawls"
    folder.mkdir()
    return folder


@pytest.fixture
def control(room, gazetteer, settings, at_home):
    site = open_site([room], gazetteer, settings)
    launcher = Launcher([f"--home={settings.home}"])
    with (
        serving(site, control=ControlRules(is_on=True), launcher=launcher) as address,
        httpx.Client(base_url=f"{address}/api", timeout=PATIENCE) as client,
    ):
        yield client
        until(lambda: not [stop(client, name) for name in site.crawls if launcher.running])
    assert launcher.running == 0


def stop(control: httpx.Client, name: str) -> None:
    control.post("/control/stop", json={"crawl": name})


def until(holds: Callable[[], object]) -> bool:
    end = time.monotonic() + PATIENCE
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.1)
    return True


def wanted(web: FakeWeb, **more: object) -> dict[str, object]:
    return {
        "name": "local",
        "region": ["Lisbon"],
        "seeds": [web.url(HERE), web.url(OTHER)],
        "allow_private": True,
        **more,
    }


def status(control: httpx.Client) -> dict[str, Any]:
    found: dict[str, Any] = control.get("/status", params={"crawl": "local"}).json()
    return found


def standing(control: httpx.Client) -> dict[str, Any]:
    found: dict[str, Any] = control.get("/control", params={"crawl": "local"}).json()["crawl"]
    return found


def test_begin_steer_stop_and_resume(control, web, tmp_path):
    begun = control.post("/control/crawls", json=wanted(web, max_pages=1000)).json()
    assert begun["started"], begun
    assert f"--out {tmp_path / 'crawls' / 'local'}" in begun["command"]
    assert until(lambda: status(control)["visits"] >= 2)
    again = control.post("/control/resume", json={"crawl": "local", "allow_private": True})
    assert (again.status_code, again.json()["detail"]) == (409, "it is running already")

    left = control.post("/control/hosts", json={"crawl": "local", "host": OTHER}).json()
    assert left["left_alone"] == [OTHER]
    hosts = lambda: control.get("/hosts", params={"crawl": "local"}).json()  # noqa: E731
    assert until(lambda: any(one["reason"] == "left alone by you" for one in hosts()))
    asked = len(web.hits(OTHER))
    here = len(web.hits(HERE))
    assert until(lambda: len(web.hits(HERE)) >= here + 2)
    assert len(web.hits(OTHER)) == asked

    more = control.post("/control/budget", json={"crawl": "local", "more": 500}).json()
    assert more["max_pages"] == standing(control)["max_pages"] == 1500
    stopped = control.post("/control/stop", json={"crawl": "local"}).json()
    assert (stopped["running"], status(control)["state"]) == (False, "stopped by you")
    process = standing(control)["process"]
    assert process is None

    refused = control.post("/control/resume", json={"crawl": "local"})
    assert (refused.status_code, "allow_private" in refused.json()["detail"]) == (409, True)
    control.post("/control/hosts", json={"crawl": "local", "host": OTHER, "leave_alone": False})
    visits = status(control)["visits"]
    resumed = control.post("/control/resume", json={"crawl": "local", "allow_private": True})
    assert resumed.json()["running"]
    assert until(lambda: len(web.hits(OTHER)) > asked)
    assert until(lambda: status(control)["visits"] > visits)
    assert standing(control)["process"]["pid"] > 0
    assert "geoscout" in standing(control)["log"]


@pytest.mark.long
def test_a_budget_can_be_reached_and_raised(control, web):
    control.post("/control/crawls", json=wanted(web, max_pages=2))
    assert until(lambda: status(control)["state"] == "limit reached")
    control.post("/control/budget", json={"crawl": "local", "more": 2})
    control.post("/control/resume", json={"crawl": "local", "allow_private": True})

    assert until(lambda: status(control)["visits"] == 4)


def test_a_folder_that_exists_is_not_touched(control, web, tmp_path):
    (tmp_path / "crawls" / "local").mkdir()

    answer = control.post("/control/crawls", json=wanted(web))

    assert answer.status_code == 422
    assert answer.json()["errors"][0]["where"] == "name"
    assert list((tmp_path / "crawls" / "local").iterdir()) == []


def test_a_check_starts_nothing(control, web, tmp_path):
    answer = control.post("/control/crawls", json=wanted(web, only_check=True)).json()

    wrong = control.post("/control/crawls", json=wanted(web, only_check=True, name="..")).json()

    assert not answer["started"]
    assert (wrong["command"], wrong["errors"][0]["where"]) == ("", "name")
    assert answer["command"].startswith("geoscout crawl --region Lisbon --seeds http://127.0.0.1:")
    assert list((tmp_path / "crawls").iterdir()) == []


@pytest.fixture
def resting(room):
    """A crawl that does not run, there before the server is."""
    state = SqliteState(room / "local")
    state.save()
    state.close()


@pytest.mark.usefixtures("resting")
def test_what_cannot_be_asked_of_a_crawl_is_told(control):
    answers = [
        control.post(f"/control/{path}", json={"crawl": "local", **body})
        for path, body in {
            "stop": {},
            "resume": {},
            "budget": {},
            "hosts": {"host": "a b"},
        }.items()
    ]
    more = control.post("/control/budget", json={"crawl": "local", "more": 1})

    assert [answer.status_code for answer in answers] == [409, 422, 400, 404]
    assert answers[0].json()["detail"] == "it is not running"
    assert answers[1].json()["errors"][0]["where"] == "contact"
    assert "no limit" in more.json()["detail"]
    assert control.post("/control/stop", json={"crawl": "none"}).status_code == 404


@pytest.mark.usefixtures("at_home")
def test_serve_prints_the_key_of_its_owner(tmp_path, settings):
    command = [sys.executable, "-m", "geoscout", "serve", str(tmp_path), "--port=0"]
    server = subprocess.Popen(
        [*command, f"--home={settings.home}"], stderr=subprocess.PIPE, text=True
    )
    assert server.stderr is not None
    address = server.stderr.readline().split()[-1]
    key = server.stderr.readline().strip().partition("#key=")[2]
    without = httpx.get(f"{address}api/control", timeout=PATIENCE).json()
    found = httpx.get(f"{address}api/control", headers={KEY_FIELD: key}, timeout=PATIENCE).json()
    server.terminate()
    server.stderr.close()
    server.wait(30)

    assert (without["may"], found["may"]) == (False, True)
    assert (without["room"], found["room"]) == ("", str(tmp_path))
