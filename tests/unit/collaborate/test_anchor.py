from __future__ import annotations

import pytest

from geoscout.collaborate import create_collaboration
from geoscout_places.model import Link
from tests.unit.collaborate import worlds
from tests.unit.collaborate.worlds import aim, link, page

ANCHOR = create_collaboration("anchor", aim())


def node_of(found: Link) -> str:
    ((name,),) = ANCHOR.assign(page(), [found])
    return name


@pytest.mark.parametrize(
    ("anchor", "node"),
    [
        ("Hotels in Glendale", "mountain"),
        ("Glendale, California", "pacific"),
        ("Messages", "general"),
        ("Albany", "general"),
        ("", "general"),
    ],
)
def test_anchor_names_its_node(anchor: str, node: str) -> None:
    assert node_of(link(anchor=anchor)) == node


def test_mention_inside_the_anchor_beats_those_around() -> None:
    assert node_of(link(anchor="Mesa", before="New York", after="New York")) == "mountain"


def test_nearest_mention_wins() -> None:
    assert node_of(link(anchor="here", before="New York and then Mesa", after="")) == "mountain"
    assert node_of(link(anchor="x", before="Mesa one two", after="one New York")) == "eastern"


def test_mention_before_the_link_wins_a_tie() -> None:
    assert node_of(link(anchor="x", before="Mesa", after="New York")) == "mountain"


def test_state_behind_the_link_belongs_to_the_city_in_it() -> None:
    assert node_of(link(anchor="Glendale", after=", CA")) == "pacific"
    assert node_of(link(anchor="Glendale", after="California is next")) == "mountain"


def test_mention_beyond_the_window_is_not_seen() -> None:
    narrow = create_collaboration("anchor:window=2", aim())
    far = link(anchor="x", before="Mesa a b c", after="a b c Mesa")

    assert narrow.assign(page(), [far]) == [("general",)]
    assert node_of(far) == "mountain"


def test_text_of_an_image_stands_in_for_the_anchor() -> None:
    picture = Link("http://link.example/", alt="Mesa", tag_path="a", part=link().part)

    assert node_of(picture) == "mountain"


def test_label_is_the_city_of_the_title() -> None:
    assert ANCHOR.label(page(title="Welcome to Mesa")) == worlds.MESA.id
