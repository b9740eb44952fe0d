"""What words of a name and of the lines around it say of the sort of an entry."""

import pytest

from geoscout_directory.categories import categories_of
from geoscout_directory.from_text import is_person


@pytest.mark.parametrize(
    ("name", "categories"),
    [
        ("Kreuz-Apotheke", ["amenity=pharmacy"]),
        ("Ammerseeapotheke", ["amenity=pharmacy"]),
        ("Gemüserestaurant Prinz", ["amenity=restaurant"]),
        ("Hofbäckerei", ["shop=bakery"]),
        ("Ruff's Burger", ["amenity=fast_food"]),
        # Endings of adjectives and of other words.
        ("Malerbetrieb Hohlenburger", ["craft=painter"]),
        ("Vereinigung der Freunde", []),
        ("Newcastle United", []),
        ("Gardiner & Sons", []),
        # What a thing is beats what it is called after.
        ("Bahnhof Apotheke", ["amenity=pharmacy"]),
        ("Schloss-Apotheke", ["amenity=pharmacy"]),
        ("Dom-Pedro-Apotheke", ["amenity=pharmacy"]),
        ("Zahnarzt Maxvorstadt, Universität", ["amenity=dentist"]),
        ("KFO am Pasinger Bahnhof", []),
        ("Gasthaus zur alten Schule", ["amenity=restaurant"]),
        ("Hauptbahnhof", ["railway=station"]),
        ("Jagdschloss am See", ["historic=castle"]),
        ("Bahnhof Pasing am Wensauerplatz", ["railway=station"]),
        ("Meisterschule für Mode", ["amenity=school"]),
        ("Fachgeschäft für Mode", ["shop=clothes"]),
        ("Izakaya im Roomers Hotel", []),
        ("Angsthilfe München e.V.", ["office=association"]),
        ("Department of Information", []),
    ],
)
def test_a_name_says_what_it_is_the_name_of(name, categories):
    assert list(categories_of((), name)) == categories


def test_lines_around_a_name_are_read_by_whole_words():
    assert categories_of((), "Aktay, C.", ["Nymphenburger Straße", "Rechtsanwalt"]) == (
        "office=lawyer",
    )


def test_a_surname_says_less_than_the_line_next_to_it_and_a_sentence_nothing():
    assert categories_of((), "Burger Jörg Dr.", ["Rechtsanwälte Zentrum"]) == ("office=lawyer",)
    assert categories_of((), "Ebrosia", ["Nicht kombinierbar oder in bar auszahlbar heute"]) == ()
    assert is_person("Burger Jörg Dr.")
    assert categories_of((), "Ruff's Burger", ["Restaurants Zentrum"]) == ("amenity=fast_food",)
    assert categories_of((), "Schneider & Co", ["Rechtsanwälte"]) == ("office=lawyer",)


def test_trade_next_to_a_name_is_told_by_presets():
    assert categories_of((), "Karlsbar am Platz", ["Catering Zentrum"]) == ("craft=caterer",)
    assert categories_of((), "Anna Huber", ["Notar München"]) == ("office=notary",)


def test_an_address_says_nothing_of_what_is_there(read_html):
    html = "<h3>Allocate GmbH</h3><p>Burger Str. 34, 85591 Vaterstetten</p>"

    assert [entry.categories for entry in read_html(html)] == [()]
