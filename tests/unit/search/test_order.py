"""Order: the language of the query, one thing before lists, own sites, names in titles, facets."""

import numpy as np
import pytest

from geoscout.index.base import Evidence, PageFilters
from geoscout.search.base import Question, Relation
from geoscout.search.engine import SearchEngine
from geoscout.search.query_words import QueryLanguages
from geoscout.search.ranking import OWN_SITE
from geoscout_places.model import Point, Precision
from tests.unit.search.worlds import page


def spoken(language: str, html: str) -> str:
    return html.replace("<html>", f'<html lang="{language}">')


GERMAN = {
    f"http://g{n}.example/": spoken(
        "de", page(f"Nachricht {n}", f"Das ist nicht die Seite {n}, und der Biergarten ist zu.")
    )
    for n in range(30)
}
FRENCH = {
    f"http://f{n}.example/": spoken(
        "fr", page(f"Nouvelle {n}", f"Ceci est la page {n} pour vous et les autres, avec un plan.")
    )
    for n in range(20)
}
GARDENS = {
    "http://fr.example/": spoken(
        "fr", page("Biergarten", "Le Biergarten est ouvert pour vous et les autres. Biergarten!")
    ),
    "http://de.example/": spoken(
        "de", page("Biergarten", "Der Biergarten ist offen, und die Küche ist nicht zu. Wirt!")
    ),
}
STREET = "Leopoldstraße"
LIST = "".join(f"<p>Wirtshaus, {STREET} {n}, 80802 München</p>" for n in range(1, 60))
AT_50 = """<script type="application/ld+json">{"@type": "Restaurant", "name": "Haus der Uhren",
"address": {"@type": "PostalAddress", "streetAddress": "Leopoldstraße 150",
"postalCode": "80804", "addressLocality": "München", "addressCountry": "DE"},
"geo": {"@type": "GeoCoordinates", "latitude": 48.1681, "longitude": 11.5859}}</script>"""
TOWN = {
    "http://list.example/": page("Wirtshaus", LIST),
    "http://one.example/": page("Wirtshaus", f"Unser Wirtshaus: {STREET} 90, 80802 München"),
    "http://clocks.example/": page("Haus der Uhren", "Uhren und ein Café in München.").replace(
        "</head>", f"{AT_50}</head>"
    ),
    "http://cafe.example/": page("Café", f"Ein Café in München, {STREET} 12, 80802 München"),
    "http://haus-der-uhren.example/": page("Willkommen", "Haus der Uhren."),
    "http://dir.example/uhren": page("Haus der Uhren", "Haus der Uhren: Haus der Uhren."),
}
PASSING = {
    "http://houston.example/": page(
        "Recycling Houston",
        "The recycling center of Houston, Texas, is open. Los Angeles has another one.",
        "5900 Westpark Dr, Houston, TX 77057",
        *["Houston, Texas, is large. Houston has many streets, and Houston is hot."] * 5,
    ),
    "http://angeles.example/": page(
        "Recycling Los Angeles",
        "The recycling center of Los Angeles, California.",
        "2649 E. Washington Boulevard, Los Angeles, CA 90021",
    ),
    "http://directory.example/california/orange/": page("Orange Recycling", "Recycling here."),
    "http://other.example/": page("Sacramento", "Sacramento, California. Sacramento is a city."),
}


@pytest.fixture(scope="module")
def gardens(make_engine):
    return make_engine({**GERMAN, **FRENCH, **GARDENS})


@pytest.fixture(scope="module")
def town(make_engine):
    return make_engine(TOWN)


@pytest.fixture(scope="module")
def states(make_engine):
    return make_engine(PASSING)


def urls(engine: SearchEngine, text: str, **more: object) -> list[str]:
    return [hit.url for hit in engine.answer(Question(text, **more)).hits]


def test_pages_tell_the_language_of_a_query(gardens):
    languages = QueryLanguages(gardens.reader)

    assert languages.of_words(["biergarten"])["de"] == 1.0
    assert languages.of_words(["biergarten"])["fr"] < 0.5
    assert languages.of_words(["biergarten", "pour", "les"])["fr"] == 1.0


def test_pages_in_the_language_of_the_query_come_first(gardens):
    assert urls(gardens, "biergarten")[0] == "http://de.example/"


def test_an_index_of_one_language_has_no_likely_ones(engine):
    assert QueryLanguages(engine.reader).of_words(["pizza"]) == {}


def test_a_long_list_comes_behind_one_thing(town):
    answer = town.answer(Question("wirtshaus in München", explain=True))

    assert [hit.url for hit in answer.hits][:2] == ["http://one.example/", "http://list.example/"]
    fits = [hit.explanation.fit for hit in answer.hits if hit.explanation]
    assert fits[0] == 1.0 > fits[1]


def test_a_site_with_the_name_comes_before_a_directory(town):
    answer = town.answer(Question("Haus der Uhren", explain=True))

    hits = {hit.url: hit.explanation.fit for hit in answer.hits if hit.explanation}
    assert hits["http://haus-der-uhren.example/"] == 1.0
    assert hits["http://dir.example/uhren"] == pytest.approx(OWN_SITE)


def test_a_house_is_found_by_the_addresses_of_pages(town):
    answer = town.answer(Question("Leopoldstr. 17"))

    read = answer.interpretation
    assert (read.street, read.relation, read.words) == ("Leopoldstr. 17", Relation.NEAR, ())
    assert read.place is not None
    assert (read.place.name, read.precision) == ("Munich", Precision.POSTCODE)
    assert answer.hits[0].url == "http://list.example/"


def test_a_house_that_no_page_has_is_said(town):
    read = town.read(Question("café Leopoldstraße 999"))

    assert read.words == ("cafe",)
    assert "no page has the number of Leopoldstraße 999; searched for the street" in read.notes


def test_a_house_with_coordinates_on_its_page_is_exact(town):
    read = town.read(Question("café near Leopoldstraße 150, München"))

    assert (read.precision, read.notes) == (Precision.HOUSE, ())
    assert read.point is not None
    assert read.point.latitude == pytest.approx(48.1681, abs=1e-4)


def test_a_street_in_many_towns_is_words(engine):
    assert engine.read(Question("Main Avenue shoes")).street == ""


def test_a_landmark_is_where_pages_say(town):
    read = town.read(Question("café near Haus der Uhren"))

    assert (read.label, read.words) == ("Haus der Uhren, Munich, Bavaria, Germany", ("cafe",))
    assert read.point is not None
    assert read.point.longitude == pytest.approx(11.5859, abs=1e-4)


def test_facets_leave_out_names_in_passing(states):
    facets = states.answer(Question("recycling in Houston")).facets

    assert {facet.place.name for facet in facets} >= {"Houston", "Texas"}
    assert not {"Los Angeles", "California"} & {facet.place.name for facet in facets}


def test_within_leaves_out_names_in_passing(states):
    assert "http://houston.example/" not in urls(states, "recycling", within="California")


def test_a_radius_leaves_out_names_in_passing(states):
    los_angeles = Point(34.05, -118.24)

    found = urls(states, "recycling", near=los_angeles, radius_km=20)
    assert found == ["http://angeles.example/"]


def test_the_name_of_a_place_in_an_address_counts(states):
    answer = states.answer(Question("recycling in Orange, California"))

    assert answer.hits[0].url == "http://directory.example/california/orange/"


def test_pages_of_the_place_are_offered_where_none_has_the_words(states):
    answer = states.answer(Question("junk removal in Sacramento"))

    assert answer.hits == ()
    assert "no page that fits" in answer.interpretation.notes[-1]
    assert [offer.text for offer in answer.offers] == ["Sacramento"]


def test_a_place_alone_is_ranked_by_its_name_too(states):
    assert urls(states, "Sacramento")[0] == "http://other.example/"


def test_documents_tell_their_evidence(town):
    marked = urls(town, "uhren", filters=PageFilters(evidence=Evidence.MARKUP))

    assert marked == ["http://clocks.example/"]
    slots = np.array([town.reader.slot_of("http://list.example/")])
    assert town.reader.traits_of(slots).listed.tolist() == [59]
