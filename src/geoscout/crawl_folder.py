"""Opens and writes what lies in the folder of a crawl, and knows which folders can be trusted.

Anybody can send a folder, with any names in it: a link to a file of ours in place of its log, or a
pipe that nobody ever writes to. So every file in it is opened here, name by name from the folder
on: no link is followed, and nothing but a plain file of ours is opened.

A folder also says what a crawl may do when it goes on: ask private addresses, for example. One with
a PostgreSQL of its own has a database, and a database can run programs. All of this, links too, is
fine in a folder that was made here. Whoever sends a folder must not decide it.

    DIR/crawl.origin     empty
    DIR/crawl.made-here  a seal: by a key in our own home, over the device, the number (inode) of
                         the folder, and the number and the time of the last change of that file

Nothing that is in a folder can make the seal, and it fits no copy. A folder that is renamed keeps
it, also after a start of the machine, when devices may get other numbers. A copy of one's own
folder has to be trusted once (`geoscout check DIR --trust`).

Libraries that open files by their paths, as SQLite and Tantivy do, follow links. Before they are
let in, `require_plain` looks at everything in the folder. Between that look and theirs somebody who
may write to the folder at that moment could put a link there. Such a neighbour is not kept out:
whoever may write to a crawl decides what it says.
"""

import errno
import fcntl
import hmac
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache, partial
from hashlib import blake2b
from pathlib import Path
from typing import IO, Any

from geoscout_places.errors import UsageError

ORIGIN, MADE_HERE = "crawl.origin", "crawl.made-here"
SERVER = "postgres"  # the folder of a database in that of a crawl, which only trusted ones start
_FILE = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_NEW = os.O_CREAT | os.O_EXCL | os.O_WRONLY | _FILE
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_WRITING = os.O_WRONLY | os.O_RDWR
_LINK = {errno.ELOOP, errno.ENOTDIR, errno.EMLINK}  # how systems say that there is a link
_DEEPEST = 8  # folders in each other; ours are three
_KEY_BYTES = 32
_LONGEST_SEAL = 300  # bytes
_JOURNAL = (
    "-journal"  # may name a file anywhere, which SQLite deletes when it rolls back; ours are logs
)
_TRUST = "if you trust it, say so with the option `trust` of `geoscout check`"


def open_file(path: Path, flags: int, inside: int = 1) -> int:
    """A descriptor of a plain file; the last `inside` parts of its path lie in a crawl's folder.

    In a folder that was made here links are followed.

    Raises:
        OSError: it is a link, no plain file or that of another user, or the system says no.
    """
    root = path.parents[inside - 1]
    try:
        with folder_at(path.parent, inside - 1) as at:
            return _open_plain(path, path.name, flags | _FILE, at, root)
    except OSError as error:
        if error.errno not in _LINK or not is_made_here(root):
            raise
    return _open_plain(path, path, flags | _FILE & ~os.O_NOFOLLOW, None, root)


def open_stream(path: Path, mode: str, inside: int = 1) -> IO[Any]:
    """The same as a file of Python."""
    return open(path, mode, opener=lambda _, flags: open_file(path, flags, inside))


@contextmanager
def folder_at(path: Path, inside: int = 0) -> Iterator[int]:
    """A descriptor of a folder, the last parts of whose path lie in a crawl's folder."""
    at = os.open(path.parents[inside - 1] if inside else path, _FOLDER)
    try:
        for name in path.parts[len(path.parts) - inside :]:
            above, at = at, os.open(name, _FOLDER | os.O_NOFOLLOW, dir_fd=at)
            os.close(above)
        yield at
    finally:
        os.close(at)


def rename_file(path: Path, name: str, inside: int = 1) -> None:
    """Give a file another name in its folder."""
    with _folder_here(path.parent, inside - 1) as at:
        os.rename(path.name, name, src_dir_fd=at, dst_dir_fd=at)


def require_plain(folder: Path, inside: int = 0) -> None:
    """Go on with a folder that has no link and no special file in it, or was made here.

    A hard link is one, too: what is written to it is written to a file elsewhere. So is what SQLite
    rolls back by: it deletes the file that is named there, wherever it is.
    """
    root = folder.parents[inside - 1] if inside else folder
    if is_made_here(root):
        return
    try:
        with folder_at(folder, inside) as at:
            before = "".join(f"{name}/" for name in folder.parts[len(folder.parts) - inside :])
            odd = next(_odd_files(at, _owners(root), before), "")
    except FileNotFoundError:
        return
    except OSError as error:
        if error.errno not in _LINK or not inside:
            raise
        odd = f"{folder.name}, not a folder"
    if odd:
        raise UsageError(
            f"{root} has something in it that may lead out of it ({odd}), and was copied or comes"
            f" from elsewhere; {_TRUST}"
        )


def mark_made_here(folder: Path) -> None:
    """Say that a folder was made here, or that its maker is trusted.

    Raises:
        OSError: the folder or our home cannot be written to.
    """
    key = _key_made(_home())
    with folder_at(folder) as at:
        for name in (ORIGIN, MADE_HERE):
            with suppress(FileNotFoundError):
                os.unlink(name, dir_fd=at)
        os.close(os.open(ORIGIN, _NEW, 0o666, dir_fd=at))
        device = _device(at)
        seal = f"{device} {_seal(key, device, at)}\n".encode("ascii")
        marker = os.open(MADE_HERE, _NEW, 0o666, dir_fd=at)
        with open(marker, "wb") as file:
            file.write(seal)


def is_made_here(folder: Path) -> bool:
    """Whether it was made here, and not copied, unpacked or mounted."""
    try:
        with folder_at(folder) as at:
            path = folder / MADE_HERE
            marker = _open_plain(path, MADE_HERE, os.O_RDONLY | _FILE, at, folder)
            with open(marker, "rb") as file:
                device, _, seal = file.read(_LONGEST_SEAL).decode("ascii").strip().rpartition(" ")
            is_ours = hmac.compare_digest(seal, _seal(_key(_home()), device, at))
            return is_ours and _is_same_device(device, _device(at))
    except (OSError, ValueError):
        return False


def require_made_here(folder: Path, danger: str) -> None:
    """Go on with a folder that was made here."""
    if not is_made_here(folder):
        raise UsageError(f"{folder} was copied or comes from elsewhere, and {danger}; {_TRUST}")


def _open_plain(path: Path, name: Path | str, flags: int, at: int | None, root: Path) -> int:
    """Open what is a plain file, looked at before, since opening a device may do something."""
    with suppress(FileNotFoundError):
        _check_plain(
            path, os.stat(name, dir_fd=at, follow_symlinks=not flags & os.O_NOFOLLOW), root
        )
    file = os.open(name, flags & ~os.O_TRUNC, 0o666, dir_fd=at)
    try:
        _check_plain(path, os.fstat(file), root)
        if flags & _WRITING:
            _check_names(path, os.fstat(file), root)
        if flags & os.O_TRUNC:
            os.ftruncate(file, 0)
    except BaseException:
        os.close(file)
        raise
    return file


def _check_plain(path: Path, found: os.stat_result, root: Path) -> None:
    if stat.S_ISLNK(found.st_mode):
        raise OSError(errno.ELOOP, "it is a link", str(path))
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, "it is not a plain file", str(path))
    if found.st_uid not in _owners(root):
        raise PermissionError(errno.EPERM, "it belongs to another user", str(path))


def _check_names(path: Path, found: os.stat_result, root: Path) -> None:
    if found.st_nlink > 1 and not is_made_here(root):
        raise OSError(errno.EINVAL, "it has a second name, and may be another file", str(path))


def _owners(root: Path) -> set[int]:
    """Whose files are opened in a folder: ours, those of its owner, and those of the system."""
    return {os.geteuid(), root.stat().st_uid, 0}


@contextmanager
def _folder_here(path: Path, inside: int) -> Iterator[int]:
    """The same as `folder_at`; in a folder that was made here links are followed."""
    root = path.parents[inside - 1] if inside else path
    with folder_at(path, 0 if is_made_here(root) else inside) as at:
        yield at


def _odd_files(at: int, owners: set[int], before: str = "", depth: int = 0) -> Iterator[str]:
    """What in a folder is neither a folder nor a plain file of ours, in words."""
    with os.scandir(at) as entries:
        for entry in entries:
            name = ascii(before + entry.name)
            with suppress(FileNotFoundError, PermissionError):  # then we cannot open it either
                found = entry.stat(follow_symlinks=False)
                is_plain = stat.S_ISREG(found.st_mode) and found.st_uid in owners
                is_journal = entry.name.casefold().endswith(_JOURNAL) and found.st_size
                if is_plain and found.st_nlink == 1 and not is_journal:
                    continue
                if not stat.S_ISDIR(found.st_mode):
                    yield f"{name}, {_kind(found, owners)}"
                elif depth == _DEEPEST:
                    yield f"{name}, folders in each other"
                elif before or entry.name != SERVER:
                    below = os.open(entry.name, _FOLDER | os.O_NOFOLLOW, dir_fd=at)
                    try:
                        yield from _odd_files(below, owners, f"{before}{entry.name}/", depth + 1)
                    finally:
                        os.close(below)


def _kind(found: os.stat_result, owners: set[int]) -> str:
    if stat.S_ISLNK(found.st_mode):
        return "a link"
    if not stat.S_ISREG(found.st_mode):
        return "not a plain file"
    if found.st_nlink > 1:
        return "which has a second name"
    return "of another user" if found.st_uid not in owners else "a journal of SQLite"


def _seal(key: bytes, device: str, at: int) -> str:
    """The seal of a folder for a device; the origin must be a plain file of ours in it.

    Raises:
        OSError: it is not.
    """
    folder, origin = os.fstat(at), os.stat(ORIGIN, dir_fd=at, follow_symlinks=False)
    is_plain = stat.S_ISREG(origin.st_mode) and origin.st_nlink == 1
    if not is_plain or origin.st_uid != os.geteuid() or origin.st_dev != folder.st_dev:
        raise OSError(errno.EINVAL, "it is not a plain file of ours", ORIGIN)
    told = f"{device} {folder.st_ino} {origin.st_ino} {origin.st_ctime_ns}"
    return blake2b(told.encode(), key=key, digest_size=_KEY_BYTES).hexdigest()


def _device(at: int) -> str:
    """The device of a folder: its number, the mark of its file system, and this run of the machine.

    Numbers are given again at each start, and those of file systems without a disk of their own, as
    NFS, whenever they are mounted.
    """
    return f"{os.fstat(at).st_dev} {os.fstatvfs(at).f_fsid} {_boot()}"


def _is_same_device(noted: str, now: str) -> bool:
    (before, mark, boot), (number, mark_now, boot_now) = noted.split(" "), now.split(" ")
    if before == number:
        return True
    may_change = boot != boot_now or (os.major(int(before)) == 0 == os.major(int(number)))
    return may_change and mark == mark_now


@cache
def _boot() -> str:
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return str(secrets.randbits(64))  # unknown: no run of a process is the same


def _home() -> Path:
    """Our own folder, by the environment or the system alone: no file of settings names it."""
    if home := os.environ.get("GEOSCOUT_HOME"):
        return Path(home).expanduser()
    import platformdirs  # noqa: PLC0415 - not needed where GEOSCOUT_HOME is set

    return Path(platformdirs.user_cache_dir("geoscout"))


def _key_file(home: Path) -> Path:
    return home / f"folders-{os.geteuid()}.key"


def _key(home: Path) -> bytes:
    """The key of our seals.

    Raises:
        OSError: there is none that only we can read.
    """
    with open(_open_plain(_key_file(home), _key_file(home), _FILE, None, home), "rb") as file:
        found, key = os.fstat(file.fileno()), file.read(_KEY_BYTES + 1)
    if found.st_uid != os.geteuid() or found.st_mode & 0o077 or len(key) != _KEY_BYTES:
        raise OSError(errno.EPERM, "it is not a key that only we can read", str(_key_file(home)))
    return key


def _key_made(home: Path) -> bytes:
    """The key of our seals, made if it is new: it is there whole, or not at all."""
    with suppress(FileNotFoundError):
        return _key(home)
    home.mkdir(parents=True, exist_ok=True)
    draft = _key_file(home).with_suffix(f".{secrets.token_hex(8)}")
    try:
        with open(draft, "xb", opener=partial(os.open, mode=0o600)) as file:
            file.write(secrets.token_bytes(_KEY_BYTES))
        with suppress(FileExistsError):  # another process was first
            os.link(draft, _key_file(home))
    finally:
        draft.unlink(missing_ok=True)
    return _key(home)


# Of shares and of macOS: there names reach the disk when the system likes.
_CANNOT_SYNC = (errno.EINVAL, errno.ENOTSUP)
sync_file = getattr(os, "fdatasync", os.fsync)  # macOS has no other


# A write is in the memory of the system until a sync. A new name is in its folder's: a file that
# was synced can still be gone after a power failure when its folder was not.
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
