from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

import pytest

from geoscout_lab.worlds.synthetic.layouts import DIVISIONS, ROLES, TABLES, layout_of
from geoscout_lab.worlds.synthetic.pages import Role
from geoscout_lab.worlds.synthetic.render import links_of
from geoscout_lab.worlds.synthetic.sketch import LinkSketch, Sketch, Zone

if TYPE_CHECKING:
    from geoscout_lab.worlds.synthetic import SyntheticWeb


def _pages(web: SyntheticWeb, count: int = 400) -> list[int]:
    pages = [page for page in range(web.size) if web.status(page) == 200]
    return random.Random(7).sample(pages, count)


def _text(web: SyntheticWeb, page: int) -> str:
    return web.html(page).decode(web.content_type(page).partition("=")[2])


def _main(web: SyntheticWeb, page: int) -> str:
    layout, html = layout_of(web.site(page)), _text(web, page)
    start = html.index(layout.before_main) + len(layout.before_main)
    return html[start : html.index(layout.before_side.partition("{")[0], start)]


@pytest.mark.parametrize("name", ["ahlers2009", "web2025", "gao2006"])
def test_about_half_of_the_bytes_are_template(name, webs):
    web = webs[name]
    pages = _pages(web)

    main = sum(len(_main(web, page)) for page in pages)
    whole = sum(len(_text(web, page)) for page in pages)

    assert 0.40 <= 1 - main / whole <= 0.55


def test_pages_have_some_hundred_words(web):
    counts = sorted(len(re.sub("<[^>]+>", " ", _main(web, page)).split()) for page in _pages(web))

    assert counts[20] >= 60
    assert 120 <= counts[200] <= 260
    assert counts[380] <= 500


def test_addresses_stand_in_many_forms(web):
    shown = [page for page in _pages(web, 2000) if web.register.entities(page)]
    mains = [_main(web, page) for page in shown]

    forms = ("<table><tr><td>", "<address>", "<li>", "<br>", 'class="adr"')

    assert [form for form in forms if not any(form in main for main in mains)] == []


def test_part_of_the_addresses_is_marked_up(web):
    shown = [page for page in _pages(web, 3000) if web.register.entities(page)]

    marked = [page for page in shown if "PostalAddress" in _text(web, page)]

    assert len(marked) / len(shown) == pytest.approx(0.20, abs=0.06)


def test_soft_error_says_that_there_is_no_page(web):
    soft = [page for page in range(web.size) if web.role(page) is Role.SOFT_ERROR]

    page = soft[0]

    assert web.status(page) == 200
    assert web.site(page).language.labels["missing"][0] in _text(web, page)


def test_old_sites_write_latin_letters(webs):
    web = webs["ahlers2009"]
    old = next(page for page in _pages(web) if web.site(page).is_old)

    assert web.content_type(old) == "text/html; charset=iso-8859-1"
    assert web.html(old).decode("iso-8859-1")


def _url(page: int) -> str:
    return f"http://a.example/{page}"


def _menu(*texts: str) -> list[Sketch]:
    return [Sketch(Zone.MENU, "", LinkSketch(n, text), "") for n, text in enumerate(texts)]


def test_links_of_one_line_see_each_other():
    first, second, third = links_of(_menu("Home", "News", "Team"), ROLES, _url, "")

    assert (first.before, first.after) == ("", "| News | Team")
    assert (second.before, second.after) == ("Home |", "| Team")
    assert third.before == "Home | News |"


def test_line_breaks_separate_words_only():
    first, _ = links_of(_menu("Home", "News"), TABLES, _url, "")

    assert first.after == "News"


def test_entries_of_a_list_stand_alone():
    links = links_of(_menu("Home", "News"), DIVISIONS, _url, "")

    assert {(link.before, link.after) for link in links} == {("", "")}


def test_window_ends_after_25_tokens():
    words = " ".join(map(str, range(60)))
    sketch = Sketch(Zone.TEXT, f"{words} ", LinkSketch(1, "here"), f" {words}")

    (link,) = links_of([sketch], ROLES, _url, "")

    assert link.before.split() == [str(n) for n in range(35, 60)]
    assert link.after.split() == [str(n) for n in range(25)]
