"""A crawl that an earlier version made is read, searched and gone on with."""

import json
import tarfile

import pytest

from geoscout.cli.main import main
from tests.conftest import PROJECT
from tests.unit.lab.archives import PAGES, write_archive

SHOP = "http://a.example/shop/"


@pytest.fixture
def old(tmp_path, monkeypatch, settings, gazetteer):
    monkeypatch.setenv("GEOSCOUT_EXTRAS", "no")
    monkeypatch.setenv("GEOSCOUT_HOME", settings.home)
    monkeypatch.chdir(tmp_path)
    with tarfile.open(PROJECT / "tests/cases/old_crawl.tar.xz") as packed:
        packed.extractall(tmp_path, filter="data")
    return "old"


def test_an_old_crawl_has_its_figures(old, capsys):
    assert main(["status", old, "--json"]) == 0

    facts = json.loads(capsys.readouterr().out)
    assert (facts["pages"], facts["relevant"], facts["frontier"]) == (3, 1, 1)


def test_an_old_crawl_is_searched(old, capsys):
    assert main(["search", old, "Oldenburg", "--json"]) == 0

    hits = json.loads(capsys.readouterr().out)["hits"]
    assert [hit["url"] for hit in hits] == [SHOP]


def test_an_old_crawl_is_exported(old, capsys):
    assert main(["export", old, "--format", "jsonl"]) == 0

    pages = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(pages) == 3
    assert [page["url"] for page in pages if page["relevant"]] == [SHOP]


def test_an_old_crawl_goes_on(old, tmp_path, capsys):
    write_archive(tmp_path / "pages.warc.gz", PAGES)

    assert main(["resume", old, "--max-pages", "10", "--json"]) == 0

    facts = json.loads(capsys.readouterr().out)
    assert (facts["state"], facts["pages"]) == ("nothing left", 4)
