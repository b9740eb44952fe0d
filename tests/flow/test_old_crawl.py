"""A crawl that an earlier version made is read, searched and gone on with."""

import tarfile

from tests.conftest import PROJECT
from tests.unit.lab.archives import PAGES, write_archive

SHOP = "http://a.example/shop/"


def test_an_old_crawl_is_read_searched_exported_and_goes_on(in_folder, typed):
    with tarfile.open(PROJECT / "tests/cases/old_crawl.tar.xz") as packed:
        packed.extractall(in_folder, filter="data")
    facts = typed("status", "old", "--json").facts
    hits = typed("search", "old", "Oldenburg", "--json").facts["hits"]
    pages = typed("export", "old", "--format", "jsonl").rows
    write_archive(in_folder / "pages.warc.gz", PAGES)
    resumed = typed("resume", "old", "--max-pages", "10", "--json").facts

    assert (facts["pages"], facts["relevant"], facts["frontier"]) == (3, 1, 1)
    assert [hit["url"] for hit in hits] == [SHOP]
    assert len(pages) == 3
    assert [page["url"] for page in pages if page["relevant"]] == [SHOP]
    assert (resumed["state"], resumed["pages"]) == ("nothing left", 4)
