"""Archives in segments: written whole, read by position, in folders and elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest
import warcio

from geoscout.store import pack_exchange
from geoscout.store.archive import (
    GrowingSegment,
    RecordSpot,
    Segments,
    open_segments,
    segment_name,
)
from geoscout.warc import parse_packed
from geoscout_places.errors import DamagedDataError, UsageError
from tests.unit.store.visits import respond

A = "http://a.example/"

MARK = "c0ffee42"  # of an owner


@pytest.fixture(params=["folder", "file", "memory"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    addresses = {"folder": f"{tmp_path}/a b", "file": f"file://{tmp_path}/a%20b"}
    return addresses.get(request.param, f"memory://{tmp_path}")


@pytest.fixture
def segments(where: str) -> Segments:
    return open_segments(where)


def grown(name: str, *bodies: bytes) -> tuple[GrowingSegment, list[RecordSpot]]:
    growing = GrowingSegment(name)
    packed = [pack_exchange(respond(A, body), "geoscout").response for body in bodies]
    return growing, [growing.append(record, 0.0) for record in packed]


def test_records_are_read_by_where_they_lie(segments: Segments) -> None:
    growing, spots = grown(segment_name(3, 1, 7, MARK), b"one", b"two")
    whole = growing.whole()
    assert whole is not None
    segments.write(whole)
    records = [parse_packed(segments.read(spot)) for spot in spots]

    assert [record.block[-3:] for record in records] == [b"one", b"two"]
    assert [parse_packed(growing.read(spot)) for spot in spots] == records


def test_a_segment_is_a_warc_file_that_others_read(tmp_path: Path) -> None:
    growing, _ = grown(segment_name(0, 1, 1, MARK), b"one", b"two")
    whole = growing.whole()
    assert whole is not None
    open_segments(str(tmp_path)).write(whole)
    with (tmp_path / whole.name).open("rb") as file:
        kinds = [record.rec_type for record in warcio.ArchiveIterator(file)]

    assert kinds == ["warcinfo", "response", "response"]


def test_a_segment_to_which_nothing_was_added_is_none() -> None:
    assert GrowingSegment("x").whole() is None


def test_a_segment_that_is_not_there_is_damage(segments: Segments) -> None:
    with pytest.raises(DamagedDataError, match="cannot read"):
        segments.read(RecordSpot(segment_name(0, 1, 1, MARK), 0, 9))


def test_a_folder_that_cannot_be_written_to_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    growing, _ = grown(segment_name(0, 1, 1, MARK), b"one")
    whole = growing.whole()
    assert whole is not None

    with pytest.raises(UsageError, match="cannot write to the archive"):
        open_segments(str(tmp_path / "file")).write(whole)


@pytest.mark.parametrize(
    ("where", "words"),
    [("nonsense://bucket/x", "needs a package"), ("ftp://ann:secret@host/x", "leave the password")],
)
def test_an_address_that_cannot_be_used_is_refused(where: str, words: str) -> None:
    with pytest.raises(UsageError, match=words) as raised:
        open_segments(where)

    assert "secret" not in str(raised.value)
