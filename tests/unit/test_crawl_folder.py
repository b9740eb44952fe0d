"""What lies in a crawl folder is opened without following links, and trust cannot be sent."""

import os
import shutil
import socket
from pathlib import Path

import pytest

from geoscout.crawl_folder import (
    MADE_HERE,
    ORIGIN,
    is_made_here,
    mark_made_here,
    open_file,
    open_stream,
    rename_file,
    require_plain,
)
from geoscout_places.errors import UsageError


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("GEOSCOUT_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "crawl" / "archive").mkdir(parents=True)
    (tmp_path / "crawl" / "archive" / "file").write_text("ours")
    (tmp_path / "precious").write_text("precious")
    return tmp_path / "crawl"


@pytest.mark.parametrize("mode", ["rb", "wb", "ab", "r+b", "xb"])
def test_a_link_is_not_followed(folder, mode):
    (folder / "link").symlink_to("../precious")
    with pytest.raises(OSError, match="link"):
        open_stream(folder / "link", mode)
    assert (folder / "../precious").read_text() == "precious"


def test_no_folder_on_the_way_is_a_link(folder):
    (folder / "way").symlink_to("archive")

    with pytest.raises(NotADirectoryError):
        open_file(folder / "way" / "file", os.O_RDONLY, inside=2)
    with pytest.raises(OSError, match="Not a directory"):
        rename_file(folder / "way" / "file", "other", inside=2)
    os.close(open_file(folder / "way" / "file", os.O_RDONLY))  # where the way is the user's own


def test_a_pipe_or_socket_is_not_waited_for(folder):
    os.mkfifo(folder / "pipe")
    with socket.socket(socket.AF_UNIX) as line:
        line.bind(str(folder / "socket"))
    for name in ("pipe", "socket"):
        for mode in ("rb", "wb"):
            with pytest.raises(OSError, match="not a plain file"):
                open_stream(folder / name, mode)
        with pytest.raises(UsageError, match="not a plain file"):
            require_plain(folder)
        (folder / name).unlink()
    require_plain(folder)


def test_what_has_a_second_name_is_read_and_not_written(folder):
    os.link(folder / "../precious", folder / "named")

    with open_stream(folder / "named", "rb") as file:
        assert file.read() == b"precious"
    for mode in ("wb", "ab", "r+b"):
        with pytest.raises(OSError, match="second name"):
            open_stream(folder / "named", mode)
    assert (folder / "../precious").read_text() == "precious"


def test_folders_in_each_other_without_an_end_are_refused(folder):
    folder.joinpath(*["deep"] * 20).mkdir(parents=True)
    with pytest.raises(UsageError, match="folders in each other"):
        require_plain(folder)


def test_a_name_cannot_write_to_a_terminal(folder):
    (folder / "\x1b[2J").symlink_to("x")
    with pytest.raises(UsageError) as caught:
        require_plain(folder)
    assert "\x1b" not in str(caught.value)


def test_a_folder_that_was_made_here_may_have_links(folder):
    (folder / "way").symlink_to("archive")
    mark_made_here(folder)

    require_plain(folder)
    with open_stream(folder / "way" / "file", "rb", inside=2) as file:
        assert file.read() == b"ours"
    os.mkfifo(folder / "pipe")
    with pytest.raises(OSError, match="not a plain file"):
        open_stream(folder / "pipe", "rb")


def test_what_was_moved_is_still_made_here(folder, tmp_path):
    assert not is_made_here(folder)
    mark_made_here(folder)
    assert is_made_here(folder)
    assert is_made_here(folder.rename(tmp_path / "moved"))


def test_no_copy_is_made_here(folder, tmp_path):
    mark_made_here(folder)
    shutil.copytree(folder, tmp_path / "copied")
    assert not is_made_here(tmp_path / "copied")

    (tmp_path / "copied" / ORIGIN).unlink()  # also not with the very file
    (folder / ORIGIN).rename(tmp_path / "copied" / ORIGIN)
    assert not is_made_here(tmp_path / "copied")


@pytest.mark.parametrize("name", [ORIGIN, MADE_HERE])
def test_no_link_to_a_folder_that_was_made_here_makes_trust(folder, tmp_path, name):
    mark_made_here(folder)
    sent = Path(shutil.copytree(folder, tmp_path / "sent"))
    for each in (ORIGIN, MADE_HERE):
        (sent / each).unlink()
        (sent / each).symlink_to(folder / each)
    assert not is_made_here(sent)

    (folder / name).rename(tmp_path / "elsewhere")
    (folder / name).symlink_to(tmp_path / "elsewhere")
    assert not is_made_here(folder)


def test_trust_needs_the_key_of_this_home(folder, home):
    mark_made_here(folder)
    (key,) = home.iterdir()
    kept = key.read_bytes()
    key.write_bytes(b"0" * len(kept))
    assert not is_made_here(folder)
    key.write_bytes(kept)
    assert is_made_here(folder)
    key.chmod(0o644)  # others may have read it
    assert not is_made_here(folder)
    key.unlink()
    assert not is_made_here(folder)


def test_a_mark_of_an_earlier_version_is_none(folder):
    (folder / ORIGIN).touch()
    found = (folder / ORIGIN).stat()
    (folder / MADE_HERE).write_text(f"{found.st_ino} {found.st_ctime_ns}\n")
    assert not is_made_here(folder)
