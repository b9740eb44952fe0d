"""The languages of the parts of a page."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from geoscout_places.geo.mentions import NameKnowledge, PageHints, find_mentions
from geoscout_places.geo.mentions.spoken import SpokenPart, spoken_parts
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


def test_a_page_has_one_language_as_a_rule() -> None:
    text, blocks = blocks_of("Aktuelles", GERMAN, "English", "Français", GERMAN)

    assert spoken_parts(text, "", blocks) == [SpokenPart(0, len(text), "de")]


def test_a_long_block_has_a_language_of_its_own() -> None:
    found = spoken(GERMAN, "In English", ENGLISH, "Kontakt", GERMAN, GERMAN)

    assert found == [("Der Vere", "de"), ("The club", "en"), ("Kontakt\n", "de")]


def test_short_blocks_go_with_the_long_ones_around_them() -> None:
    found = spoken(*[GERMAN] * 5, ENGLISH, "Opening hours", ENGLISH, "Impressum")

    assert found == [("Der Vere", "de"), ("The club", "en"), ("Impressu", "de")]


def test_two_other_languages_may_follow_each_other() -> None:
    found = spoken(GERMAN, GERMAN, GERMAN, GERMAN, ENGLISH, CZECH, "Impressum")

    assert [language for _, language in found] == ["de", "en", "cs", "de"]


def test_a_page_in_halves_has_two_languages() -> None:
    text, blocks = blocks_of(GERMAN, ENGLISH)

    assert [part.language for part in spoken_parts(text, "", blocks)] == ["de", "en"]


def test_a_text_without_blocks_has_one_language() -> None:
    assert len(spoken_parts(f"{GERMAN}\n{ENGLISH}", "", None)) == 1


def test_names_are_read_in_the_language_of_their_block(knowledge: NameKnowledge) -> None:
    text, blocks = blocks_of(ENGLISH, ENGLISH, "Contact: Dublin", CZECH, ENGLISH)

    found = find_mentions(text, knowledge, PageHints(blocks=blocks))

    assert [(m.text, m.place and m.place.name) for m in found] == [
        ("Dublin", "Dublin"),
        ("Praze", "Prague"),
        ("Brně", "Brno"),
    ]
    assert all(text[m.start : m.end] == m.text for m in found)


@given(st.lists(st.sampled_from([GERMAN, ENGLISH, CZECH, "Kontakt", "x" * 200]), max_size=12))
def test_parts_cover_the_text(texts: list[str]) -> None:
    text, blocks = blocks_of(*texts)

    parts = spoken_parts(text, "", blocks)

    assert [part.start for part in parts] == [0, *(part.end for part in parts[:-1])]
    assert parts[-1].end == len(text)
    assert all(one.language != other.language for one, other in pairwise(parts))
