import pytest
from hypothesis import given
from hypothesis import strategies as st

from geoscout_places.model import Item
from geoscout_places.parse import parse_html
from geoscout_places.parse.json_ld import load_script


def items(*scripts: str) -> tuple[Item, ...]:
    html = "".join(f'<script type="application/ld+json">{script}</script>' for script in scripts)
    return parse_html(html.encode(), "http://example.org/").items


def test_item_has_its_types_and_properties():
    (item,) = items(
        '{"@context": "https://schema.org", "@type": ["Hotel", "http://schema.org/Place"],'
        ' "name": " Zum Wirt ", "schema:telephone": ["1", "2"], "numberOfRooms": 12,'
        ' "petsAllowed": true, "logo": null,'
        ' "geo": {"@type": "GeoCoordinates", "latitude": 48.3, "longitude": "14.3"}}'
    )

    assert item.source == "json-ld"
    assert item.types == ("Hotel", "Place")
    assert item.properties == (
        ("name", "Zum Wirt"),
        ("telephone", "1"),
        ("telephone", "2"),
        ("numberOfRooms", "12"),
        ("petsAllowed", "true"),
        (
            "geo",
            Item("json-ld", ("GeoCoordinates",), (("latitude", "48.3"), ("longitude", "14.3"))),
        ),
    )


def test_graph_and_lists_hold_several_items():
    found = items(
        '{"@graph": [{"@type": "Hotel", "name": "a"}, {"@type": "Bar", "name": "b"}]}',
        '[{"@type": "Inn", "name": "c"}]',
    )

    assert [item.types for item in found] == [("Hotel",), ("Bar",), ("Inn",)]


def test_reference_to_another_node_is_followed():
    hotel, _ = items(
        '{"@graph": [{"@type": "Hotel", "address": {"@id": "#a"}},'
        ' {"@id": "#a", "@type": "PostalAddress", "addressLocality": "Linz"}]}'
    )

    (_, address) = hotel.properties[0]
    assert isinstance(address, Item)
    assert address.properties == (("addressLocality", "Linz"),)


def test_nodes_that_refer_to_each_other_end():
    found = items(
        '[{"@id": "a", "@type": "X", "name": "a", "next": {"@id": "b"}},'
        ' {"@id": "b", "@type": "X", "name": "b", "next": {"@id": "a"}}]'
    )

    assert len(found) == 2


def test_value_objects_are_their_value():
    (item,) = items('{"@type": "X", "name": {"@value": "Wien", "@language": "de"}}')

    assert item.properties == (("name", "Wien"),)


@pytest.mark.parametrize(
    "text",
    [
        '{"a": "b", }',
        '{"a": "b"} // end',
        '/* begin */ {"a": "b"}',
        '<!-- {"a": "b"} -->',
        '<![CDATA[{"a": "b"}]]>',
        '//<![CDATA[\n{"a": "b"}\n//]]>',
        '/*<![CDATA[*/{"a": "b"}/*]]>*/',
        '{"a": "b"};',
        "{&quot;a&quot;: &quot;b&quot;}",
        '\ufeff{"a": "b"}',
    ],
)
def test_flaws_are_forgiven(text):
    assert load_script(text) == {"a": "b"}


def test_comments_inside_strings_stay():
    assert load_script('{"url": "http://example.org/*x*/", "b": "1,]",}') == {
        "url": "http://example.org/*x*/",
        "b": "1,]",
    }


def test_raw_line_breaks_in_strings_are_forgiven():
    assert load_script('{"a": "Main St 5\nSpringfield"}') == {"a": "Main St 5\nSpringfield"}


@pytest.mark.parametrize(
    "text",
    ["", "{", "nonsense", '{"a":', "[" * 100_000, '{"a":' * 5000, '{"a": ' + "9" * 5000 + "}"],
)
def test_what_cannot_be_made_out_is_nothing(text):
    assert items(text) == ()


def test_half_a_surrogate_pair_is_left_out():
    (item,) = items('{"@type": "X", "name": "a\\ud800b",}')

    assert item.properties == (("name", "ab"),)


@given(st.text(alphabet=st.sampled_from('{}[]",:/*\\ab1 \n'), max_size=40))
def test_any_script_is_survived(text):
    items(text)
