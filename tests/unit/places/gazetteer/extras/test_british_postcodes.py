from __future__ import annotations

from pathlib import Path

import pytest

from geoscout_places.errors import DamagedDataError
from geoscout_places.gazetteer.extras import british_postcodes
from tests.unit.places.gazetteer.extras.packages import install_british_postcodes

TOWNS = {"SW1A": "London", "BT1": "Belfast"}


def test_a_postcode_gets_its_town_from_its_first_part(site: Path) -> None:
    folder = install_british_postcodes(site, ("SW1A1AA", "E09000033", 529090.0, 179645.0))

    (row,) = british_postcodes.read_rows(folder, TOWNS)

    assert (row.country, row.code, row.place, row.region) == ("GB", "SW1A 1AA", "London", "ENG")
    assert (float(row.latitude), float(row.longitude)) == pytest.approx(
        (51.5010, -0.1416), abs=2e-4
    )


def test_northern_ireland_is_on_the_irish_grid(site: Path) -> None:
    folder = install_british_postcodes(site, ("BT1 5GS", "N09000003", 333800.0, 374000.0))

    (row,) = british_postcodes.read_rows(folder, TOWNS)

    assert (row.place, row.region) == ("Belfast", "NIR")
    assert (float(row.latitude), float(row.longitude)) == pytest.approx((54.596, -5.93), abs=5e-3)


@pytest.mark.parametrize(
    "record",
    [
        ("JE2 3AB", "L99999999", None, None),
        ("AB1 0AA", "S12000033", None, None),
        ("AB1 0AB", "S12000033", float("nan"), float("nan")),
        ("AB1 0AD", None, 385177.0, 801314.0),
    ],
)
def test_a_postcode_without_a_place_on_a_grid_is_passed_over(
    record: tuple[object, ...], site: Path
) -> None:
    folder = install_british_postcodes(site, record)

    assert list(british_postcodes.read_rows(folder, TOWNS)) == []


def test_towns_come_from_the_shipped_table_unless_given(site: Path) -> None:
    folder = install_british_postcodes(site, ("BT1 5GS", "N09000003", 333800.0, 374000.0))

    (row,) = british_postcodes.read_rows(folder)

    assert row.place == "Belfast"


def test_damaged_data_is_an_error_of_ours(site: Path) -> None:
    folder = install_british_postcodes(site)
    (folder / "postcodes_A.msgpack.br").write_bytes(b"not compressed")

    with pytest.raises(DamagedDataError, match="quality-lac"):
        list(british_postcodes.read_rows(folder, TOWNS))
