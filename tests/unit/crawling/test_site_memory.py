"""What a crawl remembers of sites."""

import pytest

from geoscout.crawling.site_memory import SiteMemory, known_site
from geoscout_places.model import SiteNotes

A, B = "http://a.example/1", "http://b.example/1"
SHORT, LONG, RARE = 10, 21, 30  # marks


def note(*blocks: int, language: str = "de", **areas: dict[str | int, float]) -> SiteNotes:
    shares = {kind: tuple(of.items()) for kind, of in areas.items()}
    return SiteNotes(language=language, blocks=blocks, **shares)


def taught(*notes: SiteNotes) -> SiteMemory:
    memory = SiteMemory()
    for each in notes:
        memory.learn(A, each)
    return memory


def test_blocks_of_all_of_four_pages_are_repeated_and_of_three_not_yet():
    three, four = (taught(*[note(SHORT, LONG)] * n).recall(A) for n in (3, 4))

    assert (three.repeated, four.repeated) == (frozenset(), {SHORT, LONG})


def test_a_long_block_needs_a_fifth_of_the_pages_and_a_short_one_half():
    pages = [note(SHORT, LONG)] * 8 + [note(n) for n in range(100, 124, 2)]

    assert taught(*pages).recall(A).repeated == {LONG}


def test_pages_in_another_language_have_menus_of_their_own():
    german, english = [note(SHORT)] * 20, [note(40, language="en")] * 5

    assert taught(*german, *english).recall(A).repeated == {SHORT, 40}


def test_a_footer_that_all_languages_share_is_known_in_each():
    pages = [note(LONG), *[note(LONG, language=code) for code in ("en", "fr", "it")]]

    assert taught(*pages).recall(A).repeated == {LONG}


def test_areas_are_told_by_their_share_of_pages():
    memory = taught(*[note(countries={"DE": 0.8}, regions={5: 0.8}, squares={7: 0.4})] * 3)

    known = memory.recall("https://www.a.example/other")

    (country, region, square) = (*known.countries, *known.regions, *known.squares)
    assert country == ("DE", pytest.approx(0.8 * 3 / 4))
    assert region == (5, pytest.approx(0.8 * 3 / 4))
    assert square == (7, pytest.approx(0.4 * 3 / 4))


def test_areas_of_one_page_in_many_are_not_told():
    memory = taught(note(countries={"FR": 0.5}), *[note(countries={"DE": 0.5})] * 30)

    assert [country for country, _ in memory.recall(A).countries] == ["DE"]


def test_what_changed_is_taken_once_and_makes_the_same_memory():
    memory = taught(*[note(SHORT, countries={"DE": 0.5})] * 5)
    memory.learn(B, note(SHORT))

    changes = memory.take_changes()
    again = SiteMemory(changes.items())

    assert set(changes) == {"a.example", "b.example"}
    assert memory.take_changes() == {}
    assert again.recall(A) == memory.recall(A) == known_site(changes["a.example"])


def test_the_site_that_was_met_first_is_forgotten():
    memory = SiteMemory([("c.example", b""), ("d.example", b"")], most_sites=2)
    memory.learn(A, note(SHORT))

    assert dict(memory.take_changes())["c.example"] == b""
    assert memory.recall("http://c.example/").pages == 0
    assert memory.recall(A).pages == 1


def test_a_record_that_cannot_be_read_is_learned_again():
    memory = SiteMemory([("a.example", b"\xc1")])
    memory.learn(A, note(SHORT))

    assert memory.recall(A).pages == 1


def test_a_site_has_a_limit_and_what_is_repeated_stays_known():
    memory = SiteMemory()
    for page in range(600):
        own = range(1000 * page, 1000 * page + 400, 2)
        areas = {10 * page + n: 0.05 for n in range(20)}
        memory.learn(A, note(SHORT, *own, language=f"x{page % 9}", squares=areas, regions=areas))

    (packed,) = memory.take_changes().values()

    assert len(packed) < 16_000
    assert SHORT in memory.recall(A).repeated


def test_a_page_can_be_left_out_of_what_is_known():
    own = note(SHORT, LONG, countries={"FR": 0.9}, squares={7: 0.5})
    others = [note(SHORT, countries={"DE": 0.5})] * 4

    known = taught(own, *others).recall(A, without=own)

    assert known == taught(*others).recall(A)


def test_nothing_is_known_of_a_new_site_without_room_or_without_a_host():
    known = taught(note(SHORT)).recall(B)
    full, memory = SiteMemory(most_sites=0), SiteMemory()
    full.learn(A, note(SHORT))
    memory.learn("", note(SHORT))

    assert (known.pages, known.repeated) == (0, frozenset())
    assert full.recall(A).pages == 0
    assert (memory.recall("").pages, memory.take_changes()) == (0, {})


def test_a_block_that_some_pages_have_recurs_without_being_repeated() -> None:
    known = taught(*[note(SHORT)] * 4, *[note()] * 60).recall(A)

    assert (known.recurring, known.repeated) == (frozenset([SHORT]), frozenset())
