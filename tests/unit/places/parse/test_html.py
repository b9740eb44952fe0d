import pytest

from geoscout_places.model import Page, Part
from geoscout_places.parse import parse_html

URL = "http://example.org/shops/list.html"


def parse(html: str, url: str = URL) -> Page:
    return parse_html(html.encode(), url, "text/html; charset=utf-8")


def lines(html: str) -> list[str]:
    page = parse(html)
    return [page.text[block.start : block.end] for block in page.blocks]


def parts(html: str) -> dict[str, Part]:
    page = parse(html)
    return {page.text[block.start : block.end]: block.part for block in page.blocks}


def test_empty_page_is_a_page():
    assert parse_html(b"", URL) == Page(url=URL, title="", language="", text="", blocks=())


def test_head_is_read():
    page = parse(
        '<html lang="de-AT"><head><title> Zum\n Wirt </title>'
        '<meta name="Description" content="Gasthof  in Linz">'
        '<meta property="og:type" content="place">'
        '<link rel="alternate canonical" href="/wirt"></head>'
    )

    assert (page.title, page.language) == ("Zum Wirt", "de-AT")
    assert page.meta == (("description", "Gasthof in Linz"), ("og:type", "place"))
    assert page.canonical == "http://example.org/wirt"


@pytest.mark.parametrize(
    ("html", "language"),
    [
        ('<html xml:lang="fr">', "fr"),
        ('<meta http-equiv="Content-Language" content="en, de">', "en"),
        ('<meta property="og:locale" content="de_CH">', "de-CH"),
        ("<p>", ""),
    ],
)
def test_language_is_what_the_page_claims(html, language):
    assert parse(html).language == language


def test_title_of_a_drawing_is_not_the_title_of_the_page():
    assert parse("<svg><title>Arrow</title></svg><title>Inn</title>").title == "Inn"


def test_blocks_are_the_lines_of_the_text():
    page = parse("<h1>Inn</h1><div>Open <b>daily</b><p>Rooms</div>")

    assert page.text == "Inn\nOpen daily\nRooms"
    assert [(block.start, block.end) for block in page.blocks] == [(0, 3), (4, 14), (15, 20)]


def test_offsets_are_code_points():
    page = parse("<p>\U0001f1e8\U0001f1ed Zürich<p>Chur")

    assert page.text[page.blocks[1].start : page.blocks[1].end] == "Chur"


def test_inline_elements_do_not_part_words():
    assert lines("<p><b>M</b>ünchen, <i>Bay</i>ern") == ["München, Bayern"]


def test_white_space_is_collapsed():
    assert lines("<p>  Am \n\t Alten&nbsp;&nbsp;Markt  3 ") == ["Am Alten Markt 3"]


def test_line_break_parts_the_lines_of_one_block():
    assert lines("<p>Inn<br>Main St 5 <br/> <b>Springfield</b>") == ["Inn\nMain St 5\nSpringfield"]


def test_empty_line_parts_blocks():
    assert lines("Inn<br>Main St 5<br> <br>Open daily") == ["Inn\nMain St 5", "Open daily"]


def test_line_breaks_at_the_edges_of_links_are_kept():
    assert lines('<a href="a">One<br></a><a href="b"><br>Two</a><br>Three') == ["One", "Two\nThree"]


def test_preformatted_lines_are_kept():
    assert lines("<pre>\nInn\nMain St 5\n\nOpen   daily</pre>") == ["Inn\nMain St 5", "Open daily"]


def test_cells_and_items_are_blocks():
    html = "<table><tr><th>Inn<td>Main St 5<tr><td>Bar<td>Elm St</table><ul><li>One<li>Two</ul>"

    assert lines(html) == ["Inn", "Main St 5", "Bar", "Elm St", "One", "Two"]


def test_elements_set_apart_by_style_are_not_glued():
    assert lines("<span>Main St 5</span><span>Springfield</span><span>, IL</span>") == [
        "Main St 5 Springfield, IL"
    ]


def test_empty_elements_between_do_not_glue_what_is_set_apart():
    icon = "<span class=icon></span>"
    assert lines(f"<span>Main St 5</span>{icon}{icon}<a href=x>Springfield</a>") == [
        "Main St 5 Springfield"
    ]


def test_links_set_apart_by_style_are_not_glued():
    assert lines('<a href="a">Home</a><a href="b">Contact</a>') == ["Home Contact"]


def test_soft_hyphens_are_taken_out():
    assert lines("<p>Mün&shy;chen, Garmisch\u200b-Partenkirchen") == [
        "München, Garmisch-Partenkirchen"
    ]


@pytest.mark.parametrize(
    "html",
    [
        "<script>var a = '<p>x</p>';</script>",
        "<style>p { color: red }</style>",
        "<template><p>x</p></template>",
        "<noscript>x</noscript>",
        "<textarea>x</textarea>",
        "<select><option>Afghanistan<option>Albania</select>",
        "<svg><text>x</text></svg>",
        "<!-- x -->",
        "<p hidden>x</p>",
        '<div hidden="until-found">x</div>',
        '<div style="color: red; Display : None">x</div>',
        '<div style="display:none"><p>x</p></div>',
        "<dialog>x</dialog>",
        "<title>x</title>",
        "<iframe>x</iframe>",
    ],
)
def test_what_does_not_show_is_not_text(html):
    assert parse(f"<p>before{html}after").text.replace("\n", "") == "beforeafter"


def test_class_named_hidden_does_not_hide():
    assert lines('<p class="hidden-gems">Harbour<p aria-hidden="false">Pier') == ["Harbour", "Pier"]


def test_parts_come_from_elements():
    html = (
        "<header>Inn</header><nav>Home</nav><main>Rooms<footer>by Ann</footer></main>"
        "<aside>Offers</aside><footer>Imprint<address>Main St 5</address></footer>"
    )

    assert parts(html) == {
        "Inn": Part.HEADER,
        "Home": Part.NAVIGATION,
        "Rooms": Part.MAIN,
        "by Ann": Part.MAIN,
        "Offers": Part.ASIDE,
        "Imprint": Part.FOOTER,
        "Main St 5": Part.ADDRESS,
    }


def test_parts_end_with_their_element():
    assert parts("<nav>Home</nav>Rooms")["Rooms"] is Part.MAIN


def test_parts_come_from_roles_and_names():
    html = (
        '<div role="banner">Inn</div><div id="mainNav">Home</div><ul class="site-breadcrumbs">'
        '<li>Bavaria</ul><div class="l-sidebar">Offers</div><div class="page-footer">Imprint</div>'
        '<div class="card"><div class="card-footer">3 rooms</div></div>'
    )

    assert parts(html) == {
        "Inn": Part.HEADER,
        "Home": Part.NAVIGATION,
        "Bavaria": Part.NAVIGATION,
        "Offers": Part.ASIDE,
        "Imprint": Part.FOOTER,
        "3 rooms": Part.MAIN,
    }


def test_main_element_is_main_inside_a_wrapper_with_a_misleading_class():
    assert parts('<div class="sidebar">a<main>Rooms</main></div>')["Rooms"] is Part.MAIN


def test_menu_without_markup_is_told_by_its_links():
    menu = "".join(f'<td><a href="/{i}">Page {i}</a>' for i in range(8))
    html = f"<table><tr>{menu}</table><p>{'Our house stands by the lake. ' * 20}"

    found = parts(html)

    assert found["Page 3"] is Part.NAVIGATION
    assert {link.part for link in parse(html).links} == {Part.NAVIGATION}


def test_page_of_links_is_an_index_and_not_a_menu():
    html = "".join(f'<li><a href="/{i}">Winery {i}</a>' for i in range(30))

    assert set(parts(html).values()) == {Part.MAIN}


def test_list_of_links_in_the_main_element_is_main():
    items = "".join(f'<li><a href="/{i}">Winery {i}</a>' for i in range(8))
    html = f"<p>{'Wine grows here. ' * 40}<main><ul>{items}</ul></main>"

    assert parts(html)["Winery 3"] is Part.MAIN


@pytest.mark.parametrize(
    "html",
    [
        "<p>Inn</div></p></td>",
        "<p><b><i>Inn</b></i>",
        "<table><p>Inn</table>",
        "<a href='x'><div>Inn",
        "<<p>Inn",
        "<p class=>Inn",
        "<p a=\"b'>Inn",
        "<P>Inn</P",
        "Inn<!-- never closed",
        "Inn<script>never closed",
        "</html></body>Inn",
        "<html><html><body><body>Inn",
    ],
)
def test_bad_markup_is_read(html):
    assert "Inn" in parse(html).text or "b'" in html


def test_page_of_frames_is_read_as_by_a_reader_without_them():
    html = (
        '<frameset><frame src="a.html"><noframes><body><p>The <b>inn</b></p>'
        '<a href="b.html">Rooms</a></noframes></frameset>'
    )

    assert lines(html) == ["The inn", "Rooms"]
    assert [link.anchor for link in parse(html).links] == ["", "Rooms"]


def test_marks_of_the_tape_cannot_be_smuggled_in():
    page = parse('<p>a\x01b\x02\x05c&#1;d&#2;&#5;e<a href="x">f</a>')

    assert page.text[page.blocks[0].start : page.blocks[-1].end] == page.text
    assert len(page.links) == 1


def test_items_are_found():
    page = parse('<meta name="geo.position" content="48.1;11.5"><a href="geo:48.1,11.5">map</a>')

    assert [item.source for item in page.items] == ["meta", "geo-uri"]
