"""Finds the compiled gazetteer, and builds it when it is missing or out of date.

Its file is named by a key of all that goes into a build: shipped tables, installed extras, the
user's imports and the code. So a start can tell in a millisecond whether the file is still right.
"""

import fcntl
import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from geoscout_places.gazetteer import extras, tables
from geoscout_places.gazetteer.sqlite import SqliteGazetteer
from geoscout_places.gazetteer.tables import DATA_FOLDER, arrays_of

IMPORTS_FOLDER = "imports"
BuildProgress = Callable[[str, float], None]  # what is being done, the share of the build done
# The code below this folder that shapes the compiled file: a change in it is a change of the file.
_SHAPING = (
    "automaton.py",
    "names.py",
    "tables.py",
    "build/arrays.py",
    "build/compile.py",
    "build/places.py",
)
_LANGUAGES = Path(__file__).parents[1] / "language"


def name_tables() -> Iterator[bytes]:
    """The table [names] of each shipped language: the automaton is compiled with its words.

    Cut out of the files, because parsing them takes a twentieth of a start.
    """
    for path in sorted(_LANGUAGES.glob("*.toml")):
        yield path.read_bytes().partition(b"\n[names]\n")[2].partition(b"\n[")[0]


class Sources(Struct, frozen=True):
    """The tables one build reads, in the order in which they win."""

    data: Path
    imports: Path | None = None
    use_extras: bool = True

    def key(self) -> str:
        """Changes with any source, by name, size and time, and with the code that builds."""
        digest = hashlib.blake2b(digest_size=8)
        for module in _SHAPING:
            digest.update((Path(__file__).parent / module).read_bytes())
        for table in name_tables():
            digest.update(table)
        for path in self._files():
            stat = path.stat()
            imported = stat.st_mtime_ns if path.parent == self.imports else 0
            digest.update(f"{path.name} {stat.st_size} {imported};".encode())
        for extra in self._extras():
            stat = extra.file.stat()
            digest.update(f"{extra.name} {stat.st_size} {stat.st_mtime_ns};".encode())
        return digest.hexdigest()

    def describe(self) -> dict[str, str]:
        """What the build was made from, for `geoscout gazetteer info`."""
        imported = [p.name for p in self._files() if p.parent == self.imports]
        return {
            "extras": ", ".join(extra.name for extra in self._extras()) or "none",
            "imports": ", ".join(imported) or "none",
        }

    def areas(self) -> Iterator[tables.AreaRow]:
        return tables.read_table(self.data / "areas.tsv.xz", tables.AreaRow)

    def countries(self) -> Iterator[tables.CountryRow]:
        return tables.read_table(self.data / "countries.tsv.xz", tables.CountryRow)

    def demonyms(self) -> Iterator[tables.DemonymRow]:
        return tables.read_table(self.data / "demonyms.tsv", tables.DemonymRow)

    def landmarks(self) -> Iterator[tables.LandmarkRow]:
        return self._read("landmarks", tables.LandmarkRow)

    def places(self) -> Iterator[tables.PlaceRow]:
        yield from self._read("places", tables.PlaceRow)
        for extra in self._extras():
            yield from extra.rows("places")

    def names(self) -> Iterator[tables.NameRow]:
        return self._read("names", tables.NameRow)

    def postcodes(self) -> Iterator[tables.PostcodeRow]:
        """Extras first: a full postcode's own town and point are better than a part's.

        Last those without coordinates, which get those of their town.
        """
        found = self._extras()
        for extra in found:
            yield from extra.rows("postcodes") if extra.is_located else ()
        yield from self._read("postcodes", tables.PostcodeRow)
        for extra in found:
            yield from extra.rows("postcodes") if not extra.is_located else ()

    def streets(self) -> Iterator[tables.StreetRow]:
        return self._read("streets", tables.StreetRow)

    def _read(self, table: str, row_type: type[tables.RowType]) -> Iterator[tables.RowType]:
        files = [p for p in self._files() if self._table_of(p) == table]
        return chain.from_iterable(tables.read_table(path, row_type) for path in files)

    def _table_of(self, path: Path) -> str:
        """Shipped tables are called TABLE.PART.tsv.xz, imported ones NAME.TABLE.tsv.gz."""
        return path.name.split(".")[1 if path.parent == self.imports else 0]

    def _extras(self) -> tuple[extras.Extra, ...]:
        return extras.available() if self.use_extras else ()

    def _files(self) -> list[Path]:
        imported = self.imports.glob("*.tsv.gz") if self.imports else ()
        return [*sorted(self.data.glob("*.tsv*")), *sorted(imported)]


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


def gazetteer_in(file: Path) -> SqliteGazetteer:
    """The compiled gazetteer of a file, for another process of the one that has it open."""
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
