from __future__ import annotations

from geoscout_places.model import Item
from geoscout_places.parse import parse_html


def items(html: str) -> tuple[Item, ...]:
    return parse_html(html.encode(), "http://example.org/").items


def test_places_in_the_head_are_one_item() -> None:
    found = items(
        '<meta name="geo.position" content="48.3;14.3"><meta name="ICBM" content="48.3, 14.3">'
        '<meta name="geo.region" content="AT-4"><meta name="geo.placename" content="Linz">'
        '<meta property="place:location:latitude" content="48.3"><meta name="author" content="x">'
    )

    assert found == (
        Item(
            "meta",
            (),
            (
                ("geo.position", "48.3;14.3"),
                ("icbm", "48.3, 14.3"),
                ("geo.region", "AT-4"),
                ("geo.placename", "Linz"),
                ("place:location:latitude", "48.3"),
            ),
        ),
    )


def test_head_without_places_has_no_item() -> None:
    assert items('<meta name="keywords" content="inn"><meta name="geo.position" content="">') == ()
