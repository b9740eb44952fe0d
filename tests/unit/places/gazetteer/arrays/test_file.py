"""A file of mapped parts is whole, or it is refused."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest

from geoscout_places.errors import DamagedDataError
from geoscout_places.gazetteer.arrays.file import ArrayFile, ArrayFileWriter


def write(path: Path) -> Path:
    with ArrayFileWriter(path) as writer:
        writer.add("letters", "é\nz".encode())
        writer.add("nothing", b"")
        writer.add("numbers", (7).to_bytes(4, "little") + (9).to_bytes(4, "little"))
        writer.add("ids", (-1).to_bytes(8, "little", signed=True))
    return path


def test_parts_are_read_as_they_were_written(tmp_path: Path) -> None:
    file = ArrayFile(write(tmp_path / "some.arrays"))

    assert file.part("letters").decode() == "é\nz"
    assert file.part("nothing") == b""
    assert list(file.numbers("numbers", "I")) == [7, 9]
    assert list(file.numbers("ids", "q")) == [-1]
    assert file.content[file.start("letters") :][:2] == "é".encode()
    file.close()


@pytest.mark.parametrize("left", [0, 10, -1])
def test_a_file_that_was_cut_off_is_refused(tmp_path: Path, left: int) -> None:
    path = write(tmp_path / "some.arrays")
    path.write_bytes(path.read_bytes()[:left])

    with pytest.raises(DamagedDataError, match="cannot be read"):
        ArrayFile(path)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DamagedDataError, match="cannot be read"):
        ArrayFile(tmp_path / "none.arrays")


def test_a_file_whose_writer_failed_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "some.arrays"
    with suppress(KeyboardInterrupt), ArrayFileWriter(path) as writer:
        writer.add("letters", b"abc")
        raise KeyboardInterrupt

    with pytest.raises(DamagedDataError, match="cannot be read"):
        ArrayFile(path)


def test_nothing_can_be_asked_of_a_closed_file(tmp_path: Path) -> None:
    file = ArrayFile(write(tmp_path / "some.arrays"))
    numbers = file.numbers("numbers", "I")

    file.close()

    with pytest.raises(ValueError, match="released"):
        numbers[0]
