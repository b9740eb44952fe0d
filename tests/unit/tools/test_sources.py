import hashlib
import io
import os
import pickle
import tarfile
import zipfile
from pathlib import Path

import pytest
from tools.derive.pins import Source
from tools.derive.sources import Library, SourceError


def pin(path: Path, registry: str = "pypi") -> Source:
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return Source(registry, "sample", "1.0", path.name, digest, licence="MIT")


def wheel(folder: Path, member: str, data: bytes) -> Source:
    path = folder / "sample-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(member, data)
    return pin(path)


def test_a_member_of_a_wheel_is_read(tmp_path: Path) -> None:
    source = wheel(tmp_path, "sample/data.json", b'{"a": 1}')

    assert Library(tmp_path).read_json(source, "sample/data.json") == {"a": 1}
    assert Library(tmp_path).members(source) == ["sample/data.json"]


def test_a_member_of_an_npm_package_is_read(tmp_path: Path) -> None:
    path = tmp_path / "sample-1.0.tgz"
    with tarfile.open(path, "w:gz") as archive:
        entry = tarfile.TarInfo("package/data.txt")
        entry.size = 2
        archive.addfile(entry, io.BytesIO(b"hi"))

    assert Library(tmp_path).read(pin(path, "npm"), "data.txt") == b"hi"


def test_an_altered_package_is_refused(tmp_path: Path) -> None:
    source = wheel(tmp_path, "data", b"good")
    (tmp_path / source.file).write_bytes(b"evil")

    with pytest.raises(SourceError, match="SHA-256"):
        Library(tmp_path).read(source, "data")


def test_a_pickle_of_plain_values_is_loaded(tmp_path: Path) -> None:
    source = wheel(tmp_path, "data.pkl", pickle.dumps([["Berlin", 52.5], {"a": None}]))

    assert Library(tmp_path).read_pickle(source, "data.pkl") == [["Berlin", 52.5], {"a": None}]


def test_a_pickle_that_names_a_class_or_function_is_refused(tmp_path: Path) -> None:
    source = wheel(tmp_path, "data.pkl", pickle.dumps(os.system))

    with pytest.raises(SourceError, match="system"):
        Library(tmp_path).read_pickle(source, "data.pkl")
