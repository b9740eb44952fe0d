"""`geoscout geoparse --warc`, from the command line to the files."""

import gzip
import json
from pathlib import Path

import pytest

from geoscout.cli.main import main
from tests.unit.batch.archives import packed, page, text

WARC = packed(page("http://a.example/"), page("http://b.example/", status="404 Not Found"))
WET = packed(text("http://c.example/", "Ein Tag in Lissabon."))


pytestmark = pytest.mark.usefixtures("at_home")


@pytest.fixture
def archives(tmp_path):
    folder = tmp_path / "archives"
    folder.mkdir()
    (folder / "one.warc.gz").write_bytes(WARC)
    (folder / "two.warc.wet.gz").write_bytes(WET)
    return folder


def geoparse(archives: Path, *more: str) -> int:
    out = str(archives.parent / "out")
    given = ["geoparse", "--warc", str(archives), "--out", out, "--workers", "1", *more]
    return main(given if "--format" in more else [*given, "--format", "jsonl"])


def rows(file: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in gzip.decompress(file.read_bytes()).splitlines()]


@pytest.mark.parametrize("workers", ["1", "2"])
def test_with_sites_what_pages_repeat_is_the_sites(tmp_path, workers):
    menu = "<ul><li>Inns in Berlin</li><li>Inns in Hamburg</li><li>Inns in Dresden</li></ul>"
    towns = ("Lisbon", "Rotterdam", "Vienna", "Madrid", "Warsaw", "Stockholm")
    pages = [
        page(f"http://a.example/{town}", f"<html lang=en>{menu}<p>A day in {town}.</p>".encode())
        for town in towns
    ]
    archives = tmp_path / "archives"
    archives.mkdir()
    (archives / "one.warc.gz").write_bytes(packed(*pages))

    status = geoparse(archives, "--set", "sites=yes", "--workers", workers)

    found = rows(tmp_path / "out" / "one.jsonl.gz")
    counts = [
        {place["name"]: (place["mentions"], place["site_mentions"]) for place in row["places"]}
        for row in found
    ]
    assert status == 0
    assert [row["place"] for row in found] == list(towns)
    assert all(of["Berlin"] == (0, 1) for of in counts)


def test_archives_are_geoparsed_once_and_a_broken_one_is_tried_again(archives, capsys):
    (archives / "bad.warc.gz").write_bytes(b"no archive")
    out = archives.parent / "out"

    status = geoparse(archives, "--json", "--region", "Oldenburg")

    printed = capsys.readouterr()
    found = json.loads(printed.out)
    assert status == 1
    assert (found["files"], found["pages"], found["relevant"]) == (2, 2, 1)
    assert found["skipped"] == {"status": 1}
    assert list(found["failed"]) == [str(archives / "bad.warc.gz")]
    assert "bad.warc.gz failed" in printed.err
    assert [row["place"] for row in rows(out / "one.jsonl.gz")] == ["Oldenburg"]
    assert [row["country"] for row in rows(out / "two.warc.wet.jsonl.gz")] == ["PT"]
    assert sorted(p.name for p in out.iterdir() if not p.name.startswith("_")) == [
        "one.jsonl.gz",
        "two.warc.wet.jsonl.gz",
    ]

    written = (out / "one.jsonl.gz").stat().st_mtime_ns
    (archives / "bad.warc.gz").write_bytes(WET)
    status = geoparse(archives, "--json", "--region", "Oldenburg")

    printed = capsys.readouterr()
    assert status == 0
    assert json.loads(printed.out)["files"] == 3
    assert "2 of 3 archives are done" in printed.err
    assert (out / "one.jsonl.gz").stat().st_mtime_ns == written


def test_parquet_is_the_default(archives, capsys):
    parquet = pytest.importorskip("pyarrow.parquet")

    status = main(
        ["geoparse", "--warc", str(archives), "--out", str(archives.parent / "out"),
         "--workers", "1"]
    )  # fmt: skip

    table = parquet.read_table(archives.parent / "out")
    assert status == 0
    assert sorted(table["url"].to_pylist()) == ["http://a.example/", "http://c.example/"]
    assert "pages" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--warc {0} --out {1} --html", "does not go with"),
        ("--warc {0} --out {1} --format table", "--format parquet or jsonl"),
        ("--warc {0} --out {1} --region Oldenburgg", "Oldenburg"),
        ("--warc {0} --out {1} --set relevance=yes", "relevance is one of"),
        ("--warc {0} --out {1} --workers 0", "at least 1"),
        ("--warc {0}", "--warc"),
        ("--out {1}", "--warc"),
        ("--format parquet", "--warc"),
    ],
)
def test_what_does_not_fit_is_said_before_the_work(archives, typed, words, said):
    out = archives.parent / "out"

    done = typed("geoparse", *words.format(archives, out).split())

    assert (done.status, said in done.err, out.exists()) == (2, True, False)
