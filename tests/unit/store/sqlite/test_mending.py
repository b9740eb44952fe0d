"""Archives that have lost bytes which a row names: noticed, mended, asked for again."""

import os
import random
from argparse import Namespace
from contextlib import closing
from pathlib import Path

import pytest

from geoscout.state.base import Writing
from geoscout.state.sqlite import SqliteState
from geoscout.store.base import Topic
from geoscout.store.sqlite import engine as sqlite_store
from geoscout.warc import scan
from geoscout_places.errors import DamagedDataError
from geoscout_places.model import Request, RequestKind
from tests.archives import archive_bytes
from tests.stores import open_folder
from tests.unit.store.visits import visit

URLS = [f"http://a.example/{n}" for n in range(6)]


def body(url: str) -> bytes:
    return url.encode() + random.Random(url).randbytes(500)


def fetch_all(folder: Path, writing: Writing | None = None) -> list[str]:
    """Open a crawl, fetch what waits, and end it well; what was fetched."""
    fetched = []
    with closing(SqliteState(folder, writing)) as state:
        while request := state.frontier.next(0.0):
            state.writer.add(visit(request.url, body(request.url)))
            state.frontier.done(request, 0.0, 0.0)
            fetched.append(request.url)
        state.save()
    return fetched


@pytest.fixture
def crawl(tmp_path):
    """A crawl that has fetched all it knew."""
    with closing(SqliteState(tmp_path)) as state:
        state.frontier.put([Request(url, 1.0 - n / 10) for n, url in enumerate(URLS)])
        state.save()
    assert fetch_all(tmp_path) == URLS
    return tmp_path


def archive(folder: Path, number: int = 1) -> Path:
    return folder / "archive" / f"crawl-{number:05}.warc.gz"


def spot(folder: Path, url: str) -> tuple[int, int]:
    """Where the response of a URL lies: its offset, and its length."""
    for found in scan(archive(folder)):
        if found.record.type == "response" and found.record.target == url:
            return found.offset, found.length
    raise AssertionError(url)


def overwrite(path: Path, offset: int, data: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(offset)
        file.write(data)


def check(folder: Path, urls: list[str] = URLS) -> None:
    """Every page is there once and can be read, by other programs, too."""
    checker = pytest.importorskip("warcio.checker")
    with open_folder(folder) as reader:
        visits = list(reader.visits())
        assert sorted(one.url for one in visits) == sorted(urls)
        for one in visits:
            assert reader.response(one.n).body == body(one.url)
        assert archive_bytes(reader) == b"".join(
            path.read_bytes() for path in sorted((folder / "archive").glob("*.warc.gz"))
        )
    paths = [str(path) for path in (folder / "archive").glob("*.warc.gz")]
    assert checker.Checker(Namespace(inputs=paths, verbose=False)).process_all() == 0


def test_a_whole_archive_is_left_alone(crawl):
    before = archive(crawl).read_bytes()

    assert fetch_all(crawl) == []
    assert archive(crawl).read_bytes() == before
    check(crawl)


@pytest.mark.parametrize("missing", [1, 200, 1000, 100_000])
def test_pages_of_a_file_that_is_too_short_are_fetched_again(crawl, missing):
    size = archive(crawl).stat().st_size
    os.truncate(archive(crawl), max(size - missing, 0))

    again = fetch_all(crawl)

    assert again == URLS[len(URLS) - len(again) :]
    assert len(again) == {1: 0, 200: 0, 1000: 1, 100_000: 6}[missing]
    check(crawl)


def test_pages_of_a_file_that_is_gone_are_fetched_again(crawl):
    archive(crawl).unlink()

    assert fetch_all(crawl) == URLS
    assert archive(crawl, 2).exists()
    check(crawl)


@pytest.mark.parametrize("content", ["zeros", "garbage"])
def test_pages_in_a_tail_of_the_right_length_are_fetched_again(crawl, content):
    start = spot(crawl, URLS[3])[0] + 100
    size = archive(crawl).stat().st_size - start
    data = bytes(size) if content == "zeros" else random.Random(1).randbytes(size)
    overwrite(archive(crawl), start, data)

    assert fetch_all(crawl) == URLS[3:]
    check(crawl)


def test_only_the_page_with_a_damaged_byte_is_fetched_again(crawl):
    offset, length = spot(crawl, URLS[2])
    whole = archive(crawl).read_bytes()
    overwrite(archive(crawl), offset + length // 2, b"\x00\xff")

    assert fetch_all(crawl) == [URLS[2]]
    check(crawl)
    assert archive(crawl).read_bytes()[:offset] == whole[:offset]
    (aside,) = (crawl / "archive").glob("*.damaged")
    assert len(aside.read_bytes()) == length


@pytest.mark.parametrize("record", ["first", "request"])
def test_a_damaged_record_that_is_no_answer_costs_no_page(crawl, record):
    offset, length = spot(crawl, URLS[2])
    overwrite(archive(crawl), 0 if record == "first" else offset + length + 20, bytes(50))

    assert fetch_all(crawl) == []
    check(crawl)


def test_a_page_that_repeats_a_lost_body_is_lost_with_it(tmp_path):
    same = "http://b.example/"
    with closing(SqliteState(tmp_path)) as state:
        for url in (URLS[0], URLS[1], same):
            state.frontier.put([Request(url)])
            request = state.frontier.next(0.0)
            assert request is not None
            state.writer.add(visit(url, body(URLS[0] if url == same else url)))
            state.frontier.done(request, 0.0, 0.0)
        state.save()
    overwrite(archive(tmp_path), spot(tmp_path, URLS[0])[0] + 50, bytes(50))

    assert sorted(fetch_all(tmp_path)) == [URLS[0], same]
    check(tmp_path, [URLS[0], URLS[1], same])


def test_an_old_record_is_found_when_all_are_read(crawl, monkeypatch):
    monkeypatch.setattr("geoscout.state.sqlite.ENOUGH", 2)
    overwrite(archive(crawl), spot(crawl, URLS[1])[0] + 50, bytes(50))
    by_the_end = fetch_all(crawl)
    by_all = fetch_all(crawl, Writing(check_all=True))

    assert (by_the_end, by_all) == ([], [URLS[1]])
    check(crawl)


def test_those_who_follow_the_change_log_hear_of_lost_pages(crawl):
    with open_folder(crawl) as reader:
        seen = reader.last_change()
    overwrite(archive(crawl), spot(crawl, URLS[5])[0] + 50, bytes(50))
    SqliteState(crawl).close()

    with open_folder(crawl) as reader:
        assert [(change.url, change.visit) for change in reader.changes(seen)] == [(URLS[5], 6)]
        assert reader.pages_of([URLS[5]]) == {}
        assert reader.tally(Topic.FAILURE) == {"lost": 1}
        assert reader.readings_of([6]) == {}
    fetch_all(crawl)
    with open_folder(crawl) as reader:  # its number is not given again
        assert [one.n for one in reader.visits_of(URLS[5])] == [7]


def test_what_is_asked_for_again_is_of_the_same_kind(tmp_path):
    with closing(SqliteState(tmp_path)) as state:
        state.frontier.put([Request(URLS[0], kind=RequestKind.SITEMAP)])
        state.save()
    fetch_all(tmp_path)
    overwrite(archive(tmp_path), spot(tmp_path, URLS[0])[0] + 50, bytes(50))

    with closing(SqliteState(tmp_path)) as state:
        request = state.frontier.next(0.0)
    assert request is not None
    assert request.kind == RequestKind.SITEMAP


def test_a_lost_page_that_was_fetched_again_later_is_only_forgotten(crawl):
    with closing(SqliteState(crawl)) as state:
        state.frontier.put([Request(URLS[0], 9.0, kind=RequestKind.REVISIT)])
        state.save()
    assert fetch_all(crawl) == [URLS[0]]
    overwrite(archive(crawl), spot(crawl, URLS[0])[0] + 50, bytes(50))

    again = fetch_all(crawl)

    # The later visit had the same body, which is gone with the first.
    assert again == [URLS[0]]
    check(crawl)


def test_mending_that_was_interrupted_is_done_again(crawl, monkeypatch):
    overwrite(archive(crawl), spot(crawl, URLS[1])[0] + 50, bytes(50))

    def die(*_: object) -> None:
        raise DamagedDataError("killed here")

    monkeypatch.setattr(sqlite_store, "ArchiveWriter", die)
    with pytest.raises(DamagedDataError, match="killed"):
        SqliteState(crawl)
    monkeypatch.undo()

    assert fetch_all(crawl) == [URLS[1]]
    check(crawl)
