"""A seed is asked as the crawl would ask it, and what comes of it is a sentence."""

import asyncio
import socket
import time
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import convert

from geoscout.cli.commands.crawl import COMMANDS
from geoscout.cli.main import command_parser
from geoscout.settings import Settings
from geoscout.web.control.new_crawl import (
    NewCrawl,
    SeedChecker,
    SeedJson,
    arguments_of,
    mistakes_in,
    region_json,
)
from geoscout_places.errors import UsageError
from geoscout_places.gazetteer import SqliteGazetteer
from tests.fakeweb import FakeWeb, Site
from tests.fakeweb.server import Hit
from tests.fakeweb.sites import Visitor, by_path, content, page, robots_file

GOOD = {
    "name": "lisbon",
    "region": ["Lisbon"],
    "seeds": ["https://www.lisboa.pt"],
    "contact": "you@example.org",
}


def mistakes(
    wanted: dict[str, object],
    room: Path | None,
    gazetteer: SqliteGazetteer,
    *,
    is_local: bool = True,
) -> dict[str, str]:
    new = convert({**GOOD, **wanted}, NewCrawl)
    found = mistakes_in(new, room, Settings(), gazetteer, is_local=is_local)
    return {one["where"]: one["what"] for one in found}


def test_all_mistakes_are_told_at_once(tmp_path, gazetteer):
    (tmp_path / "taken").mkdir()
    wanted = {
        "name": "taken",
        "region": ["Atlantis-on-Sea"],
        "seeds": ["https://a.example/", "ftp://a.example/", "seeds.txt", "http://127.0.0.1/"],
        "contact": "me",
        "max_pages": 0,
    }

    found = mistakes(wanted, tmp_path, gazetteer)

    assert list(found) == [
        "name", "region", "seeds.1", "seeds.2", "seeds.3", "max_pages", "contact",
    ]  # fmt: skip
    assert "Atlantis" in found["region"]
    assert "private" in found["seeds.3"]


@pytest.mark.parametrize(
    "name", ["", ".hidden", "..", "a/b", "/etc", "a\0b", "-rf", "a b", "a\nb", "x" * 65]
)
def test_a_name_never_leads_out_of_the_folder(tmp_path, gazetteer, name):
    assert list(mistakes({"name": name}, tmp_path, gazetteer)) == ["name"]


def test_a_link_to_elsewhere_is_not_followed(tmp_path, gazetteer):
    (tmp_path / "lisbon").symlink_to(tmp_path / "nowhere")

    assert list(mistakes({}, tmp_path, gazetteer)) == ["name"]


def test_files_are_not_read(tmp_path, gazetteer):
    for name in ("region.txt", "odd.name;more"):
        (tmp_path / name).write_text("Lisbon")
        (tmp_path / "seeds").write_text("https://a.example/")

        found = mistakes(
            {"region": [str(tmp_path / name)], "seeds": [str(tmp_path / "seeds")]},
            tmp_path,
            gazetteer,
        )

        assert "file" in found["region"]
        assert "not an http(s) URL" in found["seeds.0"]


def test_a_file_of_the_working_directory_is_not_read(tmp_path, gazetteer, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "St. Louis").write_text("Lisbon")
    (tmp_path / "a.b;c").write_text("Lisbon")

    for text in ("St. Louis", "a.b;c"):
        assert "file" in mistakes({"region": [text]}, tmp_path, gazetteer)["region"]


def test_there_must_be_a_folder_for_it(gazetteer):
    assert "geoscout serve FOLDER" in mistakes({}, None, gazetteer)["name"]


def test_private_addresses_only_where_the_server_is_local(tmp_path, gazetteer):
    wanted = {"seeds": ["http://localhost:8000/"], "allow_private": True}

    assert list(mistakes(wanted, tmp_path, gazetteer, is_local=False)) == ["allow_private"]


def test_the_command_is_one_that_geoscout_takes(tmp_path, gazetteer):
    wanted = {"region": ["-33.87,151.21,20"], "max_pages": 10, "contact": "--json@example.org"}
    name, *words = arguments_of(NewCrawl(**{**GOOD, **wanted}), tmp_path / "lisbon")
    assert mistakes(wanted, tmp_path, gazetteer) == {}

    read = command_parser(name, COMMANDS[name]).parse_args(words)

    assert read.region == ["-33.87,151.21,20"]
    assert read.seeds == ["https://www.lisboa.pt/"]
    assert (read.contact, read.max_pages, read.json) == ("--json@example.org", 10, False)
    assert read.out == str(tmp_path / "lisbon")


def test_a_name_has_an_outline_and_what_else_it_may_mean(gazetteer):
    found = region_json(["Oldenburg"], gazetteer)

    assert found.properties["name"] == "Oldenburg, Lower Saxony, Germany"
    assert any("Holstein" in text for text in found.properties["alternatives"])
    assert found.geometry["coordinates"]


def test_an_alternative_is_a_region_itself(gazetteer):
    other = next(
        text
        for text in region_json(["Oldenburg"], gazetteer).properties["alternatives"]
        if "Holstein" in text
    )

    assert region_json([other], gazetteer).properties["name"] == other


def test_what_was_drawn_has_no_alternatives(gazetteer):
    found = region_json(["48.1,11.6,20"], gazetteer)

    assert (found.properties["alternatives"], found.properties["estimated"]) == ([], False)


@pytest.mark.parametrize("text", ["", "1,2", "91,0,5", "/etc/hostname", "{}", "~/x.y"])
def test_what_is_not_a_region_is_told(gazetteer, text):
    with pytest.raises(UsageError):
        region_json([text], gazetteer)


HERE = "127.0.0.1"
QUICK = replace(Settings(), delay_seconds=0.3, contact="you@example.org")


async def silent(_visitor: Visitor) -> None:
    await asyncio.sleep(30)


@pytest.fixture(scope="module")
def web():
    pages = {
        "/": page("Home"),
        "/gone": content(b"", status=410),
        "/moved": content(b"", status=301, headers=[("Location", "/")]),
        "/closed": page("Closed"),
        "/silent": silent,
    }
    robots = robots_file("User-agent: *", "Disallow: /closed")
    with FakeWeb({HERE: Site(by_path(pages), robots)}) as opened:
        yield opened


def check(seed: str, *, allow_private: bool = True) -> SeedJson:
    return asyncio.run(SeedChecker(QUICK).check(seed, allow_private=allow_private))


@pytest.mark.parametrize(
    ("path", "ok", "status", "detail"),
    [
        ("/", True, 200, "answers with a page"),
        ("/moved", True, 301, "leads on to /"),
        ("/gone", False, 410, "answers 410"),
        ("/closed", False, None, "robots.txt does not allow it"),
    ],
)
def test_what_a_crawl_would_meet(web, path, ok, status, detail):
    found = check(web.url(HERE, path))

    assert (found.ok, found.status) == (ok, status)
    assert detail in found.detail


@pytest.mark.parametrize("seed", ["", "lisboa", "ftp://a.example/", "/etc/passwd", "http://"])
def test_what_is_not_a_url_is_not_asked(seed):
    found = check(seed)

    assert (found.ok, found.url) == (False, "")
    assert "not an http(s) URL" in found.detail


def test_private_addresses_are_not_asked_unless_allowed(web):
    before = len(web.log)
    found = check(web.url(HERE), allow_private=False)

    assert (found.ok, len(web.log)) == (False, before)
    assert "own machine or network" in found.detail


def test_a_server_that_is_not_there():
    with socket.socket() as taken:
        taken.bind((HERE, 0))
        found = check(f"http://{HERE}:{taken.getsockname()[1]}/")

    assert (found.ok, found.detail) == (False, "the host refused the connection")


def test_a_server_that_says_nothing_is_given_up(web, monkeypatch):
    monkeypatch.setattr("geoscout.web.control.new_crawl._SECONDS", 0.5)

    assert "does not answer within" in check(web.url(HERE, "/silent")).detail


def test_a_host_is_given_its_pause(web):
    async def both() -> None:
        checker = SeedChecker(QUICK)
        seeds = [web.url(HERE, path) for path in ("/?1", "/?2")]
        await asyncio.gather(*(checker.check(seed, allow_private=True) for seed in seeds))

    asyncio.run(both())

    def asked() -> list[Hit]:
        return [hit for hit in web.hits(HERE) if hit.path in ("/?1", "/?2")]

    until = time.monotonic() + 10
    while len(asked()) < 2 and time.monotonic() < until:  # a hit is noted after its answer
        time.sleep(0.01)
    first, second = asked()
    # Of 0.3: a busy machine notes the first one late.
    assert second.start - first.start >= 0.1
