import re

import pytest

from geoscout.web.app import ASSETS


@pytest.mark.parametrize(
    "path", ["/", "/search", "/crawl", "/page", "/geoparse", "/compare", "/api/docs"]
)
def test_every_view_is_the_one_page(client, path):
    answer = client.get(path)

    assert answer.headers["content-type"].startswith("text/html")
    assert "/assets/js/main.js" in answer.text


def test_unknown_addresses_are_problems(client):
    for path in ("/api/nothing", "/nothing", "/assets/nothing.js", "/assets/../app.py"):
        answer = client.get(path)

        assert (path, answer.status_code) == (path, 404)
        assert answer.headers["content-type"] == "application/problem+json"


def test_people_get_a_page_that_says_nothing_is_there(client):
    answer = client.get("/nothing", headers={"accept": "text/html,*/*"})

    assert answer.status_code == 404
    assert "/assets/js/main.js" in answer.text


def test_scripts_never_read_text_as_html():
    dangerous = re.compile(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(")

    found = [file.name for file in ASSETS.glob("js/*.js") if dangerous.search(file.read_text())]

    assert found == []


def test_pages_load_nothing_from_outside():
    files = [*ASSETS.glob("js/*.js"), *ASSETS.glob("style/*.css"), ASSETS / "index.html"]
    outside = re.compile(
        r"""(?:src|href|url|import|from|fetch)\s*[=(]?\s*["'(]?\s*(?:https?:)?//"""
    )

    assert [file.name for file in files if outside.search(file.read_text())] == []


def test_vendored_files_have_their_licences():
    licences = (ASSETS / "vendor" / "LICENSES.md").read_text()

    vendored = [file.name for file in (ASSETS / "vendor").glob("*.*s")]

    assert [name for name in vendored if f"`{name}`" not in licences] == []


@pytest.mark.parametrize("path", ["/", "/api/site", "/api/docs", "/assets/js/main.js"])
def test_head_is_get_without_its_body(client, path):
    head, get = client.head(path), client.get(path)

    assert (head.status_code, head.content) == (200, b"")
    for name in ("content-type", "content-length", "content-security-policy"):
        assert head.headers[name] == get.headers[name]


def test_head_of_what_is_not_there(client):
    assert client.head("/api/nothing").status_code == 404


def test_the_head_of_a_stream_ends(client):
    for path in ("/api/events", "/api/export"):
        head, get = client.head(path, timeout=10), client.get(path)

        assert (head.status_code, head.content) == (200, b"")
        assert head.headers["content-type"] == get.headers["content-type"]


def test_docs_leads_to_the_list_of_operations(client):
    answer = client.get("/docs")

    assert (answer.status_code, answer.headers["location"]) == (307, "/api/docs")


def test_the_search_box_for_other_pages_is_one_file_that_they_may_load(client):
    answer = client.get("/embed.js")

    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.headers["cross-origin-resource-policy"] == "cross-origin"
    assert "function decodeRing" in answer.text
    assert "export " not in answer.text
    assert client.get("/").headers["cross-origin-resource-policy"] == "same-origin"
