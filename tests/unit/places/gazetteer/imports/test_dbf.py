from __future__ import annotations

import pytest

from geoscout_places.gazetteer.imports.base import MalformedLineError
from geoscout_places.gazetteer.imports.dbf import read_column_names, read_dbf
from tests.unit.places.gazetteer.imports.samples import ROADS, make_dbf, stream

WANTED = {"fullname"}


def test_records_are_numbered_and_have_the_wanted_columns() -> None:
    records = list(read_dbf(stream(make_dbf(ROADS)), {"fullname", "mtfcc"}))

    assert records[0] == (1, {"fullname": "Sunset Blvd", "mtfcc": "S1200"})
    assert [number for number, _ in records] == [1, 2, 3]


def test_a_deleted_record_is_skipped() -> None:
    records = list(read_dbf(stream(make_dbf(ROADS, deleted=0)), WANTED))

    assert [number for number, _ in records] == [2, 3]


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
def test_both_encodings_of_the_census_bureau_are_read(encoding: str) -> None:
    records = list(read_dbf(stream(make_dbf(ROADS, encoding=encoding)), WANTED))

    assert records[2] == (3, {"fullname": "Cañada Rd"})


def test_a_table_that_is_cut_short_is_told_from_a_whole_one() -> None:
    with pytest.raises(EOFError, match="after 2 of 3 records"):
        list(read_dbf(stream(make_dbf(ROADS)[:-20]), WANTED))


@pytest.mark.parametrize("junk", [b"", b"PK\x03\x04", b"\x03" * 31, b"plain text " * 20])
def test_what_is_no_table_is_one_malformed_record(junk: bytes) -> None:
    ((number, record),) = read_dbf(stream(junk), WANTED)

    assert number == 1
    assert isinstance(record, MalformedLineError)
    assert "not a dBASE table" in str(record)


def test_the_names_of_columns_are_read_from_the_start_of_a_file() -> None:
    assert read_column_names(make_dbf(ROADS)[:300]) == ["linearid", "fullname", "rttyp", "mtfcc"]
    assert read_column_names(b"nothing of the kind, but long enough to be a header") == []
