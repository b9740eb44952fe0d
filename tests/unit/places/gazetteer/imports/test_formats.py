from __future__ import annotations

from pathlib import Path

import pytest

from geoscout_places.errors import ImportFileError, UsageError
from geoscout_places.gazetteer.imports.base import Importer
from geoscout_places.gazetteer.imports.folder import COLUMNS
from geoscout_places.gazetteer.imports.formats import (
    IMPORTERS,
    choose_format,
    find_importer,
    wanted_members,
)
from geoscout_places.gazetteer.imports.source import find_members
from tests.conftest import PROJECT
from tests.unit.places.gazetteer.imports.samples import LISBON, write_text, write_zip


def test_a_format_is_found_by_its_name_and_keeps_its_option(tmp_path: Path) -> None:
    importer, option = choose_format("streets:US.CA", [], tmp_path)

    assert (importer.name, option) == ("streets", "US.CA")


def test_a_misspelt_format_gets_the_nearest_one() -> None:
    with pytest.raises(UsageError, match="did you mean 'geonames'"):
        find_importer("geoname")


def test_an_unknown_format_gets_the_list_of_all() -> None:
    with pytest.raises(UsageError, match="geonames-postcodes, tiger, streets"):
        find_importer("shapefile")


def test_the_members_of_other_formats_are_passed_over(tmp_path: Path) -> None:
    file = write_zip(tmp_path / "PT.zip", {"readme.txt": "GeoNames dump", "PT.txt": LISBON})
    members = find_members(file)

    importer, _ = choose_format(None, members, file)

    assert importer.name == "geonames"
    assert [member.name for member in wanted_members(importer, members)] == ["PT.txt"]


def test_a_file_of_no_format_is_refused_with_the_list_of_all(tmp_path: Path) -> None:
    file = write_text(tmp_path / "letter.txt", "Dear reader,")

    with pytest.raises(ImportFileError, match="no known format"):
        choose_format(None, find_members(file), file)


@pytest.mark.parametrize("importer", IMPORTERS, ids=lambda importer: importer.name)
def test_every_format_has_a_section_in_the_documentation(importer: Importer) -> None:
    text = (PROJECT / "docs" / "gazetteer-import.md").read_text(encoding="utf-8")

    assert f"\n## `{importer.name}`\n" in text


@pytest.mark.parametrize(("table", "columns"), COLUMNS.items())
def test_every_column_of_a_table_is_documented(table: str, columns: tuple[str, ...]) -> None:
    text = (PROJECT / "docs" / "gazetteer-import.md").read_text(encoding="utf-8")
    (line,) = [line for line in text.splitlines() if line.startswith(f"| `{table}` |")]

    assert [column for column in columns if column not in line] == []
