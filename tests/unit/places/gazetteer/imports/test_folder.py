from __future__ import annotations

import gzip
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from geoscout_places.errors import GeoscoutError, UsageError
from geoscout_places.gazetteer.imports import folder
from geoscout_places.gazetteer.tables import NameRow, read_table


def test_a_written_table_is_read_by_the_builder(tmp_path: Path) -> None:
    folder.prepare_folder(tmp_path)

    file, count = folder.write_table(tmp_path, "mine", "names", ["1\ten\tMunich\tp"])

    assert count == 1
    assert list(read_table(file, NameRow)) == [NameRow("1", "en", "Munich", "p")]


def test_the_same_rows_make_the_same_bytes(tmp_path: Path) -> None:
    folder.prepare_folder(tmp_path)

    first, _ = folder.write_table(tmp_path, "a", "names", ["1\ten\tMunich\tp"])
    second, _ = folder.write_table(tmp_path, "b", "names", ["1\ten\tMunich\tp"])

    assert first.read_bytes() == second.read_bytes()


def test_written_tables_are_listed_by_name(tmp_path: Path) -> None:
    folder.prepare_folder(tmp_path)
    folder.write_table(tmp_path, "b", "names", [])
    folder.write_table(tmp_path, "a-streets", "places", [])
    (tmp_path / folder.FOLDER / "stray.txt").touch()

    found = [(table.name, table.table) for table in folder.list_imports(tmp_path)]

    assert found == [("a-streets", "places"), ("b", "names")]


def test_a_home_without_imports_lists_none(tmp_path: Path) -> None:
    assert folder.list_imports(tmp_path) == ()


def test_a_table_that_fails_half_way_leaves_the_old_one(tmp_path: Path) -> None:
    folder.prepare_folder(tmp_path)
    file, _ = folder.write_table(tmp_path, "mine", "names", ["1\ten\told\t"])

    def broken() -> Iterator[str]:
        yield "1\ten\tnew\t"
        raise ValueError("half way")

    with pytest.raises(ValueError, match="half way"):
        folder.write_table(tmp_path, "mine", "names", broken())

    assert b"old" in gzip.decompress(file.read_bytes())
    assert [entry.name for entry in file.parent.iterdir()] == [file.name]


def test_what_a_dead_process_left_is_removed_and_what_a_live_one_writes_is_not(
    tmp_path: Path,
) -> None:
    imports = folder.prepare_folder(tmp_path)
    dead = imports / ".mine.names.999999999.part"
    live = imports / f".mine.names.{os.getpid()}.part"
    dead.touch()
    live.touch()

    folder.prepare_folder(tmp_path)

    assert list(imports.iterdir()) == [live]


def test_a_home_that_cannot_be_written_is_an_error_of_ours(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.touch()

    with pytest.raises(GeoscoutError, match="cannot make"):
        folder.prepare_folder(home)


def test_a_folder_that_vanished_is_an_error_of_ours(tmp_path: Path) -> None:
    with pytest.raises(GeoscoutError, match="cannot write"):
        folder.write_table(tmp_path / "none", "mine", "names", [])


def test_an_import_is_called_by_format_and_file() -> None:
    name = folder.name_import("geonames", Path("/data/all Countries.v2.zip"), None)

    assert name == "geonames-all-Countries"


@pytest.mark.parametrize("name", ["", "a.b", "../up", "a/b", "ä", "x" * 81])
def test_a_name_that_is_no_file_name_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="letters, digits"):
        folder.name_import("geonames", Path("PT.txt"), name)
