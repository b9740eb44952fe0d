from __future__ import annotations

import os
from pathlib import Path

import pytest

from geoscout.crawl_folder import make_folder, sync_folder


@pytest.fixture
def synced(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The files and folders that were synced, in this order."""
    paths: list[Path] = []
    fsync = os.fsync

    def note(file: int) -> None:
        paths.append(Path(f"/proc/self/fd/{file}").readlink())
        fsync(file)

    monkeypatch.setattr(os, "fsync", note)
    return paths


def test_each_new_folder_is_in_a_folder_that_was_synced(tmp_path: Path, synced: list[Path]) -> None:
    make_folder(tmp_path / "a" / "b")

    assert (tmp_path / "a" / "b").is_dir()
    assert synced == [tmp_path, tmp_path / "a"]


def test_a_folder_that_is_there_is_left_alone(tmp_path: Path, synced: list[Path]) -> None:
    make_folder(tmp_path)

    assert synced == []


def test_a_folder_cannot_be_made_over_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(FileExistsError):
        make_folder(tmp_path / "file")


def test_a_folder_is_synced(tmp_path: Path, synced: list[Path]) -> None:
    sync_folder(tmp_path)

    assert synced == [tmp_path]
