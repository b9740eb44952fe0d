"""Which first pages of a site are read again."""

from __future__ import annotations

import pytest

from geoscout.crawling import first_pages
from geoscout.crawling.first_pages import FIRST_PAGES, FirstPage
from geoscout.crawling.site_memory import SiteMemory
from geoscout.model import SiteKnowledge, SiteNotes

URL = "http://a.example/1"
MENU, OTHER = 10, 20
TEXAS, OHIO = 1, 2
PAGE = SiteNotes(blocks=(MENU, OTHER), countries=(("US", 0.6), ("FR", 0.2)), regions=((OHIO, 0.3),))


def known(pages: int = 9, *, repeated: tuple[int, ...] = (), **areas: float) -> SiteKnowledge:
    countries = tuple((name, share) for name, share in areas.items() if name in ("US", "FR"))
    regions = tuple((TEXAS, share) for name, share in areas.items() if name == "texas")
    return SiteKnowledge(pages, countries, regions, repeated=frozenset(repeated))


@pytest.mark.parametrize(
    ("then", "now", "is_outdated"),
    [
        (known(0), known(), False),
        (known(0), known(repeated=(MENU,)), True),
        (known(0), known(3, repeated=(MENU,)), False),  # nothing is known of three pages
        (known(4, repeated=(MENU,)), known(repeated=(MENU,)), False),
        (known(4, repeated=(MENU,)), known(repeated=(MENU, OTHER)), True),
        (known(0), known(repeated=(30,)), False),  # a block that it does not have
        (known(0), known(US=0.5), True),  # FR may be wrong
        (known(0), known(US=0.2), False),
        (known(4, US=0.5), known(US=0.7), False),
        (known(4, FR=0.5), known(US=0.7), True),
        (known(4, US=0.5), known(US=0.5, texas=0.3), True),
        (known(4, US=0.5, texas=0.4), known(US=0.5, texas=0.3), False),
    ],
)
def test_a_page_is_outdated_when_what_it_names_may_mean_something_else_now(
    then: SiteKnowledge, now: SiteKnowledge, is_outdated: bool
) -> None:
    assert FirstPage.read_with(then, PAGE).is_outdated(now) is is_outdated


def test_a_page_that_names_nothing_elsewhere_stays_as_it_was() -> None:
    notes = SiteNotes(countries=(("US", 0.6),), regions=((TEXAS, 0.5),))

    assert not FirstPage.read_with(known(0), notes).is_outdated(known(US=0.7, texas=0.5))


def visit(memory: SiteMemory, pages: range, url: str = URL) -> list[list[int]]:
    """Read pages with one menu; the visits that are to be corrected after each of them."""
    found = []
    for n in pages:
        notes = SiteNotes(blocks=(MENU, 100 + 2 * n))
        due = memory.learn(url, notes, n, FirstPage.read_with(memory.recall(url), notes))
        found.append([correction.visit for correction in due])
    return found


def test_first_pages_are_due_when_the_site_has_24() -> None:
    memory = SiteMemory()

    due = visit(memory, range(1, 40))

    assert due[FIRST_PAGES - 1] == [1, 2, 3, 4]  # the menu is known from the fifth page on
    assert [page for page in due if page] == [[1, 2, 3, 4]]
    assert list(memory.outdated()) == []


def test_first_pages_of_small_sites_are_due_in_the_end_and_once() -> None:
    memory = SiteMemory()
    visit(memory, range(1, 7))

    first, second = list(memory.outdated()), list(memory.outdated())

    assert [correction.visit for correction in first] == [1, 2, 3, 4]
    assert all(correction.site.repeated == {MENU} for correction in first)
    assert second == []


def test_a_page_is_read_without_what_it_told_itself() -> None:
    memory = SiteMemory()
    visit(memory, range(1, 7))

    assert {correction.site.pages for correction in memory.outdated()} == {5}


def test_first_pages_are_kept_at_once_and_go_on_after_a_crash() -> None:
    memory, kept = SiteMemory(), {}
    for n in range(1, 7):
        visit(memory, range(n, n + 1))
        kept |= memory.take_changes(when_due=True)
    names = list(kept)
    kept |= memory.take_changes()
    again = SiteMemory(kept.items())

    assert names == [f"a.example {n}" for n in range(1, 7)]
    assert [correction.visit for correction in again.outdated()] == [1, 2, 3, 4]
    assert again.recall(URL).pages == 6


def test_rows_are_forgotten_when_they_are_of_no_more_use() -> None:
    memory = SiteMemory()
    visit(memory, range(1, FIRST_PAGES))
    kept = dict(memory.take_changes())
    notes = SiteNotes(blocks=(MENU,))
    due = memory.learn(URL, notes, FIRST_PAGES, FirstPage.read_with(None, notes))

    for rows in (memory.take_changes(), *(correction.kept for correction in due)):
        kept |= rows

    assert [name for name, packed in kept.items() if packed] == ["a.example"]


def test_a_corrected_page_is_kept_as_it_was_read_last() -> None:
    memory = SiteMemory()
    visit(memory, range(1, 7))
    kept = dict(memory.take_changes())
    for correction in memory.outdated():
        kept |= correction.kept

    assert list(SiteMemory(kept.items()).outdated()) == []


def test_a_site_that_is_forgotten_is_corrected_before() -> None:
    memory = SiteMemory(most_sites=1)
    visit(memory, range(1, 7))

    assert visit(memory, range(7, 8), "http://b.example/") == [[1, 2, 3, 4]]


def test_too_many_first_pages_crowd_out_those_of_the_first_site(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(first_pages, "MOST_FIRST_PAGES", 6)
    memory = SiteMemory()
    visit(memory, range(1, 7))

    assert visit(memory, range(7, 9), "http://b.example/") == [[1, 2, 3, 4], []]
    assert list(memory.outdated()) == []


def test_damaged_rows_count_for_nothing() -> None:
    assert list(SiteMemory([("a.example 1", b"x"), ("a.example", b"y")]).outdated()) == []


def test_nothing_is_remembered_without_sites_or_without_a_visit() -> None:
    none, unnumbered = SiteMemory(most_sites=0), SiteMemory()
    visit(none, range(1, 7))
    for _ in range(6):
        unnumbered.learn(URL, SiteNotes(blocks=(MENU,)))

    assert list(none.outdated()) == list(unnumbered.outdated()) == []
