"""A town binds to what it lies in, wherever the two are written next to each other."""

from __future__ import annotations

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
def test_a_town_lies_in_what_follows_it(
    text: str, town: str, where: str, knowledge: NameKnowledge
) -> None:
    assert (town, where) in places(text, knowledge)


def test_the_wide_name_is_what_the_town_lies_in(knowledge: NameKnowledge) -> None:
    # SC is also a state of Brazil.
    found = {m.text: m.place for m in find_mentions("Columbia, SC", knowledge)}

    assert found["SC"] is not None
    assert found["SC"].name == "South Carolina"


def test_a_report_begins_with_its_town(knowledge: NameKnowledge) -> None:
    found = find_mentions("WASHINGTON (AP) - The president said no.", knowledge)

    assert [(m.text, m.place.kind if m.place else "") for m in found] == [("WASHINGTON", "city")]


def test_capitals_alone_are_no_dateline(knowledge: NameKnowledge) -> None:
    assert places("JACKSON said no.", knowledge) == []
    assert places("JACKSON (AP) - The mayor said no.", knowledge)


def test_a_country_before_a_title_explains_nobody(knowledge: NameKnowledge) -> None:
    text = "Senate President David Williams, U.S. Rep. Harold Rogers and others came."

    assert "Williams" not in dict(places(text, knowledge))


def test_lists_of_places_in_lower_case(knowledge: NameKnowledge) -> None:
    found = places("USA texas dallas Cities", knowledge)

    assert [name for name, _ in found] == ["USA", "texas", "dallas"]


@pytest.mark.parametrize("name", ["Laos", "Philippines"])
def test_countries_that_look_like_several_people(name: str, knowledge: NameKnowledge) -> None:
    assert name in dict(places(f"The ministers of {name} and Vietnam met.", knowledge))


def test_people_are_still_people(knowledge: NameKnowledge) -> None:
    found = find_mentions("Two Egyptians and a Laotian were there.", knowledge)

    assert {m.kind for m in found} == {MentionKind.DEMONYM}
