import time

import pytest
from msgspec.structs import replace

from geoscout_places.gazetteer import SqliteGazetteer
from geoscout_places.geo.scope import dateline, find_scope, stated_fields
from geoscout_places.model import Address, Block, Mention, MentionKind, Page, Part, Point


def page_of(text: str, title: str = "", part: Part = Part.MAIN) -> Page:
    return Page("", title, "en", text, (Block(0, len(text), part),))


def mentions_of(text: str, gazetteer: SqliteGazetteer, *names: str) -> list[Mention]:
    """Each name once for each time it stands in the text."""
    found = []
    for name in names:
        place = gazetteer.find(name)[0].place
        word = name.partition(",")[0]
        start = text.find(word)
        while start >= 0:
            found.append(
                Mention(start, start + len(word), word, MentionKind.PLACE, place, confidence=0.9)
            )
            start = text.find(word, start + 1)
    return sorted(found, key=lambda mention: mention.start)


def main_place(gazetteer: SqliteGazetteer, text: str, *names: str) -> str:
    scope = find_scope(page_of(text), mentions_of(text, gazetteer, *names), [], gazetteer)
    return scope[0].place.name


def test_page_without_places_has_no_scope(gazetteer):
    assert find_scope(page_of("Nothing here."), [], [], gazetteer) == []


def test_town_named_all_the_time_is_the_main_place(gazetteer):
    text = "We love Munich. Munich has beer, Munich has lakes. Not so Berlin."

    assert main_place(gazetteer, text, "Munich", "Berlin") == "Munich"


def test_towns_named_evenly_make_their_region_the_main_place(gazetteer):
    text = "The fair stops at Munich, at Augsburg, at Würzburg and at Regensburg."

    place = main_place(gazetteer, text, "Munich", "Augsburg", "Würzburg", "Regensburg")

    assert place == "Bavaria"


@pytest.mark.parametrize(
    ("headline", "place"),
    [("Peru closes its airports", "Peru"), ("Lima closes its airport in Peru", "Lima")],
)
def test_country_of_a_headline_is_the_main_place_where_nothing_narrower_stands_there(
    headline, place, gazetteer
):
    text = f"{headline}\nLima said so. In Lima and Lima again, and Lima."

    assert main_place(gazetteer, text, "Peru", "Lima") == place


def test_address_outweighs_a_mention(gazetteer):
    text = "Berlin is nice. Lange Straße 12, 26122 Oldenburg"
    oldenburg = gazetteer.find("Oldenburg")[0].place
    address = Address(
        16, 48, text[16:], "12", "Lange Straße", unit="", city="Oldenburg", region="",
        postcode="26122", country="DE", point=Point(53.1, 8.2), place=oldenburg, source="text",
    )  # fmt: skip

    scope = find_scope(page_of(text), mentions_of(text, gazetteer, "Berlin"), [address], gazetteer)

    assert scope[0].place == oldenburg


def test_navigation_counts_less_than_the_body(gazetteer):
    text = "Go to Paris or Paris today\nOur shop is in Lyon today"
    blocks = (Block(0, 26, Part.NAVIGATION), Block(27, len(text), Part.MAIN))
    page = Page("", "", "en", text, blocks)

    scope = find_scope(page, mentions_of(text, gazetteer, "Paris", "Lyon"), [], gazetteer)

    assert scope[0].place.name == "Lyon"


def test_labelled_field_decides(gazetteer):
    text = "Jobs in Boston, in Chicago and in Denver\nLocation:\nUS-VA-Herndon\nApply now"

    place = main_place(gazetteer, text, "Boston", "Chicago", "Denver")

    assert place == "Herndon"


def test_dateline_counts(gazetteer):
    text = "BANK RAISES RATES\nLISBON, March 5 -\nThe bank said it would act."

    assert main_place(gazetteer, text) == "Lisbon"


@pytest.mark.parametrize(
    ("path", "main"),
    [
        ("california/sonoma/forestville/hartford-wines/", "Forestville"),
        ("california/hartford%20wines/", "California"),
        ("wines/california/hartford.html", "Hartford"),  # a section
        ("wines/california", "Hartford"),  # the page is called so, which no folder is
        ("", "Hartford"),
    ],
)
def test_folders_of_the_url_outweigh_a_name_elsewhere(gazetteer, path, main):
    text = f"Wines of California, of Sonoma and Forestville {'by Hartford ' * 12}"
    places = ("Forestville, California", "Sonoma, California", "California", "Hartford, CT")
    found = mentions_of(text, gazetteer, *places)
    page = replace(page_of(text), url=f"http://wines.example/{path}")

    assert find_scope(page, found, [], gazetteer)[0].place.name == main


def test_path_leads_to_the_place(gazetteer):
    text = "Welcome to Lisbon"

    scope = find_scope(page_of(text), mentions_of(text, gazetteer, "Lisbon"), [], gazetteer)

    assert [place.name for place in scope[0].path][:2] == ["Europe", "Portugal"]
    assert scope[0].path[-1] == scope[0].place
    assert 0 < scope[0].score <= 1


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Location: Herndon VA", "Herndon, Virginia"),
        ("Location:\nUS-NY-New York\nMore", "New York City, New York"),
        ("Job Location: georgetown, CT", "Georgetown, Connecticut"),
        ("Location\nUnited States, Maryland, Windsor Mill", "Windsor Mill, Maryland"),
        ("Arbeitsort: 26121 Oldenburg", "Oldenburg, Lower Saxony"),
        ("Lieu : Lyon", "Lyon, Auvergne"),
    ],
)
def test_field_is_read_in_the_ways_people_write_it(gazetteer, text, label):
    places = stated_fields(f"Senior clerk\n{text}\nSalary: good\n", gazetteer)

    assert [gazetteer.label(place).startswith(label) for place in places] == [True]


@pytest.mark.parametrize("text", ["Location: to be agreed", "City: ", "The location is good"])
def test_field_without_a_place_is_nothing(gazetteer, text):
    assert stated_fields(text, gazetteer) == []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("LONDON, March 5 - The bank said", "London"),
        ("EINDHOVEN, Netherlands, March 24 -\nThe group", "Eindhoven"),
        ("BERLIN (AP) — General", "Berlin"),
        ("Havana (CNN) -- The president", "Havana"),
    ],
)
def test_dateline_is_read(gazetteer, text, name):
    place = dateline(f"SOME HEADLINE\n{text}", gazetteer)

    assert place is not None
    assert place.name == name


def test_running_text_has_no_dateline(gazetteer):
    assert dateline("In London, March was cold. Paris - a city - was warm.", gazetteer) is None


def test_hostile_text_takes_linear_time(gazetteer):
    text = "location " * 60_000 + "A" * 200_000 + "\nLocation:" * 20_000
    start = time.process_time()

    stated_fields(text, gazetteer)
    dateline(text, gazetteer)

    assert time.process_time() - start < 5
