"""Clients in Python and JavaScript do what docs/api.md says."""

import re
import shutil
import subprocess
import sys

import pytest
from httpx import Client

from geoscout.web.site import Site
from tests.conftest import PROJECT
from tests.unit.web.conftest import serving

API = (PROJECT / "docs/api.md").read_text(encoding="utf-8")
NODE = shutil.which("node")


def example(language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", API, re.DOTALL)
    assert found
    return found[1]


def run(command: list[str], code: str, site: Site) -> list[str]:
    with serving(site) as address:
        code = code.replace("http://127.0.0.1:8734", address)
        done = subprocess.run(
            [*command, code], check=True, capture_output=True, text=True, timeout=60
        )
    return [line.split()[0] for line in done.stdout.splitlines()]


def pages(client: Client) -> list[str]:
    asked = {"q": "pizza in Lisbon", "limit": 100}
    return [hit["url"] for hit in client.get("/api/search", params=asked).json()["hits"]]


def test_python_gets_all_hits_page_by_page(site, client):
    code = example("python").replace(
        '"pizza in Lisbon", "limit": 2', '"pizza in Lisbon", "limit": 1'
    )

    assert run([sys.executable, "-c"], code, site) == pages(client)


@pytest.mark.skipif(NODE is None, reason="there is no Node")
def test_javascript_gets_all_hits_page_by_page(site, client):
    code = example("javascript").replace("limit=2", "limit=1")

    assert run([str(NODE), "--input-type=module", "-e"], code, site) == pages(client)


@pytest.mark.parametrize("path", ["/search?q=pizza&limit=1", "/status", "/nothing"])
def test_the_api_is_below_its_version_too(client, path):
    plain, versioned = client.get(f"/api{path}"), client.get(f"/api/v1{path}")

    assert versioned.status_code == plain.status_code
    assert versioned.json() == plain.json()


def test_an_answer_of_which_there_is_more_names_the_next(client):
    first = client.get("/api/search", params={"q": "pizza", "limit": 1, "facets": "false"})
    last = client.get("/api/search", params={"q": "pizza", "limit": 100})
    listed = client.get("/api/directory", params={"limit": 1})

    assert first.headers["link"] == '<?q=pizza&limit=1&facets=false&offset=1>; rel="next"'
    assert "link" not in last.headers
    assert listed.headers["link"] == '<?limit=1&offset=1>; rel="next"'
