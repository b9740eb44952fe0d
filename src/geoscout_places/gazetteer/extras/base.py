"""What an optional data package is to the builder, however it keeps its data.

A package is found without importing it, and its files are read directly: their own programming
interfaces pull in pandas, or load a hundred megabytes to answer one question. The modules that read
them are imported when their rows are asked for, as every start of geoscout looks for packages.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from msgspec import Struct

from geoscout_places.gazetteer.tables import PlaceRow, PostcodeRow


class Offer(Struct, frozen=True):
    """A data package that geoscout can use where it is installed."""

    name: str  # what to install
    package: str  # what it is called in Python
    licence: str
    adds: str  # what it adds to the gazetteer, for people
    file: str  # below the package's folder; without it the package is of no use
    table: str = ""  # which table it has rows for; "" for none
    reader: str = ""  # the module of this package whose `read_rows` takes the package's folder
    is_located: bool = True  # whether its rows have coordinates of their own
    needs: tuple[str, ...] = ()  # further packages without which the file cannot be read


class Extra(Struct, frozen=True):
    """An optional data package that is installed."""

    offer: Offer
    folder: Path

    @property
    def name(self) -> str:
        return self.offer.name

    @property
    def package(self) -> str:
        return self.offer.package

    @property
    def licence(self) -> str:
        return self.offer.licence

    @property
    def adds(self) -> str:
        return self.offer.adds

    @property
    def is_located(self) -> bool:
        return self.offer.is_located

    @property
    def file(self) -> Path:
        """The data, or the first of its files; for an IP database the path to open."""
        return self.folder / self.offer.file

    @property
    def version(self) -> str:
        """As the installer recorded it; "" when it did not."""
        # Takes longer to import than finding all packages does, so only for who asks.
        from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415

        try:
            return version(self.name)
        except PackageNotFoundError:
            return ""

    def places(self) -> Iterator[PlaceRow]:
        """Rows for the table of places.

        Raises:
            DamagedDataError: the package's data cannot be read.
        """
        return self._rows("places")

    def postcodes(self) -> Iterator[PostcodeRow]:
        """Rows for the table of postal codes.

        Raises:
            DamagedDataError: the package's data cannot be read.
        """
        return self._rows("postcodes")

    def _rows(self, table: str) -> Iterator[Any]:
        if self.offer.table != table:
            return iter(())
        reader = import_module(f"{__package__}.{self.offer.reader}")
        rows: Iterator[Any] = reader.read_rows(self.folder)
        return rows


def find_extra(offer: Offer) -> Extra | None:
    """The package where it is installed with all it needs; nothing is imported to find out."""
    if any(find_spec(needed) is None for needed in offer.needs):
        return None
    spec = find_spec(offer.package)
    folders = spec.submodule_search_locations if spec else None
    for folder in folders or ():
        if (Path(folder) / offer.file).exists():
            return Extra(offer, Path(folder))
    return None
