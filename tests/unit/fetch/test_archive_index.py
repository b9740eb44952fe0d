import os
from pathlib import Path

from geoscout.fetch.archive_index import open_archive_index
from geoscout.warc import pack


def write_archive(path: Path, *urls: str) -> Path:
    records = [
        f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\n"
        "Content-Length: 19\r\n\r\nHTTP/1.1 200 OK\r\n\r\n\r\n\r\n"
        for url in urls
    ]
    path.write_bytes(b"".join(pack(record.encode()) for record in records))
    return path


def test_a_kept_index_answers_like_a_new_one(tmp_path):
    urls = [f"http://a.example/{n}" for n in range(50)]
    path = write_archive(tmp_path / "a.warc.gz", *urls)

    made = open_archive_index([path], tmp_path / "cache")
    path_status = path.stat()
    path.write_bytes(b"x" * path_status.st_size)  # would not be readable again
    os.utime(path, ns=(path_status.st_atime_ns, path_status.st_mtime_ns))
    kept = open_archive_index([path], tmp_path / "cache")

    assert [kept.find(url) for url in urls] == [made.find(url) for url in urls]
    assert None not in [made.find(url) for url in urls]
    assert len(kept) == 50


def test_an_index_is_made_again_when_the_archive_changes(tmp_path):
    path = write_archive(tmp_path / "a.warc.gz", "http://a.example/1")
    open_archive_index([path], tmp_path / "cache")
    write_archive(path, "http://a.example/1", "http://a.example/2")

    assert open_archive_index([path], tmp_path / "cache").find("http://a.example/2") is not None


def test_a_damaged_index_is_made_again(tmp_path):
    path = write_archive(tmp_path / "a.warc.gz", "http://a.example/1")
    open_archive_index([path], tmp_path / "cache")
    (kept,) = (tmp_path / "cache").iterdir()
    kept.write_bytes(kept.read_bytes()[:-1])

    assert open_archive_index([path], tmp_path / "cache").find("http://a.example/1") is not None


def test_a_cache_that_cannot_be_written_is_done_without(tmp_path):
    path = write_archive(tmp_path / "a.warc.gz", "http://a.example/1")
    (tmp_path / "cache").write_text("a file where the folder should be")

    assert open_archive_index([path], tmp_path / "cache").find("http://a.example/1") is not None


def test_nothing_is_written_beside_the_archive(tmp_path):
    path = write_archive(tmp_path / "a.warc.gz", "http://a.example/1")

    open_archive_index([path])

    assert list(tmp_path.iterdir()) == [path]


def test_an_archive_of_nothing_has_an_empty_index(tmp_path):
    path = write_archive(tmp_path / "a.warc.gz")

    index = open_archive_index([path], tmp_path / "cache")

    assert (len(index), index.find("http://a.example/")) == (0, None)


def test_records_of_what_is_no_web_page_are_left_out(tmp_path):
    path = write_archive(tmp_path / "a.warc.gz", "dns:a.example", "not a url", "http://a.example/")

    assert len(open_archive_index([path])) == 1


def test_records_are_found_in_the_file_they_are_in(tmp_path):
    files = [
        write_archive(tmp_path / f"{n}.warc.gz", "http://x/", f"http://a.example/{n}")
        for n in range(3)
    ]

    index = open_archive_index(files)

    assert [index.find(f"http://a.example/{n}").file for n in range(3)] == [0, 1, 2]
    assert index.find("http://x/").file == 2  # the last capture
