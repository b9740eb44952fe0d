"""A digest of parts of the code, for the names of files that depend on them.

What other code has read or measured must not be taken for a result of this code, and a version
number is easily forgotten. The code is read when a process first asks, so what a long study
writes is named by the code it began with.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from pathlib import Path

_SUFFIXES = {".py", ".toml", ".tsv", ".xz"}


@cache
def code_digest(*parts: str) -> str:
    """The digest of folders and files, given by their paths where geoscout is installed.

    Raises:
        FileNotFoundError: a part is not there; a digest without it would hide its changes.
    """
    packages = Path(str(files("geoscout"))).parent
    digest = blake2b(digest_size=8)
    for part in parts:
        for file in _files(packages / part):
            digest.update(file.read_bytes())
    return digest.hexdigest()


def _files(path: Path) -> Iterator[Path]:
    if not path.exists():
        raise FileNotFoundError(path)
    found = sorted(path.rglob("*")) if path.is_dir() else [path]
    return (file for file in found if file.suffix in _SUFFIXES)
