from __future__ import annotations

from geoscout_lab.worlds.synthetic.text.layouts import DIVISIONS, ROLES, TABLES
from geoscout_lab.worlds.synthetic.text.links import links_of
from geoscout_lab.worlds.synthetic.text.sketch import LinkSketch, Sketch, Zone


def _url(page: int) -> str:
    return f"http://a.example/{page}"


def _menu(*texts: str) -> list[Sketch]:
    return [Sketch(Zone.MENU, "", LinkSketch(n, text), "") for n, text in enumerate(texts)]


def test_links_of_one_line_see_each_other() -> None:
    first, second, third = links_of(_menu("Home", "News", "Team"), ROLES, _url, "")

    assert (first.before, first.after) == ("", "| News | Team")
    assert (second.before, second.after) == ("Home |", "| Team")
    assert third.before == "Home | News |"


def test_line_breaks_separate_words_only() -> None:
    first, _ = links_of(_menu("Home", "News"), TABLES, _url, "")

    assert first.after == "News"


def test_entries_of_a_list_stand_alone() -> None:
    links = links_of(_menu("Home", "News"), DIVISIONS, _url, "")

    assert {(link.before, link.after) for link in links} == {("", "")}


def test_window_ends_after_25_tokens() -> None:
    words = " ".join(map(str, range(60)))
    sketch = Sketch(Zone.TEXT, f"{words} ", LinkSketch(1, "here"), f" {words}")

    (link,) = links_of([sketch], ROLES, _url, "")

    assert link.before.split() == [str(n) for n in range(35, 60)]
    assert link.after.split() == [str(n) for n in range(25)]
