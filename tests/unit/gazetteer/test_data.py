"""The shipped tables as a whole: small, readable, attributed, and consistent with each other."""

from __future__ import annotations

from geoscout.gazetteer import SqliteGazetteer
from geoscout.gazetteer.build.sources import Sources
from geoscout.gazetteer.tables import DATA_FOLDER

TWELVE_MEGABYTES = 12_000_000
LARGEST_FILE = 1_500_000  # so that a change of one table stays a small change in the history


def test_tables_are_small_enough_to_ship() -> None:
    assert sum(file.stat().st_size for file in DATA_FOLDER.iterdir()) <= TWELVE_MEGABYTES


def test_no_single_table_is_large() -> None:
    assert [f.name for f in DATA_FOLDER.iterdir() if f.stat().st_size > LARGEST_FILE] == []


def test_every_source_is_attributed() -> None:
    attribution = (DATA_FOLDER / "ATTRIBUTION.md").read_text()

    for source in ("GeoNames", "CC BY 4.0", "WordNet", "Princeton", "Natural Earth"):
        assert source in attribution


def test_country_of_every_area_is_known() -> None:
    sources = Sources(DATA_FOLDER, use_extras=False)

    codes = {row.code for row in sources.countries()}

    assert {row.country for row in sources.areas() if row.country} - codes == set()


def test_ids_are_used_once() -> None:
    sources = Sources(DATA_FOLDER, use_extras=False)

    ids = [row.id for row in sources.areas()] + [row.id for row in sources.places()]

    assert len(ids) == len(set(ids))


def test_gazetteer_holds_what_it_promises(gazetteer: SqliteGazetteer) -> None:
    facts = gazetteer.describe()

    assert int(facts["country places"]) >= 246
    assert int(facts["region places"]) >= 3_800
    assert int(facts["district places"]) >= 35_000
    assert int(facts["city places"]) >= 165_000
    assert int(facts["postcode rows"]) >= 100_000
    assert int(facts["synsets with coordinates"]) >= 1_800
    assert int(facts["boundary rows"]) >= 3_000


def test_every_city_has_a_parent_and_nearly_all_a_time_zone(gazetteer: SqliteGazetteer) -> None:
    orphans = gazetteer._execute("SELECT count(*) FROM place WHERE kind = 'city' AND parent = 0")
    timeless = gazetteer._execute(
        "SELECT count(*) FROM place WHERE kind = 'city' AND timezone = ''"
    )

    assert orphans[0][0] == 0
    assert timeless[0][0] <= 10
