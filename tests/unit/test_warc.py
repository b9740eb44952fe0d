import gzip
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geoscout.warc import (
    HEADER_LIMIT,
    WarcRecord,
    pack,
    parse_http,
    parse_record,
    read_record,
    read_target,
    scan,
    unpack,
)
from geoscout_places.errors import DamagedDataError, UsageError


def record(url: str, block: bytes = b"HTTP/1.1 200 OK\r\n\r\nbody") -> bytes:
    return (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\n"
        f"Content-Length: {len(block)}\r\n\r\n"
    ).encode() + block + b"\r\n\r\n"  # fmt: skip


def targets(path: Path) -> list[str]:
    return [found.record.target for found in scan(path)]


def read_all(path: Path) -> list[WarcRecord]:
    file = os.open(path, os.O_RDONLY)
    try:
        return [read_record(file, found.offset, found.length) for found in scan(path)]
    finally:
        os.close(file)


@pytest.mark.parametrize("pack_it", [pack, gzip.compress, bytes])
def test_records_are_found_and_read_back_from_packed_and_plain_files(tmp_path, pack_it):
    path = tmp_path / "a.warc"
    large = b"HTTP/1.1 200 OK\r\n\r\n" + os.urandom(3 * HEADER_LIMIT)
    blocks = [b"HTTP/1.1 200 OK\r\n\r\none", large, b""]
    path.write_bytes(b"".join(pack_it(record(f"http://a/{n}", b)) for n, b in enumerate(blocks)))

    found = read_all(path)

    assert [one.target for one in found] == ["http://a/0", "http://a/1", "http://a/2"]
    assert [one.block for one in found] == blocks


@pytest.mark.parametrize("pack_it", [pack, gzip.compress, bytes])
@pytest.mark.parametrize("path", ["a", "b" * 5000])
def test_target_is_read_without_the_block(tmp_path, pack_it, path):
    large = b"HTTP/1.1 200 OK\r\n\r\n" + os.urandom(3 * HEADER_LIMIT)
    data = pack_it(record(f"http://a/{path}", large))
    archive = tmp_path / "a.warc"
    archive.write_bytes(b"before" + data)

    with archive.open("rb") as file:
        assert read_target(file.fileno(), 6, len(data)) == f"http://a/{path}"


@pytest.mark.parametrize("data", [b"", b"no record", b"\x1f\x8b\x08 no gzip", pack(b"no record")])
def test_target_of_what_is_no_record_is_damage(tmp_path, data):
    archive = tmp_path / "a.warc"
    archive.write_bytes(data)

    with archive.open("rb") as file, pytest.raises(DamagedDataError):
        read_target(file.fileno(), 0, len(data))


def test_angle_brackets_of_old_archives_are_taken_off_a_target():
    assert parse_record(record("<http://a/>")).target == "http://a/"


@pytest.mark.parametrize("pack_it", [pack, bytes])
def test_a_record_cut_short_at_the_end_is_left_out(tmp_path, pack_it):
    path = tmp_path / "a.warc"
    path.write_bytes((pack_it(record("http://a/1")) + pack_it(record("http://a/2")))[:-9])

    assert targets(path) == ["http://a/1"]


@pytest.mark.parametrize("pack_it", [pack, bytes])
def test_a_damaged_record_is_passed_over(tmp_path, pack_it):
    path = tmp_path / "a.warc"
    damaged = bytearray(pack_it(record("http://a/2", b"x" * 3000)))
    damaged[4:60] = b"#" * 56
    whole = [pack_it(record(f"http://a/{n}")) for n in (1, 3)]
    path.write_bytes(whole[0] + bytes(damaged) + whole[1])

    assert targets(path) == ["http://a/1", "http://a/3"]


def test_what_is_no_archive_is_refused_with_the_remedy_and_an_empty_file_is_one(tmp_path):
    path = tmp_path / "a.warc.gz"
    path.touch()
    assert targets(path) == []
    path.write_text("Dear reader")
    with pytest.raises(UsageError, match="not a WARC file"):
        targets(path)
    path.write_bytes(gzip.compress(record("http://a/1") + record("http://a/2")))
    with pytest.raises(UsageError, match="gunzip"):
        targets(path)


def test_reading_where_no_record_is_reports_damage(tmp_path):
    path = tmp_path / "a.warc"
    path.write_bytes(record("http://a/1"))

    file = os.open(path, os.O_RDONLY)
    for offset, length in ((3, 50), (0, 40), (0, len(record("http://a/1")) - 6)):
        with pytest.raises(DamagedDataError):
            read_record(file, offset, length)
    os.close(file)


@pytest.mark.parametrize("data", [b"", b"nonsense", pack(b"x" * 1000)[:-3]])
def test_unpacking_anything_else_reports_damage(data):
    with pytest.raises(DamagedDataError):
        unpack(data)


@pytest.mark.parametrize(
    ("data", "status", "headers", "body"),
    [
        (
            b"HTTP/1.1 301 Moved\r\nB: 1\r\nLocation:  /x \r\nb: 2\r\n\r\nbody",
            301, (("b", "1"), ("location", "/x"), ("b", "2")), b"body",
        ),
        (
            b"HTTP/1.0 200 OK\nServer: old\n\nbody\r\n\r\nmore",
            200, (("server", "old"),), b"body\r\n\r\nmore",
        ),
    ],
)  # fmt: skip
def test_header_names_come_in_lower_case_and_in_order(data, status, headers, body):
    """Bare line feeds end a header, too."""
    answer = parse_http(data)

    assert (answer.status, answer.headers, answer.body) == (status, headers, body)


@pytest.mark.parametrize("block", [b"", b"\r\n\r\n", b"<html>", b"HTTP/1.1 abc\r\n\r\n"])
def test_what_is_no_answer_has_no_status(block):
    assert parse_http(block).status == 0


@given(st.binary())
def test_any_bytes_can_be_taken_for_an_answer(block):
    assert parse_http(block).status >= 0


@pytest.mark.parametrize("length", ["", "-5", "x", "1_0", "9" * 20])
def test_a_record_without_a_sound_length_is_damaged(length):
    with pytest.raises(DamagedDataError):
        parse_record(f"WARC/1.1\r\nContent-Length: {length}\r\n\r\n".encode())


@given(st.data(), st.booleans())
def test_a_file_damaged_anywhere_is_still_read_to_its_end(tmp_path_factory, data, packed):
    records = [record(f"http://a/{n}", b"HTTP/1.1 200 OK\r\n\r\n%d" % n) for n in range(4)]
    whole = b"".join(pack(one) if packed else one for one in records)
    place = data.draw(st.integers(5, len(whole) - 1))
    damage = data.draw(st.binary(min_size=1, max_size=40))
    path = tmp_path_factory.mktemp("damaged") / "a.warc"
    path.write_bytes(whole[:place] + damage + whole[place + len(damage) :])

    try:
        found = list(scan(path))
    except UsageError:
        return  # the damage made it look like something else

    assert all(one.length > 0 for one in found)
    assert [one.offset for one in found] == sorted(one.offset for one in found)


def test_damage_is_told_with_its_place(tmp_path):
    path = tmp_path / "a.warc"
    whole = record("http://a/")
    path.write_bytes(whole + b"WARC/1.0 broken\r\n\r\n" + whole + whole[:-10])
    told = []

    found = list(scan(path, lambda offset, problem: told.append((offset, problem))))

    assert len(found) == 2
    assert told[0] == (len(whole), "damaged record")
    assert told[-1][1] == "record cut short"


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("2001-09-09T01:46:40Z", 1e9),
        ("2001-09-09T01:46:40.250000123Z", 1e9 + 0.25),
        ("2001-09", None),  # allowed, but no time
        ("2001-09-09T01:46:40", None),
        ("1912-09-09T01:46:40Z", None),
        ("9999-12-31T23:59:59Z", None),
        ("", None),
    ],
)
def test_a_record_has_the_date_that_it_states(text, date):
    assert WarcRecord({"warc-date": text}, b"").date == date
