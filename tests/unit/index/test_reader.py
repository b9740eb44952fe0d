"""What is particular to the index in a folder; tests/contract/test_index.py has the rest."""

from dataclasses import replace

import pytest

from geoscout.index.reader import IndexReader
from geoscout.index.schema import VERSION
from geoscout_places.errors import DamagedDataError, UsageError
from tests.unit.index.documents import document, open_writer, write


def test_notes_of_the_index_are_not_a_page(tmp_path):
    write(tmp_path, document("http://a.example/"))

    assert IndexReader(tmp_path).slot_of("state") is None


def test_slots_are_not_used_twice(tmp_path):
    for text in ("old", "new"):
        write(tmp_path, document("http://a.example/", text))

    assert IndexReader(tmp_path).slot_of("http://a.example/") == 1


def test_folder_without_an_index_is_refused(tmp_path):
    with pytest.raises(UsageError, match="there is no index"):
        IndexReader(tmp_path / "none")


def test_index_of_another_version_is_refused_and_begun_again(tmp_path):
    writer = open_writer(tmp_path)
    writer.add(document("http://a.example/"))
    writer.state = replace(writer.state, version=VERSION - 1)
    writer.commit("1")
    writer.close()

    with pytest.raises(DamagedDataError, match="another version"):
        IndexReader(tmp_path)
    again = open_writer(tmp_path)
    assert again.cursor == ""
    again.close()
