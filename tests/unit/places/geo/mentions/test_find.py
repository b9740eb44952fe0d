"""What a reader would call the places of a text."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geoscout_places.geo.mentions import NameKnowledge, PageHints, find_mentions
from geoscout_places.model import Block as PageBlock
from geoscout_places.model import Kind, Mention, Part, Place


def find(text: str, knowledge: NameKnowledge, kind: str = "place") -> dict[str, Mention]:
    return {m.text: m for m in find_mentions(text, knowledge) if m.kind == kind}


def place_of(text: str, name: str, knowledge: NameKnowledge) -> Place:
    place = find(text, knowledge)[name].place
    assert place is not None
    return place


def test_a_menu_of_languages_names_no_country(knowledge):
    text = "Aktuelle Sprache:\nDeutsch\nEnglish\nFrançais\nItaliano\nDas Wetter ist gut."

    assert find_mentions(text, knowledge) == []


@pytest.mark.parametrize(
    "text",
    [
        "Jetzt im TV\n20:15 im TV\n22:00 im TV",  # also a province
        "IČO: 46 426 639",
        "Polski / English / Česky",
    ],
)
def test_codes_labels_and_languages_are_no_places(text, knowledge):
    assert find_mentions(text, knowledge) == []


def test_german_mountains_have_an_article(knowledge):
    text = "Die Alpen sind das höchste Gebirge, und wir wandern gern in den Alpen."

    found = find_mentions(text, knowledge)

    assert [(m.text, m.place and m.place.name) for m in found] == [("Alpen", "Alps")] * 2


def test_technical_words_are_not_countries(knowledge):
    text = "Buy a TV, a PC, a CD player and VR glasses. SELECT name AS n FROM t; the UK and the US."

    assert [m.text for m in find_mentions(text, knowledge)] == ["UK", "US"]


def test_weekdays_are_no_states(knowledge):
    german = "Das Museum ist am Mo. und am Do. geschlossen, und der Eintritt ist frei."
    english = "He was born in St. Louis, Mo., and then he moved to the coast."

    assert find_mentions(german, knowledge) == []
    assert "Mo." in {m.text for m in find_mentions(english, knowledge)}


def test_offsets_are_code_points_of_the_given_text(knowledge):
    text = "🙂 Ein Zug fährt von München nach Zürich."

    mentions = find_mentions(text, knowledge)

    assert [text[m.start : m.end] for m in mentions] == ["München", "Zürich"]
    assert [m.text for m in mentions] == ["München", "Zürich"]


@pytest.mark.parametrize(
    ("text", "name", "region_or_country"),
    [
        ("The mayor of Athens, Alabama, said the town would pay.", "Athens", "Alabama"),
        ("They moved to Paris, Texas, in the spring.", "Paris", "Texas"),
        ("The flight from Paris to Berlin and Madrid was late.", "Paris", "France"),
        ("The ship left Portland, Maine for Boston.", "Portland", "Maine"),
        ("Roads near Salem, Eugene and Portland in Oregon are closed.", "Salem", "Oregon"),
        (
            "Police in Birmingham, Leeds and Hull met.",
            "Birmingham",
            "United Kingdom",
        ),
    ],
)
def test_ambiguous_name_follows_its_page(text, name, region_or_country, knowledge):
    place = place_of(text, name, knowledge)

    above = [area.name for area in knowledge.gazetteer.ancestors(place)]
    assert region_or_country in above


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Le bateau traverse la mer Égée depuis Athènes.", "mer Égée"),
        ("La ciudad está a orillas del río Ohio, cerca de Louisville.", "río Ohio"),
        ("Die Isar fließt durch München.", "Isar"),
        ("In de Sovjet-Unie was dat verboden.", "Sovjet-Unie"),
        ("Ferien auf Mallorca sind teuer.", "Mallorca"),
    ],
)
def test_features_are_found_whole(text, name, knowledge):
    place = place_of(text, name, knowledge)

    assert place.kind in (Kind.WATER, Kind.AREA)


@pytest.mark.parametrize(
    ("text", "name", "city"),
    [
        ("Eine Wohnung in Schwabing mit Blick auf die Isar.", "Schwabing", "Munich"),
        ("Unser Laden in Haidhausen hat bis acht Uhr offen.", "Haidhausen", "Munich"),
        ("Er wohnt in Sendling.", "Sendling", "Munich"),
        ("Kneipen in Prenzlauer Berg und Kreuzberg", "Prenzlauer Berg", "Berlin"),
        ("Das Lokal ist in Dresden-Plauen.", "Dresden-Plauen", "Dresden"),
    ],
)
def test_quarter_is_in_its_city(text, name, city, knowledge):
    place = place_of(text, name, knowledge)

    assert place.kind is Kind.NEIGHBOURHOOD
    assert city in [area.name for area in knowledge.gazetteer.ancestors(place)]


def test_word_for_a_part_of_any_city_is_no_quarter(knowledge):
    assert not find("Das Lokal ist in der Südstadt.", knowledge)


@pytest.mark.parametrize("storm", ["Helene", "Milton"])
def test_storm_is_hardly_believed_to_be_a_place(storm, knowledge):
    text = f"Hurricane {storm} hit Florida. {storm} flooded homes. After {storm} help came."

    found = find(text, knowledge)

    assert "Florida" in found
    assert storm not in found or found[storm].confidence < 0.5


def test_country_of_the_page_decides_where_nothing_else_does(knowledge):
    mentions = find_mentions("Rain is expected in Hamilton.", knowledge, PageHints("NZ"))

    assert [m.place.country for m in mentions if m.place] == ["NZ"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Senator Jackson and Michael Jackson met.", "Jackson"),
        ("It was Florence Henderson who sang.", "Florence"),
        ("Reading is fun, she said.", "Reading"),
        ("In March he told the Police that he may come.", "March"),
        ("He ordered at New York Fries.", "New York Fries"),
    ],
)
def test_people_and_words_are_no_places(text, name, knowledge):
    assert name not in find(text, knowledge)


def test_demonym_is_told_apart(knowledge):
    found = find("Egyptian officials met two Germans in Cairo.", knowledge, "demonym")

    assert {name: m.place.country for name, m in found.items() if m.place} == {
        "Egyptian": "EG",
        "Germans": "DE",
    }


def test_code_needs_capitals(knowledge):
    assert "DE" in find("The office is in Dover, DE, near the river.", knowledge)
    assert "de" not in find("Rue de la Paix in Paris.", knowledge)


def test_shouted_and_whispered_names_are_found(knowledge):
    assert "CHARLESTON" in find("CHARLESTON, S.C. - A storm hit the coast on Monday.", knowledge)
    assert "nigeria" in find("so much rain in nigeria today #lagos", knowledge)


def test_name_may_be_broken_over_lines_but_not_over_blocks(knowledge):
    text = "They live in New\nYork now."
    blocks = [PageBlock(0, 16, Part.MAIN), PageBlock(17, len(text), Part.MAIN)]

    broken = [m.text for m in find_mentions(text, knowledge)]
    separate = [m.text for m in find_mentions(text, knowledge, PageHints(blocks=blocks))]

    assert "New\nYork" in broken
    assert "New\nYork" not in separate


def test_other_scripts_are_read(knowledge):
    found = find("Поезд из Москва в Берлин. 東京 和 大阪", knowledge)

    assert {m.place.country for m in found.values() if m.place} >= {"RU", "DE"}


def test_state_and_city_of_one_name_are_told_apart(knowledge):
    assert place_of("He flew to Mexico and Guatemala.", "Mexico", knowledge).kind is Kind.COUNTRY


@given(st.text(max_size=400))
@settings(max_examples=200, deadline=None)
def test_any_text_is_survived(knowledge, text):
    mentions = find_mentions(text, knowledge)

    assert all(text[m.start : m.end] == m.text for m in mentions)
    assert [m.start for m in mentions] == sorted(m.start for m in mentions)


@pytest.mark.parametrize(
    "piece",
    [
        "",
        "Paris ",
        "Paris, ",
        "PARIS ",
        "S8 ",
        "North ",
        "Palace ",
        "Straße ",
        "of ",
        "\x00\ud800",
        "A",
        "Je to v Praze a byl jsem tam, že se to. ",
        "Das ist nicht Limburg a. d. Lahn und die. ",
    ],
)
def test_repetition_takes_linear_time(knowledge, piece):
    find_mentions(piece * 100, knowledge)

    start = time.process_time()
    find_mentions(piece * 20_000, knowledge)

    assert time.process_time() - start < 10.0


def test_a_word_without_end_takes_linear_time(knowledge):
    """Finnish has many endings, and each may have changed the stem."""
    words = "Se on ja ei ole niin kuin me. " * 20
    start = time.process_time()
    find_mentions(f"{words} P{'abecede' * 40_000}ssa", knowledge)

    assert time.process_time() - start < 5.0


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Er lebt im Irak, aber das Haus ist noch nicht fertig.", "IQ"),
        ("Sie war lange in Tansania, und das war nicht leicht.", "TZ"),
        ("Теперь он живёт там, где Канада и море.", "CA"),
        ("Тут живе моя родина, бо це Україна.", "UA"),
    ],
)
def test_countries_whose_kept_spelling_has_rare_marks_are_found(text, code, knowledge):
    assert [m.place and m.place.country for m in find_mentions(text, knowledge)] == [code]


def test_what_one_name_is_said_to_be_does_not_hold_for_the_next(knowledge):
    """The second *New York* is the state of the first; the third is the city again."""
    text = "She was born in New York, New York, and died there. She had loved New York."

    found = [m.place for m in find_mentions(text, knowledge) if m.text == "New York"]

    assert [place and place.kind for place in found] == [Kind.CITY, Kind.REGION, Kind.CITY]
