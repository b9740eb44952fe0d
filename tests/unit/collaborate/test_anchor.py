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
    ("anchor", "before", "after", "node"),
    [
        ("Hotels in Glendale", "", "", "mountain"),
        ("Glendale, California", "", "", "pacific"),
        ("Messages", "", "", "general"),
        ("Albany", "", "", "general"),
        ("", "", "", "general"),
        # A mention in the anchor beats those around, then the nearest, then the one before it.
        ("Mesa", "New York", "New York", "mountain"),
        ("here", "New York and then Mesa", "", "mountain"),
        ("x", "Mesa one two", "one New York", "eastern"),
        ("x", "Mesa", "New York", "mountain"),
        # A state behind the link belongs to the city in it, if nothing but a comma is between.
        ("Glendale", "", ", CA", "pacific"),
        ("Glendale", "", "California is next", "mountain"),
    ],
)
def test_link_goes_to_the_node_of_the_mention_nearest_to_it(
    anchor: str, before: str, after: str, node: str
) -> None:
    assert node_of(link(anchor=anchor, before=before, after=after)) == node


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
