"""What every gazetteer promises: the compiled one, and the stand-in that other tests believe."""

from itertools import pairwise

import pytest

from geoscout_places.errors import UnknownPlaceError
from geoscout_places.gazetteer.base import Gazetteer, View
from geoscout_places.model import Kind, Place, Point
from tests.fakes import FakeGazetteer

MIDDLE_OF_THE_PACIFIC = Point(-48.0, -123.0)


@pytest.fixture(params=["compiled", "stand-in"])
def places(request, gazetteer):
    """The same places in both, as far as the tests ask for them."""
    if request.param == "compiled":
        return gazetteer
    towns = [
        gazetteer.search(name)[0].place
        for name in ("Lisbon, Portugal", "Porto, Portugal", "Lisbon, New Hampshire")
    ]
    known = {place.id: place for town in towns for place in (town, *gazetteer.ancestors(town))}
    postcodes = gazetteer.postcodes("US", "03585")
    return FakeGazetteer(known.values(), postcodes)


def town(places: Gazetteer, name: str) -> Place:
    return next(c.place for c in places.search(name) if c.place.kind == "city")


def test_candidates_bear_the_name_whatever_its_case(places):
    found = places.candidates("LISBON")

    assert {candidate.place.country for candidate in found} >= {"PT", "US"}
    assert not places.candidates("Lisbon, Portugal")


def test_candidates_come_with_the_likeliest_first(places):
    scores = [candidate.score for candidate in places.candidates("Lisbon")]

    assert scores == sorted(scores, reverse=True)


def test_search_understands_what_stands_behind_a_comma(places):
    assert places.search("Lisbon, New Hampshire")[0].place.country == "US"
    assert places.search("Lisbon", "US")[0].place.country == "US"
    assert not places.search("Xyzzyville")


def test_find_complains_about_what_nothing_bears(places):
    assert places.find("Porto, Portugal")[0].place.name == "Porto"
    with pytest.raises(UnknownPlaceError):
        places.find("Xyzzyville")


def test_a_place_is_found_by_its_id(places):
    porto = town(places, "Porto, Portugal")

    assert places.place(porto.id) == porto
    assert places.place(-999_999_999) is None


def test_ancestors_go_from_the_parent_to_the_broadest(places):
    lisbon = town(places, "Lisbon, New Hampshire")
    above = places.ancestors(lisbon)

    assert above[0].id == lisbon.parent
    assert [b.id for b in above[1:]] == [a.parent for a in above[:-1]]
    assert [place.name for place in above if place.kind == "country"] == ["United States"]


def test_a_lineage_is_the_ids_of_a_place_and_its_ancestors(places):
    lisbon = town(places, "Lisbon, New Hampshire")
    above = places.ancestors(lisbon)

    region, ids = places.lineage(lisbon.id)

    assert ids == (lisbon.id, *(place.id for place in above))
    assert [place.id for place in above if place.kind == "region"] == [region]
    assert places.lineage(above[-1].id) == (0, (above[-1].id,))
    assert places.lineage(-999_999_999) == (0, ())


def test_a_path_leads_from_the_broadest_to_the_place(places):
    path = places.path(town(places, "Lisbon, New Hampshire"))

    assert path[0] == "North America"
    assert path[1] == "United States"
    assert path[-1] == "Lisbon"
    assert all(one != next for one, next in pairwise(path))


def test_a_label_is_what_a_user_would_write(places):
    lisbon = town(places, "Lisbon, New Hampshire")

    assert places.label(lisbon) == "Lisbon, New Hampshire, United States"
    assert places.find(places.label(lisbon))[0].place == lisbon


def test_the_identity_is_the_same_each_time(places):
    assert places.identity
    assert places.identity == places.identity


def test_postal_codes_of_a_place_lead_back_to_it(places):
    (row,) = places.postcodes("US", "03585")
    served = places.place(row.place_id)

    assert served is not None
    assert row in places.postcodes_of(served)


def test_a_beginning_is_completed_each_place_once(places):
    found = places.complete("lisb", 50)

    assert town(places, "Lisbon, Portugal") in found
    assert len({place.id for place in found}) == len(found)
    assert len(places.complete("lisb", 1)) == 1
    assert places.complete("", 5) == []


def test_towns_in_view_are_the_most_populous(places):
    found = places.in_view(View(-10.0, 38.0, -8.0, 42.0), 2)

    assert [place.name for place in found] == ["Lisbon", "Porto"]


def test_places_of_a_kind_are_listed_the_most_populous_first(places):
    countries = places.of_kind(Kind.COUNTRY)

    people = [country.population for country in countries]
    assert {"Portugal", "United States"} <= {country.name for country in countries}
    assert people == sorted(people, reverse=True)


def test_children_are_right_inside_the_most_populous_first(places):
    (country,) = (
        p for p in places.ancestors(town(places, "Porto, Portugal")) if p.kind == "country"
    )
    children = places.children(country)

    assert children
    assert {child.parent for child in children} == {country.id}
    people = [child.population for child in children]
    assert people == sorted(people, reverse=True)


def test_a_place_is_inside_itself_and_what_contains_it(places):
    porto, lisbon = town(places, "Porto, Portugal"), town(places, "Lisbon, Portugal")

    assert places.is_inside(porto, porto)
    assert all(places.is_inside(porto, above) for above in places.ancestors(porto))
    assert not places.is_inside(porto, lisbon)


def test_names_are_folded_and_have_a_role(places):
    porto = town(places, "Porto, Portugal")

    assert ("porto", "name") in [
        (name, str(role)) for name, role in places.names([porto])[porto.id]
    ]


def test_the_nearest_town_is_not_too_far(places):
    porto = town(places, "Porto, Portugal")

    assert places.nearest(porto.point, minimum_population=100_000) == porto
    assert places.nearest(MIDDLE_OF_THE_PACIFIC) is None


def test_postal_codes_are_those_of_their_country(places):
    (row,) = places.postcodes("US", "03585")

    assert (row.country, row.code) == ("US", "03585")
    assert not places.postcodes("PT", "03585")
    assert not places.postcodes("US", "00000")


def test_streets_of_towns_without_a_table_are_not_known(places):
    assert not places.has_streets
    assert places.is_street("Rua Augusta", town(places, "Lisbon, Portugal")) is None
