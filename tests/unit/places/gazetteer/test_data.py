"""The shipped tables as a whole: small, readable, attributed, and consistent with each other."""

import pytest

from geoscout_places.gazetteer.home import Sources
from geoscout_places.gazetteer.tables import DATA_FOLDER
from geoscout_places.model import Kind

MOST_BYTES = 12_200_000
LARGEST_FILE = 1_500_000  # so that a change of one table stays a small change in the history


def test_tables_are_small_enough_to_ship():
    assert sum(file.stat().st_size for file in DATA_FOLDER.iterdir()) <= MOST_BYTES


def test_no_single_table_is_large():
    assert [f.name for f in DATA_FOLDER.iterdir() if f.stat().st_size > LARGEST_FILE] == []


def test_every_source_is_attributed():
    attribution = (DATA_FOLDER / "ATTRIBUTION.md").read_text()

    for source in ("GeoNames", "CC BY 4.0", "WordNet", "Princeton", "Natural Earth"):
        assert source in attribution


def test_country_of_every_area_is_known():
    sources = Sources(DATA_FOLDER, use_extras=False)

    codes = {row.code for row in sources.countries()}

    assert {row.country for row in sources.areas() if row.country} - codes == set()


def test_ids_are_used_once():
    sources = Sources(DATA_FOLDER, use_extras=False)

    ids = [row.id for row in sources.areas()] + [row.id for row in sources.places()]

    assert len(ids) == len(set(ids))


def test_gazetteer_holds_what_it_promises(gazetteer):
    facts = gazetteer.describe()

    assert int(facts["country places"]) >= 246
    assert int(facts["region places"]) >= 3_800
    assert int(facts["district places"]) >= 35_000
    assert int(facts["city places"]) >= 165_000
    assert int(facts["postcode rows"]) >= 100_000
    assert int(facts["synsets with coordinates"]) >= 1_800
    assert int(facts["boundary rows"]) >= 3_000


def test_every_city_has_a_parent_and_nearly_all_a_time_zone(gazetteer):
    orphans = gazetteer._execute("SELECT count(*) FROM place WHERE kind = 'city' AND parent = 0")
    timeless = gazetteer._execute(
        "SELECT count(*) FROM place WHERE kind = 'city' AND timezone = ''"
    )

    assert orphans[0][0] == 0
    assert timeless[0][0] <= 10


@pytest.mark.parametrize("word", ["Ende", "Gene", "Grit", "Some", "Domenica", "Benen", "Pain"])
def test_no_country_is_called_by_an_ordinary_word(gazetteer, word):
    found = gazetteer.candidates(word)

    assert [one.place.name for one in found if one.place.kind is Kind.COUNTRY] == []


@pytest.mark.parametrize(
    ("name", "country"),
    [("Chili", "CL"), ("Oesterreich", "AT"), ("Japonii", "JP"), ("Holanda", "NL"), ("Korea", "KR")],
)
def test_names_of_countries_in_use_are_kept(gazetteer, name, country):
    countries = [c for c in gazetteer.candidates(name) if c.place.kind is Kind.COUNTRY]

    assert country in [one.place.country for one in countries]


def test_a_village_of_a_postal_table_is_in_its_region(gazetteer):
    (village,) = [one.place for one in gazetteer.candidates("Cussignacco")]

    assert village.feature == "PPLL"
    assert gazetteer.path(village)[:3] == ["Europe", "Italy", "Friuli Venezia Giulia"]


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("Gare du Nord", ["Europe", "France", "Paris", "Gare du Nord"]),
        ("Frankfurt Hbf", ["Europe", "Germany", "Frankfurt am Main", "Frankfurt Hauptbahnhof"]),
        ("Oxford University", ["Europe", "United Kingdom", "Oxford", "University of Oxford"]),
        ("Stanford University", ["North America", "United States", "Stanford University"]),
        ("Colosseum", ["Europe", "Italy", "Lazio", "Rome", "Colosseum"]),
        ("Stonehenge", ["Europe", "United Kingdom", "England", "Wiltshire", "Stonehenge"]),
    ],
)
def test_stations_universities_and_sights_are_in_their_town(gazetteer, name, path):
    (place,) = [one.place for one in gazetteer.candidates(name)][:1]

    found = gazetteer.path(place)
    assert [part for part in found if part in path] == path


def test_towns_with_abbreviated_rivers_are_found(gazetteer):
    assert gazetteer.candidates("Limburg a.d. Lahn")[0].place.name == "Limburg an der Lahn"


def test_a_district_has_the_spelling_of_iso_too(gazetteer):
    assert gazetteer.find("Loir-et-Cher")[0].place.name == "Loire-et-Cher"


def test_codes_of_bilingual_and_small_posts_are_known(gazetteer):
    for country, code, town in (("SI", "6330", "Piran"), ("AD", "AD500", "Andorra la Vella")):
        (row,) = gazetteer.postcodes(country, code)
        assert town in (row.town, *row.other_towns)


def test_monaco_may_be_munich(gazetteer):
    found = [one.place.name for one in gazetteer.candidates("Monaco")]

    assert found[0] == "Monaco"
    assert "Munich" in found


def test_region_comes_before_a_country_that_was_once_called_so(gazetteer):
    assert gazetteer.candidates("Île-de-France")[0].place.country == "FR"
