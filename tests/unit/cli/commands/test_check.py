from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest

from geoscout.cli.main import main
from geoscout.model import Request
from geoscout.state.sqlite import SqliteState
from tests.unit.index.documents import document, write
from tests.unit.store.visits import visit

A, B = "http://a.example/", "http://b.example/"


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    """A crawl of two pages."""
    with closing(SqliteState(tmp_path)) as state:
        state.frontier.put([Request(A), Request(B)])
        while request := state.frontier.next(0.0):
            state.writer.add(visit(request.url, request.url.encode() * 100))
            state.frontier.done(request, 0.0, 0.0)
        state.save()
    return tmp_path


def damage(crawl: Path) -> None:
    """Overwrite the first response."""
    (path,) = (crawl / "archive").glob("*.warc.gz")
    with path.open("r+b") as file:
        file.seek(500)
        file.write(bytes(100))


def test_a_whole_crawl_is_fine(crawl: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["check", str(crawl), "--json"])

    assert status == 0
    assert json.loads(capsys.readouterr().out) == {"responses": 2, "lost": [], "problems": []}


def test_damage_is_told_and_nothing_changed(
    crawl: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    damage(crawl)
    before = {path: path.read_bytes() for path in (crawl / "archive").iterdir()}
    status = main(["check", str(crawl)])
    out = capsys.readouterr().out

    assert status == 1
    assert f"lost: {A}\n2 responses read, 1 lost\n" in out
    assert "crawl-00001.warc.gz has " in out
    assert {path: path.read_bytes() for path in (crawl / "archive").iterdir()} == before


def test_a_repaired_crawl_is_fine_and_fetches_what_was_lost(crawl: Path) -> None:
    damage(crawl)

    assert main(["check", str(crawl), "--repair"]) == 0
    assert main(["check", str(crawl)]) == 0
    with closing(SqliteState(crawl)) as state:
        waiting = state.frontier.next(0.0)
    assert waiting is not None
    assert waiting.url == A


def test_a_crawl_in_a_database_is_not_repaired(capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["check", "postgresql://localhost/none", "--repair"])

    assert status == 2
    assert "only a crawl in a folder" in capsys.readouterr().err


def test_a_damaged_index_is_told_and_deleted(
    crawl: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(crawl / "index", document(A, "pizza"))
    path = crawl / "index" / "columns" / "texts.bin"
    path.write_bytes(bytes(path.stat().st_size))
    status = main(["check", str(crawl)])
    told = capsys.readouterr().out
    repaired = main(["check", str(crawl), "--repair"])

    assert (status, repaired) == (1, 0)
    assert "index/columns/texts.bin is damaged" in told
    assert not path.exists()
