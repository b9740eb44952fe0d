"""What else names may be, in the language of the text."""

import pytest

from geoscout_places.geo.mentions import NameKnowledge, find_mentions
from geoscout_places.toponyms import NOT_NOUN, NOUN, NOUN_AND_PLACE


def sort_in(language: str, name: str, knowledge: NameKnowledge) -> str:
    facts = knowledge.tongue(language).facts[name]
    return facts.sort if facts else "hopeless"


def names_in(text: str, knowledge: NameKnowledge) -> list[str]:
    return [mention.text for mention in find_mentions(text, knowledge)]


@pytest.mark.parametrize("name", ["Lage", "Regen", "Wetter", "Kuchen"])
def test_a_german_noun_is_one_in_german_only(name, knowledge):
    assert sort_in("de", name, knowledge).startswith(("noun", "hopeless"))
    assert not sort_in("fr", name, knowledge).startswith("noun")


def test_a_city_is_not_taken_for_a_word(knowledge):
    assert sort_in("de", "Munchen", knowledge) == "plain-big"
    assert sort_in("es", "Madrid", knowledge) not in {"word-big", "noun-big"}


def test_english_uses_do_not_count_elsewhere(knowledge):
    assert sort_in("en", "Split", knowledge).startswith(("word", "hopeless"))
    assert not sort_in("it", "Split", knowledge).startswith(("word", "hopeless"))


@pytest.mark.parametrize(
    "text",
    [
        "Das Wetter in München ist schlecht, und der Regen hört nicht auf.",
        "Die Lage am Rand von München ist sehr ruhig, und es gibt Kaffee und Kuchen.",
        "Die Wohnung in München hat eine gute Lage.\nLage\nWetter\nAnfahrt",
    ],
)
def test_german_nouns_are_not_places(text, knowledge):
    assert names_in(text, knowledge) == ["München"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Er liebt die Museen Münchens und die Kneipen der Stadt.", "Münchens"),
        ("Die Regierung Frankreichs hat es nicht gesagt.", "Frankreichs"),
        ("Het is een van de mooiste straten in Amsterdams centrum, maar niet lang.", "Amsterdams"),
        ("Det är en av Stockholms bästa restauranger och den är inte dyr.", "Stockholms"),
    ],
)
def test_genitives_are_found(text, name, knowledge):
    assert name in names_in(text, knowledge)


def test_an_elided_article_tells_a_place(knowledge):
    text = "Il governo dell'Italia ha detto che la Francia e la Spagna non sono d'accordo."

    assert "Italia" in names_in(text, knowledge)


def test_a_noun_of_the_dictionary_is_a_noun_however_rare(knowledge):
    assert knowledge.counts.noun("kuchen") == NOUN
    assert knowledge.counts.noun("essen") == NOUN_AND_PLACE
    assert knowledge.counts.noun("berlin") == NOT_NOUN


def test_codes_of_states_are_words_elsewhere(knowledge):
    text = "Das Museum in München ist Mo. und Di. geschlossen, siehe Art. 6 Abs. 1 der Satzung."

    assert names_in(text, knowledge) == ["München"]


def test_words_in_front_of_a_german_name_are_nouns(knowledge):
    text = "Ein günstiges Design Hotel ist in Mannheim nicht leicht zu finden."

    assert names_in(text, knowledge) == ["Mannheim"]


@pytest.mark.parametrize(
    ("text", "country"),
    [
        ("Le président s'est rendu en Argentine avec les ministres de son pays.", "AR"),
        ("Elle est partie aux Philippines avec sa famille, et elle y est restée.", "PH"),
        ("El presidente viajó a Filipinas con los ministros de su gobierno.", "PH"),
    ],
)
def test_words_for_people_elsewhere_are_countries_here(text, country, knowledge):
    (found,) = find_mentions(text, knowledge)

    assert found.kind == "place"
    assert found.place is not None
    assert (found.place.country, found.place.kind) == (country, "country")


@pytest.mark.parametrize(
    "text",
    [
        "La cuisine argentine est très bonne, et les plats sont simples.",
        "Una argentina ganó el premio de la revista, pero no lo quería.",
        "La réunion du conseil a eu lieu hier soir dans la salle des fêtes.",
    ],
)
def test_in_lower_case_they_are_no_countries(text, knowledge):
    assert [m for m in find_mentions(text, knowledge) if m.kind == "place"] == []


def test_a_name_of_one_language_means_nothing_in_others(knowledge):
    places = {}
    for language in ("it", "en"):
        facts = knowledge.tongue(language).facts["Augusta"]
        assert facts is not None
        places[language] = {one.place.name for one in facts.senses().candidates}

    assert places["it"] - places["en"] == {"Augsburg"}
    found = find_mentions("Il treno va a Norimberga e ad Augusta, in Baviera.", knowledge)
    assert [m.place and m.place.name for m in found] == ["Nuremberg", "Augsburg", "Bavaria"]


def test_monaco_is_munich_on_an_italian_page_about_bavaria(knowledge):
    bavarian = "Il treno va da Verona a Monaco, e poi a Norimberga e ad Augusta in Baviera."
    german = "Die Formel 1 fährt in Monaco, und wir fahren von München nach Augsburg in Bayern."

    places = {m.text: m.place for m in find_mentions(bavarian, knowledge)}
    elsewhere = {m.text: m.place for m in find_mentions(german, knowledge)}

    assert places["Monaco"] is not None
    assert places["Monaco"].name == "Munich"
    assert elsewhere["Monaco"] is not None
    assert elsewhere["Monaco"].country == "MC"
