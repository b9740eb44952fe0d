from geoscout.search.engine import SearchEngine
from geoscout.search.related import RelatedPages, branch_at
from tests.unit.search.worlds import page

FORNO, PIZZARIA = "http://forno.example/", "http://pizzaria.example/"


def related(engine: SearchEngine, url: str, limit: int = 6) -> RelatedPages:
    found = engine.related(url, limit)
    assert found is not None
    return found


def test_pages_at_the_same_place_come_before_those_of_the_nearest(engine):
    found = related(engine, FORNO)

    assert found.place is not None
    assert found.place.name == "Chiado"  # a quarter of Lisbon
    near = [(one.url, one.why) for one in found.near]
    assert near[:2] == [(PIZZARIA, "2 km away"), ("http://madrid.example/", "503 km away")]
    assert [one.distance_km for one in found.near] == sorted(one.distance_km for one in found.near)


def test_pages_about_places_of_the_same_kind_are_alike(engine):
    found = related(engine, FORNO, limit=2)

    assert [one.url for one in found.near] == [PIZZARIA, "http://madrid.example/"]
    assert "http://acropolis.example/" in [one.url for one in found.alike]
    assert found.alike[0].why == "another national capital"
    assert not {one.url for one in found.near} & {one.url for one in found.alike}


def test_parts_and_what_is_around_are_alike(make_engine):
    engine = make_engine(
        {
            "http://city.example/": page("New York City", "All of New York City, New York."),
            "http://brooklyn.example/": page("Brooklyn", "Brooklyn, New York, is in Kings County."),
            "http://state.example/": page("The state", "The state of New York, United States."),
        }
    )

    why = {one.url: one.why for one in related(engine, "http://city.example/").alike}

    assert "http://brooklyn.example/" in why or "http://state.example/" in why


def test_page_without_a_place_and_one_that_is_not_there(engine):
    assert engine.related("http://bikes.example/", 6) == RelatedPages(None)
    assert engine.related("http://nowhere.example/", 6) is None


def test_hierarchy_is_browsed_from_the_continents_down(engine):
    top = branch_at(engine.reader, engine.gazetteer, None)
    europe = next(place for place, _ in top.children if place.name == "Europe")
    inside = branch_at(engine.reader, engine.gazetteer, europe)

    assert top.pages == engine.reader.page_count
    assert {"Portugal", "Spain", "Greece"} <= {place.name for place, _ in inside.children}
    assert [pages for _, pages in inside.children] == sorted(
        (pages for _, pages in inside.children), reverse=True
    )
