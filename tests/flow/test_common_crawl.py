"""docs/how-to/common-crawl.md, run on small files."""

import gzip
import json
import re
import shlex
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from geoscout.cli.main import main
from geoscout.state.base import open_state
from geoscout.warc import scan
from tests.conftest import PROJECT
from tests.unit.fetch.archive_files import write_shard, write_wat, write_wet
from tests.unit.lab.archives import write_archive

GUIDE = (PROJECT / "docs/how-to/common-crawl.md").read_text()
A, SHOP, OTHER = "http://a.example/", "http://a.example/shop", "http://a.example/other"
ADDRESS = "Lange Straße 12, 26122 Oldenburg"
PAGES = {
    A: '<a href="/shop">Shop in Oldenburg</a> <a href="/other">Other</a>',
    SHOP: f"<p>{ADDRESS}",
    OTHER: "<p>Nothing here",
}


@pytest.fixture
def files(in_folder):
    """The files that the guide names."""
    archive = write_archive(in_folder / "CC-1.warc.gz", PAGES)
    crawl = ["crawl", "--region", "Oldenburg", "--seeds", A, "--replay", str(archive)]
    assert main([*crawl, "--out", "first"]) == 0
    assert main(["export", "first", "--format", "wacz", "--out", "collection.wacz"]) == 0
    write_wet(in_folder / "pages.warc.wet.gz", {A: "Start", SHOP: ADDRESS, OTHER: "Nothing here"})
    links = [("/shop", "Shop in Oldenburg"), ("/other", "Other")]
    write_wat(in_folder / "pages.warc.wat.gz", {A: ("Start", links), SHOP: ("Shop", [])})
    write_shard(in_folder / "shard.parquet", {SHOP: ADDRESS, OTHER: "Nothing here"})
    (in_folder / "some.cdxj").write_text("".join(capture_lines(archive, {A, SHOP})))
    return in_folder


def capture_lines(archive: Path, urls: set[str]) -> list[str]:
    path = f"crawl-data/CC-MAIN-2024-10/warc/{archive.name}"
    return [
        "key 20240301080000 "
        + json.dumps({"filename": path, "offset": str(f.offset), "length": str(f.length)})
        + "\n"
        for f in scan(archive)
        if f.record.target in urls
    ]


def visited(folder: str) -> dict[str, bool]:
    with open_state(folder) as state:
        return {visit.url: visit.relevant for visit in state.reader.pages()}


def rows(file: Path) -> dict[str, dict]:
    with gzip.open(file, "rt") as lines:
        return {row["url"]: row for row in map(json.loads, lines)}


@pytest.mark.slow
def test_commands_of_the_guide_do_what_it_says(files):
    commands = re.findall(r"^\$ geoscout (.+)$", GUIDE, re.MULTILINE)
    for command in commands:
        assert main(shlex.split(command)) == 0, command

    assert len(commands) == 6
    assert visited("from-wacz") == {A: True, SHOP: True, OTHER: False}
    assert set(visited("from-texts")) == {A, SHOP, OTHER}
    assert visited("from-texts")[SHOP]
    assert set(visited("from-list")) == {A, SHOP}  # the third is not in the list
    assert set(rows(files / "places-of-some/some.cdxj.jsonl.gz")) == {A, SHOP}
    assert rows(files / "places/collection.wacz.jsonl.gz")[SHOP]["place"] == "Oldenburg"
    assert rows(files / "places/collection.wacz.jsonl.gz").keys() == PAGES.keys()
    # The last command has written over the shard, but it was read before.
    assert (
        rows(files / "places/shard.parquet.jsonl.gz")[SHOP]["addresses"][0]["postcode"] == "26122"
    )
    assert pq.read_table(files / "shard.parquet").num_rows == 3
