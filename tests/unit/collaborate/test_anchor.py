import pytest

from geoscout.collaborate import Origin, create_collaboration
from geoscout_places.model import Link
from geoscout_places.parse import parse_html
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
        ("Mesa", "New York or", "or New York", "mountain"),
        ("here", "New York and then Mesa", "", "mountain"),
        ("x", "Mesa one two", "one New York", "eastern"),
        ("x", "Mesa", "New York", "mountain"),
        # A state behind the link belongs to the city in it, if nothing is between.
        ("Glendale", "", ", CA", "pacific"),
        ("Glendale", "", "CA 91201", "pacific"),
        ("Glendale", "", "(California)", "pacific"),
        ("Glendale", "", "in California", "mountain"),
    ],
)
def test_link_goes_to_the_node_of_the_mention_nearest_to_it(anchor, before, after, node):
    assert node_of(link(anchor=anchor, before=before, after=after)) == node


def test_mention_beyond_the_window_is_not_seen():
    narrow = create_collaboration("anchor:window=2", aim())
    far = link(anchor="x", before="Mesa a b c", after="a b c Mesa")

    assert narrow.assign(page(), [far]) == [("general",)]
    assert node_of(far) == "mountain"


def test_window_goes_over_the_borders_of_blocks():
    html = "<h2>Mesa</h2><ul><li><a href=/a>Contact</a></ul><p>New York</p>"
    found = parse_html(html.encode(), "http://page.example/")

    assert found.links[0].before == ""
    assert ANCHOR.assign(Origin(found), found.links) == [("mountain",)]


def test_city_and_state_may_be_on_both_sides_of_the_border_of_a_link():
    html = "<p><a href=/a>Glendale</a> CA, <a href=/b>Glendale</a> (<a href=/c>California</a>)"
    found = parse_html(html.encode(), "http://page.example/")

    assert ANCHOR.assign(Origin(found), found.links) == [("pacific",)] * 3


def test_text_of_an_image_stands_in_for_the_anchor():
    picture = Link("http://link.example/", alt="Mesa", tag_path="a", part=link().part)

    assert node_of(picture) == "mountain"


def test_label_is_the_city_of_the_title():
    assert ANCHOR.label(page(title="Welcome to Mesa")) == worlds.MESA.id
