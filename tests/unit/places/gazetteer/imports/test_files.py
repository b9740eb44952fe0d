"""What users have is opened, and cut into numbered records; whatever is wrong is told."""

import bz2
import gzip
import lzma
import zipfile
from pathlib import Path

import pytest

from geoscout_places.errors import ImportFileError
from geoscout_places.gazetteer.imports.files import (
    MalformedLineError,
    Member,
    find_delimiter,
    find_members,
    read_csv,
    read_json_lines,
    read_lines,
    read_shapes,
    readable,
    table_columns,
)
from tests.unit.places.gazetteer.imports.samples import (
    LISBON,
    ROADS,
    make_dbf,
    make_shp,
    stream,
    write_text,
    write_zip,
)


def read(member: Member) -> bytes:
    with member.open() as opened:
        content = opened.stream.read()
        assert opened.position() == member.size
    return content


def test_a_plain_file_is_its_own_member(tmp_path):
    (member,) = find_members(write_text(tmp_path / "PT.txt", LISBON))

    assert member.name == "PT.txt"
    assert read(member) == LISBON.encode() + b"\n"


@pytest.mark.parametrize(
    ("suffix", "compress"), [("gz", gzip.compress), ("bz2", bz2.compress), ("xz", lzma.compress)]
)
def test_a_compressed_file_is_read_through(suffix, compress, tmp_path):
    file = tmp_path / f"PT.txt.{suffix}"
    file.write_bytes(compress(b"text"))

    (member,) = find_members(file)

    assert member.name == "PT.txt"
    assert read(member) == b"text"


def test_an_archive_has_its_files_as_members(tmp_path):
    file = write_zip(tmp_path / "PT.zip", {"readme.txt": "r", "PT.txt": "p", "__MACOSX/x": "m"})

    members = find_members(file)

    assert [member.name for member in members] == ["readme.txt", "PT.txt"]
    assert [read(member) for member in members] == [b"r", b"p"]


def test_a_folder_has_all_files_below_it_as_members(tmp_path):
    write_text(tmp_path / "us" / "ca" / "berkeley.csv", "street")
    write_zip(tmp_path / "us" / "ny.zip", {"albany.csv": "street"})
    write_text(tmp_path / ".hidden", "")

    members = find_members(tmp_path)

    assert [member.name for member in members] == ["us/ca/berkeley.csv", "albany.csv"]


def test_a_sample_shows_the_first_lines_cut_at_tabs(tmp_path):
    (member,) = find_members(write_text(tmp_path / "a.txt", "one\ttwo", "three"))

    assert member.sample().lines == [["one", "two"], ["three"]]


def test_what_holds_nothing_to_import_is_named(tmp_path):
    with pytest.raises(ImportFileError, match="nothing to import"):
        find_members(tmp_path)
    with pytest.raises(ImportFileError, match=r"there is no file .*none\.txt"):
        find_members(tmp_path / "none.txt")
    with pytest.raises(ImportFileError, match="cannot be read"):
        find_members(write_text(tmp_path / "PT.zip", "text"))


@pytest.fixture
def marked(tmp_path):
    """An archive with another byte in the record of its member."""

    def write(at: int, value: int) -> Path:
        file = write_zip(tmp_path / "PT.zip", {"PT.txt": "p"})
        content = bytearray(file.read_bytes())
        content[content.rindex(b"PK\x01\x02") + at] = value
        file.write_bytes(content)
        return file

    return write


def test_an_encrypted_archive_is_refused_before_it_is_read(marked):
    with pytest.raises(ImportFileError, match="encrypted"):
        find_members(marked(8, 1))


def test_an_unknown_compression_is_refused(marked):
    (member,) = find_members(marked(10, 97))

    with pytest.raises(ImportFileError, match="unpack it"), member.open():
        pass


@pytest.mark.parametrize("compress", [gzip.compress, lzma.compress, bz2.compress])
def test_a_file_that_is_cut_short_is_told_from_a_whole_one(compress, tmp_path):
    suffix = {gzip.compress: "gz", lzma.compress: "xz", bz2.compress: "bz2"}[compress]
    file = tmp_path / f"PT.txt.{suffix}"
    file.write_bytes(compress(bytes(range(256)) * 40)[:-20])
    (member,) = find_members(file)

    with member.open() as opened, pytest.raises(ImportFileError, match="cannot be read"):
        list(readable(opened.stream, file))


def test_a_damaged_archive_is_refused(tmp_path):
    file = tmp_path / "PT.zip"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("PT.txt", "Lisbon\n" * 10)
    file.write_bytes(file.read_bytes().replace(b"Lisbon\n", b"Lisboa\n", 1))
    (member,) = find_members(file)

    with member.open() as opened, pytest.raises(ImportFileError, match="cannot be read"):
        list(readable(opened.stream, file))


def test_lines_are_numbered_and_lose_mark_and_ends():
    lines = list(read_lines(stream(b"\xef\xbb\xbffirst\r\nsecond\nthird")))

    assert lines == [(1, "first"), (2, "second"), (3, "third")]


def test_a_line_with_bad_bytes_is_malformed_and_the_next_is_read():
    (_, bad), (number, good) = read_lines(stream(b"M\xfcnchen\nM\xc3\xbcnchen\n"))

    assert isinstance(bad, MalformedLineError)
    assert (number, good) == (2, "München")


def test_a_file_without_line_breaks_comes_in_pieces():
    lines = list(read_lines(stream(b"x" * (3 << 20))))

    assert len(lines) == 3


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_told_from_the_header(delimiter):
    assert find_delimiter(delimiter.join(["street", "city", "postcode"])) == delimiter


def test_rows_of_csv_are_mappings_by_names_in_lower_case():
    rows = list(read_csv(stream('STREET;City\r\n"Am ""Damm""";Oldenburg\r\n')))

    assert rows == [(2, {"street": 'Am "Damm"', "city": "Oldenburg"})]


def test_a_quoted_cell_may_contain_a_line_break():
    rows = list(read_csv(stream('street,city\n"Am\nDamm",X\nB,Y\n')))

    assert [number for number, _ in rows] == [3, 4]


def test_a_row_of_csv_with_bad_bytes_is_malformed_and_the_next_is_read():
    (_, bad), (number, good) = read_csv(stream(b"street,city\nM\xfchlweg,X\nAm Damm,X\n"))

    assert isinstance(bad, MalformedLineError)
    assert (number, good) == (3, {"street": "Am Damm", "city": "X"})


def test_a_quotation_mark_that_is_never_closed_loses_only_what_follows_it():
    endless = '"' + "x\n" * 200_000

    rows = list(read_csv(stream(f"street,city\nAm Damm,X\n{endless}")))

    assert rows[0][1] == {"street": "Am Damm", "city": "X"}
    assert isinstance(rows[1][1], MalformedLineError)


def test_an_empty_file_has_no_rows():
    assert list(read_csv(stream(""))) == []
    assert list(read_json_lines(stream("\n \n"))) == []


def records_of(table: bytes) -> dict[int, object]:
    return dict(read_shapes(stream(table), None, {"fullname"}))


def test_records_have_the_wanted_columns_and_a_deleted_one_is_skipped():
    assert records_of(make_dbf(ROADS, deleted=1)) == {
        1: ({"fullname": "Sunset Blvd"}, ()),
        3: ({"fullname": "Cañada Rd"}, ()),
    }


def test_lines_belong_to_the_records_of_their_number():
    shapes = stream(make_shp([[(1.0, 2.0)], [(3.0, 4.0)], [(5.0, 6.0)]]))

    found = dict(read_shapes(stream(make_dbf(ROADS, deleted=1)), shapes, ()))

    assert {number: line[0].latitude for number, (_, line) in found.items()} == {1: 1.0, 3: 5.0}


def test_the_older_encoding_of_the_census_bureau_is_read():
    found = records_of(make_dbf(ROADS, encoding="latin-1"))

    assert found[3] == ({"fullname": "Cañada Rd"}, ())


def test_a_table_that_is_cut_short_is_told_from_a_whole_one():
    with pytest.raises(EOFError, match="after 2 of 3 records"):
        records_of(make_dbf(ROADS)[:-20])


@pytest.mark.parametrize("junk", [b"", b"PK\x03\x04", b"\x03" * 31, b"plain text " * 20])
def test_what_is_no_table_is_one_malformed_record(junk):
    (found,) = records_of(junk).values()

    assert "not a dBASE table" in str(found)


def test_the_columns_are_read_from_the_start_of_a_file():
    assert [*table_columns(make_dbf(ROADS)[:300])] == ["linearid", "fullname", "rttyp", "mtfcc"]
    assert table_columns(b"nothing of the kind, but long enough to be a header") == {}
