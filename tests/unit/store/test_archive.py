"""Archives in segments: written whole, read by position, in folders and elsewhere."""

import errno
import os
from pathlib import Path

import pytest
import warcio

from geoscout.crawl_folder import make_folder, sync_folder
from geoscout.store.archive import (
    ArchiveWriter,
    GrowingSegment,
    Position,
    RecordSpot,
    archive_file,
    open_segments,
    segment_name,
)
from geoscout.store.records import pack_exchange
from geoscout.warc import pack, parse_packed, scan
from geoscout_places.errors import DamagedDataError, UsageError
from tests.unit.store.visits import respond

START = Position(0, 0)


def record(n: int) -> bytes:
    return pack(
        b"WARC/1.1\r\nWARC-Type: metadata\r\nWARC-Target-URI: x:%d\r\n"
        b"Content-Length: 0\r\n\r\n\r\n\r\n" % n
    )


def targets(folder, file: int = 1) -> list[str]:
    return [found.record.target for found in scan(archive_file(folder, file))]


def test_records_lie_where_the_writer_says(tmp_path):
    writer = ArchiveWriter(tmp_path, START)
    spots = [writer.append(record(n), 0.0) for n in range(3)]
    writer.close()

    found = list(scan(archive_file(tmp_path, 1)))

    assert [(one.offset, one.length) for one in found[1:]] == [(s.offset, s.length) for s in spots]
    assert found[0].record.type == "warcinfo"
    assert writer.end == Position(1, archive_file(tmp_path, 1).stat().st_size)


def test_no_file_is_made_before_there_is_a_record_and_those_of_others_are_left_alone(tmp_path):
    other = tmp_path / "crawl-mine.warc.gz"
    other.touch()
    ArchiveWriter(tmp_path, START).close()

    assert list(tmp_path.iterdir()) == [other]


def test_what_lies_behind_the_committed_end_is_set_aside(tmp_path):
    writer = ArchiveWriter(tmp_path, START, largest_file=600)
    writer.append(record(1), 0.0)
    committed = writer.end
    for n in range(2, 12):
        writer.append(record(n), 0.0)
    writer.close()

    whole = {path.name: path.read_bytes() for path in tmp_path.iterdir()}

    ArchiveWriter(tmp_path, committed, largest_file=600).close()

    assert targets(tmp_path) == ["", "x:1"]
    assert not archive_file(tmp_path, 2).exists()
    first, *others = (archive_file(tmp_path, number).name for number in range(1, len(whole) + 1))
    aside = {path.name: path.read_bytes() for path in tmp_path.glob("*.uncommitted")}
    assert aside == {
        f"{first}.uncommitted": whole[first][committed.offset :],
        **{f"{name}.uncommitted": whole[name] for name in others},
    }


def test_what_is_set_aside_twice_is_kept_twice(tmp_path):
    for n in (1, 2):
        writer = ArchiveWriter(tmp_path, START)
        writer.append(record(n), 0.0)
        writer.close()
    ArchiveWriter(tmp_path, START).close()

    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["crawl-00001.warc.gz.uncommitted", "crawl-00001.warc.gz.uncommitted1"]


def test_writing_goes_on_at_the_committed_end(tmp_path):
    writer = ArchiveWriter(tmp_path, START)
    writer.append(record(1), 0.0)
    writer.close()

    again = ArchiveWriter(tmp_path, writer.end)
    again.append(record(2), 0.0)
    again.close()

    assert targets(tmp_path) == ["", "x:1", "x:2"]


def test_a_full_file_is_followed_by_another(tmp_path):
    writer = ArchiveWriter(tmp_path, START, largest_file=1)
    for n in range(3):
        writer.append(record(n), 0.0)
    writer.flush()

    assert [targets(tmp_path, file) for file in (1, 2, 3)] == [
        ["", "x:0"],
        ["", "x:1"],
        ["", "x:2"],
    ]
    sizes = [archive_file(tmp_path, file).stat().st_size for file in (1, 2, 3)]
    assert writer.take_ends() == [Position(n, size) for n, size in enumerate(sizes, 1)]
    assert writer.take_ends() == [writer.end]
    writer.close()


def test_a_write_that_failed_is_repeated_in_place(tmp_path, monkeypatch):
    writer = ArchiveWriter(tmp_path, START)
    spots = [writer.append(record(n), 0.0) for n in range(2)]
    write, room = os.pwrite, [30]

    def write_while_there_is_room(file, data, offset):
        if not room[0]:
            raise OSError(errno.ENOSPC, "No space left on device")
        written = write(file, data[: room[0]], offset)
        room[0] -= written
        return written

    monkeypatch.setattr(os, "pwrite", write_while_there_is_room)
    with pytest.raises(OSError, match="No space"):
        writer.sync()
    spots.append(writer.append(record(2), 0.0))
    monkeypatch.undo()
    writer.sync()
    writer.close()

    found = list(scan(archive_file(tmp_path, 1)))
    assert [(one.offset, one.length) for one in found[1:]] == [(s.offset, s.length) for s in spots]


def test_nothing_is_written_after_a_sync_that_failed(tmp_path, monkeypatch):
    writer = ArchiveWriter(tmp_path, START)
    writer.append(record(1), 0.0)

    def fail(_file):
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr("geoscout.store.archive.sync_file", fail)
    with pytest.raises(OSError, match="Input/output"):
        writer.sync()
    monkeypatch.undo()

    with pytest.raises(OSError, match="Input/output"):  # the next sync would not tell
        writer.sync()
    writer.close()


A = "http://a.example/"

MARK = "c0ffee42"  # of an owner


@pytest.fixture(params=["folder", "file", "memory"])
def where(request, tmp_path):
    addresses = {"folder": f"{tmp_path}/a b", "file": f"file://{tmp_path}/a%20b"}
    return addresses.get(request.param, f"memory://{tmp_path}")


@pytest.fixture
def segments(where):
    return open_segments(where)


def grown(name: str, *bodies: bytes) -> tuple[GrowingSegment, list[RecordSpot]]:
    growing = GrowingSegment(name)
    packed = [pack_exchange(respond(A, body), "geoscout").response for body in bodies]
    return growing, [growing.append(record, 0.0) for record in packed]


def test_records_are_read_by_where_they_lie(segments):
    growing, spots = grown(segment_name(3, 1, 7, MARK), b"one", b"two")
    whole = growing.whole()
    assert whole is not None
    segments.write(whole)
    records = [parse_packed(segments.read(spot)) for spot in spots]

    assert [record.block[-3:] for record in records] == [b"one", b"two"]
    assert [parse_packed(growing.read(spot)) for spot in spots] == records


def test_a_segment_is_a_warc_file_that_others_read(tmp_path):
    growing, _ = grown(segment_name(0, 1, 1, MARK), b"one", b"two")
    whole = growing.whole()
    assert whole is not None
    open_segments(str(tmp_path)).write(whole)
    with (tmp_path / whole.name).open("rb") as file:
        kinds = [record.rec_type for record in warcio.ArchiveIterator(file)]

    assert kinds == ["warcinfo", "response", "response"]


def test_a_segment_to_which_nothing_was_added_is_none():
    assert GrowingSegment("x").whole() is None


def test_a_segment_that_is_not_there_is_damage(segments):
    with pytest.raises(DamagedDataError, match="cannot read"):
        segments.read(RecordSpot(segment_name(0, 1, 1, MARK), 0, 9))


def test_a_folder_that_cannot_be_written_to_is_told(tmp_path):
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
def test_an_address_that_cannot_be_used_is_refused(where, words):
    with pytest.raises(UsageError, match=words) as raised:
        open_segments(where)

    assert "secret" not in str(raised.value)


@pytest.fixture
def synced(monkeypatch):
    """The files and folders that were synced, in this order."""
    paths: list[Path] = []
    fsync = os.fsync

    def note(file: int) -> None:
        paths.append(Path(f"/proc/self/fd/{file}").readlink())
        fsync(file)

    monkeypatch.setattr(os, "fsync", note)
    return paths


def test_each_new_folder_is_in_a_folder_that_was_synced(tmp_path, synced):
    make_folder(tmp_path / "a" / "b")
    make_folder(tmp_path)  # it is there
    sync_folder(tmp_path)

    assert (tmp_path / "a" / "b").is_dir()
    assert synced == [tmp_path, tmp_path / "a", tmp_path]


def test_a_folder_cannot_be_made_over_a_file(tmp_path):
    (tmp_path / "file").touch()

    with pytest.raises(FileExistsError):
        make_folder(tmp_path / "file")
