"""The words and names next to a name tell a city from a state of the same name."""

from __future__ import annotations

import pytest

from geoscout_places.geo.mentions import NameKnowledge, find_mentions


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
def test_kind_is_what_stands_beside_it(
    text: str, name: str, kind: str, knowledge: NameKnowledge
) -> None:
    assert kinds(text, name, knowledge) == [kind]


def test_town_beside_its_state_is_no_list(knowledge: NameKnowledge) -> None:
    text = "He came from Albany, New York, last year."

    assert kinds(text, "New York", knowledge) == ["region"]


def test_a_sentence_that_defines_says_the_kind(knowledge: NameKnowledge) -> None:
    text = "We went to Munster by train. Munster is a {} with old houses."

    assert set(kinds(text.format("small town"), "Munster", knowledge)) == {"city"}
    assert set(kinds(text.format("province"), "Munster", knowledge)) == {"region"}
