import pytest
from hypothesis import given
from hypothesis import strategies as st

from geoscout_places.model import Link, Part
from geoscout_places.parse import parse_html
from geoscout_places.parse.links import MOST_LINKS, ReferenceResolver
from geoscout_places.urls import resolve

URL = "http://example.org/shops/list.html"


def links(html: str, url: str = URL) -> tuple[Link, ...]:
    return parse_html(html.encode(), url, "text/html; charset=utf-8").links


def test_link_has_what_a_reader_sees():
    (link,) = links(
        '<main><ul><li>See <a href="wirt.html" title="Gasthof" rel="NoFollow External">'
        '<img src="x" alt="Photo"> Zum <b>Wirt</b></a> in Linz.</ul></main>'
    )

    assert link == Link(
        url="http://example.org/shops/wirt.html",
        anchor="Zum Wirt",
        title="Gasthof",
        rel=("nofollow", "external"),
        alt="Photo",
        before="See",
        after="in Linz.",
        tag_path="body/main/ul/li/a",
        part=Part.MAIN,
        start=4,
        end=12,
    )


def test_windows_cross_inline_elements_and_line_breaks():
    (link,) = links('<p>The <b>old</b><br>inn <a href="a">Wirt</a> <i>in</i><br>Linz')

    assert (link.before, link.after) == ("The old inn", "in Linz")


@pytest.mark.parametrize(
    "html",
    [
        '<p>Before<p><a href="a">Wirt</a><p>After',
        '<table><tr><td>Before<td><a href="a">Wirt</a><td>After</table>',
        '<ul><li>Before<li><a href="a">Wirt</a><li>After</ul>',
        'Before<br><br><a href="a">Wirt</a><br><br>After',
    ],
)
def test_windows_stop_at_borders(html):
    (link,) = links(html)

    assert (link.anchor, link.before, link.after) == ("Wirt", "", "")


def test_windows_have_25_tokens():
    words = [f"w{i}" for i in range(60)]
    (link,) = links(f'<p>{" ".join(words)} <a href="a">Wirt</a> {" ".join(words)}')

    assert link.before == " ".join(words[-25:])
    assert link.after == " ".join(words[:25])


def test_windows_of_endless_words_are_short():
    (link,) = links(f'<p>{"x" * 9000} y <a href="a">Wirt</a> z {"x" * 9000}')

    assert (link.before, link.after) == ("y", "z")


def test_link_around_blocks_has_all_their_text():
    (link,) = links('<div>Before<a href="a"><h2>Wirt</h2><p>in Linz</p></a></div>')

    assert link.anchor == "Wirt in Linz"


def test_link_without_text_has_its_surroundings():
    (link,) = links('<p>The inn <a href="a"><img alt="map"></a> is here')

    assert (link.anchor, link.alt, link.before, link.after) == ("", "map", "The inn", "is here")


def test_link_in_a_folded_menu_keeps_its_name():
    page = parse_html(b'<div hidden><a href="a">Contact</a></div>', URL)

    assert (page.text, page.links[0].anchor) == ("", "Contact")


def test_links_of_areas_and_frames_count():
    html = (
        '<map><area href="/north" alt="North"></map><iframe src="/map"></iframe>'
        "<a name='top'>no link</a>"
    )

    found = links(html)

    assert [(link.url, link.alt) for link in found] == [
        ("http://example.org/north", "North"),
        ("http://example.org/map", ""),
    ]


def test_links_of_a_frameset_count():
    html = '<frameset cols="*,*"><frame src="menu.html"><frame src="main.html"></frameset>'

    assert [link.url for link in links(html)] == [
        "http://example.org/shops/menu.html",
        "http://example.org/shops/main.html",
    ]


def test_refresh_is_a_link():
    (link,) = links('<meta http-equiv="Refresh" content="0; URL=\'/new\'">')

    assert (link.url, link.rel) == ("http://example.org/new", ("refresh",))


def test_base_changes_what_references_mean():
    html = '<base href="http://other.example/x/"><a href="y">y</a><base href="/z/">'

    assert links(html)[0].url == "http://other.example/x/y"


def test_unclosed_link_ends_at_the_next():
    first, second = links('<a href="a">One <a href="b">Two')

    assert (first.anchor, second.anchor) == ("One", "Two")


def test_links_are_counted_only_so_far():
    assert len(links('<a href="a">x</a> ' * (MOST_LINKS + 10))) == MOST_LINKS


BASE = "http://example.org/shops/north/list.html?page=2#top"


@pytest.mark.parametrize(
    ("reference", "url"),
    [
        ("https://other.example/x", "https://other.example/x"),
        ("//other.example/x", "http://other.example/x"),
        ("/x?y", "http://example.org/x?y"),
        ("x.html", "http://example.org/shops/north/x.html"),
        ("x/", "http://example.org/shops/north/x/"),
        ("?page=3", "http://example.org/shops/north/list.html?page=3"),
        ("./x", "http://example.org/shops/north/x"),
        ("../x", "http://example.org/shops/x"),
        ("../../../x", "http://example.org/x"),
        ("../..", "http://example.org/"),
        ("a/../b", "http://example.org/shops/north/b"),
        (" \n/x y\t ", "http://example.org/x%20y"),
        ("\\x\\y", "http://example.org/x/y"),
        ("HTTP://Other.Example/", "http://other.example/"),
    ],
)
def test_references_are_resolved(reference, url):
    assert ReferenceResolver(BASE).resolve(reference) == url


@pytest.mark.parametrize(
    "reference",
    [
        "",
        " ",
        "#top",
        "mailto:a@example.org",
        "javascript:void(0)",
        "tel:+43",
        "data:,x",
        "x" * 9000,
    ],
)
def test_what_leads_to_no_page_is_left_out(reference):
    assert ReferenceResolver(BASE).resolve(reference) == ""


def test_base_without_a_path_is_a_base():
    assert ReferenceResolver("http://example.org").resolve("x") == "http://example.org/x"


def test_page_without_a_url_has_only_absolute_links():
    resolver = ReferenceResolver("")

    assert (resolver.resolve("/x"), resolver.resolve("http://a.example/")) == (
        "",
        "http://a.example/",
    )


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_reference_is_resolved_or_left_out(base, reference):
    url = ReferenceResolver(base).resolve(reference)

    assert url == "" or "://" in url or url.startswith(("http:", "https:"))


@given(st.lists(st.sampled_from(["a", "b.html", "..", ".", "?q=1", "#f", "x y"]), max_size=5))
def test_short_ways_agree_with_the_long_way(segments):
    reference = "/".join(segments)
    if not reference or reference.startswith("#"):
        return

    assert resolve(ReferenceResolver(BASE).resolve(reference)) == resolve(reference, BASE)
