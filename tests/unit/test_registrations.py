from __future__ import annotations

from pathlib import Path

import pytest

from geoscout.registrations import (
    RegistrationRecord,
    read_registrations,
    registration_of,
    write_registrations,
)
from geoscout_places.errors import UsageError

RECORD = RegistrationRecord("example.co.uk", "Reading", "", "GB", "admin", source="whois")


def test_table_is_read_as_it_was_written(tmp_path: Path) -> None:
    write_registrations(tmp_path / "table.tsv", [RECORD])

    assert read_registrations(tmp_path / "table.tsv") == {"example.co.uk": RECORD}


def test_columns_may_be_few(tmp_path: Path) -> None:
    (tmp_path / "table.tsv").write_text("domain\tcity\na.example\tOldenburg\n")

    record = read_registrations(tmp_path / "table.tsv")["a.example"]
    assert record == RegistrationRecord("a.example", "Oldenburg", source="table")


def test_tabs_and_line_breaks_do_not_break_the_table(tmp_path: Path) -> None:
    write_registrations(tmp_path / "t.tsv", [RegistrationRecord("a.example", "Old\tTown\n")])

    assert read_registrations(tmp_path / "t.tsv")["a.example"].city == "Old Town"


@pytest.mark.parametrize("text", ["", "city\nOldenburg\n", "domain\tcolour\n"])
def test_other_table_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "table.tsv").write_text(text)

    with pytest.raises(UsageError, match="line one must name columns"):
        read_registrations(tmp_path / "table.tsv")


def test_missing_table_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot read"):
        read_registrations(tmp_path / "none.tsv")


def test_record_is_found_by_any_host_of_the_domain() -> None:
    records = {"example.co.uk": RECORD}

    assert registration_of("www.shop.example.co.uk", records) == RECORD
    assert registration_of("other.co.uk", records) is None


def test_record_without_parts_has_no_place() -> None:
    assert RECORD.has_place
    assert not RegistrationRecord("a.example").has_place
