"""Bytes of an index that were changed are found, and never break a search with a strange error."""

import fcntl
import shutil
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from geoscout.index.base import Wanted
from geoscout.index.files import COLUMNS, LOCK, WORDS, as_index_error, damage_of_index
from geoscout.index.reader import IndexReader
from geoscout_places.errors import DamagedDataError
from tests.unit.index.documents import document, write

PIZZA = Wanted(words=(("pizza",),))


@pytest.fixture
def index(tmp_path):
    """An index of two commits."""
    folder = tmp_path / "index"
    write(folder, *(document(f"http://a.example/{n}", f"pizza number {n}") for n in range(30)))
    write(folder, document("http://b.example/", "pizza again"), cursor="2")
    return folder


def files(folder: Path) -> list[Path]:
    """Those with a checksum."""
    words = [path for path in (folder / WORDS).iterdir() if path.suffix not in {".json", ".lock"}]
    return sorted([*words, *(folder / COLUMNS).iterdir()])


def flip(path: Path, share: float) -> None:
    data = bytearray(path.read_bytes())
    data[int(len(data) * share)] ^= 0xFF
    path.write_bytes(data)


def ask(folder: Path) -> None:
    """Everything that a search asks of an index."""
    reader = IndexReader(folder)
    slots = reader.find(PIZZA, 50).slots
    reader.count(PIZZA)
    reader.count_places(PIZZA)
    reader.pages_with("pizza")
    reader.slot_of("http://b.example/")
    for slot in slots.tolist():
        reader.head(slot)
        reader.text(slot)
    reader.places_of(np.asarray(slots))
    reader.spots_of(np.asarray(slots))


def test_a_whole_index_is_fine_and_none_too(index):
    assert damage_of_index(index) == damage_of_index(index / "none") == []


def test_what_a_killed_writer_left_is_no_damage_and_goes_with_the_next_one(index):
    left = index / WORDS / ".tmpvPFqRi"
    left.write_bytes(b'{"half')

    assert damage_of_index(index) == []
    write(index, document("http://c.example/", "pizza"), cursor="3")
    assert not left.exists()


def test_a_changed_byte_is_found_in_every_file(index, tmp_path):
    names = [path.relative_to(index) for path in files(index) if path.stat().st_size]
    missed = []
    for n, name in enumerate(names):
        copy = tmp_path / f"copy{n}"
        shutil.copytree(index, copy)
        flip(copy / name, 0.4)
        if not any(str(name) in line or "damaged" in line for line in damage_of_index(copy)):
            missed.append(name)

    assert len(names) > 8
    assert missed == []


def test_an_index_that_is_being_changed_is_not_judged(index):
    flip(files(index)[0], 0.4)
    with (index / LOCK).open("ab") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)

        assert damage_of_index(index) == []


@pytest.mark.parametrize("share", [0.1, 0.5, 0.8])
def test_a_search_over_changed_bytes_answers_or_says_that_they_are_damaged(index, tmp_path, share):
    asked = 0
    for n, name in enumerate(path.relative_to(index) for path in files(index)):
        copy = tmp_path / f"copy{n}"
        shutil.copytree(index, copy)
        if (copy / name).stat().st_size:
            flip(copy / name, share)
        with suppress(DamagedDataError):
            ask(copy)
        asked += 1

    assert asked > 8


class PanicException(BaseException):
    """As a panic in Rust comes up."""


def test_a_panic_of_tantivy_is_damage(tmp_path):
    with pytest.raises(DamagedDataError, match="index --rebuild"), as_index_error(tmp_path):
        raise PanicException("index out of bounds")


def test_other_errors_pass(tmp_path):
    with pytest.raises(KeyboardInterrupt), as_index_error(tmp_path):
        raise KeyboardInterrupt
