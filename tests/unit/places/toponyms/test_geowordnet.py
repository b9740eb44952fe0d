import pytest

from geoscout_places.gazetteer import Region
from geoscout_places.toponyms.geowordnet import GeoWordNetNames
from geoscout_places.toponyms.short_texts import ToponymReader


@pytest.fixture(scope="module")
def reader(gazetteer):
    return ToponymReader(gazetteer, None, GeoWordNetNames(gazetteer))


def names_in(reader: ToponymReader, text: str) -> list[str]:
    return [toponym.name for toponym in reader.in_texts([text])[0]]


def test_names_are_those_of_geowordnet(reader):
    text = "From Boston and Somerville to LAKE TANA and the Pelican State"

    assert names_in(reader, text) == ["Boston", "Lake Tana", "Pelican State"]


def test_short_alias_is_no_name_and_a_short_main_name_is(reader):
    assert names_in(reader, "LA, IN, OR, USA, NYC and UK, but Goa and Lima") == ["Goa", "Lima"]


def test_senses_stand_in_the_order_of_wordnet(gazetteer):
    cambridge = GeoWordNetNames(gazetteer).look_up("Cambridge")

    # WordNet's first sense is the university, which has no coordinates.
    assert cambridge is not None
    assert [place.id for place in cambridge.senses] == [4931972, 2653941]


def test_place_without_coordinates_is_where_it_is_part_of(gazetteer):
    lake = GeoWordNetNames(gazetteer).look_up("Lake Tana")

    assert lake is not None
    assert [place.name for place in lake.senses] == ["Ethiopia"]


def test_ordinary_word_is_a_name_only_of_countries_and_at_home(gazetteer):
    berkshire = Region.parse("51.45,-0.97,30", gazetteer)

    assert GeoWordNetNames(gazetteer).look_up("Reading") is None
    assert GeoWordNetNames(gazetteer).look_up("West") is None  # in a country, but not one
    assert GeoWordNetNames(gazetteer).look_up("Man") is None  # a word before it is an isle
    assert GeoWordNetNames(gazetteer).look_up("China") is not None
    assert GeoWordNetNames(gazetteer, berkshire).look_up("Reading") is not None


def test_name_run_together_in_a_host_is_found(reader):
    (found,) = reader.in_hosts(["http://www.sanfrancisco.example/"])

    assert [toponym.name for toponym in found] == ["San Francisco"]


def test_unknown_name_has_no_senses(gazetteer):
    assert GeoWordNetNames(gazetteer).look_up("Somerville") is None
    assert GeoWordNetNames(gazetteer).senses("LA") == []
