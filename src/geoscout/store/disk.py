"""Files and folders that outlast a power failure.

A write is in the memory of the system until a sync. A new name is in its folder's: a file that was
synced can still be gone after a power failure when its folder was not.
"""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from geoscout.crawl_folder import open_stream

# Of shares and of macOS: there names reach the disk when the system likes.
_CANNOT_SYNC = (errno.EINVAL, errno.ENOTSUP)
sync_file = getattr(os, "fdatasync", os.fsync)  # macOS has no other


def make_folder(folder: Path) -> None:
    """Make a folder with those above it, so that it outlasts a power failure; it may be there."""
    if folder.is_dir():
        return
    make_folder(folder.parent)
    folder.mkdir(exist_ok=True)
    sync_folder(folder.parent)


def is_writable(folder: Path) -> bool:
    """Whether this process may make files in a folder."""
    return os.access(folder, os.W_OK | os.X_OK)


def sync_folder(folder: Path) -> None:
    """Have the names of new, renamed and deleted files reach the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in _CANNOT_SYNC:
            raise
    finally:
        os.close(descriptor)


@contextmanager
def held_folder(folder: Path) -> Iterator[None]:
    """Let others wait who want to hold the same folder, in this process or another."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def replace_file(file: Path, content: bytes) -> None:
    """Write a small file so that a reader sees the old or the new content, and nothing between."""
    new = file.with_name(f"{file.name}.new")
    new.unlink(missing_ok=True)  # what is there may be a link
    with open_stream(new, "xb") as opened:
        opened.write(content)
        opened.flush()
        os.fsync(opened.fileno())
    new.replace(file)
    sync_folder(file.parent)


def write_all(file: int, data: bytes, offset: int) -> None:
    """Write at an offset of an open file descriptor.

    After an error it can be called again with the same values.
    """
    view = memoryview(data)
    while view:
        written = os.pwrite(file, view, offset)
        view, offset = view[written:], offset + written
