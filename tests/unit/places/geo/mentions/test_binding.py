"""Names next to each other, and sentences that say what a name is, settle what is meant."""

import pytest

from geoscout_places.geo.mentions import NameKnowledge, find_mentions
from geoscout_places.model import MentionKind


def places(text: str, knowledge: NameKnowledge) -> list[tuple[str, str]]:
    """The names of the text with the country, or the state within the United States."""
    found = []
    for mention in find_mentions(text, knowledge):
        if mention.kind == MentionKind.PLACE and mention.place:
            above = knowledge.gazetteer.ancestors(mention.place)
            states = [place.name for place in above if place.kind == "region"]
            found.append((mention.text, (states or [mention.place.country])[0]))
    return found


@pytest.mark.parametrize(
    ("text", "town", "where"),
    [
        ("She lives in Brighton, UK.", "Brighton", "England"),
        ("A concert in Perth, Scotland, was cancelled.", "Perth", "Scotland"),
        ("Hamilton, New Zealand", "Hamilton", "Waikato Region"),
        ("RALEIGH, N.C. - Police said", "RALEIGH", "North Carolina"),
        ("Springfield, IL", "Springfield", "Illinois"),
        ("Portland, Maine", "Portland", "Maine"),
        ("Shops in Glendale CA and elsewhere", "Glendale", "California"),
        ("Paris TX", "Paris", "Texas"),
        ("York, Pa.", "York", "Pennsylvania"),
        ("Kansas City, Kan.", "Kansas City", "Kansas"),
        ("Hamilton (Ontario)", "Hamilton", "Ontario"),
    ],
)
def test_a_town_lies_in_what_follows_it(text, town, where, knowledge):
    assert (town, where) in places(text, knowledge)


def test_the_wide_name_is_what_the_town_lies_in(knowledge):
    # SC is also a state of Brazil.
    found = {m.text: m.place for m in find_mentions("Columbia, SC", knowledge)}

    assert found["SC"] is not None
    assert found["SC"].name == "South Carolina"


def test_a_report_begins_with_its_town(knowledge):
    found = find_mentions("WASHINGTON (AP) - The president said no.", knowledge)

    assert [(m.text, m.place.kind if m.place else "") for m in found] == [("WASHINGTON", "city")]


def test_capitals_alone_are_no_dateline(knowledge):
    assert places("JACKSON said no.", knowledge) == []
    assert places("JACKSON (AP) - The mayor said no.", knowledge)


def test_a_country_before_a_title_explains_nobody(knowledge):
    text = "Senate President David Williams, U.S. Rep. Harold Rogers and others came."

    assert "Williams" not in dict(places(text, knowledge))


def test_lists_of_places_in_lower_case(knowledge):
    found = places("USA texas dallas Cities", knowledge)

    assert [name for name, _ in found] == ["USA", "texas", "dallas"]


@pytest.mark.parametrize("name", ["Laos", "Philippines"])
def test_countries_that_look_like_several_people(name, knowledge):
    assert name in dict(places(f"The ministers of {name} and Vietnam met.", knowledge))


def test_people_are_still_people(knowledge):
    found = find_mentions("Two Egyptians and a Laotian were there.", knowledge)

    assert {m.kind for m in found} == {MentionKind.DEMONYM}


def where(text: str, knowledge: NameKnowledge) -> list[tuple[str, str]]:
    """The places of the first name of a text, each with what it lies in."""
    name = text.partition(" ")[0]
    found = [mention for mention in find_mentions(text, knowledge) if mention.text == name]
    places = [mention.place for mention in found if mention.place]
    return [(place.kind.value, knowledge.gazetteer.ancestors(place)[0].name) for place in places]


@pytest.mark.parametrize(
    ("text", "area"),
    [
        ("Toledo is a city in Lewis County, Washington, United States.", "Lewis County"),
        (
            "Toledo (formerly Cowlitz Landing) is a town in Lewis County, Washington.",
            "Lewis County",
        ),
        ("Virginia is a city in Saint Louis County, Minnesota.", "Saint Louis County"),
        ("Clinton is a community in the Canadian province of Ontario.", "Huron County"),
    ],
)
def test_defined_name_is_the_place_in_the_named_areas(text, area, knowledge):
    assert where(text, knowledge) == [("city", area)]


def test_definition_holds_for_the_rest_of_the_text(knowledge):
    text = "Toledo is a city in Lewis County, Washington. In 1892 Toledo was incorporated."

    assert where(text, knowledge) == [("city", "Lewis County")] * 2


def test_next_sentence_defines_nothing(knowledge):
    text = "Toledo is a large city. Its mayor went to the state of Washington."

    assert where(text, knowledge) == [("city", "Lucas County")]


def test_full_stop_of_an_abbreviation_does_not_end_the_sentence(knowledge):
    text = "Springfield is a town in the U.S. State of Vermont."

    assert [kind_and_county[1] for kind_and_county in where(text, knowledge)] == ["Windsor County"]


def kinds(text: str, name: str, knowledge: NameKnowledge) -> list[str]:
    """The kinds of the places that a name means in a text."""
    found = [mention for mention in find_mentions(text, knowledge) if mention.text == name]
    return [str(mention.place.kind) for mention in found if mention.place]


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        ("The case came from a farm in Washington state last year.", "Washington", "region"),
        ("It was discovered in the state of Washington last year.", "Washington", "region"),
        ("She was born in the city of New York in 1950.", "New York", "city"),
        ("She lived in Virginia, Washington and Wyoming for years.", "Washington", "region"),
        ("Flights go to Chicago, New York and Tokyo every day.", "New York", "city"),
    ],
)
def test_kind_is_what_stands_beside_it(text, name, kind, knowledge):
    assert kinds(text, name, knowledge) == [kind]


def test_town_beside_its_state_is_no_list(knowledge):
    text = "He came from Albany, New York, last year."

    assert kinds(text, "New York", knowledge) == ["region"]


def test_a_sentence_that_defines_says_the_kind(knowledge):
    text = "We went to Munster by train. Munster is a {} with old houses."

    assert set(kinds(text.format("small town"), "Munster", knowledge)) == {"city"}
    assert set(kinds(text.format("province"), "Munster", knowledge)) == {"region"}


@pytest.mark.parametrize(
    ("text", "country", "region"),
    [
        ("Kingston is a town in Piute County, Utah.", "US", "Utah"),  # a hamlet without people
        ("Springfield is a city in Sarpy County, Nebraska, United States.", "US", "Nebraska"),
        ("Paris (French: Paris) is a town in the state of Maine.", "US", "Maine"),
        ("Dublin is a city in Franklin, Delaware, and Union counties, Ohio.", "US", "Ohio"),
        ("Reading is a hamlet in Lyon County, Kansas.", "US", "Kansas"),
        # What was a county is a region of another name in the tables.
        ("Georgetown is a village in Fairfield County, Connecticut.", "US", "Connecticut"),
    ],
)
def test_a_definition_counts_through_every_level(text, country, region, knowledge):
    place = find_mentions(text, knowledge)[0].place
    assert place is not None

    above = [area.name for area in knowledge.gazetteer.ancestors(place)]
    assert (place.country, region in above) == (country, True)


def test_what_has_another_qualifier_is_not_what_is_defined(knowledge):
    text = "Reading is a city in Lyon County, Kansas. It was named after Reading, Pennsylvania."

    places = [one.place for one in find_mentions(text, knowledge) if one.text == "Reading"]

    regions = [knowledge.gazetteer.ancestors(one)[1].name for one in places if one]
    assert regions == ["Kansas", "Pennsylvania"]


def test_a_defined_town_in_no_table_is_where_what_contains_it_is(knowledge):
    text = "Franklin is a town located in Franklin County, New York."

    found = find_mentions(text, knowledge)[0]

    assert found.kind == MentionKind.LOCAL
    assert found.place is not None
    assert found.place.name == "Franklin County"


def test_a_town_comes_before_one_that_once_had_its_name(knowledge):
    assert ("Newtown", "Connecticut") in places("A bakery in Newtown, CT", knowledge)

    (found,) = find_mentions("A bakery in Newtown, CT", knowledge)[:1]

    assert found.place is not None
    assert found.place.name == "Newtown"
