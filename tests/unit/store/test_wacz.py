"""The archive of a crawl with its index, as WACZ and as CDXJ."""

import gzip
import hashlib
import io
import json
import zipfile

import pytest
from msgspec import structs
from msgspec.structs import replace

from geoscout.store import export_archives as wacz
from geoscout.store.base import PROVENANCE
from geoscout.store.export import crawl_source
from geoscout.store.export_archives import url_key
from geoscout.warc import RecordScanner, pack, parse_packed, scan
from geoscout_places.errors import DamagedDataError
from tests.exports import exported
from tests.stores import Store
from tests.unit.store.visits import visit

A, B, C = "http://www.a.example/", "http://b.example/x?b=1&a=2", "http://c.example/gone"


@pytest.fixture
def store(tmp_path):
    """A crawl with an archive of two files, a body that comes twice, and an error."""
    with Store(tmp_path / "crawl", largest_file=1) as opened:
        opened.set_note(
            PROVENANCE, json.dumps([["description", "about Bern"], ["geoscout-seed", A]])
        )
        opened.add(visit(A))
        opened.add(visit(B))
        opened.add(visit(C, b"none", status=404))
        opened.commit()
        yield opened


def lines(data: bytes) -> list[tuple[str, str, dict[str, str]]]:
    found = [line.split(" ", 2) for line in data.decode().splitlines()]
    return [(key, timestamp, json.loads(fields)) for key, timestamp, fields in found]


def test_the_index_leads_to_every_capture(store, tmp_path):
    found = lines(exported(store, "pages", "cdxj"))

    assert [(key, timestamp) for key, timestamp, _ in found] == [
        ("example,a)/", "20010909014640"),
        ("example,b)/x?a=2&b=1", "20010909014640"),
        ("example,c)/gone", "20010909014640"),
    ]
    kinds = [(one["url"], one["mime"], one["status"]) for _, _, one in found]
    assert kinds == [(A, "text/html", "200"), (B, "warc/revisit", "200"), (C, "text/html", "404")]
    for _, _, one in found:
        data = (tmp_path / "crawl" / "archive" / one["filename"]).read_bytes()
        start = int(one["offset"])
        record = parse_packed(data[start : start + int(one["length"])])
        assert (record.target, record.fields["warc-payload-digest"]) == (one["url"], one["digest"])


def test_a_package_has_everything_and_its_checksums(store):
    data = exported(store, "pages", "wacz")

    with zipfile.ZipFile(io.BytesIO(data)) as package:
        assert package.testzip() is None
        assert {entry.compress_type for entry in package.infolist()} == {zipfile.ZIP_STORED}
        about = json.loads(package.read("datapackage.json"))
        digest = json.loads(package.read("datapackage-digest.json"))
        contents = {name: package.read(name) for name in package.namelist()}
    assert (about["profile"], about["wacz_version"]) == ("data-package", "1.1.1")
    assert (about["title"], about["mainPageUrl"]) == ("about Bern", A)
    assert digest["hash"] == _hash(contents["datapackage.json"])
    for one in about["resources"]:
        assert (one["hash"], one["bytes"]) == (
            _hash(contents[one["path"]]),
            len(contents[one["path"]]),
        )
    listed = {one["path"] for one in about["resources"]}
    assert listed == contents.keys() - {"datapackage.json", "datapackage-digest.json"}
    archives = [name for name in contents if name.startswith("archive/")]
    assert len(archives) > 1
    index = gzip.decompress(contents["indexes/index.cdx.gz"])
    assert index == exported(store, "pages", "cdxj")
    head, *pages = map(json.loads, contents["pages/pages.jsonl"].splitlines())
    assert head["format"] == "json-pages-1.0"
    assert [(page["url"], page["ts"], page["title"]) for page in pages] == [
        (A, "2001-09-09T01:46:40.000000Z", "A title"),
        (B, "2001-09-09T01:46:40.000000Z", "A title"),
    ]


def test_the_index_is_in_blocks_that_a_list_names_also_through_a_pipe(store, monkeypatch):
    class Pipe(io.RawIOBase):
        def __init__(self) -> None:
            self.data = bytearray()

        def writable(self) -> bool:
            return True

        def write(self, piece) -> int:
            self.data += piece
            return len(piece)

    monkeypatch.setattr(wacz, "_BLOCK", 2)
    pipe = Pipe()
    wacz.write_wacz(crawl_source(store, "pages"), pipe)
    with zipfile.ZipFile(io.BytesIO(bytes(pipe.data))) as package:
        assert package.testzip() is None
        packed = package.read("indexes/index.cdx.gz")
        meta, *blocks = lines(package.read("indexes/index.idx"))

    assert meta[2]["format"] == "cdxj-gzip-1.0"
    parts = [packed[one["offset"] : one["offset"] + one["length"]] for _, _, one in blocks]
    assert [one["digest"] for _, _, one in blocks] == [_hash(part) for part in parts]
    assert [key for key, _, _ in blocks] == ["example,a)/", "example,c)/gone"]
    assert [len(gzip.decompress(part).splitlines()) for part in parts] == [2, 1]


def test_pages_have_the_url_of_their_record(tmp_path):
    found = visit("http://a.example/x")
    spelt = structs.replace(found.response, url="http://a.example/x/", captured_at=8e8)
    with Store(tmp_path / "crawl") as store:
        store.add(replace(found, response=spelt))
        store.commit()
        with zipfile.ZipFile(io.BytesIO(exported(store, "pages", "wacz"))) as package:
            page = json.loads(package.read("pages/pages.jsonl").splitlines()[1])

    assert (page["url"], page["ts"]) == ("http://a.example/x/", "1995-05-09T06:13:20.000000Z")


def test_records_are_found_whatever_the_pieces(store, tmp_path):
    files = sorted((tmp_path / "crawl" / "archive").iterdir())
    data = b"".join(file.read_bytes() for file in files)
    whole = tmp_path / "whole.warc.gz"
    whole.write_bytes(data)
    expected = [(found.offset, found.length, found.record) for found in scan(whole)]

    for size in (1, 7, 100, len(data)):
        scanner = RecordScanner()
        pieces = [data[start : start + size] for start in range(0, len(data), size)]
        found = [one for piece in pieces for one in scanner.feed(piece)]
        assert [(one.offset, one.length, one.record) for one in found] == expected


@pytest.mark.parametrize("data", [b"WARC/1.1 plain", pack(b"no record")])
def test_what_is_no_archive_is_told(data):
    with pytest.raises(DamagedDataError):
        list(RecordScanner().feed(data))


def _hash(data: bytes) -> str:
    return f"sha256:{hashlib.sha256(data).hexdigest()}"


# The right sides are what the package `surt` gives.
@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("https://www.muenchen.de/", "de,muenchen)/"),
        ("http://www2.a.example/x/", "example,a)/x"),
        ("http://cswww.a.example/", "example,a,cswww)/"),
        ("http://www.example/", "example)/"),
        ("https://user:secret@a.example/#part", "example,a)/"),
        ("http://a.example:80/", "example,a)/"),
        ("https://a.example:80/", "example,a:80)/"),
        ("http://192.0.2.7/a", "7,2,0,192)/a"),
        ("http://a.example/A//b///", "example,a)/a/b"),
        ("http://a.example/caf%C3%A9%20bar", "example,a)/caf%c3%a9%20bar"),
        ("http://a.example/%2541%23", "example,a)/a%23"),
        ("http://a.example/?", "example,a)/"),
        ("http://a.example/?b=2&a=1&a=0&c", "example,a)/?a=0&a=1&b=2&c"),
        ("http://a.example/?Q=M%C3%BCnchen", "example,a)/?q=m%c3%bcnchen"),
        ("http://a.example/x?a=1&PHPSESSID=" + "0a" * 16, "example,a)/x?&a=1"),
        ("http://a.example/x?sid=" + "0a" * 16 + "&b=2", "example,a)/x?b=2"),
        ("http://a.example/x?cfid=1&cftoken=2", "example,a)/x"),
        (f"http://a.example/({'a1' * 12})/x.aspx", "example,a)/x.aspx"),
        (f"http://a.example/(s({'a1' * 12}))/x.aspx?a", "example,a)/x.aspx?a"),
    ],
)
def test_the_key_is_the_one_that_other_programs_look_up(url, key):
    assert url_key(url) == key
