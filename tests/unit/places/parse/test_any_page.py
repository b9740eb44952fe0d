"""Any bytes are a page: what must hold for `parse_html` on input that nobody thought of."""

from hypothesis import given, settings
from hypothesis import strategies as st

from geoscout_places.parse import parse_html
from tests.unit.places.parse.sound import check_sound


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=400))
def test_any_bytes_are_a_page(body):
    check_sound(parse_html(body, "http://example.org/"))


TOKENS = st.sampled_from(
    "<p>|</p>|<div>|</div>|<span>|</span>|<b>|</b>|<a href=x>|</a>|<br>|<pre>|</pre>|<table>|<tr>|"
    "<td>|</table>|<ul>|<li>|</ul>|<nav>|</nav>|<main>|<address>|</address>|<img alt=y>|<!--|-->|"
    "<script>|</script>|<p hidden>|<template>|</template>|<title>|</title>|<select>|<option>|"
    "<iframe src=z>|<frameset>|<area href=w>|&nbsp;|&#1;|&#2;|&#x0000e|&#016;|&#20x|&shy;|<|>|&|"
    "\x01|\x02|\x05|\n| |Inn|5|,|ä|中|<div itemscope itemtype=Place>|<b itemprop=name>|"
    "<div class=vcard>|<meta name=geo.position content=1;2>|<base href=//b/>|<svg>|</svg>|<dialog>|"
    "<font>|<h1>|<script type=application/ld+json>|{}|[]".split("|")
)


@settings(max_examples=400, deadline=None)
@given(st.lists(TOKENS, max_size=60))
def test_any_markup_is_a_page(tokens):
    check_sound(parse_html("".join(tokens).encode(), "http://example.org/"))


SEED_PAGE = (
    b"<!doctype html><html lang=en><head><title>Inn</title><script type='application/ld+json'>"
    b'{"@type":"Hotel","address":{"@type":"PostalAddress","streetAddress":"Main St 5"}}</script>'
    b"</head><body><nav><a href='/a'>Home</a></nav><main><h1>Inn</h1><p>Main St 5<br>Springfield"
    b"</p><table><tr><td>Mon<td>9-5</table></main><footer><address>x</address></footer></body>"
)


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_any_damage_to_a_page_is_survived(data):
    body = bytearray(SEED_PAGE)
    for _ in range(data.draw(st.integers(1, 6))):
        start = data.draw(st.integers(0, len(body)))
        end = min(len(body), start + data.draw(st.integers(0, 8)))
        body[start:end] = data.draw(st.binary(max_size=6))

    check_sound(parse_html(bytes(body), "http://example.org/"))
