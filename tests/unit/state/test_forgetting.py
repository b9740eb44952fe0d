"""A host that is forgotten leaves nothing, and takes nothing of others with it."""

import gzip
import time
from pathlib import Path

import pytest

from geoscout.cli.main import main
from geoscout.crawling.steering import read_wishes
from geoscout.state import forgetting
from geoscout.state.forgetting import forget_host, settle_forgotten, trace_host
from geoscout.state.sqlite import FolderBackend, SqliteState
from geoscout.warc import whole_members
from geoscout_places.errors import UsageError
from geoscout_places.geo import Geoparser
from geoscout_places.model import Request
from tests.unit.web.world import PAGES, make_crawl, page

HOST = "zeppelin.example"
FIRST, SECOND = f"http://{HOST}/", f"http://www.{HOST}/contact"
TWIN = "http://twin.example/"  # has the same page as SECOND
GONE = page(
    "Zeppelin Inn", "The unmistakable Zeppelin Inn.", "12 Main Street, Lisbon, NH 03585",
    links=(f"http://{HOST}/next",),
)  # fmt: skip
SHARED = page("Zeppelin Club", "A page that two hosts have, in Lisbon, Portugal.")


@pytest.fixture
def crawl(tmp_path, gazetteer):
    others = {url: PAGES[url] for url in ("http://forno.example/", "http://lisbon-nh.example/")}
    pages = {FIRST: GONE, SECOND: SHARED, TWIN: SHARED, **others}
    make_crawl(tmp_path / "crawl", Geoparser(gazetteer), pages)
    state = SqliteState(tmp_path / "crawl")
    state.frontier.put([Request(f"http://{HOST}/next", 0.9, parent=FIRST)])
    state.frontier.put([Request("http://later.example/found", 0.9, parent=FIRST)])
    state.save()
    state.close()
    return tmp_path / "crawl"


def content(folder: Path) -> bytes:
    """All bytes in a folder, those of the archive unpacked."""
    files = [file for file in folder.rglob("*") if file.is_file()]
    packed = [file for file in files if file.suffix == ".gz"]
    return b"".join(
        gzip.decompress(file.read_bytes()) if file in packed else file.read_bytes()
        for file in files
    )


def test_nothing_of_a_host_is_left(crawl):
    assert b"unmistakable" in content(crawl)

    traces = forget_host(crawl, HOST)
    settle_forgotten(crawl, HOST)

    assert (traces.visits, traces.pages, traces.waiting) == (2, 2, 1)
    left = content(crawl)
    assert b"unmistakable" not in left
    assert FIRST.encode() not in left
    assert SECOND.encode() not in left
    assert trace_host(crawl, HOST).visits == 0


def test_everything_else_stays(crawl):
    size = (crawl / "archive" / "crawl-00001.warc.gz").stat().st_size

    forget_host(crawl, HOST)

    with FolderBackend().open(str(crawl)).reader as reader:
        pages = {visit.url: visit.n for visit in reader.pages()}
        assert set(pages) == {TWIN, "http://forno.example/", "http://lisbon-nh.example/"}
        bodies = dict(reader.responses(list(pages.values())))
        assert SHARED.encode() == bodies[pages[TWIN]].body
        assert not reader.damage(lambda _done, _all: None)
        assert reader.addresses_of(pages["http://lisbon-nh.example/"])
    archive = (crawl / "archive" / "crawl-00001.warc.gz").read_bytes()
    assert len(archive) > size  # the page of the twin has a record of its own
    assert whole_members(archive) == len(archive)


def test_crawl_goes_on_without_the_host(crawl):
    forget_host(crawl, HOST)
    state = SqliteState(crawl)
    state.frontier.put([Request("http://later.example/found", 0.9), Request(TWIN, 0.9)])
    now = time.time() + 1e6
    urls = set()
    while request := state.frontier.next(now):
        urls.add(request.url)
        state.frontier.bind(request.url.split("/")[2], "", now)

    assert state.writer.lost == []
    assert "http://later.example/found" in urls
    assert "http://waiting.example/menu" in urls
    assert not any(HOST in url or "forgotten" in url for url in urls)
    assert TWIN not in urls  # it is still known
    state.close()


def test_followers_are_told(crawl):
    with FolderBackend().open(str(crawl)).reader as reader:
        last = reader.last_change()

    forget_host(crawl, HOST)

    with FolderBackend().open(str(crawl)).reader as reader:
        assert {change.url for change in reader.changes(last)} == {FIRST, SECOND, TWIN}


def test_who_is_killed_leaves_a_note(crawl, monkeypatch):
    """Rows go first, then bytes: the next one who opens the crawl goes on."""

    def fail(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(forgetting, "_overwrite", fail)
        with pytest.raises(KeyboardInterrupt):
            forget_host(crawl, HOST)
    assert trace_host(crawl, HOST).visits == 0
    assert b"unmistakable" in content(crawl / "archive")

    SqliteState(crawl).close()

    assert b"unmistakable" not in content(crawl / "archive")


def test_running_crawl_is_left_alone(crawl):
    state = SqliteState(crawl)
    with pytest.raises(UsageError):
        forget_host(crawl, HOST)
    state.close()
    assert trace_host(crawl, HOST).visits == 2


def test_other_hosts_of_a_like_name_are_others(crawl):
    assert not trace_host(crawl, "in.example")
    assert trace_host(crawl, f"www.{HOST}").visits == 1


@pytest.mark.slow
def test_command_forgets_everywhere(crawl, settings, capsys):
    home = ["--home", settings.home]
    main(["index", str(crawl), *home])
    assert main(["status", str(crawl), "--json"]) == 0
    assert '"entries": 2' in capsys.readouterr().out
    assert b"unmistakable" in content(crawl)

    assert main(["forget", str(crawl), HOST, "--dry-run", *home]) == 0
    assert "would be forgotten: 2 responses" in capsys.readouterr().out
    assert trace_host(crawl, HOST).visits == 2

    assert main(["forget", str(crawl), f"https://{HOST}/", *home]) == 0
    told = capsys.readouterr().out
    assert "1 entries of the directory" in told
    left = content(crawl)
    assert b"unmistakable" not in left
    assert b"Zeppelin Inn" not in left
    assert set(read_wishes(crawl).left_alone) == {HOST, f"www.{HOST}"}

    assert main(["search", str(crawl), "unmistakable", *home]) == 0
    assert "0 pages" in capsys.readouterr().out
    assert main(["directory", str(crawl), *home]) == 0
    assert "1 entry (of 1, from 3 pages)" in capsys.readouterr().out
