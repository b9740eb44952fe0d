"""The commands a user types, over an archive: crawl, stop, resume, status, export."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from geoscout.cli.main import main
from geoscout.settings import Settings
from geoscout.store.base import Visit
from geoscout.warc import scan
from geoscout_places.model import Request, Response
from tests.stores import Store

ADDRESS = "<address>Lange Straße 12<br>26122 Oldenburg</address>"
PAGES = {
    "http://a.example/": '<a href="/shop">Shop</a> <a href="http://b.example/">B</a>',
    "http://a.example/shop": f'{ADDRESS} <a href="/deep">Deep</a> <a href="/gone">Gone</a>',
    "http://a.example/deep": "Nothing",
    "http://b.example/": "<p>Ein Tag in Bremen</p>",
}


@pytest.fixture
def archive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Settings, gazetteer: object
) -> Path:
    """A small archive."""
    monkeypatch.setenv("GEOSCOUT_EXTRAS", "no")
    monkeypatch.setenv("GEOSCOUT_HOME", settings.home)
    return written_archive(tmp_path / "source")


def written_archive(folder: Path) -> Path:
    """An archive with the pages, written by the store itself."""
    store = Store(folder)
    headers = (("content-type", "text/html; charset=utf-8"),)
    for url, body in PAGES.items():
        store.add(
            Visit(
                Request(url),
                Response(url, 200, headers, body.encode(), "", fetched_at=1e9, seconds=0.0),
            )
        )
    store.commit()
    store.close()
    return next(folder.glob("**/*.warc.gz"))


def crawl(archive: Path, out: Path, *more: str) -> int:
    region = ["--region", "Oldenburg", "--seeds", "http://a.example/"]
    return main(["crawl", *region, "--replay", str(archive), "--out", str(out), "--json", *more])


def test_crawl_marks_the_pages_of_the_region(
    archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status = crawl(archive, tmp_path / "out")

    shown = capsys.readouterr()
    facts = json.loads(shown.out)
    assert status == 0
    assert (facts["pages"], facts["relevant"], facts["frontier"]) == (4, 1, 0)
    assert facts["links left out"] == {"outside": 1}
    assert facts["HTTP status"] == {"200": 4}
    assert "taken as Oldenburg" in shown.err


def test_crawl_without_a_terminal_tells_how_far_it_is(
    archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    crawl(archive, tmp_path / "out", "--set", "log_format=json", "--set", "log_level=debug")

    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    progress = [line for line in lines if line["message"] == "progress"][-1]
    counts = {name: progress[name] for name in ("responses", "pages", "relevant", "waiting")}
    assert counts == {"responses": 4, "pages": 4, "relevant": 1, "waiting": 0}
    assert (progress["harvest"], progress["memory_megabytes"] > 0) == (0.25, True)
    assert {line["url"] for line in lines if line["message"] == "fetched"} == set(PAGES)
    assert lines[-1]["message"].startswith("next: geoscout search")


def test_stopped_crawl_is_resumed_and_exported(
    archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    crawl(archive, out, "--max-pages", "2")
    main(["resume", str(out), "--max-pages", "10", "--json"])
    capsys.readouterr()

    main(
        ["export", str(out), "--what", "visits", "--format", "jsonl", "--out", str(tmp_path / "v")]
    )
    main(["status", str(out), "--json"])

    visits = [json.loads(line) for line in (tmp_path / "v").read_text().splitlines()]
    assert [visit["n"] for visit in visits] == [1, 2, 3, 4]
    assert {visit["url"] for visit in visits} == set(PAGES)
    assert [v["url"] for v in visits if v["relevant"]] == ["http://a.example/shop"]
    assert {v["depth"] for v in visits} == {0, 1, 2}
    assert json.loads(capsys.readouterr().out)["pages"] == 4


def test_a_replay_keeps_the_dates_of_its_archive(
    archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    began = datetime.now(UTC)
    crawl(archive, out)
    capsys.readouterr()

    main(["export", str(out), "--what", "visits", "--format", "jsonl"])
    visits = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    info, *records = [found.record for found in scan(out / "archive" / "crawl-00001.warc.gz")]

    assert {visit["fetched_at"] for visit in visits} == {"2001-09-09T01:46:40.000000Z"}
    assert all(datetime.fromisoformat(visit["visited_at"]) >= began for visit in visits)
    assert {record.fields["warc-date"] for record in records} == {"2001-09-09T01:46:40.000000Z"}
    assert {record.type for record in records} == {"response"}
    assert b"geoscout-region: Oldenburg\r\n" in info.block
    assert b"geoscout-seed: http://a.example/\r\n" in info.block


def test_only_what_is_new_is_exported(
    archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    crawl(archive, out)
    capsys.readouterr()

    numbers = []
    for since in ("1h", "2999-01-01", "2026-13-01"):
        status = main(["export", str(out), "--format", "jsonl", "--since", since])
        numbers.append((status, len(capsys.readouterr().out.splitlines())))

    assert numbers == [(0, 4), (0, 0), (2, 0)]


def test_a_file_that_cannot_be_written_is_told_and_none_is_left(
    archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, file = tmp_path / "out", tmp_path / "links.geojson"
    crawl(archive, out)
    capsys.readouterr()

    nowhere = str(tmp_path / "no" / "pages.csv")
    assert main(["export", str(out), "--format", "csv", "--out", nowhere]) == 2
    told = capsys.readouterr().err
    assert (
        main(["export", str(out), "--what", "links", "--format", "geojson", "--out", str(file)])
        == 2
    )

    assert told == f"geoscout: cannot write {nowhere}: No such file or directory\n"
    assert not file.exists()


def test_barren_crawl_says_so_and_ends_when_asked_to(
    archive: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("GEOSCOUT_BARREN_AFTER", "2")
    words = ["crawl", "--region", "Lisbon", "--seeds", "http://a.example/", "--max-pages", "3"]
    words += ["--replay", str(archive), "--json", "--out"]

    main([*words, str(tmp_path / "told")])
    told = capsys.readouterr()
    main([*words, str(tmp_path / "ended"), "--stop-when-barren"])
    ended = json.loads(capsys.readouterr().out)

    facts = json.loads(told.out)
    assert (facts["state"], facts["visits"]) == ("limit reached", 3)
    assert facts["barren"].startswith("no relevant page among the last 3 responses")
    assert told.err.count("no relevant page among the last 2 responses; try more seeds") == 1
    assert ended["state"].startswith("barren: no relevant page among the last 2 responses")
    assert ended["visits"] == 2


def test_depth_is_limited(
    archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    crawl(archive, tmp_path / "out", "--max-depth", "1")

    assert json.loads(capsys.readouterr().out)["pages"] == 3


def test_folder_with_a_crawl_is_not_overwritten(
    archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    crawl(archive, tmp_path / "out")

    assert crawl(archive, tmp_path / "out") == 2
    assert "already contains a crawl" in capsys.readouterr().err


def test_two_workers_find_the_same(
    archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    crawl(archive, tmp_path / "out", "--workers", "2")

    facts = json.loads(capsys.readouterr().out)
    assert (facts["pages"], facts["relevant"]) == (4, 1)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--seeds", "no-such-file"], "neither an http(s) URL nor a file"),
        (["--seeds", "mailto://x"], "is not an http(s) URL"),
        (["--region", "Nowherebury"], "no place is called"),
    ],
)
def test_bad_input_is_one_line_and_leaves_nothing(
    archive: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    message: str,
) -> None:
    status = crawl(archive, tmp_path / "out", *words)

    shown = capsys.readouterr().err
    assert status == 2
    assert message in shown
    assert not (tmp_path / "out").exists()


def test_all_mistakes_are_told_at_once(
    archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "picture.png").touch()
    words = ["--region", "Nowherebury", "--seeds", "no-such-file", "ftp://x/", "--strategy", "none"]
    words += ["--max-pages", "0", "--relevance", "odd", "--max-depth", "deep"]

    status = main(["crawl", *words, "--out", str(tmp_path / "out")])

    told = capsys.readouterr().err
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
    assert status == 2
    assert [part for part in expected if part not in told] == []
    assert told.count("\n") == len(expected)
    assert [file.name for file in (tmp_path / "out").iterdir()] == ["picture.png"]


def test_live_crawl_needs_a_contact(
    archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seeds = ["--region", "Oldenburg", "--seeds", "http://a.example/"]

    status = main(["crawl", *seeds, "--out", str(tmp_path / "live")])
    none = capsys.readouterr().err
    wrong = main(["crawl", *seeds, "--contact", "me", "--out", str(tmp_path / "live")])

    assert (status, wrong) == (2, 2)
    assert "add --contact you@example.org" in none
    assert "'me' is neither" in capsys.readouterr().err


def test_nodes_share_a_crawl(
    archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    nodes = tmp_path / "nodes.toml"
    nodes.write_text('[nodes]\nnorth = ["Oldenburg", "Bremen"]\nsouth = ["München"]\n')

    status = crawl(archive, tmp_path / "out", "--collaboration", "content", "--nodes", str(nodes))

    facts = json.loads(capsys.readouterr().out)
    assert status == 0
    assert (facts["pages"], facts["relevant"], facts["frontier"]) == (4, 1, 0)
    assert facts["nodes"]["north"].startswith("1 pages, 0 relevant")  # what the shop links to
    assert set(facts["nodes"]) == {"general", "north"}


def test_seeds_that_speak_of_no_place_are_left_out(
    archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seeds = ["--seeds", "http://b.example/", "http://a.example/", "http://a.example/bremen"]

    status = crawl(archive, tmp_path / "out", *seeds, "--filter-seeds", "--max-pages", "1")

    shown = capsys.readouterr()
    assert status == 3  # the seed that is left is not in the archive
    assert "left out, it speaks of no place: http://a.example/\n" in shown.err
    assert json.loads(shown.out)["visits"] == 1


def test_crawl_beyond_its_memory_ends_in_order_and_is_resumed(
    archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status = crawl(archive, tmp_path / "out", "--set", "max_memory=1M")
    shown = capsys.readouterr()
    resumed = main(["resume", str(tmp_path / "out"), "--json"])

    facts, after = json.loads(shown.out), json.loads(capsys.readouterr().out)
    assert (status, resumed) == (0, 0)
    assert "of max_memory" in facts["state"]
    assert "more than the 1 MB of max_memory: it ends here, and can go on later" in shown.err
    assert (facts["visits"], after["pages"], after["state"]) == (0, 4, "nothing left")


def test_crawl_says_how_it_ended_and_what_comes_next(
    archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    crawl(archive, out, "--max-pages", "1")
    first = capsys.readouterr()
    main(["resume", str(out), "--max-pages", "9", "--json"])
    second = capsys.readouterr()

    assert json.loads(first.out)["state"] == "limit reached"
    assert "geoscout: limit reached, 1 pages" in first.err
    assert f"geoscout resume {out} goes on" in first.err
    assert f"geoscout serve {out}" in first.err
    assert json.loads(second.out)["state"] == "nothing left"
    assert "goes on" not in second.err


def test_crawl_without_a_page_is_an_error_with_advice(
    archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status = crawl(archive, tmp_path / "out", "--seeds", "http://not.archived.example/")

    assert status == 3
    assert "the archive has none of the seeds" in capsys.readouterr().err


def test_folder_of_something_else_is_left_alone(
    archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures" / "cat.png").touch()

    assert crawl(archive, tmp_path / "pictures") == 2
    assert "it has cat.png" in capsys.readouterr().err
    assert [path.name for path in (tmp_path / "pictures").iterdir()] == ["cat.png"]


def test_size_of_memory_is_checked(
    archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert crawl(archive, tmp_path / "out", "--set", "max_memory=much") == 2
    assert "such as 800M, not 'much'" in capsys.readouterr().err
