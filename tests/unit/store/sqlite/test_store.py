from pathlib import Path

import pytest
from msgspec.structs import replace

from geoscout.store.base import PROVENANCE
from geoscout.store.records import pack_exchange
from geoscout.store.sqlite.database import FILE
from geoscout.warc import scan
from geoscout_places.model import RequestKind
from tests.archives import archive_bytes
from tests.stores import Store, open_folder
from tests.unit.store.visits import ADDRESS, visit

A, B = "http://a.example/", "http://b.example/"


def committed(folder: Path, *visits) -> None:
    """A crawl that made these visits and ended well."""
    with Store(folder) as store:
        for one in visits:
            store.add(one)
        store.commit()


def urls(folder: Path) -> list[str]:
    with open_folder(folder) as store:
        return [stored.url for stored in store.visits()]


def record_types(folder: Path) -> list[str]:
    paths = sorted((folder / "archive").glob("*.warc.gz"))
    return [found.record.type for path in paths for found in scan(path)]


@pytest.mark.parametrize("between", [lambda store: None, lambda store: store.commit()])
def test_an_identical_body_is_archived_once_and_read_back_for_both(tmp_path, between):
    with Store(tmp_path) as store:
        store.add(visit(A, b"same"))
        between(store)
        store.add(visit(B, b"same"))
        store.commit()

        assert store.response(2).body == b"same"
        assert store.response(2).url == B
    assert record_types(tmp_path) == ["warcinfo", "response", "request", "revisit", "request"]


def test_empty_bodies_are_not_called_repetitions(tmp_path):
    committed(tmp_path, visit(A, b"", status=301), visit(B, b"", status=301))

    assert "revisit" not in record_types(tmp_path)


def test_records_packed_by_a_worker_are_taken_as_they_are(tmp_path):
    one = visit(A)
    with Store(tmp_path) as store:
        store.add(one, pack_exchange(one.response, "from a worker"))
        store.commit()

    assert record_types(tmp_path) == ["warcinfo", "response", "request"]


def test_an_address_without_coordinates_stays_without(tmp_path):
    one = visit(A)
    bare = replace(one.reading, addresses=(replace(ADDRESS, point=None, place=None),))
    committed(tmp_path, replace(one, reading=bare))

    with open_folder(tmp_path) as store:
        (stored,) = store.addresses()

    assert stored.address.point is None
    assert stored.place_id == 0


def test_tables_of_others_are_committed_together_with_the_visits(tmp_path):
    tables = ["CREATE TABLE IF NOT EXISTS waiting (url TEXT);"]
    with Store(tmp_path, tables=tables) as store:
        store.database.execute("INSERT INTO waiting VALUES ('kept')")
        store.add(visit(A))
        store.commit()
        store.database.execute("INSERT INTO waiting VALUES ('lost')")
        store.add(visit(B))

    with Store(tmp_path) as store:
        assert store.database.execute("SELECT url FROM waiting").fetchall() == [("kept",)]
        assert [one.url for one in store.visits()] == [A]


def test_sizes_of_all_archive_files_are_committed(tmp_path):
    with Store(tmp_path, largest_file=1) as store:
        for n in range(3):
            store.add(visit(f"http://a.example/{n}", b"%d" % n))
        store.commit()

        files = sorted((tmp_path / "archive").glob("*.warc.gz"))
        assert archive_bytes(store) == b"".join(file.read_bytes() for file in files)
        assert len(files) == 6  # each answer and each request filled a file


def test_a_file_of_the_archive_says_what_the_crawl_has_noted(tmp_path):
    with Store(tmp_path) as store:
        store.set_note(PROVENANCE, '[["geoscout-region", "Bern"]]')
        store.add(visit(A))
        store.commit()
        info = next(iter(scan(tmp_path / "archive" / "crawl-00001.warc.gz"))).record

    assert b"geoscout-region: Bern\r\n" in info.block


def test_what_was_read_of_a_page_is_overwritten_when_it_is_read_again(tmp_path):
    """Its host may be forgotten later, and then nothing of it may be left."""
    first, again = visit(A), visit(A)
    again = replace(again, request=replace(again.request, kind=RequestKind.REVISIT))
    mark = b"what the page said " * 500
    store = Store(tmp_path)
    for found, page in ((first, mark), (again, b"now")):
        store.add(found, replace(pack_exchange(found.response, "test"), page=page))
        store.commit()
    store.close()

    assert mark[:100] not in (tmp_path / FILE).read_bytes()
