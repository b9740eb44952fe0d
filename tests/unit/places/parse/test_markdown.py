"""Pages as Markdown."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geoscout_places.parse.markdown import to_markdown

URL = "http://museum.example/visit/"


def shown(body: str) -> str:
    return to_markdown(body.encode(), URL)


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("<h2>Visit <i>us</i></h2><p>Open  daily", "## Visit us\n\nOpen daily\n"),
        ("<ul><li>a<li>b<ul><li>c</ul></ul>x", "- a\n- b\n  - c\n\nx\n"),
        ("<ol><li>a<li>b</ol><ul><li>c</ul>", "1. a\n2. b\n\n- c\n"),
        ("<p>Main St 1<br>Oldenburg", "Main St 1\nOldenburg\n"),
        ("<a href='../a b'> the\nmap </a>.", "[the map](http://museum.example/a%20b) .\n"),
        ("<a href='x(1)'>m</a>", "[m](<http://museum.example/visit/x(1)>)\n"),
        ("<a href='javascript:x'>no</a>", "no\n"),
        ("<base href='http://b.example/'><a href=c>d</a>", "[d](http://b.example/c)\n"),
        ("<b>from </b>5 <em>Euro</em>", "**from** 5 *Euro*\n"),
        ("<blockquote><p>a<p>b</blockquote>", "> a\n\n> b\n"),
        ("<pre>a\n  b</pre>", "```\na\n  b\n```\n"),
        ("<p>* # [x] 1. <p># no<p>2. no", "\\* # \\[x\\] 1.\n\n\\# no\n\n2\\. no\n"),
        ("<p hidden>a<p style='display:none'>b<script>c</script><p>d", "d\n"),
        ("", ""),
    ],
)
def test_each_element_is_written_as_people_write_it(html, markdown):
    assert shown(html) == markdown


def test_a_table_of_data_is_a_table_and_one_that_arranges_the_page_is_not():
    hours = "<table><tr><th>Day<th>Hours<tr><td>Mon<td><a href=/m>9|5</a></table>"
    layout = "<table><tr><td><h1>A</h1><td><p>b<tr><td>c<td>d</table>"

    assert shown(hours) == (
        "| Day | Hours |\n| --- | --- |\n| Mon | [9\\|5](http://museum.example/m) |\n"
    )
    assert shown(layout) == "# A\n\nb\n\nc\n\nd\n"


def test_what_all_pages_of_a_site_have_is_left_out():
    menu = "".join(f"<li><a href=/{n}>Page {n}</a>" for n in range(9))
    text = "<h1>Museum</h1><p>Open daily.</p><address>Main St 1, Oldenburg</address>"
    furniture = f"<nav><ul>{menu}</ul></nav><header>Top</header>{text}<footer>(c)</footer>"

    assert shown(furniture) == "# Museum\n\nOpen daily.\n\nMain St 1, Oldenburg\n"
    long = f"{text}<p>{'Here you see how people lived. ' * 9}</p>"
    assert shown(f"<div><ul>{menu}</ul></div>{long}").startswith("# Museum")
    assert "Page 3" in shown(f"<nav><ul>{menu}</ul></nav>")  # the page has nothing else


def test_an_article_in_what_a_class_calls_a_sidebar_is_shown():
    long = "<p>" + "The museum has been open to everybody since then. " * 5

    assert "open to everybody" in shown(f"<div class=sidebar>{long}</div><p>Teaser")


def test_what_stands_beside_a_long_text_is_left_out_but_not_how_to_reach_it():
    told = "<p>The museum tells the long story of the town and its people, from the first ferry on."
    page = shown(
        f"<div><h1>Museum</h1></div><div class=story>{told * 20}</div>"
        "<div><p>Nobody has told this story before, and nobody will tell it again, says a critic."
        "</div><div>Open Tu-Su 10:00-17:00</div><div class='user-comments'><p>I was there at 9:00!"
        "</div><div>All rights reserved</div>"
    )

    assert page.startswith("# Museum")
    assert page.count("first ferry") == 20
    assert page.endswith("Open Tu-Su 10:00-17:00\n")
    assert "critic" not in page


def test_pdf_and_text_are_paragraphs():
    assert to_markdown("one\n\n* two") == "one\n\n\\* two\n"
    assert to_markdown(b"one\r\n\r\ntwo", URL, "text/plain") == "one\n\ntwo\n"


@given(
    st.lists(
        st.sampled_from(
            "<ul> <li> </ul> <p> <a_href=x> </a> <b> </b> <td> <table> <tr> "
            "x <br> </table> <blockquote> <h2> </h2> <pre> </pre>".split()
        )
    )
)
@settings(max_examples=200)
def test_no_markup_is_too_broken(tags):
    assert isinstance(shown("".join(tags).replace("_", " ")), str)


def test_time_grows_with_the_length_of_a_page_only():
    deep = "<ul><li>" * 20_000 + "x"
    links = "<a href=x>" * 20_000 + "x"
    marks = "<b>" * 20_000 + "x"

    assert "x" in shown(deep)
    assert "x" in shown(links)
    assert "x" in shown(marks)
