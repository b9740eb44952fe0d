"""Candidates by words, places and cells; counts; relations by place."""

from __future__ import annotations

from pathlib import Path

import pytest

from geoscout.errors import UsageError
from geoscout.index import PlaceEvidence
from geoscout.index.cells import cover
from geoscout.index.queries import Wanted, Where
from geoscout.index.reader import IndexReader
from tests.unit.index.documents import (
    ALFAMA,
    EUROPE,
    LISBON,
    LISBON_POINT,
    PORTO,
    PORTUGAL,
    document,
    write,
)


@pytest.fixture
def reader(tmp_path: Path) -> IndexReader:
    mention = (PlaceEvidence(LISBON, mentions=1),)
    write(
        tmp_path,
        document("http://lisbon.example/", "pizza and pasta"),
        document("http://alfama.example/", "old pizza", ALFAMA),
        document("http://porto.example/", "Pízzas by the river", PORTO),
        document("http://mention.example/", "pasta", places=mention, spots=()),
    )
    return IndexReader(tmp_path)


def hosts(reader: IndexReader, wanted: Wanted) -> list[str]:
    found = reader.find(wanted, 10)
    assert found.total == len(found.slots)
    return sorted(reader.head(int(slot)).url.split(".")[0][7:] for slot in found.slots)


def test_all_words_are_demanded_or_any(reader: IndexReader) -> None:
    words = (("pizza",), ("pasta",))

    assert hosts(reader, Wanted(words)) == ["lisbon"]
    assert hosts(reader, Wanted(words, needs_all=False)) == ["alfama", "lisbon", "mention"]


def test_other_forms_of_a_word_are_found(reader: IndexReader) -> None:
    assert reader.with_forms("pizza") == ("pizza", "pizzas")
    assert hosts(reader, Wanted((reader.with_forms("pizza"),))) == ["alfama", "lisbon", "porto"]


def test_what_contains_a_place_inherits_its_pages(reader: IndexReader) -> None:
    assert hosts(reader, Wanted(where=(Where((LISBON,)),))) == ["alfama", "lisbon", "mention"]
    assert hosts(reader, Wanted(where=(Where((LISBON,), field="direct"),))) == ["lisbon", "mention"]
    assert hosts(reader, Wanted(where=(Where((LISBON,), field="strong"),))) == ["alfama", "lisbon"]
    assert reader.pages_at(EUROPE) == 4


def test_cells_find_what_is_around(reader: IndexReader) -> None:
    where = Where(cells=tuple(cover(LISBON_POINT, 50)))

    assert hosts(reader, Wanted(where=(where,))) == ["alfama", "lisbon"]


def test_title_counts_more_than_text(tmp_path: Path) -> None:
    write(
        tmp_path,
        document("http://text.example/", "museum and some words", title="Other"),
        document("http://title.example/", "some words", title="Museum"),
    )
    reader = IndexReader(tmp_path)

    best = reader.find(Wanted((("museum",),)), 1).slots[0]
    assert reader.head(int(best)).url == "http://title.example/"


def test_places_are_counted_with_what_they_contain(reader: IndexReader) -> None:
    counts = reader.count_places(Wanted((("pizza",),)))

    assert counts == {EUROPE: 2, PORTUGAL: 2, LISBON: 2, ALFAMA: 1}


def test_everything_leaves_out_the_notes_of_the_index(reader: IndexReader) -> None:
    assert len(hosts(reader, Wanted())) == 4
    assert reader.slot_of("state") is None


def test_page_is_found_by_its_url(reader: IndexReader) -> None:
    slot = reader.slot_of("http://porto.example/")

    assert slot is not None
    assert reader.text(slot) == "Pízzas by the river"
    assert reader.slot_of("http://nowhere.example/") is None


def test_reader_goes_on_to_the_newest_commit(reader: IndexReader, tmp_path: Path) -> None:
    write(tmp_path, document("http://new.example/"), cursor="2")

    assert reader.page_count == 4
    assert reader.reload()
    assert not reader.reload()
    assert reader.page_count == 5
    assert reader.slot_of("http://new.example/") == 4


def test_folder_without_an_index_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no index"):
        IndexReader(tmp_path / "none")
