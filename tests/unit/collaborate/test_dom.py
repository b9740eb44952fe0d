import pytest

from geoscout.collaborate import Origin, create_collaboration
from geoscout_places.model import Link
from geoscout_places.parse import parse_html
from tests.unit.collaborate.worlds import MESA, SAN_FRANCISCO, aim, page

DOM = create_collaboration("dom", aim())


def nodes(html: str) -> list[str]:
    found = parse_html(html.encode(), "http://page.example/")
    return [name for (name,) in DOM.assign(Origin(found), found.links)]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (
            ("<h2>Mesa</h2><ul><li><a href=/a>A</a><li><a href=/b>B</a></ul>"
            "<h2>New York</h2><ul><li><a href=/c>C</a></ul>"),
            ["mountain", "mountain", "eastern"],
        ),
        (
            "<table><tr><td>Mesa<td><a href=/a>A</a><tr><td>New York<td><a href=/b>B</a></table>",
            ["mountain", "eastern"],
        ),
        ("<h2>Mesa</h2><ul><li><a href=/a>A</a> in New York</ul>", ["eastern"]),
        ("<h1>Mesa</h1><h2>Hotels</h2><p><a href=/a>A</a>", ["mountain"]),
        ("<p>Nothing<p><a href=/a>A</a><h2>Mesa</h2>", ["general"]),
        ("<p><a href=/a><img alt=Mesa></a>", ["mountain"]),
        (f"<p>Mesa {'and so on ' * 20}<ul><li><a href=/a>A</a><li><a href=/b>B</a></ul>",
         ["mountain", "general"]),
    ],
)  # fmt: skip
def test_link_goes_to_the_node_of_what_it_stands_under(html, expected):
    assert nodes(html) == expected


def test_link_without_offsets_has_its_own_words():
    near = Link("http://link.example/", "Hotels", before="in Mesa")

    assert DOM.assign(page(), [near]) == [("mountain",)]


def test_label_is_the_city_of_the_title():
    assert DOM.label(page(title="Mesa and San Francisco")) in (MESA.id, SAN_FRANCISCO.id)
    assert DOM.label(page()) == 0
