"""Names made of several."""

from __future__ import annotations

import pytest

from geoscout.geo.mentions import NameKnowledge, find_mentions


def names_in(text: str, knowledge: NameKnowledge) -> dict[str, str]:
    found = find_mentions(text, knowledge)
    return {mention.text: mention.place.name for mention in found if mention.place}


def test_a_part_of_a_town_belongs_to_its_name(knowledge: NameKnowledge) -> None:
    text = "Der Zug hält heute nicht in München-Pasing, sondern erst in Augsburg."

    assert names_in(text, knowledge)["München-Pasing"] == "Pasing"


def test_a_word_for_a_part_belongs_to_the_name(knowledge: NameKnowledge) -> None:
    found = names_in("Der Verkehr in Wetzlar-Süd und in Gießen ist heute stark.", knowledge)

    assert found.get("Wetzlar-Süd") == "Wetzlar"


def test_two_ends_of_a_line_stay_two(knowledge: NameKnowledge) -> None:
    found = names_in("Der Zug fährt in Hannover-Kassel und Berlin nicht.", knowledge)

    assert "Hannover-Kassel" not in found
    assert "Kassel" in found


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("La città si trova nella provincia di Avellino, non lontano da Napoli.", "Avellino"),
        ("Nació en la provincia de Salamanca, no muy lejos de Madrid.", "Salamanca"),
        ("Le village est situé dans le département de la Loire, près de Lyon.", "Loire"),
        ("A cidade fica na região de Lisboa, que é a maior do país.", "Lisboa"),
    ],
)
def test_a_kind_before_a_name_belongs_to_it(text: str, name: str, knowledge: NameKnowledge) -> None:
    found = [mention.text for mention in find_mentions(text, knowledge)]

    assert any(mention.endswith(f" {name}") for mention in found)
