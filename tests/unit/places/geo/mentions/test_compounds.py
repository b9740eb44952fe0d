"""Names made of several."""

from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geoscout_places.geo.mentions import NameKnowledge, find_mentions
from geoscout_places.geo.mentions.compounds import _heads
from geoscout_places.geo.mentions.recognise import SpokenPart
from geoscout_places.model import Mention, MentionKind


def names_in(text: str, knowledge: NameKnowledge) -> dict[str, str]:
    found = find_mentions(text, knowledge)
    return {mention.text: mention.place.name for mention in found if mention.place}


def test_a_part_of_a_town_belongs_to_its_name(knowledge):
    text = "Der Zug hält heute nicht in München-Pasing, sondern erst in Augsburg."

    assert names_in(text, knowledge)["München-Pasing"] == "Pasing"


def test_a_word_for_a_part_belongs_to_the_name(knowledge):
    found = names_in("Der Verkehr in Wetzlar-Süd und in Gießen ist heute stark.", knowledge)

    assert found.get("Wetzlar-Süd") == "Wetzlar"


def test_two_ends_of_a_line_stay_two(knowledge):
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
def test_a_kind_before_a_name_belongs_to_it(text, name, knowledge):
    found = [mention.text for mention in find_mentions(text, knowledge)]

    assert any(mention.endswith(f" {name}") for mention in found)


HEADED = (
    "lago ",
    "Lago ",
    "(monte ",
    "di ",
    "dell'",
    "Garda ",
    "Garda-",
    "x ",
    "LAGO\n",
    "Monte\u00a0",
)


def _mention(start: int) -> Mention:
    return Mention(start, start + 2, "", MentionKind.PLACE, None, confidence=1.0)


@given(st.lists(st.sampled_from(HEADED), max_size=16), st.sets(st.integers(0, 16)))
def test_heads_before_mentions_are_those_that_a_search_of_the_text_finds(words, named):
    text, heads = "".join(words), _heads("it")
    assert heads is not None
    starts = [0, *accumulate(map(len, words))]
    mentions = [_mention(starts[number]) for number in sorted(named) if number < len(words)]
    whole = [
        match
        for match in heads.feature.finditer(text)
        if any(match.start("name") <= mention.start < match.end() for mention in mentions)
    ]

    found = heads.find(text, SpokenPart(0, len(text), "it"), mentions)

    kept = [match.span() for match in found if _names_one(match.span("name"), mentions)]
    assert kept == [match.span() for match in whole]


def _names_one(name: tuple[int, int], mentions: list[Mention]) -> bool:
    return any(name[0] <= mention.start < name[1] for mention in mentions)


def test_a_long_row_of_heads_is_no_trouble():
    text, heads = "Lago " * 3_001 + "di Garda", _heads("it")
    assert heads is not None

    (match,) = heads.find(text, SpokenPart(0, len(text), "it"), [_mention(len(text) - 5)])

    assert match[0] == "Lago di Garda"
