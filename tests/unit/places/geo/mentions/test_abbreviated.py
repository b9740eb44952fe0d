"""Towns with their river or region in short."""

from __future__ import annotations

import pytest

from geoscout_places.geo.mentions import NameKnowledge, find_mentions


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("Limburg a.d. Lahn", "Limburg an der Lahn"),
        ("Limburg a. d. Lahn", "Limburg an der Lahn"),
        ("Frankfurt a. M.", "Frankfurt am Main"),
        ("Frankfurt a.M.", "Frankfurt am Main"),
        ("Frankfurt/M.", "Frankfurt am Main"),
        ("Neustadt a. d. Weinstraße", "Neustadt an der Weinstraße"),
        ("Rothenburg o.d.T.", "Rothenburg ob der Tauber"),
        ("Freiburg i. Br.", "Freiburg"),
        ("Mülheim a. d. Ruhr", "Mülheim"),
        ("Halle/S.", "Halle (Saale)"),
    ],
)
def test_short_names_are_those_of_the_town(
    written: str, name: str, knowledge: NameKnowledge
) -> None:
    found = find_mentions(f"Der Verein hat auch in {written} und in der Umgebung Büros.", knowledge)

    assert [(m.text, m.place and m.place.name) for m in found] == [(written, name)]


def test_the_full_stop_of_a_sentence_is_not_part_of_a_name(knowledge: NameKnowledge) -> None:
    found = find_mentions("Er wohnt jetzt mit der Familie in Offenbach a. Main.", knowledge)

    assert [m.text for m in found] == ["Offenbach a. Main"]


def test_other_words_behind_a_town_stay_what_they_are(knowledge: NameKnowledge) -> None:
    text = "Die Linie fährt von Hamburg/Berlin i. d. R. nicht nach Kiel, aber z. B. nach Bonn."

    assert [m.text for m in find_mentions(text, knowledge)] == ["Hamburg", "Berlin", "Kiel", "Bonn"]
