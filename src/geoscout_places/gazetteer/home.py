"""Finds the compiled gazetteer, and builds it when it is missing or out of date."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from geoscout_places.gazetteer.arrays.layout import arrays_of
from geoscout_places.gazetteer.build.sources import IMPORTS_FOLDER, BuildProgress, Sources
from geoscout_places.gazetteer.sqlite import SqliteGazetteer
from geoscout_places.gazetteer.tables import DATA_FOLDER

_PREFIX = "gazetteer-"
_LOCK = "building.lock"
_KEPT_SECONDS = 7 * 24 * 3600


class HomeSettings(Protocol):
    """What the gazetteer has to know of the settings of geoscout."""

    @property
    def home(self) -> str:
        """The folder for what is built and imported; empty for the user's cache directory."""

    @property
    def extras(self) -> bool:
        """Whether the optional data packages that are installed are built in."""


@dataclass(frozen=True, slots=True)
class Home:
    """The same without a crawler: a folder, or what the environment says."""

    home: str = ""
    extras: bool = True


def home_folder(settings: HomeSettings) -> Path:
    """Where built gazetteers and imports lie."""
    if settings.home:
        return Path(settings.home).expanduser()
    import platformdirs  # noqa: PLC0415 - not needed where GEOSCOUT_HOME is set

    return Path(platformdirs.user_cache_dir("geoscout"))


def sources_of(settings: HomeSettings) -> Sources:
    imports = home_folder(settings) / IMPORTS_FOLDER
    return Sources(DATA_FOLDER, imports if imports.is_dir() else None, settings.extras)


def compiled_file(settings: HomeSettings) -> Path:
    """The file a build from the present sources has; it may not exist yet."""
    key = sources_of(settings).key()
    return home_folder(settings) / f"{_PREFIX}{key}.sqlite"


def build_gazetteer(
    settings: HomeSettings, progress: BuildProgress = lambda _what, _share: None
) -> Path:
    """Build the gazetteer from what is there now and remove builds of long ago.

    Recent ones stay: another version of geoscout on this machine would build its own again.
    """
    from geoscout_places.gazetteer.build.compile import build  # noqa: PLC0415 - most starts build nothing

    target = compiled_file(settings)
    build(target, sources_of(settings), progress)
    remove_old_builds(target)
    return target


def remove_old_builds(target: Path) -> None:
    """Remove the builds in the same folder that are a week older."""
    oldest = target.stat().st_mtime - _KEPT_SECONDS
    for build in target.parent.glob(f"{_PREFIX}*"):
        if build.stat().st_mtime < oldest:
            build.unlink(missing_ok=True)


def open_gazetteer(
    settings: HomeSettings | None = None, progress: BuildProgress = lambda _what, _share: None
) -> SqliteGazetteer:
    """The gazetteer, built first where that has not been done yet.

    `settings` None means the folder that GEOSCOUT_HOME names, or the user's cache directory.
    """
    settings = settings or Home(os.environ.get("GEOSCOUT_HOME", ""))
    file = compiled_file(settings)
    if not _is_built(file):
        with _one_at_a_time(file.parent, progress):
            if not _is_built(file):  # by the process that was first
                build_gazetteer(settings, progress)
    return SqliteGazetteer(file)


def _is_built(file: Path) -> bool:
    return file.exists() and arrays_of(file).exists()


@contextmanager
def _one_at_a_time(home: Path, progress: BuildProgress) -> Iterator[None]:
    """Wait while another process builds: two builds at once take twice the time and memory."""
    home.mkdir(parents=True, exist_ok=True)
    with (home / _LOCK).open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            progress("waiting for another process that builds it", 0.0)
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield
