"""Microdata, RDFa and microformats, which one reader reads, and places in meta elements."""

import pytest

from geoscout_places.model import Item
from geoscout_places.parse import parse_html

MICRODATA = """
<div itemscope itemtype="https://schema.org/Restaurant"><h1 itemprop="name">Zum <b>Wirt</b></h1>
<div itemprop="address" itemscope itemtype="http://schema.org/PostalAddress">
<span itemprop="streetAddress">Hauptplatz 1<br>Stiege 2</span>
<span itemprop="postalCode">4020</span> <span itemprop="addressLocality">Linz</span>
<meta itemprop="addressCountry" content="AT"></div>
<a itemprop="url" href="/wirt">Web</a><time itemprop="foundingDate" datetime="1908">long ago</time>
</div>"""

RDFA = """
<div vocab="https://schema.org/" typeof="Restaurant"><h1 property="name">Zum <b>Wirt</b></h1>
<div property="address" typeof="PostalAddress">
<span property="streetAddress">Hauptplatz 1<br>Stiege 2</span>
<span property="schema:postalCode">4020</span> <span property="addressLocality">Linz</span>
<meta property="addressCountry" content="AT"></div>
<a property="url" href="/wirt">Web</a><time property="foundingDate" datetime="1908">x</time></div>
"""


def items(html: str) -> tuple[Item, ...]:
    return parse_html(html.encode(), "http://example.org/").items


@pytest.mark.parametrize(("html", "source"), [(MICRODATA, "microdata"), (RDFA, "rdfa")])
def test_item_is_read_with_the_items_in_it(html, source):
    address = Item(
        source,
        ("PostalAddress",),
        (
            ("streetAddress", "Hauptplatz 1\nStiege 2"),
            ("postalCode", "4020"),
            ("addressLocality", "Linz"),
            ("addressCountry", "AT"),
        ),
    )

    assert items(html) == (
        Item(
            source,
            ("Restaurant",),
            (
                ("name", "Zum Wirt"),
                ("address", address),
                ("url", "/wirt"),
                ("foundingDate", "1908"),
            ),
        ),
    )


def test_item_inside_another_that_is_no_property_stands_alone():
    html = (
        '<div itemscope itemtype="Hotel"><b itemprop="name">a</b>'
        '<div itemscope itemtype="Review"><b itemprop="name">b</b></div></div>'
    )

    assert [(item.types, item.properties) for item in items(html)] == [
        (("Hotel",), (("name", "a"),)),
        (("Review",), (("name", "b"),)),
    ]


def test_property_may_have_several_names():
    (item,) = items('<div itemscope><b itemprop="name legalName">a</b></div>')

    assert item.properties == (("name", "a"), ("legalName", "a"))


def test_item_without_properties_says_nothing():
    assert items('<div itemscope itemtype="WebPage"><p>text</p></div>') == ()


def test_property_of_several_blocks_keeps_them_apart():
    (item,) = items('<div itemscope><div itemprop="address"><p>Hauptplatz 1</p><p>Linz</p></div>')

    assert item.properties == (("address", "Hauptplatz 1\nLinz"),)


OLD_CARD = """<div class="vcard"><b class="fn">Wirt</b><div class="adr">
<i class="street-address">Hauptplatz 1</i><i class="locality">Linz</i></div></div>"""
NEW_CARD = """<div class="h-card"><b class="p-name">Wirt</b><div class="p-adr h-adr">
<i class="p-street-address">Hauptplatz 1</i><i class="p-locality">Linz</i></div></div>"""


@pytest.mark.parametrize("html", [OLD_CARD, NEW_CARD])
def test_cards_are_read_in_both_spellings(html):
    (card,) = items(html)

    (_, name), (_, address) = card.properties
    assert (card.source, card.types, name) == ("microformat", ("h-card",), "Wirt")
    assert isinstance(address, Item)
    assert address.types == ("h-adr",)
    assert address.properties == (("street-address", "Hauptplatz 1"), ("locality", "Linz"))


def test_address_outside_a_card_is_an_item():
    (item,) = items('<p class="adr"><span class="locality">Linz</span></p>')

    assert (item.types, item.properties) == (("h-adr",), (("locality", "Linz"),))


@pytest.mark.parametrize(
    "html",
    [
        '<abbr class="geo" title="48.3;14.3">on the map</abbr>',
        '<span class="geo">48.3;14.3</span>',
    ],
)
def test_short_geo_has_its_value(html):
    (item,) = items(html)

    assert (item.types, item.properties) == (("h-geo",), (("value", "48.3;14.3"),))


def test_geo_with_parts_has_its_parts():
    (item,) = items(
        '<div class="geo"><abbr class="latitude" title="48.3">N 48°</abbr>'
        '<span class="longitude"><span class="value-title" title="14.3"></span></span></div>'
    )

    assert item.properties == (("latitude", "48.3"), ("longitude", "14.3"))


def test_deeply_nested_items_end():
    found = items('<div itemscope itemprop="a">x' * 500)

    assert len(found) > 0


def test_places_in_the_head_are_one_item():
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


def test_head_without_places_has_no_item():
    assert items('<meta name="keywords" content="inn"><meta name="geo.position" content="">') == ()
