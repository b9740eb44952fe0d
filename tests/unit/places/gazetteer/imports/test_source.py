from __future__ import annotations

import bz2
import gzip
import lzma
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from geoscout_places.errors import ImportFileError
from geoscout_places.gazetteer.imports.source import Member, find_members, readable
from tests.unit.places.gazetteer.imports.samples import LISBON, write_text, write_zip


def read(member: Member) -> bytes:
    with member.open() as opened:
        content = opened.stream.read()
        assert opened.position() == member.size
    return content


def test_a_plain_file_is_its_own_member(tmp_path: Path) -> None:
    (member,) = find_members(write_text(tmp_path / "PT.txt", LISBON))

    assert member.name == "PT.txt"
    assert read(member) == LISBON.encode() + b"\n"


@pytest.mark.parametrize(
    ("suffix", "compress"), [("gz", gzip.compress), ("bz2", bz2.compress), ("xz", lzma.compress)]
)
def test_a_compressed_file_is_read_through(
    suffix: str, compress: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    file = tmp_path / f"PT.txt.{suffix}"
    file.write_bytes(compress(b"text"))

    (member,) = find_members(file)

    assert member.name == "PT.txt"
    assert read(member) == b"text"


def test_an_archive_has_its_files_as_members(tmp_path: Path) -> None:
    file = write_zip(tmp_path / "PT.zip", {"readme.txt": "r", "PT.txt": "p", "__MACOSX/x": "m"})

    members = find_members(file)

    assert [member.name for member in members] == ["readme.txt", "PT.txt"]
    assert [read(member) for member in members] == [b"r", b"p"]


def test_a_folder_has_all_files_below_it_as_members(tmp_path: Path) -> None:
    write_text(tmp_path / "us" / "ca" / "berkeley.csv", "street")
    write_zip(tmp_path / "us" / "ny.zip", {"albany.csv": "street"})
    write_text(tmp_path / ".hidden", "")

    members = find_members(tmp_path)

    assert [member.name for member in members] == ["us/ca/berkeley.csv", "albany.csv"]


def test_a_sample_shows_the_first_lines_cut_at_tabs(tmp_path: Path) -> None:
    (member,) = find_members(write_text(tmp_path / "a.txt", "one\ttwo", "three"))

    assert member.sample().lines == [["one", "two"], ["three"]]


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ImportFileError, match=r"there is no file .*none\.txt"):
        find_members(tmp_path / "none.txt")


def test_an_empty_folder_holds_nothing_to_import(tmp_path: Path) -> None:
    with pytest.raises(ImportFileError, match="nothing to import"):
        find_members(tmp_path)


def test_what_is_no_archive_in_spite_of_its_name_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ImportFileError, match="cannot be read"):
        find_members(write_text(tmp_path / "PT.zip", "text"))


def test_an_encrypted_archive_is_refused_before_it_is_read(tmp_path: Path) -> None:
    file = write_zip(tmp_path / "PT.zip", {"PT.txt": "p"})
    content = bytearray(file.read_bytes())
    content[content.rindex(b"PK\x01\x02") + 8] |= 1
    file.write_bytes(content)

    with pytest.raises(ImportFileError, match="encrypted"):
        find_members(file)


def test_an_unknown_compression_is_refused(tmp_path: Path) -> None:
    file = write_zip(tmp_path / "PT.zip", {"PT.txt": "p"})
    content = bytearray(file.read_bytes())
    content[content.rindex(b"PK\x01\x02") + 10] = 97
    file.write_bytes(content)
    (member,) = find_members(file)

    with pytest.raises(ImportFileError, match="unpack it"), member.open():
        pass


@pytest.mark.parametrize("compress", [gzip.compress, lzma.compress, bz2.compress])
def test_a_file_that_is_cut_short_is_told_from_a_whole_one(
    compress: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    suffix = {gzip.compress: "gz", lzma.compress: "xz", bz2.compress: "bz2"}[compress]
    file = tmp_path / f"PT.txt.{suffix}"
    file.write_bytes(compress(bytes(range(256)) * 40)[:-20])
    (member,) = find_members(file)

    with member.open() as opened, pytest.raises(ImportFileError, match="cannot be read"):
        list(readable(opened.stream, file))


def test_a_damaged_archive_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "PT.zip"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("PT.txt", "Lisbon\n" * 10)
    file.write_bytes(file.read_bytes().replace(b"Lisbon\n", b"Lisboa\n", 1))
    (member,) = find_members(file)

    with member.open() as opened, pytest.raises(ImportFileError, match="cannot be read"):
        list(readable(opened.stream, file))
