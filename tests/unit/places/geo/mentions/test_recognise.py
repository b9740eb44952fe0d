"""Names in parts of another language, and in texts that have no spaces between words."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geoscout_places.geo.mentions import PageHints, find_mentions
from geoscout_places.geo.mentions.recognise import SpokenPart, spoken_parts
from geoscout_places.model import Block, Part

GERMAN = (
    "Der Verein trifft sich am Montag um acht Uhr, und alle sind herzlich eingeladen. Bei Regen "
    "findet das Fest nicht auf der Wiese statt, weil die Wege dann zu nass sind, aber in der Halle."
)
ENGLISH = (
    "The club meets on Monday at eight, and all are welcome to come. When it rains we will "
    "not be on the meadow, because the paths are too wet for it, but in the hall which is near."
)
CZECH = (
    "Spolek se schází v Praze a v Brně každé pondělí v osm hodin a všichni jsou zváni. Když "
    "prší, nejsou cesty pro děti dobré, ale sejdeme se v hale, která je vedle hřiště, nebo jinde."
)


def blocks_of(*texts: str) -> tuple[str, list[Block]]:
    blocks, start = [], 0
    for text in texts:
        blocks.append(Block(start, start + len(text), Part.MAIN))
        start += len(text) + 1
    return "\n".join(texts), blocks


def spoken(*texts: str) -> list[tuple[str, str]]:
    text, blocks = blocks_of(*texts)
    return [(text[p.start : p.end][:8], p.language) for p in spoken_parts(text, "", blocks)]


def test_a_page_has_one_language_as_a_rule():
    text, blocks = blocks_of("Aktuelles", GERMAN, "English", "Français", GERMAN)

    assert spoken_parts(text, "", blocks) == [SpokenPart(0, len(text), "de")]


def test_a_long_block_has_a_language_of_its_own():
    found = spoken(GERMAN, "In English", ENGLISH, "Kontakt", GERMAN, GERMAN)

    assert found == [("Der Vere", "de"), ("The club", "en"), ("Kontakt\n", "de")]


def test_short_blocks_go_with_the_long_ones_around_them():
    found = spoken(*[GERMAN] * 5, ENGLISH, "Opening hours", ENGLISH, "Impressum")

    assert found == [("Der Vere", "de"), ("The club", "en"), ("Impressu", "de")]


def test_two_other_languages_may_follow_each_other():
    found = spoken(GERMAN, GERMAN, GERMAN, GERMAN, ENGLISH, CZECH, "Impressum")

    assert [language for _, language in found] == ["de", "en", "cs", "de"]


def test_a_page_in_halves_has_two_languages():
    text, blocks = blocks_of(GERMAN, ENGLISH)

    assert [part.language for part in spoken_parts(text, "", blocks)] == ["de", "en"]


def test_a_text_without_blocks_has_one_language():
    assert len(spoken_parts(f"{GERMAN}\n{ENGLISH}", "", None)) == 1


def test_names_are_read_in_the_language_of_their_block(knowledge):
    text, blocks = blocks_of(ENGLISH, ENGLISH, "Contact: Dublin", CZECH, ENGLISH)

    found = find_mentions(text, knowledge, PageHints(blocks=blocks))

    assert [(m.text, m.place and m.place.name) for m in found] == [
        ("Dublin", "Dublin"),
        ("Praze", "Prague"),
        ("Brně", "Brno"),
    ]
    assert all(text[m.start : m.end] == m.text for m in found)


@pytest.mark.parametrize(
    ("text", "names"),
    [("ich wohne in münchen", ["münchen"]), ("dakaro cellars", []), ("in amman", ["amman"])],
)
def test_a_foreign_alias_in_lower_case_is_no_name(knowledge, text, names):
    assert [mention.text for mention in find_mentions(text, knowledge)] == names


@given(st.lists(st.sampled_from([GERMAN, ENGLISH, CZECH, "Kontakt", "x" * 200]), max_size=12))
def test_parts_cover_the_text(texts):
    text, blocks = blocks_of(*texts)

    parts = spoken_parts(text, "", blocks)

    assert [part.start for part in parts] == [0, *(part.end for part in parts[:-1])]
    assert parts[-1].end == len(text)
    assert all(one.language != other.language for one, other in pairwise(parts))


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
def test_names_are_found_inside_runs_of_letters(knowledge, text, expected):
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
def test_parts_of_other_words_are_not_names(knowledge, text):
    found = find_mentions(text, knowledge)

    assert [mention.text for mention in found if mention.kind == "place"] == []


def test_offsets_are_those_of_the_text(knowledge):
    (found,) = find_mentions("神奈川県横浜市にある。", knowledge)[1:]

    assert (found.start, found.end, found.text) == (4, 7, "横浜市")


def test_names_that_share_a_head_are_counties_and_not_towns(knowledge):
    text = "It hit Becker, Clay, Otter Tail and Wilkin counties in Minnesota. Boone and Clay grew."

    found = [one.place.name for one in find_mentions(text, knowledge) if one.place]

    assert found[:4] == ["Becker County", "Clay County", "Otter Tail County", "Wilkin County"]
    assert "Boone County" not in found
