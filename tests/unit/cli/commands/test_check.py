import asyncio
import json
from contextlib import closing
from pathlib import Path

import pytest

from geoscout.cli.main import main
from geoscout.state.base import Beginning, Writing, open_state
from geoscout.state.sqlite import SqliteState
from geoscout.store.base import Topic
from geoscout_cluster.postgres.database import read_address
from geoscout_cluster.postgres.state import PostgresState, begin_crawl, take_partition
from geoscout_places.model import Request
from tests.unit.index.documents import document, write
from tests.unit.store.visits import visit

A, B, C = "http://a.example/", "http://b.example/", "http://c.example/"


@pytest.fixture
def crawl(tmp_path):
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


def test_a_repaired_crawl_is_fine_and_fetches_what_was_lost(crawl, capsys):
    damage(crawl)

    assert main(["check", str(crawl), "--repair"]) == 0
    capsys.readouterr()
    assert main(["check", str(crawl), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"responses": 1, "lost": [], "problems": []}
    with closing(SqliteState(crawl)) as state:
        waiting = state.frontier.next(0.0)
    assert waiting is not None
    assert waiting.url == A


def test_damage_is_told_and_nothing_changed(crawl, capsys):
    damage(crawl)
    before = {path: path.read_bytes() for path in (crawl / "archive").iterdir()}
    status = main(["check", str(crawl)])
    out = capsys.readouterr().out

    assert status == 1
    assert f"lost: {A}\n2 responses read, 1 lost\n" in out
    assert "crawl-00001.warc.gz has " in out
    assert {path: path.read_bytes() for path in (crawl / "archive").iterdir()} == before


def test_a_damaged_index_is_told_and_deleted(crawl, capsys):
    write(crawl / "index", document(A, "pizza"))
    path = crawl / "index" / "columns" / "texts.bin"
    path.write_bytes(bytes(path.stat().st_size))
    status = main(["check", str(crawl)])
    told = capsys.readouterr().out
    repaired = main(["check", str(crawl), "--repair"])

    assert (status, repaired) == (1, 0)
    assert "index/columns/texts.bin is damaged" in told
    assert not path.exists()


@pytest.fixture
def on_server(postgres_address, tmp_path):
    """A crawl of three pages in two partitions of PostgreSQL; the first two share a segment."""
    address, archive = read_address(postgres_address), str(tmp_path / "archive")
    seeds = {0: [Request(A, 2.0), Request(B, 1.0)], 1: [Request(C)]}
    begin_crawl(address, Beginning(archive=archive), seeds, Writing())
    for partition in seeds:
        with closing(
            PostgresState(address, take_partition(address, partition), Writing())
        ) as state:
            while request := state.frontier.next(0.0):
                state.writer.add(visit(request.url, request.url.encode() * 100))
                state.frontier.done(request, 0.0, 0.0)
            asyncio.run(state.commit())
    return postgres_address


def test_crawl_in_postgresql_is_repaired(on_server, tmp_path, capsys):
    """Its damaged responses are forgotten, and only their requests wait again."""
    (segment,) = (tmp_path / "archive").rglob("0000/*.warc.gz")
    with segment.open("r+b") as file:
        file.seek(500)
        file.write(bytes(100))
    damaged = main(["check", on_server, "--json"])
    lost = json.loads(capsys.readouterr().out)["lost"]
    repaired = main(["check", on_server, "--repair"])

    assert (damaged, repaired) == (1, 0)
    assert lost == [A]
    with open_state(on_server) as crawl:
        assert sorted(found.url for found in crawl.reader.visits()) == [B, C]
        assert crawl.frontier.find([A, B, C])[A].waits
        assert crawl.frontier.counts().waiting == 1
        assert crawl.reader.tally(Topic.FAILURE) == {"lost": 1}
    assert main(["check", on_server]) == 0


def test_crawl_in_postgresql_that_somebody_works_on_is_not_repaired(on_server, tmp_path, capsys):
    for segment in (tmp_path / "archive").rglob("*.warc.gz"):
        segment.write_bytes(b"")
    address = read_address(on_server)
    with closing(PostgresState(address, take_partition(address, 0), Writing())):
        status = main(["check", on_server, "--repair"])

    assert status == 2
    assert "another process is writing" in capsys.readouterr().err
