"""A sentence that says what a name is settles which place the text means."""

from __future__ import annotations

import pytest

from geoscout_places.geo.mentions import NameKnowledge, find_mentions


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
def test_defined_name_is_the_place_in_the_named_areas(
    text: str, area: str, knowledge: NameKnowledge
) -> None:
    assert where(text, knowledge) == [("city", area)]


def test_definition_holds_for_the_rest_of_the_text(knowledge: NameKnowledge) -> None:
    text = "Toledo is a city in Lewis County, Washington. In 1892 Toledo was incorporated."

    assert where(text, knowledge) == [("city", "Lewis County")] * 2


def test_next_sentence_defines_nothing(knowledge: NameKnowledge) -> None:
    text = "Toledo is a large city. Its mayor went to the state of Washington."

    assert where(text, knowledge) == [("city", "Lucas County")]


def test_full_stop_of_an_abbreviation_does_not_end_the_sentence(knowledge: NameKnowledge) -> None:
    text = "Springfield is a town in the U.S. State of Vermont."

    assert [kind_and_county[1] for kind_and_county in where(text, knowledge)] == ["Windsor County"]
