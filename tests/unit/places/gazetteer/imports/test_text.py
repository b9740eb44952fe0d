from __future__ import annotations

import pytest

from geoscout_places.gazetteer.imports.base import MalformedLineError
from geoscout_places.gazetteer.imports.text import (
    find_delimiter,
    read_csv,
    read_json_lines,
    read_lines,
)
from tests.unit.places.gazetteer.imports.samples import stream


def test_lines_are_numbered_and_lose_mark_and_ends() -> None:
    lines = list(read_lines(stream(b"\xef\xbb\xbffirst\r\nsecond\nthird")))

    assert lines == [(1, "first"), (2, "second"), (3, "third")]


def test_a_line_with_bad_bytes_is_malformed_and_the_next_is_read() -> None:
    (_, bad), (number, good) = read_lines(stream(b"M\xfcnchen\nM\xc3\xbcnchen\n"))

    assert isinstance(bad, MalformedLineError)
    assert (number, good) == (2, "München")


def test_a_file_without_line_breaks_comes_in_pieces() -> None:
    lines = list(read_lines(stream(b"x" * (3 << 20))))

    assert len(lines) == 3


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_told_from_the_header(delimiter: str) -> None:
    assert find_delimiter(delimiter.join(["street", "city", "postcode"])) == delimiter


def test_rows_of_csv_are_mappings_by_names_in_lower_case() -> None:
    rows = list(read_csv(stream('STREET;City\r\n"Am ""Damm""";Oldenburg\r\n')))

    assert rows == [(2, {"street": 'Am "Damm"', "city": "Oldenburg"})]


def test_a_quoted_cell_may_contain_a_line_break() -> None:
    rows = list(read_csv(stream('street,city\n"Am\nDamm",X\nB,Y\n')))

    assert [number for number, _ in rows] == [3, 4]


def test_a_row_of_csv_with_bad_bytes_is_malformed_and_the_next_is_read() -> None:
    (_, bad), (number, good) = read_csv(stream(b"street,city\nM\xfchlweg,X\nAm Damm,X\n"))

    assert isinstance(bad, MalformedLineError)
    assert (number, good) == (3, {"street": "Am Damm", "city": "X"})


def test_a_quotation_mark_that_is_never_closed_loses_only_what_follows_it() -> None:
    endless = '"' + "x\n" * 200_000

    rows = list(read_csv(stream(f"street,city\nAm Damm,X\n{endless}")))

    assert rows[0][1] == {"street": "Am Damm", "city": "X"}
    assert isinstance(rows[1][1], MalformedLineError)


def test_an_empty_file_has_no_rows() -> None:
    assert list(read_csv(stream(""))) == []
    assert list(read_json_lines(stream("\n \n"))) == []
