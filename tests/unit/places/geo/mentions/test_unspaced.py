"""Names in texts that have no spaces between words."""

from __future__ import annotations

import pytest

from geoscout_places.geo.mentions import NameKnowledge, find_mentions


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("東京は大きい。", ["Tokyo"]),
        ("我住在北京。", ["Beijing"]),
        ("東京都千代田区丸の内1-9-1", ["Tokyo", "Chiyoda"]),
        ("大阪府の大阪市にある大阪城と京都の寺を見た。", ["Osaka", "Osaka", "Osaka", "Kyoto"]),
        ("彼はロンドンからパリへ行った。", ["London", "Paris"]),
        ("서울에서 부산까지 갔다.", ["Seoul", "Busan"]),
        ("ผมอยู่กรุงเทพ", ["Bangkok"]),
    ],
)
def test_names_are_found_inside_runs_of_letters(
    knowledge: NameKnowledge, text: str, expected: list[str]
) -> None:
    found = find_mentions(text, knowledge)

    assert [mention.place and mention.place.name for mention in found] == expected


@pytest.mark.parametrize(
    "text",
    [
        "パリティとは何か。",  # the word goes on
        "公安机关今天开会。",  # a town of few, and the police
        "Parisians und Pariser",
    ],
)
def test_parts_of_other_words_are_not_names(knowledge: NameKnowledge, text: str) -> None:
    found = find_mentions(text, knowledge)

    assert [mention.text for mention in found if mention.kind == "place"] == []


def test_offsets_are_those_of_the_text(knowledge: NameKnowledge) -> None:
    (found,) = find_mentions("神奈川県横浜市にある。", knowledge)[1:]

    assert (found.start, found.end, found.text) == (4, 7, "横浜市")
