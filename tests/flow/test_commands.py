"""The commands a user types, over an archive: crawl, stop, resume, status, export."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from geoscout.crawling import ending
from geoscout.store.base import Visit
from geoscout.warc import scan
from geoscout_places.model import Request, Response
from tests.conftest import Typed
from tests.stores import Store

ADDRESS = "<address>Lange Straße 12<br>26122 Oldenburg</address>"
PAGES = {
    "http://a.example/": '<a href="/shop">Shop</a> <a href="http://b.example/">B</a>',
    "http://a.example/shop": f'{ADDRESS} <a href="/deep">Deep</a> <a href="/gone">Gone</a>',
    "http://a.example/deep": "Nothing",
    "http://b.example/": "<p>Ein Tag in Bremen</p>",
}


@pytest.fixture
def archive(tmp_path, at_home):
    return written_archive(tmp_path / "source")


def written_archive(folder: Path) -> Path:
    """An archive with the pages, written by the store itself."""
    store = Store(folder)
    headers = (("content-type", "text/html; charset=utf-8"),)
    for url, body in PAGES.items():
        answer = Response(url, 200, headers, body.encode(), "", fetched_at=1e9, seconds=0.0)
        store.add(Visit(Request(url), answer))
    store.commit()
    store.close()
    return next(folder.glob("**/*.warc.gz"))


def crawl_words(archive: Path | str, out: Path) -> list[str]:
    """A command that crawls an archive."""
    region = ["--region", "Oldenburg", "--seeds", "http://a.example/"]
    return ["crawl", *region, "--replay", str(archive), "--out", str(out), "--json"]


class Shell:
    """Types commands; those of a crawl are over the archive, into the folder `out`."""

    def __init__(self, folder: Path, archive: Path, typed: Callable[..., Typed]) -> None:
        self.folder, self.archive, self.out = folder, str(archive), folder / "out"
        self.run = typed

    def crawl(self, *more: str | Path, out: str | Path = "out") -> Typed:
        return self.run(*crawl_words(self.archive, self.folder / out), *more)


@pytest.fixture
def shell(tmp_path, archive, typed):
    return Shell(tmp_path, archive, typed)


def test_crawl_marks_the_pages_of_the_region_and_is_not_overwritten(shell):
    done = shell.crawl()
    again = shell.crawl()

    assert done.status == 0
    assert (done.facts["pages"], done.facts["relevant"], done.facts["frontier"]) == (4, 1, 0)
    assert done.facts["links left out"] == {"outside": 1}
    assert done.facts["HTTP status"] == {"200": 4}
    assert "taken as Oldenburg" in done.err
    assert (again.status, "already contains a crawl" in again.err) == (2, True)


def test_crawl_without_a_terminal_tells_how_far_it_is(shell):
    done = shell.crawl("--set", "log_format=json", "--set", "log_level=debug")

    lines = [json.loads(line) for line in done.err.splitlines()]
    progress = [line for line in lines if line["message"] == "progress"][-1]
    counts = {name: progress[name] for name in ("responses", "pages", "relevant", "waiting")}
    assert counts == {"responses": 4, "pages": 4, "relevant": 1, "waiting": 0}
    assert (progress["harvest"], progress["memory_megabytes"] > 0) == (0.25, True)
    assert {line["url"] for line in lines if line["message"] == "fetched"} == set(PAGES)
    assert lines[-1]["message"].startswith("next: geoscout search")


def test_stopped_crawl_is_resumed_and_exported(shell):
    file = shell.folder / "v"
    shell.crawl("--max-pages", "2")
    shell.run("resume", shell.out, "--max-pages", "10", "--json")

    shell.run("export", shell.out, "--what", "visits", "--format", "jsonl", "--out", file)

    visits = [json.loads(line) for line in file.read_text().splitlines()]
    assert [visit["n"] for visit in visits] == [1, 2, 3, 4]
    assert {visit["url"] for visit in visits} == set(PAGES)
    assert [v["url"] for v in visits if v["relevant"]] == ["http://a.example/shop"]
    assert {v["depth"] for v in visits} == {0, 1, 2}
    assert shell.run("status", shell.out, "--json").facts["pages"] == 4


def test_a_replay_keeps_the_dates_of_its_archive(shell):
    began = datetime.now(UTC)
    shell.crawl()

    visits = shell.run("export", shell.out, "--what", "visits", "--format", "jsonl").rows
    file = shell.out / "archive" / "crawl-00001.warc.gz"
    info, *records = [found.record for found in scan(file)]

    assert {visit["fetched_at"] for visit in visits} == {"2001-09-09T01:46:40.000000Z"}
    assert all(datetime.fromisoformat(visit["visited_at"]) >= began for visit in visits)
    assert {record.fields["warc-date"] for record in records} == {"2001-09-09T01:46:40.000000Z"}
    assert {record.type for record in records} == {"response"}
    assert b"geoscout-region: Oldenburg\r\n" in info.block
    assert b"geoscout-seed: http://a.example/\r\n" in info.block


@pytest.mark.parametrize(
    ("since", "expected"), [("1h", (0, 4)), ("2999-01-01", (0, 0)), ("2026-13-01", (2, 0))]
)
def test_only_what_is_new_is_exported(shell, since, expected):
    shell.crawl()

    done = shell.run("export", shell.out, "--format", "jsonl", "--since", since)

    assert (done.status, len(done.rows)) == expected


def test_a_file_that_cannot_be_written_is_told_and_none_is_left(shell):
    nowhere, file = shell.folder / "no/pages.csv", shell.folder / "links.geojson"
    shell.crawl()

    told = shell.run("export", shell.out, "--format", "csv", "--out", nowhere)
    links = shell.run("export", shell.out, "--what", "links", "--format", "geojson", "--out", file)

    assert (told.status, links.status) == (2, 2)
    assert told.err == f"geoscout: cannot write {nowhere}: No such file or directory\n"
    assert not file.exists()


def test_barren_crawl_says_so_and_ends_when_asked_to(shell, monkeypatch):
    monkeypatch.setattr(ending, "BEFORE_THE_FIRST", 2)
    words = ["crawl", "--region", "Lisbon", "--seeds", "http://a.example/", "--max-pages", "3"]
    words += ["--replay", shell.archive, "--json", "--out"]

    told = shell.run(*words, shell.folder / "told")
    ended = shell.run(*words, shell.folder / "ended", "--set", "stop_when_barren=yes").facts

    assert (told.facts["state"], told.facts["visits"]) == ("limit reached", 3)
    assert told.facts["barren"].startswith("no relevant page among the last 3 responses")
    assert told.err.count("no relevant page among the last 2 responses; try more seeds") == 1
    assert ended["state"].startswith("barren: no relevant page among the last 2 responses")
    assert ended["visits"] == 2


@pytest.mark.parametrize(
    ("flags", "pages"), [(["--max-depth", "1"], 3), (["--set", "workers=2"], 4)]
)
def test_depth_is_limited_and_two_workers_find_the_same(shell, flags, pages):
    facts = shell.crawl(*flags).facts

    assert (facts["pages"], facts["relevant"]) == (pages, 1)


def test_all_mistakes_are_told_at_once(shell):
    shell.out.mkdir()
    (shell.out / "picture.png").touch()
    words = ["--region", "Nowherebury", "--seeds", "no-such-file", "ftp://x/", "--strategy", "none"]
    words += ["--max-pages", "0", "--set", "relevance=odd", "--max-depth", "deep"]

    done = shell.run("crawl", *words, "--out", shell.out)
    memory = shell.crawl("--set", "max_memory=much", out="other")

    expected = (
        "--max-depth: invalid int value",
        "relevance is one of",
        "add --contact",
        "is not empty and not a crawl",
        "'no-such-file' is neither",
        "'ftp://x/' is not an http(s) URL",
        "max_pages is at least 1, not 0",
        "no place is called 'Nowherebury'",
        "no strategy is called 'none'",
    )
    assert (done.status, memory.status) == (2, 2)
    assert [part for part in expected if part not in done.err] == []
    assert done.err.count("\n") == len(expected)
    assert "it has picture.png" in done.err
    assert [file.name for file in shell.out.iterdir()] == ["picture.png"]
    assert "such as 800M, not 'much'" in memory.err
    assert not (shell.folder / "other").exists()


@pytest.mark.parametrize(
    ("contact", "message"),
    [([], "add --contact you@example.org"), (["--contact", "me"], "'me' is neither")],
)
def test_live_crawl_needs_a_contact(shell, contact, message):
    seeds = ("--region", "Oldenburg", "--seeds", "http://a.example/")

    done = shell.run("crawl", *seeds, *contact, "--out", shell.out)

    assert (done.status, message in done.err) == (2, True)


def test_nodes_share_a_crawl(shell):
    nodes = shell.folder / "nodes.toml"
    nodes.write_text('[nodes]\nnorth = ["Oldenburg", "Bremen"]\nsouth = ["München"]\n')

    done = shell.crawl("--collaboration", "content", "--nodes", nodes)

    assert done.status == 0
    assert (done.facts["pages"], done.facts["relevant"], done.facts["frontier"]) == (4, 1, 0)
    assert done.facts["nodes"]["north"].startswith("1 pages, 0 relevant")  # the shop links to it
    assert set(done.facts["nodes"]) == {"general", "north"}


def test_seeds_that_speak_of_no_place_are_left_out(shell):
    seeds = ["--seeds", "http://b.example/", "http://a.example/", "http://a.example/bremen"]

    done = shell.crawl(*seeds, "--set", "filter_seeds=yes", "--max-pages", "1")

    assert done.status == 3  # the seed that is left is not in the archive
    assert "left out, it speaks of no place: http://a.example/\n" in done.err
    assert done.facts["visits"] == 1


def test_crawl_beyond_its_memory_ends_in_order_and_is_resumed(shell):
    done = shell.crawl("--set", "max_memory=1M")
    resumed = shell.run("resume", shell.out, "--json")

    assert (done.status, resumed.status) == (0, 0)
    assert "of max_memory" in done.facts["state"]
    assert "more than the 1 MB of max_memory: it ends here, and can go on later" in done.err
    assert done.facts["visits"] == 0
    assert (resumed.facts["pages"], resumed.facts["state"]) == (4, "nothing left")


def test_crawl_says_how_it_ended_and_what_comes_next(shell):
    first = shell.crawl("--max-pages", "1")
    second = shell.run("resume", shell.out, "--max-pages", "9", "--json")

    assert first.facts["state"] == "limit reached"
    assert "geoscout: limit reached, 1 pages" in first.err
    assert f"geoscout resume {shell.out} goes on" in first.err
    assert f"geoscout serve {shell.out}" in first.err
    assert second.facts["state"] == "nothing left"
    assert "goes on" not in second.err
    lower = shell.run("resume", shell.out, "--max-pages", "2", "--json")
    assert lower.facts["state"] == "nothing left"


def test_crawl_without_a_page_is_an_error_with_advice(shell):
    done = shell.crawl("--seeds", "http://not.archived.example/")

    assert done.status == 3
    assert "the archive has none of the seeds" in done.err
